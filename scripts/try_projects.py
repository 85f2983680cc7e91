"""Judge real projects, and compare each with the plain test command in a plain environment.

    python -m scripts.try_projects CLONE… [--commands FILE] [--results FILE] [--fail-under 95]

A clone is a local folder; it is copied, and nothing in it changes. The plain command runs on this
machine without a sandbox, with the network: give it only projects that you would run yourself.
What a project's own documentation adds to the plain command stands in FILE, in TOML, by the
folder's name: `setup` (shell commands before), `test` (instead of the plain command), `flags` (for
sdkbench fcorr).
"""

import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

from rich.console import Console
from rich.table import Table

from sdkbench.test_harness import TestRunnerRegistry

SECONDS = 1800
# Whose lock file it is, and the version to take where package.json names none.
PACKAGE_MANAGERS = {"pnpm-lock.yaml": "pnpm@10", "yarn.lock": "yarn@1"}
# Tests of rights differ for root; ours run as a user, and root's files are this user's own.
AS_A_USER = "unshare --user --map-user=1000 --map-group=1000 sh -c"
# What a user may have set for every program, and tests look at.
WISHES_OF_A_SHELL = frozenset({"RUST_BACKTRACE", "RUST_LOG", "PYTEST_ADDOPTS"})
CARGO_SUMMARY = re.compile(
    r"^test result: .* (\d+) passed; (\d+) failed; (\d+) ignored;", re.MULTILINE
)
INSTALL = f"{sys.executable} -m uv pip install -q --python $VIRTUAL_ENV"
TEST_EXTRAS = ("test", "tests", "testing", "dev")
TEST_REQUIREMENTS = (
    "requirements-test.txt", "requirements-tests.txt", "requirements-dev.txt",
    "test-requirements.txt", "dev-requirements.txt", "requirements_test.txt",
    "requirements_dev.txt", "requirements/test.txt", "requirements/tests.txt",
    "requirements/dev.txt", "tests/requirements.txt",
)  # fmt: skip


@dataclass(frozen=True)
class Tested:
    """What one side says of a project."""

    outcome: str
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    reason: str = ""

    def agrees(self, other: "Tested") -> bool:
        return self.figures == other.figures and self.outcome == other.outcome

    @property
    def figures(self) -> tuple[int, int, int]:
        return self.passed, self.failed, self.skipped

    def __str__(self) -> str:
        return f"{self.outcome} {self.passed}/{self.failed}/{self.skipped}"


@dataclass(frozen=True)
class Compared:
    project: str
    runner: str
    plain: Tested
    ours: Tested

    @property
    def agrees(self) -> bool:
        return self.ours.agrees(self.plain)


@dataclass(frozen=True)
class Wish:
    """What FILE says of a project."""

    setup: str = ""
    test: str = ""
    flags: tuple[str, ...] = ()


