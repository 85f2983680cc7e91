"""The words of a comparison, the same on a terminal and in Markdown. A is the first side, B the
second.
"""

from sdkbench.metrics.changes import ChangeKind, Changes, SampleChange, SideCounts, Significance
from sdkbench.report.comparison import RunComparison

# In the order of what a reader wants to know first.
WORDS = {
    ChangeKind.REGRESSED: "regressed",
    ChangeKind.IMPROVED: "improved",
    ChangeKind.UNSTABLE: "unstable",
    ChangeKind.NOT_COMPARABLE: "not comparable",
    ChangeKind.ONLY_FIRST: "only in A",
    ChangeKind.ONLY_SECOND: "only in B",
    ChangeKind.UNCHANGED: "unchanged",
}
FEWEST_DIFFERENT = 6  # with five, even five to none has p = 0.0625


def comparison_notes(comparison: RunComparison) -> list[str]:
    """Sentences on what a reader must know before the figures."""
    notes = [side.unfinished for side in (comparison.first, comparison.second) if side.unfinished]
    notes += [
        f"Judged otherwise: {each.what} {', '.join(each.first)} in A, "
        f"{', '.join(each.second)} in B."
        for each in comparison.judged_otherwise
    ]
    for side, names in (("A", comparison.unpaired_first), ("B", comparison.unpaired_second)):
        if names:
            listed = ", ".join(name or "(none)" for name in names)
            notes.append(f"Only in {side}, and not compared: {listed}.")
    unknown = sum(
        each.unknown_content for model in comparison.models for each in model.suites.values()
    )
    if unknown:
        notes.append(
            f"Of {unknown} samples nobody noted which tests judged them: they are compared by name."
        )
    return notes


def counts_sentence(changes: Changes) -> str:
    """`1 regressed, 2 improved, 5 unchanged`."""
    shown = [
        f"{changes.counts[change]} {word}"
        for change, word in WORDS.items()
        if changes.counts[change] or change in {ChangeKind.IMPROVED, ChangeKind.REGRESSED}
    ]
    return ", ".join(shown)


def significance_sentence(measured: Significance) -> str:
    if measured.p_value is None:
        return "Nothing can be compared."
    differing = measured.better + measured.worse
    said = "significant" if measured.significant else "not significant"
    if 0 < differing < FEWEST_DIFFERENT:
        said += f": with fewer than {FEWEST_DIFFERENT} that differ nothing could be"
    score = ""
    if measured.score_difference is not None:
        score = (
            f" Score {measured.score_difference:+.1f} [{measured.low:+.1f}, {measured.high:+.1f}]."
        )
    samples = "1 sample" if measured.samples == 1 else f"{measured.samples} samples"
    return (
        f"B is better on {measured.better}, worse on {measured.worse} of {samples}; "
        f"p = {measured.p_value:.3g}, {said}.{score}"
    )


def side_text(side: SideCounts | None) -> str:
    """`2/3`: passed of judged; `error` and the like where nothing was judged."""
    if side is None:
        return "–"
    if not side.judged:
        return ", ".join(outcome.replace("_", " ") for outcome in side.outcomes)
    return f"{side.passed}/{side.judged}"


def told_changes(changes: Changes) -> list[SampleChange]:
    """Everything but what stayed as it was, in the order of `WORDS`."""
    return [
        each
        for change in WORDS
        if change is not ChangeKind.UNCHANGED
        for each in changes.of(change)
    ]
