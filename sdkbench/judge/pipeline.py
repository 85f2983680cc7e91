"""judge(): one solution from left to right. Every stage has its name here, and so has the score."""

import time
from typing import NamedTuple

from sdkbench.core import Assurance, Integrity, Outcome, ScoreMode, Solution
from sdkbench.core.tree import shown
from sdkbench.judge.apart import Judged, judge_apart
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options, Subject, inner_folder, prepared
from sdkbench.judge.twinned import judge_twinned
from sdkbench.judge.verdict import Expectation, Verdict, decide, decide_installation
from sdkbench.test_harness import (
    BaseTestRunner,
    BuildResult,
    DependencyInstallResult,
    Examination,
    FCorrResult,
    Harness,
    SandboxReport,
    TestResult,
)

BUILD_WEIGHT = 25.0
TESTS_WEIGHT = 50.0
RUNTIME_WEIGHT = 25.0
PENALTY_PER_ERROR = 0.1  # ten runtime errors use up the runtime part


class Stages(NamedTuple):
    """How far an attempt came; no examination where its dependencies could not be installed."""

    installed: DependencyInstallResult
    examination: Examination | None
    verdict: Verdict
    told_build: BuildResult | None = None  # one that is not asked for, and only told


class Score(NamedTuple):
    score: float
    runtime_errors: int
    runtime_score: float


