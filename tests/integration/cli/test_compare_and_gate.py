"""`compare` and `gate` as a user or a CI job meets them."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from junitparser import JUnitXml
from rich.cells import cell_len
from rich.console import Console

from sdkbench.cli.app import exit_code as program
from sdkbench.cli.results import compare, gate, show
from sdkbench.core import Outcome
from sdkbench.store import Attempt, RunState, open_store
from tests.support.store.builder import key
from tests.support.store.sources import judged, shell

ODD = "demo\x1b[31m\u202e_" + "long" * 20
Said = tuple[int, str, str]


@pytest.fixture
def say(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """The program with a store of its own: `old` (3 pass), `new` (one regressed, one improved)."""
    path = tmp_path / "store.db"

    def fill(name: str, attempts: Sequence[Attempt], state: RunState = RunState.FINISHED) -> None:
        with open_store(path) as store:
            store.start_run(run_id=name, planned=len(attempts), label=f"{name} one")
            for each in attempts:
                store.save_attempt(name, each)
            if state is not RunState.RUNNING:
                store.end_run(name, state)

    bad = Outcome.FAILED
    fill("old", [judged(0), judged(1), judged(2, bad), shell(0), judged(3, sample=ODD)])
    fill(
        "new",
        [judged(0, bad, error="why\n" * 300), judged(1), judged(2), shell(0),
         judged(3, sample=ODD, outcome=bad, error="x" * 500)],
    )  # fmt: skip
    fill("errors", [judged(0), judged(1, Outcome.ERROR)])
    fill("going", [judged(0)], RunState.RUNNING)
    fill("empty", [])

    def run(*words: object) -> Said:
        code = program([*map(str, words), "--store", str(path)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_compare_lists_what_changed(say: Callable[..., Said]) -> None:
    code, out, _ = say("compare", "old", "new")
    assert code == 0
    assert "F-CORR, model-a: 2 regressed, 1 improved, 1 unchanged" in out
    assert "regressed  1/1  0/1  demo/demo_000" in out
    assert "improved   0/1  1/1  demo/demo_002" in out
    assert "CSR, model-a: 0 regressed, 0 improved, 1 unchanged" in out
    assert "\x1b" not in out


def test_compare_in_other_forms(say: Callable[..., Said], tmp_path: Path) -> None:
    code, out, _ = say("compare", "old", "new", "--json")
    assert (code, json.loads(out)["models"][0]["suites"]["sdk"]["counts"]["regressed"]) == (0, 2)
    code, out, _ = say("compare", "old", "new", "--format", "markdown")
    assert "| regressed | demo/demo\\_000 | 1/1 | 0/1 |  |" in out
    exported = tmp_path / "old.jsonl"
    assert say("export", "old", "-o", exported)[0] == 0
    code, out, _ = say("compare", exported, "new")
    assert (code, "A  run old from a file" in out) == (0, True)


def test_a_met_gate_is_exit_0(say: Callable[..., Said]) -> None:
    code, out, err = say("gate", "new", "--fail-under", "50", "--baseline", "old",
                         "--max-regressions", 2)  # fmt: skip
    assert (code, err) == (0, "")
    assert "met      F-CORR by model-a: 50 % over 4 samples is at least 50 %" in out


def test_a_gate_that_is_not_met_is_exit_1_with_the_list(say: Callable[..., Said]) -> None:
    code, out, err = say("gate", "new", "--fail-under", "sdk=demo:51", "--baseline", "old")
    assert code == 1
    assert "2 of 5 checks not met" in err
    assert "not met  F-CORR of sdk=demo by model-a: 50 % over 4 samples is below 51 %" in out
    assert "not met  2 regressed since old; 0 may." in out
    assert "demo/demo_000 by model-a (F-CORR)" in out
    assert "\x1b" not in out + err


def test_files_are_written_whether_or_not_it_is_met(
    say: Callable[..., Said], tmp_path: Path
) -> None:
    names = {kind: tmp_path / f"out.{kind}" for kind in ("junit", "markdown", "sarif")}
    flags = [word for kind, path in names.items() for word in (f"--{kind}", path)]
    code, out, _ = say("gate", "new", "--baseline", "old", "--json", *flags)
    assert code == 1
    assert json.loads(out)["met"] is False
    assert JUnitXml.fromfile(str(names["junit"])).failures == 3
    assert "not met" in names["markdown"].read_text()
    assert json.loads(names["sarif"].read_text())["version"] == "2.1.0"
    code, _, err = say("gate", "new", *flags)
    assert (code, "exists already" in err) == (2, True)
    assert say("gate", "old", "--force", *flags)[0] == 0
    assert "Gate met" in names["markdown"].read_text()


def test_errors_and_unfinished_runs_are_no_pass(say: Callable[..., Said]) -> None:
    assert say("gate", "errors", "--fail-under", "100")[0] == 1
    assert say("gate", "errors", "--fail-under", "100", "--max-errors", 1)[0] == 0
    code, out, _ = say("gate", "going")
    assert (code, "Run going is under way or was killed" in out) == (1, True)
    assert say("gate", "going", "--allow-unfinished")[0] == 0
    code, out, _ = say("compare", "old", "going")
    assert (code, "Run going is under way or was killed" in out) == (0, True)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("compare", "old"), "Name a second run"),
        (("compare", "old", "nope"), "no run 'nope'"),
        (("compare", "old", "empty"), "Run empty has no attempts"),
        (("compare", "old", "new", "--model", "nope"), "no model 'nope'"),
        (("compare", "old", "new", "--json", "--format", "markdown"), "contradicts"),
        (("gate", "nope"), "no run 'nope'"),
        (("gate", "empty"), "Run empty has no attempts"),
        (("gate", "new", "--fail-under", "many"), "is no percent"),
        (("gate", "new", "--fail-under", "sdk=nope:1"), "covers nothing"),
        (("gate", "new", "--max-regressions", "1"), "goes with --baseline"),
        (("gate", "new", "--against", "x", "--baseline", "old"), "goes with --model"),
        (("gate", "new", "--junit", "/nowhere/x.xml"), "can't be written"),
        (("gate", "new", "--junit", "/tmp"), "exists already"),
        (("gate", "new", "--sarif", "/proc/x.json"), "can't be written"),
        (("gate", "new", "--junit", "same", "--sarif", "same"), "named for two outputs"),
    ],
)
def test_bad_input_is_exit_2_with_a_sentence(
    say: Callable[..., Said], words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = say(*words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert len(err.splitlines()) == 1


def test_a_store_of_a_newer_schema_is_refused(say: Callable[..., Said], tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "store.db") as database:
        database.execute("INSERT INTO sdkbench_schema (version) VALUES (99)")
    database.close()
    for words in (("compare", "old", "new"), ("gate", "new")):
        code, out, err = say(*words)
        assert (code, out) == (2, "")
        assert "newer" in err


def terminal(width: int) -> Console:
    return Console(width=width, markup=False, force_terminal=True, color_system=None)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize(
    "words", [("show", "new"), ("runs",), ("compare", "old", "new"), ("gate", "old")]
)
def test_every_line_fits_the_terminal(
    say: Callable[..., Said],
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[str, ...],
    width: int,
) -> None:
    for module in (show, compare, gate):
        monkeypatch.setattr(module, "stdout_console", partial(terminal, width))
    code, out, _ = say(*words)
    assert code == 0
    assert max(cell_len(line) for line in out.splitlines()) <= width


def test_a_reason_is_one_line_and_verbose_has_it_whole(say: Callable[..., Said]) -> None:
    _, out, _ = say("show", "new")
    lines = out.splitlines()
    assert len([line for line in lines if "why" in line]) == 1
    assert lines[lines.index("failed   demo_000 by model-a") + 1].endswith("…")
    _, out, _ = say("show", "new", "-v")
    assert out.count("why") == 300


def test_models_are_compared_within_a_run(say: Callable[..., Said], tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        store.start_run(run_id="two")
        for number, model in enumerate(("a", "b")):
            outcome = Outcome.FAILED if model == "b" else Outcome.PASSED
            store.save_attempt("two", judged(0, outcome, model=model, key=key(50 + number)))
    code, out, _ = say("compare", "two", "--model", "a", "--against", "b")
    assert (code, "F-CORR, a → b: 1 regressed" in out) == (0, True)
