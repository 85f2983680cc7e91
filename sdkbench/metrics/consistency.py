"""Several backends on the same cases: how far they agree, and where they part."""

from collections.abc import Mapping
from typing import NamedTuple

from sdkbench.core import Value
from sdkbench.core.intervals import Rate


class CaseAnswer(NamedTuple):
    """`key` is one for all spellings of a command; None where there was no command."""

    shown: str
    key: str | None
    passed: bool


class Pair(Value):
    first: str
    second: str
    agreement: Rate


class DivergingAnswer(Value):
    backend: str
    answer: str
    passed: bool


class Divergence(Value):
    test_id: str
    answers: tuple[DivergingAnswer, ...]


class Consistency(Value):
    """Two answers agree if both are right or both say the same; silence agrees with nothing."""

    pairs: tuple[Pair, ...]
    divergences: tuple[Divergence, ...]


def consistency(answers: Mapping[str, Mapping[str, CaseAnswer]]) -> Consistency:
    """`answers`: by backend, then by case. Cases that not all backends have are left out."""
    backends = list(answers)
    shared = [
        test_id
        for test_id in (answers[backends[0]] if backends else ())
        if all(test_id in answers[backend] for backend in backends)
    ]
    pairs = tuple(
        Pair(
            first=first,
            second=second,
            agreement=Rate.of(
                sum(_agree(answers[first][case], answers[second][case]) for case in shared),
                len(shared),
            ),
        )
        for place, first in enumerate(backends)
        for second in backends[place + 1 :]
    )
    divergences = tuple(
        _divergence(case, answers)
        for case in shared
        if any(not _agree(answers[backends[0]][case], answers[b][case]) for b in backends[1:])
    )
    return Consistency(pairs=pairs, divergences=divergences)


def _agree(first: CaseAnswer, second: CaseAnswer) -> bool:
    if first.passed != second.passed:
        return False
    return first.passed or (first.key is not None and first.key == second.key)


def _divergence(case: str, answers: Mapping[str, Mapping[str, CaseAnswer]]) -> Divergence:
    return Divergence(
        test_id=case,
        answers=tuple(
            DivergingAnswer(backend=backend, answer=given[case].shown, passed=given[case].passed)
            for backend, given in answers.items()
        ),
    )
