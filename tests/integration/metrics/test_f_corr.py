"""FCorrEvaluator and Evaluator: what the command line says, they return."""

from pathlib import Path

import pytest

from sdkbench.core import Assurance, Fault, GroundTruth, Integrity, Outcome, ScoreMode, Solution
from sdkbench.errors import InputError
from sdkbench.evaluator import Evaluator
from sdkbench.judge import attempt, blame, pipeline
from sdkbench.judge.subject import Options, Subject
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import FCorrResult, Harness
from tests.support.projects import MakeSample, ProjectFactory, write

APP = "def double(n):\n    return 2 * n\n"
TESTS = {
    "test_app.py": "from expected.app import double\n\n\n"
    "def test_two():\n    assert double(2) == 4\n\n\n"
    "def test_zero():\n    assert double(0) == 0\n"
}
HALF_RIGHT = "def double(n):\n    return n\n"


def test_where_no_runner_fits_the_outcome_is_error(
    project: ProjectFactory, harness: Harness
) -> None:
    solution = Solution(project({"letter.txt": "Dear reader"}))
    result = FCorrEvaluator(solution, harness=harness).evaluate()
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert (result.score, result.passed) == (0.0, False)
    assert result.error
    assert "No runner recognised" in result.error


def test_where_nothing_is_installed_and_nothing_may_be_the_outcome_is_error(
    project: ProjectFactory, harness: Harness
) -> None:
    files = {
        "requirements.txt": "a-package-that-nobody-has-installed==1.2.3\n",
        "test_app.py": "def test_it():\n    pass\n",
    }
    solution = Solution(project(files))
    result = FCorrEvaluator(solution, harness=harness).evaluate(auto_install=False)
    assert (result.outcome, result.score) == (Outcome.ERROR, 0.0)
    assert result.error


@pytest.mark.parametrize("mode", list(ScoreMode))
def test_a_mode_may_be_given_as_text(
    project: ProjectFactory, harness: Harness, mode: ScoreMode
) -> None:
    files = {"test_app.py": "def test_a():\n    pass\n\n\ndef test_b():\n    assert False\n"}
    evaluator = FCorrEvaluator(Solution(project(files)), harness=harness)
    scores = {evaluator.evaluate(mode=given).score for given in (mode, str(mode))}  # type: ignore[arg-type]
    expected = {"strict": 0.0, "pass_rate": 50.0, "weighted": 25 + 25 + 22.5}
    assert scores == {expected[mode]}


def test_strict_chooses_between_two_modes(project: ProjectFactory, harness: Harness) -> None:
    files = {"test_app.py": "def test_a():\n    pass\n\n\ndef test_b():\n    assert False\n"}
    evaluator = FCorrEvaluator(Solution(project(files)), harness=harness)
    results = [evaluator.evaluate(strict=strict) for strict in (True, False)]
    assert [(r.mode, r.score) for r in results] == [("strict", 0.0), ("pass_rate", 50.0)]


def test_a_solution_is_judged_on_its_samples_tests(
    make_sample: MakeSample, harness: Harness, tmp_path: Path
) -> None:
    sample = make_sample({"app.py": APP}, TESTS)
    truth = GroundTruth(sample.reference_dir / "metadata.json")
    wrong = write(tmp_path / "solution", {"app.py": HALF_RIGHT})
    evaluator = FCorrEvaluator(Solution(wrong), truth, harness=harness)
    for test_dir in (None, sample.tests_dir, str(sample.tests_dir), "tests"):
        result = evaluator.evaluate(test_dir=test_dir, strict=False)
        assert (result.outcome, result.score) == (Outcome.FAILED, 50.0)
        assert result.failed_tests == ["tests/test_app.py::test_two"]
    for elsewhere in ("nowhere", tmp_path, sample.tests_dir / "test_app.py"):
        with pytest.raises(InputError, match="judged on the sample's tests, all of them"):
            evaluator.evaluate(test_dir=elsewhere)


