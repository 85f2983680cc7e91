"""AnswerJudge: a model's text, or the files that an agent left, judged on a sample's tests.

Whatever framework it serves, the judge is the one of `sdkbench run`: the same sandbox, evidence and
levels. It is opened once, and used by as many threads at once as it has `workers`.
"""

import atexit
import functools
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sdkbench.backends import Answer
from sdkbench.core import Integrity, Outcome, ScoreMode, tree
from sdkbench.datasets import Sample
from sdkbench.engine.judging import default_workers
from sdkbench.errors import HarnessFault
from sdkbench.generation.files import File, write_solution
from sdkbench.generation.solution import GeneratedSolution
from sdkbench.generation.text import take_answer
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness

AGENT_MINUTES = 15
FOLDERS_LEFT_OUT = tuple(sorted(tree.VENDORED))


class NotJudged(HarnessFault):
    """We or the machine failed: there is no verdict on the solution, and no score."""


class AnswerJudge:
    def __init__(
        self,
        *,
        integrity: Integrity = Integrity.APART,
        timeout: float = 300.0,
        mode: ScoreMode = ScoreMode.STRICT,
        workers: int | None = None,
        harness: Harness | None = None,
    ) -> None:
        self.options = Options(integrity=integrity, timeout=timeout, mode=mode)
        self.workers = workers or default_workers()
        self._harness = harness or Harness.default()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self.close()

    def close(self) -> None:
        self._harness.close()

    def judge_text(self, sample: Sample, text: str, *, truncated: bool = False) -> FCorrResult:
        """The answer is taken apart as in a run: files over the sample's starter."""
        with tempfile.TemporaryDirectory(prefix="sdkbench-answer-") as name:
            begun = self._begun(sample, Path(name))
            answer = Answer(text=text, truncated=truncated)
            return self._judge(sample, take_answer(sample, answer, begun))

    def judge_files(self, sample: Sample, files: Mapping[str, bytes]) -> FCorrResult:
        """The files as they are, over the sample's starter; what is unsafe by name is refused."""
        with tempfile.TemporaryDirectory(prefix="sdkbench-answer-") as name:
            begun = self._begun(sample, Path(name))
            laid = {path: File(data) for path, data in files.items()}
            return self._judge(sample, write_solution(sample.starter_dir, laid, begun))

    def _begun(self, sample: Sample, scratch: Path) -> GeneratedSolution:
        return GeneratedSolution(folder=scratch / "solution", sample_id=sample.id, model="")

    def _judge(self, sample: Sample, solution: GeneratedSolution) -> FCorrResult:
        result = judge_attempt(Subject(solution.folder, sample), self.options, self._harness)
        if result.outcome in {Outcome.ERROR, Outcome.NOT_EXECUTED}:
            raise NotJudged(result.error or "The judge gave no reason.")
        remarks = solution.remarks()
        return result.model_copy(update={"notes": [*result.notes, *remarks]}) if remarks else result


@functools.cache
def shared_judge(
    integrity: Integrity, timeout: float, mode: ScoreMode = ScoreMode.STRICT
) -> AnswerJudge:
    """One for all tasks of a process, closed when that ends."""
    judge = AnswerJudge(integrity=integrity, timeout=timeout, mode=mode)
    atexit.register(judge.close)
    return judge


def described(result: FCorrResult) -> dict[str, Any]:
    """What a score says of itself."""
    return {
        "outcome": str(result.outcome),
        "assurance": str(result.assurance),
        "reason": result.error,
        "tests_passed": result.tests_passed,
        "tests_total": result.tests_total,
        "failed_tests": result.failed_tests,
        "findings": [finding.message for finding in result.findings],
        "notes": result.notes,
    }


def listing_command() -> list[str]:
    """The files of the working folder, without what package managers put there; NUL after each."""
    pruned = [word for name in FOLDERS_LEFT_OUT for word in ("-name", name, "-o")][:-1]
    return ["find", ".", "(", *pruned, ")", "-prune", "-o", "-type", "f", "-print0"]
