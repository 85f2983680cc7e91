"""What changed between two sides, and whether by chance."""

from hypothesis import given
from hypothesis import strategies as st

from sdkbench.core import Outcome, ScoreMode
from sdkbench.metrics.changes import ChangeKind, ComparedTrial, SampleContent, changes
from sdkbench.metrics.statistics import Trial

SAME = SampleContent("task", "tests")


def trial(
    sample: str,
    outcome: Outcome = Outcome.PASSED,
    content: SampleContent | None = SAME,
    mode: ScoreMode = ScoreMode.STRICT,
    fault: str | None = None,
) -> ComparedTrial:
    score = 100.0 if outcome is Outcome.PASSED else 0.0
    return ComparedTrial(Trial("m", sample, "1", outcome, score), mode, fault, content)


def kinds(first: list[ComparedTrial], second: list[ComparedTrial]) -> dict[str, ChangeKind]:
    return {each.sample: each.change for each in changes(first, second).samples}


def test_each_sample_has_one_change() -> None:
    first = [trial("a"), trial("b", Outcome.FAILED), trial("c"), trial("gone")]
    second = [trial("a", Outcome.INVALID), trial("b"), trial("c"), trial("new")]
    assert kinds(first, second) == {
        "a": ChangeKind.REGRESSED, "b": ChangeKind.IMPROVED, "c": ChangeKind.UNCHANGED,
        "gone": ChangeKind.ONLY_FIRST, "new": ChangeKind.ONLY_SECOND,
    }  # fmt: skip


def test_trials_that_disagree_among_themselves_are_apart() -> None:
    wavering = [trial("a"), trial("a", Outcome.FAILED)]
    assert kinds(wavering, [trial("a"), trial("a")]) == {"a": ChangeKind.UNSTABLE}
    assert kinds([trial("a", Outcome.FAILED)], wavering) == {"a": ChangeKind.UNSTABLE}


def test_an_error_among_trials_makes_nothing_unstable() -> None:
    first = [trial("a"), trial("a", Outcome.ERROR)]
    assert kinds(first, [trial("a")]) == {"a": ChangeKind.UNCHANGED}


def test_what_has_no_verdict_is_not_comparable_and_says_why() -> None:
    first = [trial("a", Outcome.ERROR, fault="network"), trial("b")]
    second = [trial("a"), trial("b", Outcome.NOT_EXECUTED)]
    a, b = changes(first, second).samples
    assert (a.change, a.reason) == (
        ChangeKind.NOT_COMPARABLE,
        "no verdict before: 1 error (network)",
    )
    assert (b.change, b.reason) == (ChangeKind.NOT_COMPARABLE, "no verdict after: 1 not_executed")


def test_other_tests_or_another_task_are_not_comparable() -> None:
    first = [trial("a"), trial("b")]
    second = [
        trial("a", Outcome.FAILED, SampleContent("task", "other")),
        trial("b", Outcome.FAILED, SampleContent("other", "tests")),
    ]
    found = changes(first, second)
    assert [each.reason for each in found.samples] == [
        "its tests are others",
        "its task is another",
    ]
    assert found.significance.samples == 0
    assert found.significance.p_value is None


def test_unknown_content_is_compared_and_counted() -> None:
    found = changes([trial("a", content=None)], [trial("a", Outcome.FAILED)])
    assert (found.counts[ChangeKind.REGRESSED], found.unknown_content) == (1, 1)


def test_significance_is_that_of_the_sign_test() -> None:
    first = [trial(f"s{n}", Outcome.FAILED if n < 6 else Outcome.PASSED) for n in range(10)]
    second = [trial(f"s{n}") for n in range(10)]
    measured = changes(first, second).significance
    assert (measured.better, measured.worse, measured.samples) == (6, 0, 10)
    assert measured.p_value == 2 / 2**6
    assert measured.significant
    assert measured.score_difference == 60.0
    assert not changes(first[1:], second[1:]).significance.significant


def test_scores_of_other_modes_are_not_subtracted() -> None:
    measured = changes([trial("a")], [trial("a", mode=ScoreMode.WEIGHTED)]).significance
    assert (measured.samples, measured.score_difference, measured.low) == (1, None, None)


OUTCOMES = st.sampled_from(list(Outcome))
SIDE = st.lists(st.tuples(st.sampled_from("abcd"), OUTCOMES), max_size=12)


@given(SIDE, SIDE)
def test_both_directions_mirror_each_other(
    left: list[tuple[str, Outcome]], right: list[tuple[str, Outcome]]
) -> None:
    first, second = ([trial(*each) for each in side] for side in (left, right))
    there, back = changes(first, second), changes(second, first)
    mirror = {
        ChangeKind.IMPROVED: ChangeKind.REGRESSED, ChangeKind.REGRESSED: ChangeKind.IMPROVED,
        ChangeKind.ONLY_FIRST: ChangeKind.ONLY_SECOND,
        ChangeKind.ONLY_SECOND: ChangeKind.ONLY_FIRST,
    }  # fmt: skip
    assert [mirror.get(e.change, e.change) for e in there.samples] == [
        e.change for e in back.samples
    ]
    assert sum(there.counts.values()) == len({name for name, _ in left + right})
    assert there.significance.better == back.significance.worse
