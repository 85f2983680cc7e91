"""Attempts by SDK, language, task type and the like: shares or counts, entry by entry."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence

from sdkbench.core import Value
from sdkbench.metrics.statistics import Figures, Trial, figures
from sdkbench.report.pages.rows import AttemptRow

# Shares are shown by these; a row is in the group that its field names.
SHARE_DIMENSIONS = {
    "sdk": "SDK",
    "language": "Language",
    "task": "Task type",
    "difficulty": "Difficulty",
}
COUNT_DIMENSIONS = {
    "outcome": "Outcome",
    "fault": "Reason class",
    "assurance": "Assurance",
}


class Group(Value):
    """The attempts of one SDK (or language, …), entry by entry; None where an entry has none."""

    value: str
    figures: tuple[Figures | None, ...]


class Counts(Value):
    value: str
    counts: tuple[int, ...]  # entry by entry


class Breakdown(Value):
    field: str
    title: str
    groups: tuple[Group, ...]


class CountBreakdown(Value):
    field: str
    title: str
    groups: tuple[Counts, ...]


def _trial(row: AttemptRow) -> Trial:
    return Trial(row.model, row.place, row.task, row.outcome, row.score)


def figures_of(rows: Sequence[AttemptRow]) -> Figures:
    return figures([_trial(row) for row in rows])


def grouped(
    rows: Iterable[AttemptRow], value: Callable[[AttemptRow], str]
) -> dict[str, list[AttemptRow]]:
    groups: dict[str, list[AttemptRow]] = defaultdict(list)
    for row in rows:
        groups[value(row)].append(row)
    return groups


def breakdowns(by_entry: Sequence[Sequence[AttemptRow]]) -> Iterable[Breakdown]:
    """Those of which the rows have any value at all."""
    for field, title in SHARE_DIMENSIONS.items():
        groups = [grouped(rows, lambda row, f=field: str(getattr(row, f))) for rows in by_entry]  # type: ignore[misc]
        values = sorted({value for each in groups for value in each}, key=_difficulty_order)
        if values in ([], [""]):
            continue
        yield Breakdown(
            field=field,
            title=title,
            groups=tuple(
                Group(
                    value=value,
                    figures=tuple(
                        figures_of(each[value]) if value in each else None for each in groups
                    ),
                )
                for value in values
            ),
        )


def count_breakdowns(by_entry: Sequence[Sequence[AttemptRow]]) -> Iterable[CountBreakdown]:
    for field, title in COUNT_DIMENSIONS.items():
        counts = [Counter(str(getattr(row, field)) for row in rows) for rows in by_entry]
        totals = sum(counts, Counter[str]())
        values = [value for value, _ in totals.most_common() if value]
        if values:
            yield CountBreakdown(
                field=field,
                title=title,
                groups=tuple(
                    Counts(value=value, counts=tuple(each[value] for each in counts))
                    for value in values
                ),
            )


def _difficulty_order(value: str) -> tuple[int, str]:
    """Words for difficulties in their own order, everything else by name."""
    known = ("easy", "medium", "hard")
    return (known.index(value), "") if value in known else (len(known), value)
