"""`runs`, `show`, `export` and `import` as a user meets them."""

import csv
import io
import json
import re
import sys
from pathlib import Path

import pytest

from sdkbench.cli.app import exit_code as program
from sdkbench.core import Outcome
from sdkbench.store import RunState, open_store
from tests.support.store.builder import FILES, attempt, key


@pytest.fixture
def filled(tmp_path: Path) -> tuple[Path, str]:
    """Two models on four samples, three trials each; model-b fails the last two of them."""
    path = tmp_path / "store.db"
    with open_store(path) as store:
        run = store.start_run(label="nightly [bold]", planned=30)
        for number in range(24):
            sample, model = number % 4, "model-b" if number >= 12 else "model-a"
            passed = model == "model-a" or sample < 2
            made = attempt(
                sample, key=key(number), trial=number // 4 % 3, model=model,
                outcome=Outcome.PASSED if passed else Outcome.FAILED, score=100 * passed,
                error=None if passed else "1 test failed\x1b[31m",
            )  # fmt: skip
            store.save_attempt(run.id, made, FILES)
        store.save_attempt(run.id, attempt(99, outcome=Outcome.ERROR, score=0))
        store.end_run(run.id, RunState.STOPPED)
    return path, run.id


def test_runs_lists_what_is_there(
    filled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, run_id = filled
    assert program(["runs", "--store", str(path)]) == 0
    line = capsys.readouterr().out.splitlines()[1]
    for part in (run_id, "stopped", "25/30", "18 passed", "6 failed", "1 error", "nightly [bold]"):
        assert part in line
    assert program(["runs", "--store", str(path), "--json"]) == 0
    (record,) = json.loads(capsys.readouterr().out)
    assert (record["id"], record["outcomes"]["passed"]) == (run_id, 18)


def test_show_prints_every_figure_with_its_denominator(
    filled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = filled
    assert program(["show", "latest", "--store", str(path), "--k", "1", "--k", "3"]) == 0
    out = capsys.readouterr().out
    assert "12/12" in out
    assert "6/12" in out
    assert re.search(r"model-a +100\.0 % +51\.0–100\.0 +4 +12/12 +0 +1$", out, re.MULTILINE)
    assert re.search(r"model-b +50\.0 % +15\.0–85\.0 +4 +6/12 +6 +0$", out, re.MULTILINE)
    assert "pass@3" in out
    assert "model-a against model-b, 4 samples in common: better on 2, worse on 0, p = 0.5" in out


def test_show_as_json(filled: tuple[Path, str], capsys: pytest.CaptureFixture[str]) -> None:
    path, run_id = filled
    assert program(["show", run_id[:-1], "--store", str(path), "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["run"]["id"] == run_id
    assert shown["suites"]["sdk"]["models"][0]["all"]["attempts"] == 13
    assert shown["suites"]["sdk"]["models"][0]["all"]["judged"] == 12
    assert shown["suites"]["sdk"]["comparisons"][0]["p_value"] == 0.5


def test_show_one_sample_in_full(
    filled: tuple[Path, str], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = filled
    assert program(["show", "latest", "demo_003", "--store", str(path)]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    for part in ("demo_003 by model-b, trial 2: failed", "reason: 1 test failed",
                 "failed   tests/test_app.py::test_two  assert 1 == 2",
                 "solution: app.py (600 bytes)", "100 input tokens"):  # fmt: skip
        assert part in out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("show", "nope"), "no run 'nope'"),
        (("show", "latest", "nope"), "no attempt on 'nope'"),
        (("export", "latest", "--format", "parquet"), "needs --output"),
        (("export", "latest", "--format", "results"), "needs --output"),
        (("export", "latest", "-o", "/nowhere/x.jsonl"), "can't be written"),
        (("export", "latest", "--format", "xml"), ""),
    ],
)
def test_bad_input_is_exit_2_with_a_sentence(
    filled: tuple[Path, str],
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
    sentence: str,
) -> None:
    assert program([*words, "--store", str(filled[0])]) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.out == ""


def test_jsonl_and_csv_hold_every_attempt(
    filled: tuple[Path, str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path, run_id = filled
    assert program(["export", "latest", "--store", str(path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 25
    assert lines[0]["run_id"] == run_id
    assert lines[0]["tests"][1]["status"] == "failed"
    target = tmp_path / "out.csv"
    words = ["export", "latest", "--store", str(path), "--format", "csv", "-o", str(target)]
    assert program(words) == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [row["key"] for row in rows] == [line["key"] for line in lines]
    assert (rows[0]["score"], rows[0]["tests_total"], rows[0]["cost_usd"]) == ("100.0", "2", "")
    assert program(words) == 2
    assert "exists already" in capsys.readouterr().err


def test_parquet_has_types(filled: tuple[Path, str], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra `parquet`")
    path, run_id = filled
    target = tmp_path / "out.parquet"
    words = ["export", run_id, "--store", str(path), "--format", "parquet", "-o", str(target)]
    assert program(words) == 0
    table = parquet.read_table(target)
    assert table.num_rows == 25
    assert str(table.schema.field("score").type) == "double"
    assert table.column("cost_usd").null_count == 25
    assert table.column("trial").to_pylist()[:5] == [0, 0, 0, 0, 1]


def test_without_pyarrow_the_extra_is_named(
    filled: tuple[Path, str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    target = tmp_path / "out.parquet"
    words = [
        "export",
        "latest",
        "--store",
        str(filled[0]),
        "--format",
        "parquet",
        "-o",
        str(target),
    ]
    assert program(words) == 3
    assert "sdkbench[parquet]" in capsys.readouterr().err
    assert not [each for each in tmp_path.iterdir() if "making" in each.name or each == target]


def test_solutions_go_out_and_come_in(
    filled: tuple[Path, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results"
    words = ["export", "latest", "--store", str(filled[0]), "--format", "results", "-o", str(out)]
    assert program(words) == 0
    assert "8 solutions" in capsys.readouterr().err
    assert (out / "demo" / "model-b" / "solutions" / "demo_003" / "app.py").is_file()
    assert program(["import", str(out), "--store", str(tmp_path / "new" / "store.db")]) == 0
    assert "8 solutions imported" in capsys.readouterr().out


def test_reading_a_missing_store_creates_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.chdir(tmp_path)
        patch.delenv("SDKBENCH_STORE", raising=False)
        assert program(["runs"]) == 2
    assert "There is no store at .sdkbench/store.db" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
