"""`sdkbench report`, and the report that a run leaves, as a user meets them."""

import sqlite3
import sys
from pathlib import Path

import pytest

from sdkbench.cli.app import exit_code as program
from sdkbench.store import open_store
from tests.support.store.builder import attempt
from tests.support.store.invented import fill


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "store.db"
    with open_store(path) as opened:
        run = opened.start_run(run_id="going-on", label="nightly", planned=9)
        opened.save_attempt(run.id, attempt(1))
        opened.start_run(run_id="empty")
        fill(opened, 8, label="done")
    return path


def test_a_report_is_written_and_never_over_another(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "report.html"
    words = ["report", "latest", "-o", str(output), "--store", str(store)]
    assert program(words) == 0
    captured = capsys.readouterr()
    assert (captured.out, str(output) in captured.err) == ("", True)
    output.write_text("mine")
    assert program(words) == 2
    assert "--force" in capsys.readouterr().err
    assert output.read_text() == "mine"
    assert program([*words, "--force"]) == 0
    assert "Leaderboard" in output.read_text()
    assert sorted(tmp_path.iterdir()) == [store.parent, output]


def test_several_runs_are_in_one_report(store: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    words = ["report", "latest", "going-on", "going-on", "-o", str(output), "--store", str(store)]
    assert program(words) == 0
    assert "2 runs: done, nightly" in output.read_text()


def test_a_run_in_progress_says_so(store: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.html"
    assert program(["report", "going-on", "-o", str(output), "--store", str(store)]) == 0
    assert "still in progress" in output.read_text()
    assert "1 of 9 attempts" in output.read_text()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nothing"], "There is no run 'nothing'"),
        (["empty"], "Run empty has no attempts yet"),
        (["latest", "-o", "no-such-folder/report.html"], "can't be written"),
        (["latest", "-o", "."], "exists already"),
    ],
)
def test_bad_input_is_one_sentence(
    store: Path,
    tmp_path: Path,
    words: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert program(["report", *words, "--store", str(store)]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1
    assert list(tmp_path.iterdir()) == [store.parent]


def test_a_store_of_a_newer_schema_is_left_alone(
    store: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with sqlite3.connect(store) as connection:
        connection.execute("INSERT INTO sdkbench_schema (version) VALUES (99)")
    connection.close()
    for words in (["report", "latest", "-o", str(tmp_path / "r.html")], ["view"]):
        assert program([*words, "--store", str(store)]) == 2
        assert "newer SDKBench" in capsys.readouterr().err


def test_a_run_ends_with_the_path_of_its_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "--model", "reference", "--dataset", "core", "--limit", "3"]
    store = ["--store", str(tmp_path / "store.db"), "--run-id", "mine"]
    assert program([*words, *store]) == 0
    path = tmp_path / "reports" / "mine.html"
    assert f"report: {path}" in capsys.readouterr().err
    assert "Leaderboard" in path.read_text()
    path.unlink()
    path.mkdir()
    assert program([*words, *store]) == 0
    captured = capsys.readouterr()
    assert "WARNING: no report was written" in captured.err
    assert "CSR" in captured.out
    assert program([*words, *store, "--json"]) == 0
    assert capsys.readouterr().err == ""


def test_a_missing_extra_is_named(
    store: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "sdkbench.serve.running", None)
    assert program(["view", "--store", str(store)]) == 3
    assert "pip install 'sdkbench[view]'" in capsys.readouterr().err
