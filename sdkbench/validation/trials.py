"""Trials: solutions of one sample judged under some conditions, each kept by its content.

A trial that was made before is read: a second proof of the same sample runs nothing, and one that
was interrupted goes on.
"""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import NamedTuple, TypeVar

from sdkbench import __version__
from sdkbench.core import Fault, Integrity, Outcome, Value, fingerprints, tree
from sdkbench.datasets import Sample
from sdkbench.errors import HarnessFault
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.judging_code import judging_code
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness, TestRunnerRegistry, TestStatus
from sdkbench.test_harness.models import Language, TestFramework
from sdkbench.validation.syntax import SUFFIXES

KIND = "proofs"  # of the cache's records
MESSAGE_CHARACTERS = 400  # of a failing test
# Nobody's code is to blame for these: judged another time, it may come out otherwise.
PASSING = frozenset({Fault.SANDBOX, Fault.NETWORK, Fault.DISK, Fault.HARNESS})
BAD = frozenset({TestStatus.FAILED, TestStatus.ERROR})
T = TypeVar("T")
R = TypeVar("R")


class Conditions(Value):
    """What is unlike an ordinary judgement. `run` tells apart trials that are made several times.

    `alone`: judged without the sample's reference.
    """

    run: int = 0
    alone: bool = False
    run_build: bool = True
    shuffle_seed: int | None = None
    variables: dict[str, str] = {}  # noqa: RUF012 - never changed


class Trial(Value):
    outcome: Outcome
    fault: Fault | None = None
    reason: str = ""
    language: Language | None = None
    framework: TestFramework | None = None
    passed: tuple[str, ...] = ()
    failed: dict[str, str] = {}  # noqa: RUF012 - test → the beginning of its message
    skipped: tuple[str, ...] = ()
    seconds: float = 0.0

    @classmethod
    def of(cls, result: FCorrResult) -> "Trial":
        tests = result.test_results
        cases = tests.cases if tests else {}
        messages = (
            {f.test_name: _shortened(f.error_message) for f in tests.failures} if tests else {}
        )
        return cls(
            outcome=result.outcome,
            fault=result.fault,
            reason=_shortened(result.error or ""),
            language=result.language,
            framework=result.framework,
            passed=tuple(sorted(n for n, s in cases.items() if s is TestStatus.PASSED)),
            failed={n: messages.get(n, "") for n, s in sorted(cases.items()) if s in BAD},
            skipped=tuple(sorted(n for n, s in cases.items() if s is TestStatus.SKIPPED)),
            seconds=result.duration,
        )

    @property
    def is_built(self) -> bool:
        return self.fault not in {Fault.BUILD, Fault.INSTALL}


class Wanted(NamedTuple):
    """One trial to be made. `solution` is a folder that is there until the trial has ended."""

    solution: Path
    conditions: Conditions = Conditions()


class Trials:
    """Of one sample. `pool` makes them side by side; `tell` is told of each that begins."""

    def __init__(
        self,
        sample: Sample,
        harness: Harness,
        pool: Executor,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.sample = sample
        self.harness = harness
        self.timeout = Options().timeout
        self.pool = pool
        self._tell = tell

    def judged(self, what: str, wanted: Iterable[Wanted]) -> list[Trial]:
        """Raises Cancelled, and HarnessFault where this machine can't judge it."""
        return self.side_by_side(lambda one: self._judged(what, one), wanted)

    def side_by_side(self, work: Callable[[T], R], items: Iterable[T]) -> list[R]:
        futures = [self.pool.submit(work, item) for item in items]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()

    def _judged(self, what: str, wanted: Wanted) -> Trial:
        key = fingerprints.of_texts(
            self._key, wanted.conditions.model_dump_json(), _content(wanted.solution)
        )
        kept = self.harness.cache.read_record(KIND, key)
        if kept is None:
            self.harness.sandbox.cancellation.raise_if_requested()
            self._tell(what)
            trial = self._run(wanted)
            kept = self.harness.cache.record(KIND, key, trial.model_dump_json)
        return Trial.model_validate_json(kept)

    def _run(self, wanted: Wanted) -> Trial:
        conditions = wanted.conditions
        harness = self.harness
        if conditions.variables or conditions.shuffle_seed is not None:
            # A process that runs are forked from has the environment that it was started with.
            sandbox = harness.sandbox._replace(variables=tuple(conditions.variables.items()))
            harness = harness._replace(
                sandbox=sandbox, warm=None, shuffle_seed=conditions.shuffle_seed
            )
        options = Options(
            integrity=Integrity.OFF if conditions.alone else Integrity.CHECKED,
            timeout=self.timeout,
            run_build=conditions.run_build,
        )
        result = judge_attempt(Subject(wanted.solution, self.sample), options, harness)
        if result.outcome is Outcome.ERROR and result.fault in PASSING:
            raise HarnessFault(f"{self.sample.id} could not be judged here: {result.error}")
        return Trial.of(result)

    @functools.cached_property
    def _key(self) -> str:
        """Of all that decides on a trial besides the solution: not the words of the metadata."""
        sample, metadata = self.sample, self.sample.ground_truth.metadata
        folders = (sample.starter_dir, sample.reference_dir, sample.tests_dir)
        present = [folder for folder in folders if folder.is_dir()]
        others = (*sample.shared, *TestRunnerRegistry.code_of_plugins())
        return fingerprints.of_texts(
            __version__,
            judging_code([*present, *sample.shared]),
            metadata.sandbox.model_dump_json(),
            metadata.black_box.model_dump_json() if metadata.black_box else "",
            _content(sample.reference_dir),
            _content(sample.starter_dir, sources=False),
            fingerprints.of_path(sample.tests_dir),
            *(f"{path.name} {fingerprints.of_path(path)}" for path in others),
        )


def _content(folder: Path, *, sources: bool = True) -> str:
    """Of a solution's files. Of a starter only the manifests count, which may complete others."""
    files = [
        (path, path.relative_to(folder).as_posix())
        for path in (tree.files(folder) if folder.is_dir() else ())
        if sources or path.suffix not in SUFFIXES
    ]
    parts = [
        part
        for path, name in files
        if name != "metadata.json"
        for part in (name, fingerprints.of_path(path))
    ]
    return fingerprints.of_texts(*parts)


def _shortened(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= MESSAGE_CHARACTERS else f"{text[:MESSAGE_CHARACTERS]} …"


def failing_tests(trials: Sequence[Trial]) -> Mapping[str, int]:
    """How often each test failed for itself."""
    counts: dict[str, int] = {}
    for trial in trials:
        for test in trial.failed:
            counts[test] = counts.get(test, 0) + 1
    return counts
