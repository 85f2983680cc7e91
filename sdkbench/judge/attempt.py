"""The attempt boundary: whatever goes wrong in one attempt stays in its own result."""

import errno
import time
import traceback
from collections.abc import Sequence

from pydantic_core import PydanticSerializationError

from sdkbench.core import Fault, Integrity, Outcome
from sdkbench.errors import (
    ArgumentError,
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
from sdkbench.judge.blame import BLAMED, blamed_on_solution, reference_goes_through
from sdkbench.judge.pipeline import judge
from sdkbench.judge.private import GRAVEST, by_both
from sdkbench.judge.subject import Options, Subject
from sdkbench.judge.twinned import SawUntouchedTests
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
# Bad input, but not by the author of the solution. In here it is we who call public functions.
NOT_THE_AUTHORS = (SampleError, NoRunner, ArgumentError)
DISK_ERRORS = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO})
# What a second try cannot change: a broken sample or plugin, a missing program or runner.
LASTING = frozenset({Fault.SAMPLE, Fault.MISSING_RUNNER, Fault.MISSING_TOOL, Fault.PLUGIN})

MAX_DESCRIBED = 4096  # characters of an exception's message; it may quote what was read
MAX_TRACE = 64 * 1024

MISSING = "missing"  # in a history: the run ended before this test


def judge_attempt(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """`judge`, never raising but for Cancelled: our faults are outcome *error*, tried once more.

    What the solution meets both times, and the sample's reference in between does not, is the
    solution's own doing: *failed*. Where the sample has private tests, both must pass.
    """
    result = _timed(subject, options, harness)
    private = subject.sample.privately() if subject.sample else None
    if private is None:
        return result
    return by_both(result, _timed(subject._replace(sample=private), options, harness))


def _timed(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """In words that can be stored; what broke off tells how long it took, too."""
    began = time.monotonic()
    result = storable(_settled(subject, options, harness))
    return result.model_copy(update={"duration": result.duration or time.monotonic() - began})


def _settled(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    met = _tried(subject, options, harness)
    if isinstance(met, FCorrResult):
        return met
    is_last = isinstance(met, SawUntouchedTests)
    met = met.cause if isinstance(met, SawUntouchedTests) else met
    first = fault_result(subject, options, met)
    if first.outcome is not Outcome.ERROR:
        return first
    healthy = reference_goes_through(subject, options, harness, first.fault)
    if is_last:
        return _after_untouched_tests(subject, options, harness, first) if healthy else first
    if first.fault in LASTING and not healthy:
        return first
    met = _tried(subject, options, harness)
    if isinstance(met, SawUntouchedTests):
        met = met.cause
    again = met if isinstance(met, FCorrResult) else fault_result(subject, options, met)
    if isinstance(met, Exception) and again.outcome is Outcome.ERROR and again.fault in BLAMED:
        again = blamed_on_solution(again, described(met)) if healthy else again
    note = f"tried twice: the first time it ended with: {first.error}"
    return again.model_copy(update={"notes": [*again.notes, note]})


def _after_untouched_tests(
    subject: Subject, options: Options, harness: Harness, first: FCorrResult
) -> FCorrResult:
    """Once more on the unchanged tests: whoever has seen them is dealt no mutants.

    So a pass would be worth less than was asked for, and our fault stays what it was.
    """
    met = _tried(subject, options._replace(integrity=Integrity.CHECKED), harness)
    if isinstance(met, FCorrResult):
        return first if met.outcome is Outcome.PASSED else met
    again = fault_result(subject, options, met)
    blamed = again.outcome is Outcome.ERROR and again.fault in BLAMED
    return blamed_on_solution(again, described(met)) if blamed else again


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
    if isinstance(error, InputError) and not isinstance(error, NOT_THE_AUTHORS):
        # A folder that can't be judged is what the solution's author handed in.
        outcome, fault = Outcome.FAILED, Fault.INPUT
    elif isinstance(error, SdkbenchError):
        fault = FAULTS.get(type(error), Fault.HARNESS)
    elif isinstance(error, OSError) and error.errno in DISK_ERRORS:
        fault = Fault.DISK
        message = f"The disk refuses to be written: {error}. Make room, and run again."
    else:
        fault = Fault.HARNESS
        message = f"A fault of SDKBench: {described(error)} Please report it."
        notes = ["".join(traceback.format_exception(error, limit=-5))[-MAX_TRACE:]]
    return storable(
        FCorrResult(
            score=0.0,
            outcome=outcome,
            mode=options.mode,
            sample_id=subject.name,
            error=message,
            fault=fault,
            notes=notes,
        )
    )


def described(error: Exception) -> str:
    """One sentence, which a solution may have made as long as it liked."""
    name = "" if isinstance(error, SdkbenchError) else f"{type(error).__name__}: "
    text = f"{name}{error}".strip()
    text = text if len(text) <= MAX_DESCRIBED else f"{text[:MAX_DESCRIBED]} …"
    return text if text.endswith((".", "…")) else f"{text}."


def storable(result: FCorrResult) -> FCorrResult:
    """The same in words that can be printed and stored: no half of a surrogate pair, which the name
    of a file or a manifest may hold.
    """
    try:
        result.model_dump_json()
    except PydanticSerializationError:
        return FCorrResult.model_validate(_readable(result.model_dump(round_trip=True)))
    return result


def _readable(value: object) -> object:
    if isinstance(value, str):
        return value if value.isascii() else type(value)(value.encode("utf-8", "replace").decode())
    if isinstance(value, dict):
        return {_readable(key): _readable(item) for key, item in value.items()}
    return [_readable(item) for item in value] if isinstance(value, list | tuple) else value


def _tried(subject: Subject, options: Options, harness: Harness) -> FCorrResult | Exception:
    try:
        return judge(subject, options, harness)
    except Cancelled:
        raise
    except Exception as error:  # noqa: BLE001 - one attempt must not end the others
        return error
