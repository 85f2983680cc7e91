"""judge(): one solution from left to right. Every stage has its name here."""

import time

from sdkbench.core import Integrity, Solution
from sdkbench.judge.preparing import prepared
from sdkbench.judge.reference import Reference
from sdkbench.judge.results import ResultOf
from sdkbench.judge.subject import Options, Subject
from sdkbench.judge.twinned import judge_twinned
from sdkbench.judge.verdict import decide
from sdkbench.judge.weakened import decide_by_exit_code
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
        result = ResultOf(subject, options, runner, began, reference, solution.left_out)
        installed = runner.install_dependencies()
        if not installed.success:
            return result.not_installed(installed)
        if reference and reference.has_twins and not options.weakened:
            return result.judged(installed, judge_twinned(runner, reference, options))
        examined = runner.examine(
            run_build=options.run_build, run_tests=options.run_tests, test_dir=options.test_dir
        )
        if examined.evidence is None:
            return result.without_tests(installed, examined)
        if options.weakened:
            return result.tested(installed, examined, decide_by_exit_code(examined.evidence))
        verdict = decide(examined.evidence, expectation, worth=result.assurance)
        return result.tested(installed, examined, verdict)


def _reference(subject: Subject, options: Options, harness: Harness) -> Reference | None:
    if subject.sample is None or not options.run_tests or options.integrity is Integrity.OFF:
        return None
    return Reference(subject.sample, harness, options)
