"""`sdkbench validate` and `new` as a user runs them: bad samples beside good ones, exit codes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.places import CACHE, SAMPLES
from tests.support.processes import processes_with
from tests.support.program import run_program
from tests.support.proven_sample import TESTS, append, replace, scaffolded

Run = Callable[..., "subprocess.CompletedProcess[str]"]
PROGRAM = Path(sys.executable).parent / "sdkbench"


def environment(cache: Path = CACHE) -> dict[str, str]:
    return {**os.environ, "SDKBENCH_CACHE": str(cache)}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return lambda *words: run_program(*words, cwd=tmp_path, environment=environment())


def copies(root: Path, *names: str) -> list[Path]:
    """The same sample under other names, its metadata included."""
    made = [root.with_name(name) for name in names]
    for copy in made:
        shutil.copytree(root, copy)
        replace(copy / "expected" / "metadata.json", root.name, copy.name)
    return made


def test_bad_samples_are_named_and_the_others_go_on(run: Run, tmp_path: Path) -> None:
    good = scaffolded(tmp_path / "samples")
    names = ("no_tests", "no_metadata", "broken_json", "odd_variant", "broken_toml", "no_starter")
    no_tests, no_metadata, broken, odd, toml, no_starter = copies(good, *names)
    shutil.rmtree(no_tests / "tests")
    (no_metadata / "expected" / "metadata.json").unlink()
    (broken / "expected" / "metadata.json").write_text('{"sample_id": ')
    (odd / "variants" / "wrong-no-refusal").rename(odd / "variants" / "bad-no-refusal")
    replace(odd / "variants" / "variants.toml", "[wrong-no-refusal]", "[bad-no-refusal]")
    append(toml / "variants" / "variants.toml", "caught_by = [\n")
    shutil.rmtree(no_starter / "input")
    done = run("validate", "samples", "--json", "--workers", "2")
    assert done.returncode == 1
    proofs = {proof["sample"]: proof for proof in json.loads(done.stdout)}
    assert proofs.pop("tiny/tiny_lines_001")["proven"]
    gaps = {
        name.partition("/")[2]: [gap for check in proof["checks"] for gap in check["gaps"]]
        for name, proof in proofs.items()
    }
    assert "has no tests/ folder" in gaps["no_tests"][0]["what"]
    assert "expected/metadata.json not found" in gaps["no_metadata"][0]["what"]
    assert "is not JSON" in gaps["broken_json"][0]["what"]
    assert "bad-no-refusal is neither right nor wrong by its name" in gaps["odd_variant"][0]["what"]
    assert "variants.toml cannot be read" in gaps["broken_toml"][0]["what"]
    assert gaps["no_starter"][0]["path"] == "tiny/no_starter/input"
    assert all(gap["todo"] for listed in gaps.values() for gap in listed)


def test_the_table_and_the_rows_fit_a_terminal(run: Run, tmp_path: Path) -> None:
    root = scaffolded(tmp_path / "samples")
    done = run("validate", root, "--table", "table.md")
    assert done.returncode == 0, done.stdout
    assert "1 of 1 samples are proven" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "| [tiny/tiny_lines_001](tiny/tiny_lines_001) |" in (tmp_path / "table.md").read_text()
    assert "tiny/tiny_lines_001: proven" in done.stderr


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("validate", "nowhere"), "nowhere is no folder"),
        (("validate", "."), "holds no samples"),
        (("new", "sample", "demo", "demo_001"), "Make the SDK's folder first"),
        (("new", "sdk", "X!", "--language", "go", "--version", "1.0"), "is no name for the SDK"),
        (("new", "sdk", "demo", "--language", "cobol", "--version", "1.0"), "no template for"),
    ],
)
def test_bad_input_is_refused(words: tuple[str, ...], problem: str, run: Run) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())


def test_an_interrupted_proof_goes_on(tmp_path: Path) -> None:
    root = scaffolded(tmp_path / "samples")
    # Nothing is kept of this sample: its tests have a name of their own.
    append(root / TESTS, f"\n# {os.urandom(8).hex()}\n")
    words = [str(PROGRAM), "validate", str(root), "--workers", "1"]
    cache = _cache_without_records(tmp_path / "cache")
    trials = cache / "records" / "proofs"
    with subprocess.Popen(
        words, env=environment(cache), cwd=tmp_path, text=True, stderr=subprocess.PIPE
    ) as process:
        deadline = time.monotonic() + 60
        while not any(trials.glob("*")) and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "The same command goes on" in said
    assert not processes_with(str(root))


def _cache_without_records(cache: Path) -> Path:
    """The environments of the other tests, but none of their trials: the first one is our own."""
    cache.mkdir()
    for kept in CACHE.glob("*"):
        if kept.is_dir() and kept.name != "records":
            (cache / kept.name).symlink_to(kept)
    return cache


def test_private_tests_decide_too(run: Run, tmp_path: Path) -> None:
    root = scaffolded(tmp_path / "samples")
    private = tmp_path / "private" / "tiny" / "tiny_lines_001"
    private.mkdir(parents=True)
    hidden = (
        'from expected import app\n\ndef test_hidden():\n    assert app.shorten("ab", 1) == "…"\n'
    )
    (private / "test_hidden.py").write_text(hidden)
    solution = tmp_path / "tiny_lines_001"
    shutil.copytree(root / "expected", solution)
    words = ("fcorr", "--solution", solution, "--private-tests", "private", "--json")
    result = json.loads(run(*words).stdout)
    assert (result["outcome"], result["tests_total"]) == ("passed", 5)
    replace(
        solution / "app.py",
        "if limit < 1:",
        'if text == "ab":\n        return text\n    if limit < 1:',
    )
    result = json.loads(run(*words).stdout)
    assert result["outcome"] == "failed"
    assert result["failed_tests"] == ["private/tests/test_hidden.py::test_hidden"]
    asked = ("run", "--model", "reference", "--sdk", "tiny", "--private-tests", "private")
    done = run(*asked, "--store", "store.db")
    assert done.returncode == 0, done.stderr
    (private / "test_hidden.py").write_text(hidden.replace('"…"', '"x"'))
    again = run(*asked, "--store", "store.db")
    assert "does not pass its own tests" in again.stderr, "other tests are another attempt"


@pytest.mark.parametrize(
    ("place", "problem"),
    [("private/tiny/no_such_001", "does not have"), ("private", "holds no private tests")],
)
def test_private_tests_of_no_sample_are_refused(
    place: str, problem: str, run: Run, tmp_path: Path
) -> None:
    scaffolded(tmp_path / "samples")
    (tmp_path / place).mkdir(parents=True)
    done = run("fcorr", "--sdk", "tiny", "--private-tests", "private")
    assert done.returncode == 2
    assert problem in " ".join(done.stderr.split())


@pytest.mark.nightly  # the samples of the other tests here are proven each day
def test_a_bundled_sample_is_proven(run: Run) -> None:
    """A slice of `make prove`."""
    done = run("validate", SAMPLES / "lancedb" / "lancedb_init_001")
    assert done.returncode == 0, done.stdout
