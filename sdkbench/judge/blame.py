"""Whose fault it is that a judgement broke off: the solution's, where the reference goes through.

Code under judgement chooses what it prints, declares and does. So an exception of ours, a sandbox
that ends early or an installer that stops may be what it wanted: outcome *error* is outside of
every score. The reference, judged at once on the same machine, tells the difference.
"""

import shutil
import tempfile

from sdkbench.core import Fault, Outcome
from sdkbench.datasets import Sample
from sdkbench.errors import Cancelled
from sdkbench.judge.pipeline import judge
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.test_harness import FCorrResult, Harness

# What a broken judgement is called where the machine is to blame → and where the solution is.
# A broken sample is never the solution's fault.
BLAMED = {
    Fault.HARNESS: Fault.INPUT,
    Fault.MISSING_RUNNER: Fault.INPUT,
    Fault.MISSING_TOOL: Fault.INPUT,
    Fault.PLUGIN: Fault.INPUT,
    Fault.NETWORK: Fault.INSTALL,
    Fault.DISK: Fault.RESOURCE_LIMIT,
    Fault.SANDBOX: Fault.TEST,
}
ENOUGH_DISK_BYTES = 8 << 30  # more than any honest set of packages takes
GONE_THROUGH = frozenset({Outcome.PASSED, Outcome.NOT_EXECUTED})


def reference_goes_through(
    subject: Subject, options: Options, harness: Harness, fault: Fault | None
) -> bool:
    """Whether the sample's own solution is judged without what `subject` met: `fault`.

    False where there is no reference, or where `subject` is it. Raises Cancelled.
    """
    sample = subject.sample
    if sample is None or fault not in BLAMED or subject.is_reference:
        return False
    options = options._replace(language=None)
    try:
        result = judge(Subject(sample.reference_dir, sample), options, harness)
        return result.outcome in GONE_THROUGH and _has_what_it_takes(
            sample, options, harness, fault
        )
    except Cancelled:
        raise
    except Exception:  # noqa: BLE001 - the reference met something too, whatever it is
        return False


def blamed_on_solution(result: FCorrResult, what: str) -> FCorrResult:
    """`result`, an error, as the failure that it is where the reference goes through.

    `what` is what was met.
    """
    reason = (
        f"This solution cannot be judged: {what} The sample's reference, judged between two tries "
        "on the same machine, met nothing of the kind."
    )
    fault = BLAMED.get(result.fault, Fault.INPUT) if result.fault else Fault.INPUT
    return result.model_copy(update={"outcome": Outcome.FAILED, "fault": fault, "error": reason})


def _has_what_it_takes(
    sample: Sample, options: Options, harness: Harness, fault: Fault | None
) -> bool:
    """Whether the machine has what the reference, whose packages are at hand, may not have needed:
    the registry, and room for other packages.
    """
    if fault is Fault.NETWORK:
        with prepared(Subject(sample.reference_dir, sample), options, harness) as runner:
            return runner.install_dependencies().success and runner.registry_answers()
    if fault is Fault.DISK:
        places = (harness.cache.root, tempfile.gettempdir())
        return min(shutil.disk_usage(place).free for place in places) > ENOUGH_DISK_BYTES
    return True
