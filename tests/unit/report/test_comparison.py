"""Two runs side by side: which models, what changed, and where they were judged otherwise."""

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.errors import InputError
from sdkbench.metrics.changes import ChangeKind
from sdkbench.report import compare_runs, comparison_markdown
from sdkbench.report.comparison_text import (
    comparison_notes,
    counts_sentence,
    side_text,
    significance_sentence,
    told_changes,
)
from sdkbench.store import RunState, Suite
from tests.support.store.sources import HOSTILE, judged, noted, shell, source


def test_models_of_the_same_name_are_compared_by_suite() -> None:
    first = source([judged(0), judged(1), shell(0), judged(0, model="old", key="a" * 64)], "one")
    second = source([judged(0, Outcome.FAILED), judged(1), shell(0, Outcome.FAILED)], "two")
    found = compare_runs(first, second)
    (model,) = found.models
    assert model.named == "model-a"
    assert list(model.suites) == [Suite.SDK, Suite.SHELL]
    assert model.count(ChangeKind.REGRESSED) == 2
    assert (found.unpaired_first, found.unpaired_second) == (("old",), ())
    assert "Only in A, and not compared: old." in comparison_notes(found)


def test_the_only_model_of_each_is_compared_whatever_its_name() -> None:
    found = compare_runs(source([judged(0, model="x")]), source([judged(0, model="y")], "two"))
    assert found.models[0].named == "x → y"


def test_two_models_of_one_run() -> None:
    both = source([judged(0, model="x"), judged(0, Outcome.FAILED, model="y", key="b" * 64)])
    found = compare_runs(both, both, "x", "y")
    assert found.models[0].count(ChangeKind.REGRESSED) == 1
    assert found.unpaired_first == ()


@pytest.mark.parametrize(
    ("model", "against", "sentence"),
    [
        ("nope", None, r"no model 'nope'\. It has: x, z"),
        ("x", "nope", r"no model 'nope'\. It has: w, y"),
        (None, None, "no model in common"),
        (None, "y", "--against goes with --model"),
    ],
)
def test_models_that_nobody_can_pair(model: str | None, against: str | None, sentence: str) -> None:
    first = source([judged(0, model="x"), judged(0, model="z", key="b" * 64)])
    second = source([judged(0, model="y"), judged(0, model="w", key="b" * 64)], "two")
    with pytest.raises(InputError, match=sentence):
        compare_runs(first, second, model, against)


def test_where_runs_were_judged_otherwise_is_told() -> None:
    first = source([judged(0, result=noted(settings={"integrity": "apart"}))])
    other = noted(settings={"integrity": "off"}, version="2.0", harness="x")
    second = source([judged(0, assurance=Assurance.CHECKED, result=other)], "two")
    found = {
        each.what: (each.first, each.second)
        for each in compare_runs(first, second).judged_otherwise
    }
    assert found == {
        "SDKBench version": (("1.0",), ("2.0",)),
        "code that judges solutions": (("h",), ("x",)),
        "assurance": (("plain",), ("checked",)),
        "integrity": (("apart",), ("off",)),
    }
    assert compare_runs(first, first, "model-a").judged_otherwise == ()


def test_a_run_under_way_and_unknown_tests_are_told() -> None:
    first = source([judged(0, result={})])
    second = source([judged(0)], "two", RunState.RUNNING, planned=5)
    notes = comparison_notes(compare_runs(first, second))
    assert "Run two is under way or was killed: 1 of 5 attempts are stored." in notes
    assert any("Of 1 samples nobody noted" in note for note in notes)


def test_words_of_a_comparison() -> None:
    first = source([judged(0), judged(1), judged(2, Outcome.ERROR)])
    second = source([judged(0, Outcome.FAILED), judged(1), judged(2)], "two")
    changes = compare_runs(first, second).models[0].suites[Suite.SDK]
    assert counts_sentence(changes) == "1 regressed, 0 improved, 1 not comparable, 1 unchanged"
    sentence = significance_sentence(changes.significance)
    assert "better on 0, worse on 1 of 2 samples; p = 1, not significant" in sentence
    assert "fewer than 6" in sentence
    assert [each.change for each in told_changes(changes)] == [
        ChangeKind.REGRESSED,
        ChangeKind.NOT_COMPARABLE,
    ]
    assert [side_text(each.first) for each in told_changes(changes)] == ["1/1", "error"]
    assert side_text(None) == "–"


def test_markdown_shows_names_as_text() -> None:
    name = HOSTILE.replace("\x00", "").replace("\ud800", "")
    first = source([judged(0, sample=name, model=name)], "one")
    second = source([judged(0, Outcome.FAILED, sample=name, model=name)], "two")
    text = comparison_markdown(compare_runs(first, second))
    assert "<script" not in text.replace("\\<script", "")
    assert "\x1b" not in text
    assert "\u202e" not in text
    row = next(line for line in text.splitlines() if line.startswith("| regressed"))
    assert row.replace("\\|", "").count("|") == 6
