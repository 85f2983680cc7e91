"""judge_repeatedly: the same attempt several times, and what each test did every time."""

from collections.abc import Sequence

from sdkbench.core import Outcome
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness

MISSING = "missing"  # in a history: the run ended before this test
# The first of these that any of the runs had is the outcome of all: a pass must be one every time.
GRAVEST = (Outcome.INVALID, Outcome.FAILED, Outcome.ERROR, Outcome.NOT_EXECUTED, Outcome.PASSED)


def judge_repeatedly(
    subject: Subject, options: Options, harness: Harness, times: int
) -> FCorrResult:
    """One result for `times` runs: the gravest of them, with the history of each test."""
    runs = [judge_attempt(subject, options, harness) for _ in range(times)]
    return runs[0] if times == 1 else summed_up(runs)


def summed_up(runs: Sequence[FCorrResult]) -> FCorrResult:
    worst = min(runs, key=lambda run: GRAVEST.index(run.outcome))
    passed = sum(run.outcome is Outcome.PASSED for run in runs)
    told = f"passed {passed} of {len(runs)} runs"
    history = history_of(runs)
    restless = [name for name, statuses in history.items() if len(set(statuses)) > 1]
    if restless:
        told += f"; not the same every time: {', '.join(restless)}"
    error = worst.error
    if worst.outcome is Outcome.FAILED and passed:
        error = f"{told[0].upper()}{told[1:]}. {error}"
    return worst.model_copy(
        update={
            "error": error,
            "history": history,
            "duration": sum(run.duration for run in runs),
            "notes": [*worst.notes, told],
        }
    )


def history_of(runs: Sequence[FCorrResult]) -> dict[str, list[str]]:
    """What became of each test, run by run."""
    cases = [run.test_results.cases if run.test_results else {} for run in runs]
    names = sorted({name for one in cases for name in one})
    return {name: [str(one.get(name, MISSING)) for one in cases] for name in names}
