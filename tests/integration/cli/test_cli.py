"""The program as a user runs it: output, exit codes, bad input, interruption."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sdkbench.datasets import Sample
from tests.support.places import CACHE, ROOT
from tests.support.processes import processes_with
from tests.support.program import run_program
from tests.support.projects import Files, MakeSample, write
from tests.support.toolchains import hide_toolchains

Run = Callable[..., "subprocess.CompletedProcess[str]"]
PROGRAM = Path(sys.executable).parent / "sdkbench"
APP = "def double(n):\n    return 2 * n\n"
TESTS = {"test_app.py": "from expected import app\ndef test_two(): assert app.double(2) == 4\n"}


def environment(cache: Path = CACHE) -> dict[str, str]:
    return {**os.environ, "SDKBENCH_CACHE": str(cache)}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*words: str | Path, cache: Path = CACHE) -> "subprocess.CompletedProcess[str]":
        return run_program(*words, cwd=tmp_path, environment=environment(cache))

    return call


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": APP}, TESTS)


def test_version_and_help(run: Run) -> None:
    version = run("--version").stdout
    assert version.startswith("sdkbench ")
    assert subprocess.check_output([PROGRAM, "--version"], text=True) == version
    assert "fcorr" in run("--help").stdout


def test_a_sample_in_a_table(run: Run, sample: Sample) -> None:
    done = run("fcorr", "--sample", sample.root)
    assert done.returncode == 0
    assert "demo_task_001 (reference)" in done.stdout
    assert "1 passed, 0 failed; mean F-CORR 100 over 1 judged of 1 (strict)" in done.stdout


def test_a_single_json_object_is_all_of_stdout(run: Run, sample: Sample) -> None:
    done = run("fcorr", "--solution", sample.starter_dir, "--json", "--mode", "weighted")
    result = json.loads(done.stdout)
    assert done.returncode == 0
    assert (result["sample_id"], result["outcome"], result["mode"]) == (
        "demo_task_001", "failed", "weighted",
    )  # fmt: skip
    assert result["assurance"] == "checked"
    assert "NotImplementedError" in result["error"]


def test_a_build_can_be_left_out_of_the_references_as_well(
    run: Run, make_sample: MakeSample
) -> None:
    sample = make_sample({"app.py": APP, "script.py": "def broken(:\n"}, TESTS)
    done = run("fcorr", "--sample", sample.root, "--json")
    result = json.loads(done.stdout)
    assert (result["outcome"], result["build_results"]["required"]) == ("passed", False)
    assert "script.py" in result["build_results"]["errors"][0]
    for level in ("checked", "twinned", "apart"):
        done = run("fcorr", "--sample", sample.root, "--json", "--no-build", "--integrity", level)
        assert json.loads(done.stdout)["outcome"] == "passed", done.stderr


def test_a_suite_has_a_summary_and_results_and_the_second_run_installs_nothing(
    run: Run, sample: Sample
) -> None:
    samples = sample.root.parent.parent
    done = run("fcorr", "--sdk", "demo", "--samples-dir", samples, "--starters", "--json")
    document = json.loads(done.stdout)
    summary = document["summary"]
    assert summary.pop("runs_started_warm") >= 2
    assert summary | {"environments_reused": 1, "environments_built": 0} == {
        "total": 2, "passed": 1, "failed": 1, "invalid": 0, "error": 0, "not_executed": 0,
        "mode": "strict", "mean_score": 50.0, "environments_built": 0, "environments_reused": 1,
        "judged": 2, "runs_judged_again_cold": 0,
    }  # fmt: skip
    again = run("fcorr", "--sdk", "demo", "--samples-dir", samples)
    assert "nothing installed, 1 reused from the cache" in again.stdout


def test_runs_start_warm_unless_told(run: Run, sample: Sample) -> None:
    words = ("--samples-dir", sample.root.parent.parent, "--sdk", "demo")
    for command in (("fcorr",), ("run", "--model", "starter", "--fresh")):
        warm, cold = run(*command, *words), run(*command, *words, "--cold")
        assert re.search(r"^\d+ runs? started warm", warm.stdout + warm.stderr, re.MULTILINE)
        assert "warm" not in cold.stdout
        assert (warm.returncode, cold.returncode) == (0, 0)


def test_a_solution_is_matched_to_its_sample_by_name(
    run: Run, sample: Sample, tmp_path: Path
) -> None:
    folder = write(tmp_path / "results" / sample.id, {"app.py": APP})
    samples = sample.root.parent.parent
    done = run("fcorr", "--solution", folder, "--samples-dir", samples, "--json")
    assert json.loads(done.stdout)["passed"] is True
    other = write(tmp_path / "other", {"app.py": APP})
    done = run("fcorr", "--solution", other, "--for-sample", sample.root, "--json")
    assert json.loads(done.stdout)["passed"] is True


def test_the_script_takes_the_same_flags(sample: Sample) -> None:
    script = ROOT / "scripts" / "run_fcorr.py"
    done = subprocess.run(
        [sys.executable, script, "--sample", sample.root, "--json"],
        capture_output=True, text=True, env=environment(), timeout=120, check=False,
    )  # fmt: skip
    assert json.loads(done.stdout)["score"] == 100


def test_the_plain_level_warns_loudly(run: Run, sample: Sample) -> None:
    done = run("fcorr", "--sample", sample.root, "--sandbox", "plain", "--json")
    assert "WARNING: no isolation" in done.stderr
    result = json.loads(done.stdout)
    assert result["passed"] is True
    assert "network isolation" in result["sandbox"]["unapplied"]


def test_detect_lists_every_runner_and_why(run: Run, sample: Sample) -> None:
    done = run("detect", sample.reference_dir)
    assert "python would be used" in done.stdout
    found = json.loads(run("detect", sample.reference_dir, "--json").stdout)
    assert next(r for r in found if r["runner"] == "python")["markers_found"] == ["app.py"]


PYTHON = {
    "pyproject.toml": '[project]\nname = "app"\nversion = "0.1.0"\n',
    "app.py": APP,
    "tests/test_app.py": "import app\ndef test_two(): assert app.double(2) == 4\n",
}
GO = {
    "go.mod": "module example.com/app\n\ngo 1.21\n",
    "app_test.go": 'package app\n\nimport "testing"\n\nfunc TestApp(t *testing.T) {}\n',
}
TOOLING = {"package.json": '{"name": "app", "type": "module", "scripts": {"format": "prettier"}}'}


@pytest.mark.parametrize(
    ("files", "runner", "because"),
    [
        (PYTHON | TOOLING, "python", "pyproject.toml, tests/test_app.py (confidence 0.90)"),
        (GO | TOOLING, "go", "go.mod, app_test.go (confidence 0.90)"),
    ],
)
def test_detect_explains_its_choice_where_languages_meet(
    run: Run, tmp_path: Path, files: Files, runner: str, because: str
) -> None:
    done = run("detect", write(tmp_path / "project", files))
    assert f"{runner} would be used, because of {because}" in done.stdout
    assert "0.60 ahead of typescript" in done.stdout
    assert "Also found: typescript (package.json). To use it: fcorr --language typescript" in (
        done.stdout
    )


def test_detect_says_who_wins_a_tie_and_why(run: Run, tmp_path: Path) -> None:
    done = run("detect", write(tmp_path / "project", PYTHON | GO))
    assert "go would be used" in done.stdout
    assert "python is as sure, and comes later by name" in done.stdout


def test_the_language_can_be_chosen(run: Run, tmp_path: Path) -> None:
    test = "import { test } from 'node:test'\ntest('no', () => { throw new Error('no') })\n"
    folder = write(tmp_path / "project", PYTHON | TOOLING | {"test/a.test.js": test})
    words = ("fcorr", "--directory", folder, "--json")
    default = json.loads(run(*words).stdout)
    assert (default["language"], default["outcome"]) == ("python", "passed")
    chosen = json.loads(run(*words, "--language", "typescript").stdout)
    assert (chosen["language"], chosen["outcome"]) == ("javascript", "failed")


def test_a_missing_toolchain_is_no_fault_where_all_sdks_are_asked_for(
    run: Run, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = sample.root.parent.parent
    root = samples / "other" / "other_task_001"
    for part in ("input", "expected", "tests"):
        write(root / part, GO)
    metadata = {"sample_id": "other_task_001", "sdk": "other", "task_type": 1}
    write(root / "expected", {"metadata.json": json.dumps(metadata)})
    hide_toolchains(monkeypatch, tmp_path / "bin")
    words = ("fcorr", "--samples-dir", samples, "--json", "--sdk")
    done = run(*words, "all")
    outcomes = {r["sample_id"]: r["fault"] for r in json.loads(done.stdout)["results"]}
    assert outcomes == {"demo_task_001": None, "other_task_001": "missing_tool"}
    assert (done.returncode, run(*words, "other").returncode) == (0, 3)


def test_doctor_names_tools_limits_and_runners(run: Run) -> None:
    done = run("doctor")
    assert done.returncode == 0
    for word in ("bwrap", "memory (whole tree)", "process count", "cache folder", "python"):
        assert word in done.stdout


def test_doctor_says_how_to_get_the_toolchains_that_are_missing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hide_toolchains(monkeypatch, tmp_path / "bin")
    done = run("doctor")
    for tool in ("go", "cargo", "javac", "mvn", "Go", "Rust", "Java"):
        assert re.search(rf"^{tool} +missing", done.stdout, re.MULTILINE), tool
    for advice in ("golang", "https://rustup.rs", "default-jdk-headless", "maven"):
        assert advice in done.stdout


def test_cache_ls_and_gc(run: Run, tmp_path: Path) -> None:
    assert run("cache", "ls").returncode == 0
    done = run("cache", "gc", "--max-size", "lots")
    assert (done.returncode, "Not a size" in done.stderr) == (2, True)
    assert run("cache", "gc", "--max-size", "0", cache=tmp_path / "none").returncode == 0


BAD_INPUT = {
    "nothing": ([], "exactly one of"),
    "two flags": (["--sdk", "a", "--directory", "b"], "got --sdk and --directory"),
    "missing folder": (["--directory", "no/such"], "not found"),
    "a file": (["--directory", "file.txt"], "is a file"),
    "an empty folder": (["--directory", "empty"], "is empty"),
    "no manifest": (["--directory", "words"], "No runner recognised"),
    "unknown sdk": (["--sdk", "lancebd", "--samples-dir", "samples"], "Did you mean 'lancedb'"),
    "no samples folder": (["--sdk", "x", "--samples-dir", "nowhere"], "not found"),
    "no such sample": (["--solution", "words"], "--for-sample"),
    "not a sample": (["--sample", "words"], "no expected/ and no tests/"),
    "broken metadata": (["--sample", "broken"], "line 2, column 1"),
    "metadata without keys": (["--sample", "keyless"], "sample_id: field required"),
    "for-sample alone": (["--sdk", "x", "--for-sample", "y"], "goes with --solution"),
    "unknown language": (["--directory", "python", "--language", "cobol"], "No runner for 'cobol'"),
    "bad mode": (["--directory", "python", "--mode", "vague"], "vague"),
    "bad number": (["--directory", "python", "--workers", "0"], "--workers"),
    "links only": (["--directory", "links"], "is empty"),
    "NUL in a path": (["--directory", "a\n\tb"], "not found"),
    "too big": (["--directory", "big"], "larger than 256 MiB"),
    "too many files": (["--directory", "many"], "more than 20,000 files"),
}


@pytest.fixture
def bad_places(tmp_path: Path) -> Path:
    write(
        tmp_path,
        {
            "file.txt": "x",
            "words/README.md": "x",
            "python/app.py": "x = 1\n",
            "broken/expected/metadata.json": "{\n",
            "broken/tests/test_a.py": "",
            "keyless/expected/metadata.json": "{}",
            "keyless/tests/test_a.py": "",
            "samples/lancedb/one/tests/test_a.py": "",
            "samples/lancedb/one/expected/metadata.json": "{}",
        },
    )
    (tmp_path / "empty").mkdir()
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "passwd").symlink_to("/etc/passwd")
    (tmp_path / "links" / "loop").symlink_to(tmp_path / "links" / "loop")
    return tmp_path


@pytest.mark.parametrize("case", BAD_INPUT)
def test_bad_input_is_one_clear_message_and_exit_code_2(
    run: Run, bad_places: Path, case: str
) -> None:
    words, message = BAD_INPUT[case]
    if case == "too big":
        with (write(bad_places / "big", {"app.py": ""}) / "data.bin").open("wb") as stream:
            stream.truncate(2**30)
    if case == "too many files":
        many = bad_places / "many"
        many.mkdir()
        for number in range(20_001):
            (many / f"f{number}").touch()
    done = run("fcorr", *words)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr + done.stdout
    assert done.stdout == ""


@pytest.mark.parametrize(
    "name", ["with space", 'it\'s "quoted"', "new\nline", "[red]ü[bold]", "-dash"]
)
def test_odd_names_are_judged_like_any_other(run: Run, tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    write(folder, {"app.py": APP, f"test_{name.strip('-')}.py": "def test_it(): pass\n"})
    done = run("fcorr", "--directory", f"./{name}", "--json", "-v")
    assert json.loads(done.stdout)["outcome"] == "passed"
    assert run("fcorr", "--directory", f"./{name}", "-v").returncode == 0


def test_ten_thousand_files_are_judged(run: Run, tmp_path: Path) -> None:
    folder = write(tmp_path / "wide", {"test_a.py": "def test_it(): pass\n"})
    for number in range(10_000):
        (folder / f"data{number}.txt").touch()
    assert json.loads(run("fcorr", "--directory", folder, "--json").stdout)["outcome"] == "passed"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_bad_input(run: Run, tmp_path: Path) -> None:
    folder = write(tmp_path / "closed", {"app.py": APP})
    folder.chmod(0)
    done = run("fcorr", "--directory", folder)
    folder.chmod(0o700)
    assert done.returncode == 2


def test_no_install_without_an_environment_is_an_error_that_says_so(
    run: Run, sample: Sample, tmp_path: Path
) -> None:
    done = run("fcorr", "--sample", sample.root, "--no-install", "--json", cache=tmp_path / "cold")
    assert done.returncode == 3
    result = json.loads(done.stdout)
    assert result["outcome"] == "error"
    assert "--no-install" in result["error"]


def test_interruption_stops_at_once_shows_what_is_done_and_leaves_nothing(
    sample: Sample, tmp_path: Path
) -> None:
    samples = tmp_path / "many"
    for number, code in enumerate(["", "import time; time.sleep(1000)  # sleeper-9\n"]):
        target = samples / "demo" / f"s{number}"
        shutil.copytree(sample.root, target)
        (target / "input" / "app.py").write_text(code + APP)
        metadata = target / "expected" / "metadata.json"
        metadata.write_text(metadata.read_text().replace("demo_task_001", f"s{number}"))
    process = subprocess.Popen(
        [PROGRAM, "fcorr", "--sdk", "demo", "--samples-dir", samples, "--starters", "--workers=2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment(),
    )  # fmt: skip
    assert process.stderr
    for line in process.stderr:
        if line.startswith("[3/4]"):
            break
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)  # two seconds on a quiet machine, 1000 unheard
    assert process.returncode == 130
    assert "Interrupted: 3 finished, 1 stopped." in err
    assert out.count("passed") == 3
    assert processes_with(str(samples)) == []


def test_two_runs_at_once_on_an_empty_cache_build_one_environment(
    run: Run, make_sample: MakeSample, tmp_path: Path
) -> None:
    files: Files = {"app.py": APP, "requirements.txt": "six==1.16.0\n"}
    sample = make_sample(files, TESTS)
    cache = tmp_path / "fresh"
    words = ("fcorr", "--sample", str(sample.root), "--json")
    with ThreadPoolExecutor(2) as pool:
        runs = list(pool.map(lambda _: run(*words, cache=cache), range(2)))
    results = [json.loads(done.stdout) for done in runs]
    assert [r["score"] for r in results] == [100, 100]
    assert len(list((cache / "python" / "environments").iterdir())) == 1
    assert sorted(r["install_results"]["built"] for r in results) == [False, True]


def test_a_solution_that_is_refused_has_its_verdict_in_json(
    run: Run, sample: Sample, tmp_path: Path
) -> None:
    solution = write(tmp_path / "solution", {"app.py": APP})
    (solution / "/".join(["d" * 200] * 7)).mkdir(parents=True)
    done = run("fcorr", "--solution", solution, "--for-sample", sample.root, "--json")
    result = json.loads(done.stdout)
    assert (done.returncode, result["outcome"], result["fault"]) == (0, "failed", "input")


def test_metrics_of_a_solution_are_read_from_its_code(run: Run, sample: Sample) -> None:
    done = run("metrics", "--solution", sample.starter_dir, "--json")
    document = json.loads(done.stdout)
    assert {each["metric"] for each in document["metrics"]} == {
        "I-ACC", "C-COMP", "IPA", "SEM-SIM", "CQ",
    }  # fmt: skip
    assert document["overall"]["weights_name"] == "classic"
    shown = run("metrics", "--sample", sample.root, "--static", "--weights", "balanced")
    assert "demo_task_001 (reference)" in shown.stdout
    assert "balanced weights" in shown.stdout


@pytest.mark.parametrize("weights", ["odd", "IPA=50", "IPA=x", "XYZ=100"])
def test_weights_that_can_not_be_meant_are_one_sentence(
    run: Run, sample: Sample, weights: str
) -> None:
    done = run("metrics", "--sample", sample.root, "--weights", weights)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.count("\n") == 1


def test_a_run_keeps_what_was_read_from_code(run: Run, sample: Sample, tmp_path: Path) -> None:
    where = ("--sdk", "demo", "--samples-dir", sample.root.parent.parent)
    store = ("--store", tmp_path / "store.db")
    done = run("run", *where, *store, "--model", "reference", "--model", "starter", "--metrics")
    assert "read from code" in done.stdout, done.stderr
    shown = json.loads(run("show", "latest", *store, "--json").stdout)["code_metrics"]
    assert [each["model"] for each in shown] == ["reference", "starter"]
    assert shown[0]["overall"]["grade"] == "A"
    assert shown[0]["counts"]["F-CORR"] == 1
    line = json.loads(run("export", "latest", *store).stdout.splitlines()[0])
    assert {each["metric"] for each in line["result"]["metrics"]} >= {"IPA", "CQ", "SEM-SIM"}
