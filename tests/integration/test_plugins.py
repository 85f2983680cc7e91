"""Runners by anyone: a real plugin installed as a user would, and broken ones told of by name."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from uv import find_uv_bin

from tests.support.odd_runner import ODD_RUNNER
from tests.support.places import CACHE, ROOT
from tests.support.projects import write
from tests.support.seven.perl import PROJECTS

PROGRAM = Path(sys.executable).parent / "sdkbench"
PACKAGE = ROOT / "tests" / "plugins" / "sdkbench-perl"
CORPUS = PACKAGE / "corpus"
SAMPLE = CORPUS / "prove" / "sample" / "task"
HOW_TO = ROOT / "docs" / "how-to" / "add-a-runner.md"

# Several commands in one process: starting the program takes longer than most of what it does here.
SEVERAL = """
import contextlib, io, json, sys
from sdkbench.cli.app import exit_code as run
done = []
for words in json.load(sys.stdin):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(words)
    done.append([int(code), out.getvalue(), err.getvalue()])
json.dump(done, sys.stdout)
"""


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


Words = tuple[str | Path, ...]
Run = Callable[..., list[Done]]
needs_perl = pytest.mark.skipif(
    shutil.which("perl") is None, reason="Perl is not installed: apt-get install perl"
)


def installed(folder: Path, into: Path) -> Path:
    words = ["pip", "install", "--quiet", "--offline", "--no-deps", "--target", str(into)]
    subprocess.run([find_uv_bin(), *words, str(folder)], check=True, timeout=60)
    return into


@pytest.fixture(scope="module")
def perl_plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for PYTHONPATH that holds the plugin, built from a copy of its sources."""
    root = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PACKAGE, root / "source", ignore=shutil.ignore_patterns("corpus"))
    return installed(root / "source", root / "site")


@pytest.fixture(scope="module")
def run() -> Run:
    def call(*commands: Words, site: Path, **environment: str) -> list[Done]:
        done = subprocess.run(
            [sys.executable, "-c", SEVERAL],
            input=json.dumps([list(map(str, words)) for words in commands]),
            env=surroundings(site) | environment,
            capture_output=True, text=True, timeout=240, check=True,
        )  # fmt: skip
        assert done.stderr == ""
        return [Done(*one) for one in json.loads(done.stdout)]

    return call


def surroundings(site: Path) -> dict[str, str]:
    return {**os.environ, "SDKBENCH_CACHE": str(CACHE), "PYTHONPATH": str(site), "COLUMNS": "300"}


