"""The attempt boundary: whatever goes wrong in one attempt stays in its own result."""

import traceback

from sdkbench.core import Fault, Outcome
from sdkbench.errors import (
    Cancelled,
    EnvironmentFault,
    InputError,
    MissingTool,
    PluginFault,
    SampleError,
    SandboxFault,
    SdkbenchError,
)
from sdkbench.metrics.f_corr import Options, Subject, judge
from sdkbench.test_harness import FCorrResult, Harness

FAULTS: dict[type[SdkbenchError], Fault] = {
    SampleError: Fault.SAMPLE,
    MissingTool: Fault.MISSING_TOOL,
    SandboxFault: Fault.SANDBOX,
    EnvironmentFault: Fault.NETWORK,
    PluginFault: Fault.MISSING_RUNNER,
}


def judge_attempt(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """`judge`, never raising but for Cancelled: our faults are outcome *error*."""
    try:
        return judge(subject, options, harness)
    except Cancelled:
        raise
    except SampleError as error:
        return _result(subject, options, Outcome.ERROR, Fault.SAMPLE, str(error))
    except InputError as error:
        # A folder that can't be judged is what the solution's author handed in.
        return _result(subject, options, Outcome.FAILED, Fault.INPUT, str(error))
    except SdkbenchError as error:
        fault = FAULTS.get(type(error), Fault.HARNESS)
        return _result(subject, options, Outcome.ERROR, fault, str(error))
    except Exception as error:  # noqa: BLE001 - one attempt must not end the others
        message = f"A fault of SDKBench: {type(error).__name__}: {error}. Please report it."
        result = _result(subject, options, Outcome.ERROR, Fault.HARNESS, message)
        return result.model_copy(update={"notes": [traceback.format_exc(limit=-5)]})


def _result(
    subject: Subject, options: Options, outcome: Outcome, fault: Fault, message: str
) -> FCorrResult:
    return FCorrResult(
        score=0.0,
        outcome=outcome,
        mode=options.mode,
        sample_id=subject.name,
        error=message.encode("utf-8", "replace").decode(),
        fault=fault,
    )