def judge(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
    """The verdict on `subject`. Raises InputError for a folder that can't be judged at all, and a
    HarnessFault for what is ours; everything the solution does is an outcome.
    """
    began = time.monotonic()
    solution = Solution(subject.solution_dir)
    with prepared(subject, options, harness) as runner:
        reference = _reference(subject, options, harness)
        expectation = reference.expectation if reference else None
        assurance = reference.assurance if reference else Assurance.PLAIN
        runner.trusted_environment = reference.environment if reference else None
        notes = [*solution.left_out, *(reference.notes if reference else ())]
        if inner := inner_folder(subject, options):
            notes.append(f"{shown(inner)}/ is judged: the folder has no other project in it")
        installed = runner.install_dependencies()
        told_build = None
        failure = expectation.build_failure if expectation else None
        if installed.success and failure is not None:
            told_build = _told_build(runner, failure if subject.is_reference else None)
            options = options._replace(run_build=False)
        if not installed.success:
            stages = Stages(installed, None, decide_installation(installed, assurance))
        else:
            apart = (
                judge_apart(runner, reference, run_build=options.run_build)
                if reference and reference.is_apart
                else None
            )
            if isinstance(apart, Judged):
                stages = Stages(installed, *apart)
            else:
                decided = apart.decided if apart else frozenset()
                examination, verdict = _judge_together(runner, reference, options, decided)
                if apart and reference:
                    notes.append(apart.note)
                    verdict = apart.decide(verdict, reference.without_mutants(decided))
                stages = Stages(installed, examination, verdict)
            stages = stages._replace(told_build=told_build)
        result = result_of(subject, options, runner, stages, expectation)
        return result.model_copy(
            update={"notes": [*notes, *result.notes], "duration": time.monotonic() - began}
        )


def _told_build(runner: BaseTestRunner, failure: str | None) -> BuildResult:
    """How the solution's build goes; its tests run on the files as they were handed in.

    `failure` is how it went, where that is known.
    """
    if failure is None:
        build = runner.examine(run_tests=False).build
    else:
        build = BuildResult(success=False, output=failure, errors=[failure])
    runner.skips_build = True
    return build.model_copy(update={"required": False})


def _judge_together(
    runner: BaseTestRunner,
    reference: Reference | None,
    options: Options,
    decided: frozenset[str],
) -> tuple[Examination, Verdict]:
    """The verdict where the tests run in the solution's own sandbox.

    Tests that are `decided` have been passed apart from it before.
    """
    if reference and reference.has_mutants:
        return judge_twinned(runner, reference, options, decided=decided)
    examination = runner.examine(
        run_build=options.run_build, run_tests=options.run_tests, test_dir=options.test_dir
    )
    if reference is None:
        own = runner.readable_project.has_own_tests
        return examination, decide(examination, None, own_tests=own)
    assurance = reference.assurance_together()
    return examination, decide(examination, reference.expectation, assurance=assurance)


def _reference(subject: Subject, options: Options, harness: Harness) -> Reference | None:
    if subject.sample is None or not options.run_tests or options.integrity is Integrity.OFF:
        return None
    return Reference(subject.sample, harness, options)


def result_of(
    subject: Subject,
    options: Options,
    runner: BaseTestRunner,
    stages: Stages,
    expectation: Expectation | None,
) -> FCorrResult:
    verdict = stages.verdict
    examined = stages.examination.build if stages.examination else None
    build = stages.told_build or examined
    process = stages.examination.process if stages.examination else None
    tests = _tests(stages, expectation)
    errors = None if examined is None else len(examined.errors)
    scored = score(options.mode, verdict.outcome, build_errors=errors, tests=tests)
    return FCorrResult(
        score=scored.score,
        outcome=verdict.outcome,
        assurance=verdict.assurance,
        mode=options.mode,
        sample_id=subject.name,
        language=runner.get_language(),
        framework=runner.get_framework(),
        error=verdict.reason,
        fault=verdict.fault,
        findings=list(verdict.findings),
        test_results=tests,
        install_results=stages.installed,
        build_results=build,
        runtime_errors=scored.runtime_errors,
        runtime_score=scored.runtime_score,
        sandbox=process
        and SandboxReport(
            level=process.level, unapplied=list(process.unapplied), held_by=process.held_by
        ),
        excluded_tests=list(expectation.unstable) if expectation else [],
        notes=list(process.notes) if process else [],
    )


def _tests(stages: Stages, expectation: Expectation | None) -> TestResult | None:
    """The tests' counts; a run cut short is measured by what it should have run."""
    evidence = stages.examination.evidence if stages.examination else None
    if evidence is None:
        return None
    known = 0
    if expectation is not None:
        evidence = evidence.without(expectation.unstable)
        known = len(expectation.known - {*expectation.unstable})
    tests = evidence.summary()
    passed = stages.verdict.outcome is Outcome.PASSED
    return tests.model_copy(update={"total": max(tests.total, known), "success": passed})


def score(
    mode: ScoreMode, outcome: Outcome, *, build_errors: int | None, tests: TestResult | None
) -> Score:
    """The score of a verdict, 0 to 100. `build_errors` is None where it never came to a build.

    Runtime errors are build errors, failed tests and tests that never ended. Only passed and failed
    attempts score: contradictory evidence, our own errors and what was not executed are worth 0.
    """
    errors = (build_errors or 0) + (_without_a_good_end(tests) if tests else 0)
    runtime = runtime_part(errors)
    no_evidence = outcome not in {Outcome.PASSED, Outcome.FAILED} or build_errors is None
    built = build_errors == 0
    no_tests = built and (tests is None or tests.total == 0)
    if no_evidence or no_tests:
        return Score(0.0, errors, 0.0)
    if mode is ScoreMode.STRICT:
        value = 100.0 if outcome is Outcome.PASSED else 0.0
    elif mode is ScoreMode.PASS_RATE:
        value = tests.pass_rate if tests and built else 0.0
    else:
        rate = tests.pass_rate / 100 if tests and built else 0.0
        value = BUILD_WEIGHT * built + TESTS_WEIGHT * rate + RUNTIME_WEIGHT * runtime
    return Score(round(value, 4), errors, round(100 * runtime, 4))


def _without_a_good_end(tests: TestResult) -> int:
    """Tests that failed, and those that a timeout or a crash kept from ending."""
    never_ended = max(0, tests.total - tests.passed - tests.failed - tests.skipped)
    return tests.failed + never_ended


def runtime_part(errors: int) -> float:
    return max(0.0, 1.0 - PENALTY_PER_ERROR * errors)
