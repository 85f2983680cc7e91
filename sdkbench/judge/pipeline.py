"""judge(): one solution from left to right. Every stage has its name here."""

import time

from sdkbench.core import Assurance, Integrity, Solution
from sdkbench.judge.reference import Reference
from sdkbench.judge.result import Stages, result_of
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.judge.twinned import judge_twinned
from sdkbench.judge.verdict import decide, decide_installation
from sdkbench.test_harness import FCorrResult, Harness


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
        runner.trusted_environment = expectation.environment if expectation else None
        notes = [*solution.left_out, *(reference.notes if reference else ())]
        installed = runner.install_dependencies()
        if not installed.success:
            stages = Stages(installed, None, decide_installation(installed, assurance))
        elif reference and reference.has_mutants:
            stages = Stages(installed, *judge_twinned(runner, reference, options))
        else:
            examination = runner.examine(
                run_build=options.run_build, run_tests=options.run_tests, test_dir=options.test_dir
            )
            verdict = decide(examination, expectation, assurance=assurance)
            stages = Stages(installed, examination, verdict)
        result = result_of(subject, options, runner, stages, expectation)
        return result.model_copy(
            update={"notes": [*notes, *result.notes], "duration": time.monotonic() - began}
        )


def _reference(subject: Subject, options: Options, harness: Harness) -> Reference | None:
    if subject.sample is None or not options.run_tests or options.integrity is Integrity.OFF:
        return None
    return Reference(subject.sample, harness, options)
