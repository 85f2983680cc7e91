"""From a session's records to an Examination: the same for every language."""

from collections.abc import Callable

from sdkbench.core import Project
from sdkbench.sandbox import Completed
from sdkbench.test_harness.case_records import to_build_errors
from sdkbench.test_harness.evidence import Evidence, Examination
from sdkbench.test_harness.models import BuildResult
from sdkbench.test_harness.records import Records

ToEvidence = Callable[[Records, Completed], Evidence]


def examined(
    project: Project,
    completed: Completed,
    records: Records,
    to_evidence: ToEvidence,
    *,
    run_tests: bool,
) -> Examination:
    """The build and, unless it failed or nobody asked for tests, what the tests showed.

    A sample's tests are known to load with the reference. If they don't load here, then what they
    import of the solution is broken, and that is a build error.
    """
    errors = to_build_errors(records, completed)
    evidence = to_evidence(records, completed) if run_tests and not errors else None
    if evidence is not None and not project.has_own_tests:
        errors = [f"{f.test_name}: {f.error_message}" for f in evidence.load_errors]
    build = BuildResult(
        success=not errors,
        duration=completed.duration_seconds if not run_tests else 0.0,
        output=completed.output if errors else "",
        errors=errors,
    )
    return Examination(build=build, evidence=evidence, process=completed)