@pytest.mark.parametrize("integrity", list(Integrity))
def test_an_integrity_may_be_given_as_text(
    make_sample: MakeSample, harness: Harness, integrity: Integrity
) -> None:
    sample = make_sample({"app.py": APP}, TESTS)
    evaluator = FCorrEvaluator(
        Solution(sample.reference_dir),
        GroundTruth(sample.reference_dir / "metadata.json"),
        harness=harness,
    )
    result = evaluator.evaluate(integrity=str(integrity))  # type: ignore[arg-type]
    level = Assurance.PLAIN if integrity is Integrity.OFF else Assurance(integrity)
    assert (result.outcome, result.assurance) == (Outcome.PASSED, level)


@pytest.mark.parametrize(
    ("reference_too", "outcome", "fault"),
    [(False, Outcome.FAILED, Fault.INPUT), (True, Outcome.ERROR, Fault.HARNESS)],
)
def test_what_breaks_our_reading_of_a_solution_is_its_own_fault_unless_the_reference_breaks_it_too(
    make_sample: MakeSample, harness: Harness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    reference_too: bool, outcome: Outcome, fault: Fault,
) -> None:  # fmt: skip
    def breaking(subject: Subject, options: Options, harness: Harness) -> FCorrResult:
        if reference_too or not subject.is_reference:
            raise OverflowError("a number of 5,000 digits")
        return pipeline.judge(subject, options, harness)

    for module in (attempt, blame):
        monkeypatch.setattr(module, "judge", breaking)
    sample = make_sample({"app.py": APP}, TESTS)
    solution = Solution(write(tmp_path / "solution", {"app.py": APP}))
    truth = GroundTruth(sample.reference_dir / "metadata.json")
    result = FCorrEvaluator(solution, truth, harness=harness).evaluate()
    assert (result.outcome, result.fault) == (outcome, fault)
    assert result.error
    assert "a number of 5,000 digits" in result.error


def test_what_is_only_read_has_no_score(project: ProjectFactory, harness: Harness) -> None:
    root = project({"app.py": "def broken(:\n", "test_app.py": "def test_it():\n    pass\n"})
    result = FCorrEvaluator(Solution(root), harness=harness).evaluate_without_execution()
    assert (result.outcome, result.score) == (Outcome.NOT_EXECUTED, 0.0)
    assert (result.language, result.framework) == ("python", "pytest")
    assert result.notes[0].startswith("app.py: ")


def test_details_of_types_lint_and_coverage(project: ProjectFactory, harness: Harness) -> None:
    root = project(
        {
            "app.py": "import os\n\n\ndef one() -> int:\n    return 'one'\n",
            "test_app.py": "from app import one\n\n\ndef test_one():\n    assert one()\n",
        }
    )
    evaluator = FCorrEvaluator(Solution(root), harness=harness)
    (wrong,) = evaluator.get_type_check_details().problems
    assert (wrong.path, wrong.line, wrong.severity) == ("app.py", 5, "error")
    (unused,) = evaluator.get_lint_details().problems
    assert (unused.path, unused.line, unused.code) == ("app.py", 1, "F401")
    covered = {file.path: file.percent for file in evaluator.get_coverage_details().files}
    assert covered["app.py"] == 100.0


def test_the_evaluator_reads_and_judges_as_it_is_asked(
    project: ProjectFactory, harness: Harness
) -> None:
    root = project({"app.py": "", "test_app.py": "def test_it():\n    pass\n"})
    evaluator = Evaluator(str(root), harness=harness)
    assert evaluator.evaluate_quick().f_corr is None
    assert evaluator.evaluate(run_fcorr=False).f_corr is None
    for result in (evaluator.evaluate(), evaluator.evaluate_quick(run_fcorr=True)):
        assert result.f_corr
        assert result.f_corr.score == 100.0
        assert (result.files, result.quick.test_file_count) == (2, 1)
