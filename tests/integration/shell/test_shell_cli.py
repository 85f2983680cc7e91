"""`sdkbench shell` as a user runs it: tables, JSON, exit codes, bad input, interruption."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.places import CORE, ROOT, SHELL_DATA
from tests.support.program import run_program

PROGRAM = Path(sys.executable).parent / "sdkbench"
WRONG = SHELL_DATA / "replay_wrong.jsonl"
MISLABELLED = SHELL_DATA / "mislabelled.toml"

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    def call(*words: str | Path) -> "subprocess.CompletedProcess[str]":
        return run_program("shell", *words, cwd=tmp_path, seconds=120)

    return call


def test_the_reference_answers_everything_right(run: Run) -> None:
    done = run("eval", CORE, "--backend", "reference", "--fail-under", "100")
    assert done.returncode == 0, done.stderr
    assert "100.0 %" in done.stdout
    assert "213/213  good" in done.stdout
    assert done.stderr.splitlines() == [
        f"[{count}/213] core by reference: {count} so far, {count} passed"
        for count in range(20, 213, 20)
    ]


def test_the_bundled_dataset_has_a_name(run: Run) -> None:
    done = run("eval", "core", "--backend", "reference", "--limit", "3", "--json")
    report = json.loads(done.stdout)
    assert report["evaluations"][0]["summary"]["csr"]["count"] == 3
    assert report["evaluations"][0]["summary"]["by_category"]["posix"]["share"] is None


def test_wrong_answers_with_their_reasons(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "results.jsonl"
    done = run("eval", CORE, "--backend", f"replay:{WRONG}", "--tag", "text", "--save", saved, "-v")
    assert done.returncode == 0
    assert "incorrect_command (unparsable)" in done.stdout
    assert "unfinished '" in done.stdout
    assert "failure" in done.stdout  # the band
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    assert {line["reason"]["kind"] for line in lines} >= {"incorrect_command", "backend_error"}


def test_a_gate_that_is_not_met(run: Run) -> None:
    words = ("eval", MISLABELLED, "--backend", "reference")
    done = run(*words, "--fail-under", "90", "--json")
    assert done.returncode == 1
    assert "CSR below 90 %: reference" in done.stderr
    report = json.loads(done.stdout)
    assert report["gate"] == {"fail_under": 90.0, "met": False, "below": ["reference"]}
    assert run(*words).returncode == 0


def test_several_backends_are_compared_and_a_missing_one_named(run: Run) -> None:
    gone = "command:/bin/false"
    done = run("eval", CORE, "--id", "text-head", "--backend", "reference", "--backend", gone)
    assert done.returncode == 0
    assert "Consistency" in done.stdout
    assert "backend_error" in done.stdout


def test_an_unreachable_server_is_skipped(run: Run) -> None:
    server = "openai:model@http://127.0.0.1:9/v1"
    words = ("eval", CORE, "--limit", "4", "--timeout", "5", "--backend")
    both = run(*words, server, "--backend", "reference")
    assert both.returncode == 0, both.stderr
    assert f"skipped {server}" in both.stdout
    alone = run(*words, server)
    assert alone.returncode == 3
    assert "No backend could be measured" in alone.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("eval", "nowhere.toml", "--backend", "reference"), "nowhere.toml not found"),
        (("eval", CORE, "--backend", "nonesuch"), "no backend 'nonesuch'"),
        (("eval", CORE, "--backend", "reference", "--id", "zzz"), "'zzz'"),
        (("eval", CORE, "--backend", "reference", "--tag", "zzz"), "'zzz'"),
        (("eval", CORE, "--backend", "reference", "--backend", "reference"), "another one"),
        (("eval", CORE, "--backend", "reference", "--save", "/nope/x"), "cannot be written"),
        (("eval", CORE), "--backend"),
        (("eval", CORE, "--backend", "replay:nowhere.jsonl"), "nowhere.jsonl"),
        (("eval", WRONG, "--backend", "reference"), "not TOML"),
        (("validate", "nowhere.toml"), "nowhere.toml not found"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_2(
    run: Run, words: tuple[str | Path, ...], told: str
) -> None:
    done = run(*words)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_check_shows_what_is_found_under_the_command(run: Run) -> None:
    done = run("check", "ls && rm -rf /etc")
    assert done.returncode == 0
    assert "canonical  ls . && rm -f -r /etc" in done.stdout
    assert "    ls && rm -rf /etc\n                 ^^^^" in done.stdout
    assert "unsafe" in done.stdout
    found = json.loads(run("check", "[[ -f x ]]", "--json").stdout)
    assert (found["safe"], found["posix_compliant"]) == (True, False)
    assert found["posix_findings"][0]["rule"] == "SC3010"


@pytest.mark.parametrize("text", ["", "echo 'x", "$(" * 2000, "a\x1bb", "[red]x", "é " * 200])
def test_check_takes_any_text(run: Run, text: str) -> None:
    for words in (("check", text), ("check", text, "--json"), ("diff", text, "ls")):
        done = run(*words)
        assert done.returncode in {0, 1}, done.stderr
        assert done.stderr == ""


def test_diff_tells_the_first_difference(run: Run) -> None:
    same = run("diff", "tar -xzf a.tgz", "tar xzf a.tgz")
    assert (same.returncode, same.stdout.split()[0]) == (0, "equal")
    other = run("diff", "head -n 5 f", "head -n 6 f")
    assert other.returncode == 1
    assert other.stdout.startswith("different: `-n 5` against `-n 6`")
    assert json.loads(run("diff", "a b", "a c", "--json").stdout)["verdict"] == "unknown"


def test_validate_wants_contradicted_labels_confirmed(run: Run, tmp_path: Path) -> None:
    assert run("validate", CORE).returncode == 0
    done = run("validate", MISLABELLED)
    assert done.returncode == 1
    assert "safe = false, the judge says otherwise" in done.stdout
    assert " 14  dangerous-called-safe" in done.stdout  # with its line
    assert run("validate", MISLABELLED, "--yes").returncode == 0
    noted = tmp_path / "noted.toml"
    text = MISLABELLED.read_text().replace("safe =", 'notes = "On purpose."\nsafe =')
    noted.write_text(text)
    assert run("validate", noted).returncode == 0
    broken = tmp_path / "broken.toml"
    broken.write_text(text.replace('"pwd"', '"echo \'x"'))
    assert "unreadable" in run("validate", broken).stdout


def test_the_schema_is_printed(run: Run) -> None:
    published = ROOT / "docs" / "reference" / "schemas" / "shell-report.schema.json"
    assert run("schema").stdout == published.read_text()


def test_ctrl_c_keeps_what_had_finished(tmp_path: Path) -> None:
    slow = tmp_path / "slow.sh"
    answered = tmp_path / "answered"
    quick = f'echo "ls -la"; touch {answered}'
    slow.write_text(f'case "$(cat)" in *hidden*) {quick} ;; *) sleep 60 ;; esac\n')
    saved = tmp_path / "results.jsonl"
    words = ["eval", str(CORE), "--backend", f"command:sh {slow}", "--limit", "6", "--json"]
    with subprocess.Popen(
        [PROGRAM, "shell", *words, "--save", saved],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path,
    ) as process:  # fmt: skip
        while not answered.exists() and process.poll() is None:
            time.sleep(0.1)
        time.sleep(2)  # for the answer to be read
        os.kill(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=30)  # the model takes 60
    assert process.returncode == 130, err
    report = json.loads(out)
    assert report["complete"] is False
    (evaluation,) = report["evaluations"]
    assert [r["test_id"] for r in evaluation["results"]] == ["files-list-hidden"]
    assert evaluation["not_run"] == 5
    assert len(saved.read_text().splitlines()) == 1
