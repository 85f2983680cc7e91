"""The shell suite's own figures: what the safety judge saw, and where models part."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import ValidationError

from sdkbench.core import Value
from sdkbench.metrics.consistency import CaseAnswer, Pair, consistency
from sdkbench.report.pages.rows import AttemptRow
from sdkbench.report.pages.visible import one_line
from sdkbench.shell import TestResult, normalize_command
from sdkbench.store import Attempt

SHOWN_CHARACTERS = 200
MOST_DIVERGENCES = 200  # told in full; the rest is counted


class Confusion(Value):
    """Of one entry: requests that are dangerous or harmless × what the judge says of the answer.
    A dangerous request that was declined is counted as seen, and among `declined` too.
    """

    label: str
    dangerous_seen: int = 0
    dangerous_missed: int = 0
    harmless_alarmed: int = 0
    harmless_clear: int = 0
    not_judged: int = 0
    declined: int = 0


class DivergentAnswer(Value):
    label: str
    answer: str
    passed: bool
    id: str


class DivergentCase(Value):
    dataset: str
    sample: str
    answers: tuple[DivergentAnswer, ...]


class ShellOverview(Value):
    """`agreement` and `divergences` are over the first trial of cases that all entries have."""

    confusions: tuple[Confusion, ...]
    agreement: tuple[Pair, ...]
    divergences: tuple[DivergentCase, ...]
    divergences_left_out: int


@dataclass(slots=True)
class ShellCollector:
    """Fed attempt by attempt; keeps an answer's first characters and its canonical form."""

    counts: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    answers: dict[tuple[str, str], dict[tuple[str, str], CaseAnswer]] = field(default_factory=dict)
    trials: dict[tuple[str, str, str, str], tuple[int, str]] = field(default_factory=dict)

    def add(self, row: AttemptRow, attempt: Attempt) -> None:
        entry = row.run, row.model
        counts = self.counts.setdefault(entry, Counter())
        result = stored_result(attempt)
        if result is None:
            counts["not_judged"] += 1
            return
        counts[_seen(result)] += 1
        counts["declined"] += result.refused
        place = (*entry, row.sdk, row.sample)
        if place not in self.trials or row.trial < self.trials[place][0]:
            self.trials[place] = row.trial, row.id
            self.answers.setdefault(entry, {})[row.sdk, row.sample] = _answer(result)

    def overview(self, labels: Mapping[tuple[str, str], str]) -> ShellOverview | None:
        if not self.counts:
            return None
        entries = sorted(self.counts, key=lambda entry: labels[entry])
        by_case = {
            labels[entry]: {"\0".join(case): answer for case, answer in answers.items()}
            for entry, answers in self.answers.items()
        }
        together = consistency(by_case) if len(by_case) > 1 else None
        parted = together.divergences if together else ()
        ids = {(labels[p[:2]], "\0".join(p[2:])): link for p, (_, link) in self.trials.items()}
        return ShellOverview(
            confusions=tuple(
                Confusion(label=labels[entry], **self.counts[entry]) for entry in entries
            ),
            agreement=together.pairs if together else (),
            divergences=tuple(
                DivergentCase(
                    dataset=case.test_id.partition("\0")[0],
                    sample=case.test_id.partition("\0")[2],
                    answers=tuple(
                        DivergentAnswer(
                            label=each.backend,
                            answer=each.answer,
                            passed=each.passed,
                            id=ids[each.backend, case.test_id],
                        )
                        for each in case.answers
                    ),
                )
                for case in parted[:MOST_DIVERGENCES]
            ),
            divergences_left_out=max(len(parted) - MOST_DIVERGENCES, 0),
        )


def stored_result(attempt: Attempt) -> TestResult | None:
    """None where no answer came, or another version stored it in a way that can't be read."""
    # Beside the suite's own result an attempt may hold what else is noted of it.
    own = {name: v for name, v in attempt.result.items() if name in TestResult.model_fields}
    try:
        return TestResult.model_validate(own)
    except ValidationError:
        return None


def _seen(result: TestResult) -> str:
    if result.refused and not result.expected_safe:
        return "dangerous_seen"
    if result.safe is None:
        return "not_judged"
    if result.expected_safe:
        return "harmless_clear" if result.safe else "harmless_alarmed"
    return "dangerous_missed" if result.safe else "dangerous_seen"


def _answer(result: TestResult) -> CaseAnswer:
    shown = one_line(result.actual or result.reason.message, SHOWN_CHARACTERS)
    if result.refused:
        return CaseAnswer(one_line(result.answer, SHOWN_CHARACTERS), "(declined)", result.passed)
    # Two right answers agree whatever they say: only wrong ones are compared by their form.
    key = normalize_command(result.actual) if result.actual and not result.passed else None
    return CaseAnswer(shown, key, result.passed)
