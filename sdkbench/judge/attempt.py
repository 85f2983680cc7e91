"""The attempt boundary: whatever goes wrong in one attempt stays in its own result."""

import errno
import traceback
from collections.abc import Sequence

from sdkbench.core import Fault, Outcome
from sdkbench.errors import (
    Cancelled,
    DiskFault,
    EnvironmentFault,
    InputError,
    MissingTool,
    NoRunner,
    PluginFault,
    SampleError,
    SandboxFault,
    SdkbenchError,
)
from sdkbench.judge.pipeline import judge
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness

FAULTS: dict[type[SdkbenchError], Fault] = {
    SampleError: Fault.SAMPLE,
    NoRunner: Fault.MISSING_RUNNER,
    MissingTool: Fault.MISSING_TOOL,
    SandboxFault: Fault.SANDBOX,
    EnvironmentFault: Fault.NETWORK,
    DiskFault: Fault.DISK,
    PluginFault: Fault.PLUGIN,
}
DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
# What a second try cannot change: a broken sample or plugin, a missing program or runner.
LASTING = frozenset({Fault.SAMPLE, Fault.MISSING_RUNNER, Fault.MISSING_TOOL, Fault.PLUGIN})

MISSING = "missing"  # in a history: the run ended before this test
# The first of these that any of the runs had is the outcome of all: a pass must be one every time.
GRAVEST = (Outcome.INVALID, Outcome.FAILED, Outcome.ERROR, Outcome.NOT_EXECUTED, Outcome.PASSED)


def judge_attempt(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """`judge`, never raising but for Cancelled: our faults are outcome *error*, tried once more."""
    result = _tried(subject, options, harness)
    if result.outcome is not Outcome.ERROR or result.fault in LASTING:
        return result
    again = _tried(subject, options, harness)
    note = f"tried twice: the first time it ended with: {result.error}"
    return again.model_copy(update={"notes": [*again.notes, note]})


def judge_repeatedly(
    subject: Subject, options: Options, harness: Harness, times: int
) -> FCorrResult:
    """One result for `times` runs: the gravest of them, with the history of each test."""
    runs = [judge_attempt(subject, options, harness) for _ in range(times)]
    return runs[0] if times == 1 else _summed_up(runs)


def _summed_up(runs: Sequence[FCorrResult]) -> FCorrResult:
    worst = min(runs, key=lambda run: GRAVEST.index(run.outcome))
    passed = sum(run.outcome is Outcome.PASSED for run in runs)
    summary = f"passed {passed} of {len(runs)} runs"
    history = _history(runs)
    changing = [name for name, statuses in history.items() if len(set(statuses)) > 1]
    if changing:
        summary += f"; not the same every time: {', '.join(changing)}"
    error = worst.error
    if worst.outcome is Outcome.FAILED and passed:
        error = f"{summary[0].upper()}{summary[1:]}. {error}"
    return worst.model_copy(
        update={
            "error": error,
            "history": history,
            "duration": sum(run.duration for run in runs),
            "notes": [*worst.notes, summary],
        }
    )


def _history(runs: Sequence[FCorrResult]) -> dict[str, list[str]]:
    """What became of each test, run by run."""
    cases = [run.test_results.cases if run.test_results else {} for run in runs]
    names = sorted({name for one in cases for name in one})
    return {name: [str(one.get(name, MISSING)) for one in cases] for name in names}


def fault_result(subject: Subject, options: Options, error: Exception) -> FCorrResult:
    """What an attempt comes to that ended with `error`, wherever it was judged."""
    outcome, message, notes = Outcome.ERROR, str(error), []
    if isinstance(error, InputError) and not isinstance(error, SampleError | NoRunner):
        # A folder that can't be judged is what the solution's author handed in.
        outcome, fault = Outcome.FAILED, Fault.INPUT
    elif isinstance(error, SdkbenchError):
        fault = FAULTS.get(type(error), Fault.HARNESS)
    elif isinstance(error, OSError) and error.errno in DISK_ERRORS:
        fault = Fault.DISK
        message = f"The disk refuses to be written: {error}. Make room, and run again."
    else:
        fault = Fault.HARNESS
        message = f"A fault of SDKBench: {type(error).__name__}: {error}. Please report it."
        notes = ["".join(traceback.format_exception(error, limit=-5))]
    return FCorrResult(
        score=0.0,
        outcome=outcome,
        mode=options.mode,
        sample_id=subject.name,
        error=message.encode("utf-8", "replace").decode(),
        fault=fault,
        notes=notes,
    )


def _tried(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    try:
        return judge(subject, options, harness)
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - one attempt must not end the others
        return fault_result(subject, options, error)