class Clone:
    """A copy of a project in which the plain command may leave what it likes."""

    def __init__(self, folder: Path, scratch: Path, wish: Wish) -> None:
        self.root = scratch / folder.name
        self.report = scratch / "report"
        self.wish = wish
        self.environment = {k: v for k, v in os.environ.items() if k not in WISHES_OF_A_SHELL}
        shutil.copytree(folder, self.root, symlinks=True)

    def shell(self, command: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(  # noqa: S602 - what a person would type
            command, shell=True, cwd=self.root, env=self.environment, timeout=SECONDS,
            text=True, errors="replace", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip

    def prepare(self, command: str) -> None:
        """What fails here is told, for it explains what follows."""
        done = self.shell(command)
        if done.returncode:
            sys.stderr.write(f"{self.root.name}: {command}: {done.stdout[-2000:]}\n")

    def test(self, plain: str) -> "subprocess.CompletedProcess[str]":
        command = self.wish.test.format(report=self.report) or plain
        is_root = os.geteuid() == 0
        return self.shell(f"{AS_A_USER} {shlex.quote(command)}" if is_root else command)


Counts = Counter[str]


class Ran(NamedTuple):
    process: "subprocess.CompletedProcess[str]"
    counts: Counts


def pytest_or_unittest(clone: Clone, framework: str) -> Ran:
    venv = clone.report.with_name("venv")
    clone.prepare(f"{sys.executable} -m uv venv --seed -q {venv}")
    clone.environment |= {
        "PATH": f"{venv}/bin:{os.environ['PATH']}", "VIRTUAL_ENV": str(venv),
    }  # fmt: skip
    for command in _python_setup(clone):
        clone.prepare(command)
    if framework == "unittest":
        done = clone.test("python -m unittest")
        reported = clone.report.is_file()  # by another command of the project's
        return Ran(done, _of_junit([clone.report]) if reported else _of_unittest(done.stdout))
    done = clone.test(f"python -m pytest --junitxml={clone.report}")
    return Ran(done, _of_junit([clone.report]))


def _python_setup(clone: Clone) -> Iterable[str]:
    if clone.wish.setup:
        yield clone.wish.setup
        return
    yield f"{INSTALL} pytest"
    document = clone.root / "pyproject.toml"
    pyproject = tomllib.loads(document.read_text()) if document.is_file() else {}
    extras = pyproject.get("project", {}).get("optional-dependencies", {})
    chosen = ",".join(name for name in TEST_EXTRAS if name in extras)
    yield f"{INSTALL} -e '.{f'[{chosen}]' if chosen else ''}'"
    for name in TEST_EXTRAS:
        if name in pyproject.get("dependency-groups", {}):
            yield f"{INSTALL} --group {name}"
    for name in TEST_REQUIREMENTS:
        if (clone.root / name).is_file():
            yield f"{INSTALL} -r {name}"


def _of_unittest(output: str) -> Counts:
    ran = re.search(r"^Ran (\d+) test", output, re.MULTILINE)
    bad = sum(int(n) for n in re.findall(r"(?:failures|errors|unexpected successes)=(\d+)", output))
    skipped = sum(int(n) for n in re.findall(r"(?:skipped|expected failures)=(\d+)", output))
    total = int(ran[1]) if ran else 0
    return Counts(passed=total - bad - skipped, failed=bad, skipped=skipped)


def _of_junit(reports: Iterable[Path]) -> Counts:
    counts: Counts = Counter()
    for report in reports:
        if not report.is_file():
            continue
        for case in ET.parse(report).iter("testcase"):  # noqa: S314 - trusted by the user
            tags = {child.tag for child in case}
            kind = "failed" if tags & {"failure", "error"} else "passed"
            counts["skipped" if "skipped" in tags else kind] += 1
    return counts


def _of_tap(report: Path) -> Counts:
    """Its closing lines: a JUnit file of Node's has no line for a test with tests of its own."""
    text = report.read_text() if report.is_file() else ""
    kinds = {
        "pass": "passed", "fail": "failed", "cancelled": "failed",
        "skipped": "skipped", "todo": "skipped",
    }  # fmt: skip
    counts: Counts = Counter()
    for kind, number in re.findall(r"^# (\w+) (\d+)$", text, re.MULTILINE):
        if kind in kinds:
            counts[kinds[kind]] += int(number)
    return counts


def node(clone: Clone, framework: str) -> Ran:
    clone.prepare(clone.wish.setup or _node_setup(clone.root))
    if framework == "node_test":
        reporter = f"--test-reporter=tap --test-reporter-destination={clone.report}"
        done = clone.test(f"node --test {reporter}")
        return Ran(done, _of_tap(clone.report))
    plain = {
        "vitest": f"npx vitest run --reporter=json --outputFile={clone.report}",
        "jest": f"npx jest --json --outputFile={clone.report}",
        "mocha": f"npx mocha --reporter json --reporter-option output={clone.report}",
    }[framework]
    done = clone.test(plain)
    document = json.loads(clone.report.read_text()) if clone.report.is_file() else {}
    if framework == "mocha":
        names = {"passed": "passes", "failed": "failures", "skipped": "pending"}
        stats = document.get("stats", {})
        return Ran(done, Counts({kind: stats.get(name, 0) for kind, name in names.items()}))
    counts: Counts = Counter(
        passed=document.get("numPassedTests", 0),
        failed=document.get("numFailedTests", 0),
        skipped=document.get("numPendingTests", 0) + document.get("numTodoTests", 0),
    )
    return Ran(done, counts)


def _node_setup(root: Path) -> str:
    """By the project's own package manager: each has its own word on which versions agree."""
    if (root / "package-lock.json").is_file():
        return "npm ci --no-audit --no-fund"
    for lock, manager in PACKAGE_MANAGERS.items():
        if (root / lock).is_file():
            named = json.loads((root / "package.json").read_text()).get("packageManager", "")
            same = named.startswith(manager.partition("@")[0])
            chosen = named.partition("+")[0] if same else manager
            chosen = re.sub("^yarn@(?!1)", "@yarnpkg/cli-dist@", chosen)
            return f"npx -y {chosen} install"
    return "npm install --no-audit --no-fund"


def go(clone: Clone, _framework: str) -> Ran:
    clone.prepare(clone.wish.setup or "go mod download")
    done = clone.test("go test -json ./...")
    counts: Counts = Counter()
    kinds = {"pass": "passed", "fail": "failed", "skip": "skipped"}
    for line in done.stdout.splitlines():
        event = json.loads(line) if line.startswith("{") else {}
        if event.get("Test") and event.get("Action") in kinds:
            counts[kinds[event["Action"]]] += 1
    return Ran(done, counts)


def rust(clone: Clone, _framework: str) -> Ran:
    clone.prepare(clone.wish.setup or "cargo fetch")
    done = clone.test("cargo test --no-fail-fast")
    counts: Counts = Counter()
    for found in CARGO_SUMMARY.finditer(done.stdout):
        counts.update(
            {
                k: int(n)
                for k, n in zip(("passed", "failed", "skipped"), found.groups(), strict=True)
            }
        )
    return Ran(done, counts)


def java(clone: Clone, _framework: str) -> Ran:
    clone.prepare(clone.wish.setup or "true")
    # Java asks the system where a user is at home, and not the environment.
    done = clone.test('mvn -B -ntp -fae -Duser.home="$HOME" test')
    return Ran(done, _of_junit(clone.root.rglob("target/surefire-reports/TEST-*.xml")))


COMMANDS = {
    "python": pytest_or_unittest,
    "typescript": node, "javascript": node, "go": go, "rust": rust, "java": java,
}  # fmt: skip


def plainly(clone: Clone, language: str, framework: str) -> Tested:
    try:
        done, counts = COMMANDS[language](clone, framework)
    except subprocess.TimeoutExpired:
        return Tested("failed", reason=f"longer than {SECONDS} s")
    last = done.stdout.strip().splitlines()[-1:] or [""]
    return Tested(
        "passed" if done.returncode == 0 else "failed",
        counts["passed"], counts["failed"], counts["skipped"],
        "" if done.returncode == 0 else last[0][:300],
    )  # fmt: skip


def judged(folder: Path, flags: Iterable[str]) -> tuple[str, Tested]:
    """By the program, as a user calls it."""
    command = [sys.executable, "-m", "sdkbench", "fcorr", "--directory", str(folder), "--json"]
    done = subprocess.run(
        [*command, "--timeout", str(SECONDS), *flags],
        capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    try:
        result = json.loads(done.stdout)
    except json.JSONDecodeError:
        return "", Tested("error", reason=done.stderr.strip()[-400:])
    tests = result["test_results"] or {}
    return str(result["framework"]), Tested(
        result["outcome"],
        tests.get("passed", 0), tests.get("failed", 0), tests.get("skipped", 0),
        result["error"] or "",
    )  # fmt: skip


def compare(folder: Path, wish: Wish) -> Compared:
    framework, ours = judged(folder, wish.flags)
    found = next(iter(TestRunnerRegistry.detect_all(folder)), None)
    if found is not None and found.unsupported:
        return Compared(folder.name, "unsupported", Tested("error", reason="not run"), ours)
    language = str(found.language.value) if found and found.language else ""
    if language not in COMMANDS:
        return Compared(folder.name, framework, Tested("error", reason="no runner"), ours)
    framework = framework or str(found.framework.value if found and found.framework else "")
    with tempfile.TemporaryDirectory(prefix="try-") as scratch:
        plain = plainly(Clone(folder, Path(scratch), wish), language, framework)
    return Compared(folder.name, framework, plain, ours)


def table(compared: Iterable[Compared]) -> Table:
    shown = Table(
        "project", "framework", "plain (passed/failed/skipped)", "sdkbench", "same", "reason"
    )
    for each in compared:
        same = "[green]yes[/]" if each.agrees else "[red]no[/]"
        reason = "" if each.agrees else (each.ours.reason or each.plain.reason)[:200]
        shown.add_row(
            each.project,
            each.runner,
            str(each.plain),
            str(each.ours),
            same,
            reason.replace("[", r"\["),
        )
    return shown


def wishes(path: Path | None) -> Mapping[str, Wish]:
    document = tomllib.loads(path.read_text()) if path else {}
    return {
        name: Wish(said.get("setup", ""), said.get("test", ""), tuple(said.get("flags", ())))
        for name, said in document.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--commands", type=Path, help="TOML: setup, test and flags by project")
    parser.add_argument(
        "--results", type=Path, help="a line of JSON for each project, as they come"
    )
    parser.add_argument("--fail-under", type=float, default=95.0, help="per cent that agree")
    chosen = parser.parse_args()
    said = wishes(chosen.commands)
    done = []
    console = Console()
    for clone in chosen.clones:
        done.append(compare(clone.resolve(), said.get(clone.resolve().name, Wish())))
        console.print(
            f"{clone.name}: plain {done[-1].plain}, sdkbench {done[-1].ours}", highlight=False
        )
        if chosen.results:
            with chosen.results.open("a") as file:
                file.write(json.dumps(asdict(done[-1])) + "\n")
    same = sum(each.agrees for each in done)
    console.print(table(done))
    console.print(f"{same} of {len(done)} agree ({100 * same / len(done):.0f} %)")
    return 0 if 100 * same >= chosen.fail_under * len(done) else 1


if __name__ == "__main__":
    sys.exit(main())
