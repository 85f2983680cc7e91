"""CPU time of one attempt against that of the bare test command, as a ratio taken in one run.

    ours   build and test the reference of a small sample at level checked, environment ready
    bare   the framework's own command in a folder with the same files and the same environment;
           it tests only, without a type check, a sandbox or a record of its own.
           Where a language is compiled, the folder has been built before, and the solution is
           changed by a comment before each run, as every attempt is another solution

Both in turn, the least of N rounds each. CPU time includes all processes that were started, and is
disturbed less by other load than time on the clock. Usage: python -m benchmarks.attempt_cpu [-n N]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.measuring import Usage, load, measured
from sdkbench.datasets import Sample, load_sdk
from sdkbench.environments import Cache
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.sandbox import choose
from sdkbench.test_harness import BaseTestRunner, Harness

CORPUS = Path(__file__).parents[1] / "corpus"
JEST = 'module.exports = { transform: { "^.+\\\\.tsx?$": "@swc/jest" } }\n'
COMMANDS = {
    "vitest": ("npx", "vitest", "run"),
    "jest": ("npx", "jest"),
    "mocha": ("npx", "mocha", "tests"),
    "node_test": ("node", "--test", "tests"),
}
COMPILED = {
    "go": ("go", "test", "-count=1", "./..."),
    "cargo": ("cargo", "test", "--quiet", "--offline"),
}
# Node reads every certificate of its own where there are more, at each start: 30 CPU-ms that are
# this machine's, not the command's.
COSTLY = {"NODE_EXTRA_CA_CERTS", "NODE_OPTIONS"}
# What the reference's package is called by its tests.
LIBRARY = '\n[lib]\nname = "expected"\n'
ENDINGS = {"go": ".go", "cargo": ".rs"}
OURS_ALONE = ("junit",)  # Maven finds its plugins in no environment of ours


def cpu_ms(usage: Usage) -> float:
    if usage.cpu_ms is None:
        sys.exit("CPU time can't be counted here: no control group could be made.")
    return usage.cpu_ms


def examine(runner: BaseTestRunner) -> None:
    done = runner.examine()
    if done.evidence is None or not done.build.success or not done.evidence.reports:
        sys.exit(f"the reference did not pass: {done.build} {done.process}")


def laid_out(runner: BaseTestRunner, folder: Path) -> None:
    for placement in runner.project.placements:
        copy = shutil.copytree if placement.source.is_dir() else shutil.copy
        copy(placement.source, folder / placement.target)
    modules = runner.provided().path / "node_modules"
    # Real folders, as an installation makes them; the files are the same.
    shutil.copytree(modules, folder / "node_modules", symlinks=True, copy_function=os.link)
    if runner.get_framework() == "jest":
        (folder / "jest.config.js").write_text(JEST, encoding="utf-8")


def laid_out_as_package(sample: Sample, framework: str, folder: Path) -> None:
    shutil.copytree(sample.reference_dir, folder, dirs_exist_ok=True)
    shutil.copytree(sample.tests_dir, folder / "tests")
    if framework == "cargo":
        with (folder / "Cargo.toml").open("a", encoding="utf-8") as manifest:
            manifest.write(LIBRARY)


def changed(framework: str, folder: Path) -> None:
    """Another solution, which does the same."""
    for path in folder.rglob(f"*{ENDINGS[framework]}"):
        if not {"tests", "target"} & set(path.relative_to(folder).parts):
            with path.open("a", encoding="utf-8") as source:
                source.write("// and once more\n")


def test(command: tuple[str, ...], folder: Path) -> None:
    env = {name: value for name, value in os.environ.items() if name not in COSTLY} | {"CI": "true"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=folder, env=env)
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}\n{done.stderr}")


def measure(framework: str, harness: Harness, rounds: int) -> tuple[float, float | None]:
    sample = load_sdk(CORPUS / framework, "sample")[0]
    command = COMMANDS.get(framework) or COMPILED.get(framework)
    ours, bare = [], []
    with (
        prepared(Subject(sample.reference_dir, sample), Options(), harness) as runner,
        tempfile.TemporaryDirectory(dir=harness.cache.root) as name,
    ):
        runner.install_dependencies()
        examine(runner)  # what is made once is made now
        if command:
            if framework in COMPILED:
                laid_out_as_package(sample, framework, Path(name))
            else:
                laid_out(runner, Path(name))
            test(command, Path(name))
        for _ in range(rounds):
            with measured() as usage:
                examine(runner)
            ours.append(cpu_ms(usage))
            if command:
                if framework in COMPILED:
                    changed(framework, Path(name))
                with measured() as usage:
                    test(command, Path(name))
                bare.append(cpu_ms(usage))
    return min(ours), min(bare) if bare else None


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-n", "--rounds", type=int, default=5, metavar="N")
    parser.add_argument("frameworks", nargs="*", default=[*COMMANDS, *COMPILED, *OURS_ALONE])
    arguments = parser.parse_args()
    harness = Harness(choose(), Cache())
    print(load())
    print(f"{'framework':10} {'ours ms':>8} {'bare ms':>8} {'bare/ours':>9}")
    for framework in arguments.frameworks:
        ours, bare = measure(framework, harness, arguments.rounds)
        shown = f"{bare:8.0f} {bare / ours:8.2f}x" if bare else ""
        print(f"{framework:10} {ours:8.0f} {shown}", flush=True)


if __name__ == "__main__":
    main()