@pytest.fixture(scope="module")
def seven(run: Run, perl_plugin: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What became of each of the seven projects."""
    root = tmp_path_factory.mktemp("seven")
    judge = ("fcorr", "--json", "--timeout", "10", "--directory")  # one of them never ends
    words = [(*judge, write(root / name, files)) for name, files in PROJECTS.items()]
    found = run(*words, site=perl_plugin)
    return {name: done.json for name, done in zip(PROJECTS, found, strict=True)}


def row(text: str, name: str) -> str:
    """The line of a table that starts with `name`, with single blanks."""
    line = next(line for line in text.splitlines() if line.startswith(f"{name} "))
    return " ".join(line.split())


@needs_perl
def test_detect_and_doctor_show_the_plugin_with_its_distribution(
    run: Run, perl_plugin: Path, tmp_path: Path
) -> None:
    folder = write(tmp_path / "project", PROJECTS["pass"] | {"cpanfile": ""})
    found = subprocess.run(
        [str(PROGRAM), "detect", str(folder)],
        env=surroundings(perl_plugin), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert row(found.stdout, "perl") == "perl sdkbench-perl 1.0 0.90 perl prove cpanfile, t/sum.t"
    assert "perl would be used" in found.stdout
    told, doctor = run(("detect", folder, "--json"), ("doctor",), site=perl_plugin)
    first = told.json[0]
    assert (first["runner"], first["origin"]) == ("perl", "sdkbench-perl 1.0")
    assert (first["language"], first["framework"]) == ("perl", "prove")
    assert doctor.returncode == 0
    assert row(doctor.stdout, "perl") == f"perl ok {shutil.which('perl')}"
    assert "perl ok sdkbench-perl 1.0" in " ".join(doctor.stdout.split())


@needs_perl
@pytest.mark.parametrize(
    ("name", "outcome", "fault", "passed", "total", "says"),
    [
        ("pass", "passed", None, 2, 2, None),
        ("fail", "failed", "test", 1, 2, "1 adds: got: '3'; expected: '4'"),
        ("skip", "failed", "no_tests", 0, 2, "None of the 2 tests passed."),
        ("compile_error", "failed", "build", 0, 0, "lib/Sum.pm: syntax error at lib/Sum.pm line 3"),
        ("panic", "failed", "test", 1, 2, "no sum today"),
        ("endless", "failed", "timeout", 0, 1, "while t/sum.t was running"),
        ("zero_tests", "failed", "no_tests", 0, 0, "No tests were found"),
    ],
)
def test_a_perl_project_is_judged_on_its_own_tests(
    seven: dict[str, Any],
    name: str,
    outcome: str,
    fault: str | None,
    passed: int,
    total: int,
    says: str | None,
) -> None:
    result = seven[name]
    assert (result["outcome"], result["fault"]) == (outcome, fault)
    assert (result["tests_passed"], result["tests_total"]) == (passed, total)
    assert (result["language"], result["framework"]) == ("perl", "prove")
    assert (says or "") in (result["error"] or "")


@needs_perl
def test_a_test_folder_can_be_chosen_and_a_failure_has_its_place(
    perl_plugin: Path, tmp_path: Path
) -> None:
    folder = write(tmp_path / "project", PROJECTS["fail"] | {"xt/other.t": "die;\n"})
    words = (
        "from sdkbench.test_harness import TestRunnerRegistry\n"
        f"runner = TestRunnerRegistry.get_runner({str(folder)!r}, language='perl')\n"
        "print(runner.run_tests('t').model_dump_json())\n"
        "print(runner.quick_check().ok, runner.build().success)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", words],
        env=surroundings(perl_plugin), capture_output=True, text=True, check=True,
    )  # fmt: skip
    told, ends = done.stdout.splitlines()
    result = json.loads(told)
    assert result["cases"] == {"t/sum.t::1 adds": "failed", "t/sum.t::2 works": "passed"}
    failure = result["failures"][0]
    assert (failure["file_path"], failure["line_number"]) == ("t/sum.t", 5)
    assert ends == "True True"


@needs_perl
def test_a_sample_in_perl_is_judged_by_its_own_tests(run: Run, perl_plugin: Path) -> None:
    done = run(
        ("fcorr", "--sample", SAMPLE, "--integrity", "twinned", "--json"),
        ("fcorr", "--solution", SAMPLE / "input", "--for-sample", SAMPLE, "--json"),
        site=perl_plugin,
    )
    reference, starter = (one.json for one in done)
    assert (reference["outcome"], reference["score"]) == ("passed", 100)
    assert reference["assurance"] == "checked"  # this plugin alters no tests
    assert (starter["outcome"], starter["score"], starter["fault"]) == ("failed", 0, "build")


@needs_perl
def test_no_attack_of_the_plugins_corpus_passes_and_every_honest_solution_does(
    run: Run, perl_plugin: Path
) -> None:
    words = ("selftest", "--attacks-dir", CORPUS, "--integrity", "checked", "--json")
    [done] = run(words, site=perl_plugin)
    told = done.json
    assert done.returncode == 0, [e for e in told["entries"] if not e["as_it_should_be"]]
    [prove] = told["frameworks"]
    assert (prove["framework"], prove["attacks"], prove["forged"]) == ("prove", 11, 0)
    assert (prove["honest_passed"], prove["wrong_found"], prove["errors"]) == (4, 3, 0)
    invalid = {e["name"] for e in told["entries"] if e["outcome"] == "invalid"}
    assert invalid == {"calls_pass", "writes_to_descriptors"}


@needs_perl
def test_another_version_of_a_plugin_looks_at_the_reference_anew(
    run: Run, perl_plugin: Path, tmp_path: Path
) -> None:
    """Kept expectations hang on the plugin's code: its ids may be other ones tomorrow."""
    site = shutil.copytree(perl_plugin, tmp_path / "site")
    boot = site / "sdkbench_perl" / "prove_boot.py"
    boot.write_text(boot.read_text().replace("::{test['number']} ", "::no. {test['number']} "))
    solution = ("fcorr", "--solution", CORPUS / "prove" / "honest" / "totals", "--json")
    for place in (perl_plugin, site):
        [done] = run((*solution, "--for-sample", SAMPLE), site=place)
        assert done.json["outcome"] == "passed"


@needs_perl
def test_without_perl_the_doctor_and_the_verdict_say_how_to_get_it(
    run: Run, perl_plugin: Path, tmp_path: Path
) -> None:
    only = tmp_path / "bin"
    only.mkdir()
    (only / "bwrap").symlink_to(shutil.which("bwrap") or "/usr/bin/bwrap")
    folder = write(tmp_path / "project", PROJECTS["pass"])
    words = ("fcorr", "--directory", folder, "--json")
    done, doctor = run(words, ("doctor",), site=perl_plugin, PATH=str(only))
    assert (done.returncode, done.json["fault"]) == (3, "missing_tool")
    assert "apt-get install perl" in done.json["error"]
    assert "apt-get install perl" in row(doctor.stdout, "perl")


BROKEN = {
    "import": ("odd", "import no_such_driver\n", "ModuleNotFoundError: No module named 'no_such"),
    "no class": ("odd", "Runner = 5\n", "5 is not a subclass of BaseTestRunner"),
    "clash": (
        "python",
        ODD_RUNNER.replace('"odd"\n    def', '"python"\n    def'),
        "Two plugins of sdkbench.runners are called 'python': one from ",
    ),
}


def broken_plugin(root: Path, name: str, source: str) -> Path:
    """The distribution sdkbench-odd 0.7 with a runner `name` of this source, installed."""
    entry = f'[project.entry-points."sdkbench.runners"]\n{name} = "sdkbench_odd:Runner"\n'
    files = {
        "pyproject.toml": '[build-system]\nrequires = ["uv_build>=0.8,<1"]\n'
        'build-backend = "uv_build"\n'
        f'[project]\nname = "sdkbench-odd"\nversion = "0.7"\n{entry}',
        "src/sdkbench_odd/__init__.py": source,
    }
    return installed(write(root / "source", files), root / "site")


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_plugin_is_one_sentence_that_names_its_distribution(
    run: Run, tmp_path: Path, kind: str
) -> None:
    name, source, says = BROKEN[kind]
    site = broken_plugin(tmp_path, name, source)
    folder = write(tmp_path / "project", {"test_a.py": "def test_it(): pass\n"})
    words = (("fcorr", "--directory", folder), ("detect", folder), ("doctor",))
    done, found, doctor = run(*words, site=site)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("Error: ")
    assert len(done.stderr.splitlines()) == 1
    assert says in done.stderr
    assert "sdkbench-odd 0.7" in done.stderr
    assert (found.returncode, found.stdout, found.stderr) == (3, "", done.stderr)
    assert (doctor.returncode, doctor.stderr) == (3, "")
    assert says in doctor.stdout
    assert "bwrap" in doctor.stdout
    lines = [" ".join(line.split()) for line in doctor.stdout.splitlines()]
    assert any(line.startswith(f"{name} broken ") and "sdkbench-odd 0.7" in line for line in lines)
    assert any(re.fullmatch(r"typescript ok sdkbench \S+", line) for line in lines)


def test_a_plugin_that_raises_in_detect_is_reported_and_the_doctor_still_works(
    run: Run, tmp_path: Path
) -> None:
    says = "ValueError: no idea"
    raising = "raise ValueError('no idea')"
    source = ODD_RUNNER.replace("return RunnerDetectionResult(detected=False)", raising)
    site = broken_plugin(tmp_path, "odd", source)
    folder = write(tmp_path / "project", {"test_a.py": "def test_it(): pass\n"})
    judge = ("fcorr", "--directory", folder, "--json")
    words = (("detect", folder), judge, ("doctor",), (*judge, "--language", "python"))
    found, done, doctor, chosen = run(*words, site=site)
    assert (found.returncode, found.stderr) == (3, "")
    assert f"The runner 'odd' of sdkbench-odd 0.7 failed while looking at {folder}" in found.stdout
    assert says in found.stdout
    assert (done.returncode, done.json["outcome"], done.json["fault"]) == (3, "error", "plugin")
    told = done.stderr.splitlines()[-1]
    assert told.startswith("Error: The runner 'odd' of sdkbench-odd 0.7 failed while looking at ")
    assert says in told
    assert "Traceback" not in done.stderr
    assert doctor.returncode == 0
    assert chosen.json["outcome"] == "passed"


def test_the_how_to_shows_the_files_of_the_package_as_they_are() -> None:
    text = HOW_TO.read_text()
    shown = dict(re.findall(r"`([\w./-]+)`:\n\n```\w+\n(.*?)```\n", text, re.DOTALL))
    ours = {
        path.relative_to(PACKAGE).as_posix(): path.read_text()
        for path in PACKAGE.rglob("*")
        if path.is_file() and not {"corpus", "__pycache__"} & {*path.relative_to(PACKAGE).parts}
    }
    left_out = {"README.md", "src/sdkbench_perl/__init__.py", "src/sdkbench_perl/py.typed"}
    assert {name: body for name, body in ours.items() if name not in left_out} == shown


def test_the_package_imports_nothing_of_sdkbench_but_what_is_for_plugins() -> None:
    sources = [path.read_text() for path in (PACKAGE / "src").rglob("*.py")]
    named = re.compile(r"^(?:from|import) (sdkbench\S*)", re.MULTILINE)
    imported = {name for text in sources for name in named.findall(text)}
    inside = {f"sdkbench.inside.{name}" for name in ("channel", "processes", "protocol")}
    assert imported == {"sdkbench.test_harness.runners_api", *inside}
