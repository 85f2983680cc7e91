"""One verdict by two sets of tests: the sample's own, and those that are kept out of its tree."""

from sdkbench.core import Assurance, Outcome
from sdkbench.judge.pipeline import score
from sdkbench.test_harness import FCorrResult, TestResult

PRIVATE = "private"  # stands before the ids of private tests, which may be those of others too
# The first of these that one of several judgements had is the outcome of all.
GRAVEST = (Outcome.INVALID, Outcome.FAILED, Outcome.ERROR, Outcome.NOT_EXECUTED, Outcome.PASSED)
ASSURANCES = list(Assurance)


def by_both(public: FCorrResult, private: FCorrResult) -> FCorrResult:
    """A pass only if both passed; the worse of the two otherwise, with the tests of both."""
    worse = min(public, private, key=lambda result: GRAVEST.index(result.outcome))
    tests = _joined(public.test_results, private.test_results)
    build = worse.build_results
    errors = None if build is None else len(build.errors)
    scored = score(worse.mode, worse.outcome, build_errors=errors, tests=tests)
    error = worse.error
    if worse is private and error:
        error = f"By the private tests: {error}"
    return worse.model_copy(
        update={
            "error": error,
            "score": scored.score,
            "runtime_errors": scored.runtime_errors,
            "runtime_score": scored.runtime_score,
            "assurance": min(public.assurance, private.assurance, key=ASSURANCES.index),
            "test_results": tests,
            "excluded_tests": [*public.excluded_tests, *map(_renamed, private.excluded_tests)],
            "duration": public.duration + private.duration,
            "notes": list(dict.fromkeys([*public.notes, *private.notes])),
        }
    )


def _joined(public: TestResult | None, private: TestResult | None) -> TestResult | None:
    if public is None or private is None:
        return public or private
    failures = [
        failure.model_copy(update={"test_name": _renamed(failure.test_name)})
        for failure in private.failures
    ]
    return TestResult(
        success=public.success and private.success,
        total=public.total + private.total,
        passed=public.passed + private.passed,
        failed=public.failed + private.failed,
        skipped=public.skipped + private.skipped,
        duration=public.duration + private.duration,
        output="\n".join(part for part in (public.output, private.output) if part),
        failures=[*public.failures, *failures],
        cases=public.cases | {_renamed(name): case for name, case in private.cases.items()},
    )


def _renamed(test_id: str) -> str:
    return f"{PRIVATE}/{test_id}"
