"""prove(): one sample from left to right, each check in turn. prove_all: many, side by side."""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Assurance, Integrity, Outcome, tree
from sdkbench.datasets import Sample, Variant, load_sample, load_variants, with_private_tests
from sdkbench.datasets.scaffold import GUIDE
from sdkbench.errors import Cancelled, InputError, SampleError, SdkbenchError
from sdkbench.judge.reference import Reference, SampleLevel
from sdkbench.judge.subject import Options
from sdkbench.test_harness import Harness
from sdkbench.test_harness.recognition import text_of
from sdkbench.validation.behaviour import check_behaviour
from sdkbench.validation.conditions import check_clock, check_order
from sdkbench.validation.demands import check_demands
from sdkbench.validation.explanations import Explanations, explanations_of
from sdkbench.validation.metadata import check_metadata
from sdkbench.validation.mutants import MOST, try_mutants
from sdkbench.validation.solutions import (
    Judged,
    check_reference,
    check_starter,
    check_variants,
    placed,
)
from sdkbench.validation.trials import Trial, Trials, failing_tests
from sdkbench.validation.values import (
    ENOUGH_PERCENT,
    Check,
    CheckName,
    Gap,
    MutationScore,
    SampleProof,
)

PARTS = ("input", "expected", "tests", "variants")
LAYOUT = "docs/reference/samples.md shows how a sample is laid out"
MOST_OBSTACLES = 5  # told of one sample
LEAST_SECONDS = 30.0  # for one run of the tests on a mutant
TIMES_LONGER = 10  # than the slowest run of the reference: a mutant that takes longer hangs


class ProofSettings(NamedTuple):
    private_tests: Path | None = None
    most_mutants: int = MOST


class Progress(NamedTuple):
    """Told from any thread: a sample's activity, and a proof that is finished."""

    began: Callable[[str, str], None] = lambda _sample, _what: None
    finished: Callable[[SampleProof], None] = lambda _proof: None


def samples_below(path: Path) -> list[Path]:
    """The samples at `path`: itself, those of an SDK's folder, or of a folder of SDKs.

    A folder that has any part of a sample counts as one. Raises InputError where there is none.
    """
    if not path.is_dir():
        raise InputError(f"{path} is no folder. Name a sample, an SDK's folder, or one of SDKs.")
    for level in ([path], path.glob("*"), path.glob("*/*")):
        samples = [folder for folder in sorted(level) if _has_parts(folder)]
        if samples:
            return samples
    raise InputError(f"{path} holds no samples. {LAYOUT[0].upper()}{LAYOUT[1:]}.")


def _has_parts(path: Path) -> bool:
    return path.is_dir() and any((path / part).is_dir() for part in PARTS)


def prove_all(
    roots: Sequence[Path],
    harness: Harness,
    settings: ProofSettings,
    workers: int,
    progress: Progress,
) -> list[SampleProof]:
    """In the order of `roots`. Raises Cancelled when asked to stop: trials that ended are kept."""
    with (
        ThreadPoolExecutor(workers, thread_name_prefix="trial") as trials,
        ThreadPoolExecutor(workers, thread_name_prefix="sample") as samples,
    ):

        def work(root: Path) -> SampleProof:
            proof = prove(root, harness, settings, trials, progress)
            progress.finished(proof)
            return proof

        futures = [samples.submit(work, root) for root in roots]
        try:
            return [future.result() for future in futures]
        finally:
            for future in futures:
                future.cancel()


def prove(
    root: Path,
    harness: Harness,
    settings: ProofSettings,
    pool: ThreadPoolExecutor,
    progress: Progress,
) -> SampleProof:
    """Never raises but for Cancelled: what hinders the proof of one sample is a gap in it."""
    root = root.resolve()
    home = f"{root.parent.name}/{root.name}"
    began = time.monotonic()
    try:
        sample, variants = _loaded(root, settings)
        trials = Trials(sample, harness, pool, lambda what: progress.began(home, what))
        proof = _Proof(trials, home, settings).whole(variants)
    except Cancelled:
        raise
    except InputError as error:
        proof = _hindered(home, str(error).replace(str(root), home), LAYOUT)
    except SdkbenchError as error:
        proof = _hindered(home, str(error), "`sdkbench doctor` tells what this machine lacks")
    except Exception as error:  # noqa: BLE001 - one sample must not end the proofs of others
        what = f"a fault of SDKBench: {type(error).__name__}: {error}"
        proof = _hindered(home, what, "report it, with the sample")
    return proof.model_copy(update={"seconds": round(time.monotonic() - began, 1)})


def _hindered(home: str, what: str, todo: str) -> SampleProof:
    check = Check(name=CheckName.PARTS, gaps=(Gap(path=home, what=what, todo=todo),))
    return SampleProof(sample=home, checks=(check,))


def _loaded(root: Path, settings: ProofSettings) -> tuple[Sample, list[Variant]]:
    sample = with_private_tests(load_sample(root), settings.private_tests)
    if not any(path.is_file() for path in sample.tests_dir.rglob("*")):
        raise SampleError(f"{sample.tests_dir} holds no tests. Add some.")
    return sample, load_variants(sample)


class _Proof:
    def __init__(self, trials: Trials, home: str, settings: ProofSettings) -> None:
        self.sample = trials.sample
        self.private = self.sample.privately()
        trials.sample = self.sample._replace(private_tests=None)  # its own tests are proven
        self.trials = trials
        self.home = home
        self.settings = settings

    def whole(self, variants: Sequence[Variant]) -> SampleProof:
        explanations = explanations_of(self.sample.ground_truth)
        checks = [
            _check_guide(self.sample, self.home),
            check_metadata(self.sample, self.home),
            check_behaviour(self.sample, self.home),
            check_demands(self.sample, explanations, self.home),
        ]
        reference = check_reference(self.trials, self.home)
        checks.append(reference.check)
        metadata = self.sample.ground_truth.metadata
        proof = SampleProof(
            sample=self.home,
            task_type=metadata.task_type,
            task_name=metadata.task_name,
            difficulty=metadata.difficulty,
            language=reference.trials[0].language,
            checks=tuple(checks),
        )
        if reference.check.gaps:
            return proof  # nothing can be told by tests that the reference does not pass
        slowest = max(trial.seconds for trial in reference.trials)
        self.trials.timeout = max(LEAST_SECONDS, TIMES_LONGER * slowest)
        return self._by_tests(proof, reference, variants, explanations)

    def _by_tests(
        self,
        proof: SampleProof,
        reference: Judged,
        variants: Sequence[Variant],
        explanations: Explanations,
    ) -> SampleProof:
        first, home = reference.trials[0], self.home
        known = frozenset(first.passed)
        starter = check_starter(self.trials, home)
        right, wrong = check_variants(self.trials, variants, known, home)
        tried = try_mutants(self.trials, self.settings.most_mutants)
        score = tried.score(explanations)
        options = Options(integrity=Integrity.APART)
        level = Reference(self.trials.sample, self.trials.harness, options).level()
        checks = [
            starter.check,
            right.check,
            wrong.check,
            check_order(self.trials, first, home),
            check_clock(self.trials, first, home),
            check_score(score, home),
            _check_tests(known, [*wrong.trials, *tried.trials], home),
            check_level(level, explanations.level, home),
            *self._private(variants),
        ]
        order = list(CheckName)
        whole = sorted((*proof.checks, *checks), key=lambda check: order.index(check.name))
        return proof.model_copy(
            update={
                "assurance": level.assurance,
                "obstacles": level.obstacles,
                "mutation": score,
                "checks": tuple(whole),
            }
        )

    def _private(self, variants: Sequence[Variant]) -> Iterator[Check]:
        """The private tests: the reference passes them, right variants too, the starter not."""
        if self.private is None:
            return
        trials = Trials(self.private, self.trials.harness, self.trials.pool)
        home = f"{self.home} (private tests)"
        gaps = list(check_reference(trials, home).check.gaps)
        if not gaps:
            gaps += check_starter(trials, home).check.gaps
            right = [v for v in variants if v.outcome is Outcome.PASSED]
            gaps += check_variants(trials, right, frozenset(), home)[0].check.gaps
        yield Check(name=CheckName.PRIVATE, gaps=tuple(gaps))


def _check_guide(sample: Sample, home: str) -> Check:
    """What `sdkbench new sample` wrote for the author must not be left."""
    gaps = [
        Gap(
            path=f"{home}/{path.relative_to(sample.root).as_posix()}",
            line=number,
            what="a line of the guide is still there",
            todo="do what it says, and remove it",
        )
        for path in tree.files(sample.root)
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if GUIDE in line
    ]
    return Check(name=CheckName.PARTS, gaps=tuple(gaps))


def check_level(level: SampleLevel, claimed: Assurance | None, home: str) -> Check:
    """A lower level than another sample's is told; only one that is lower than claimed is a gap."""
    order = list(Assurance)
    reached = level.assurance or Assurance.PLAIN
    if claimed is None or order.index(reached) >= order.index(claimed):
        return Check(name=CheckName.LEVEL)
    told = [f"{test}: {why}" if test else why for test, why in level.obstacles.items()]
    gap = Gap(
        path=f"{home}/expected/metadata.json",
        what=f"validation.level is {claimed}, and solutions are judged at {reached}"
        + "".join(f"; {line}" for line in told[:MOST_OBSTACLES]),
        todo="change what the tests do there (docs/reference/samples.md, 'Tests that can be "
        "apart'), or claim less",
    )
    return Check(name=CheckName.LEVEL, gaps=(gap,))


def check_score(score: MutationScore, home: str) -> Check:
    """Survivors are gaps where there are too many of them."""
    if score.percent is None:
        gap = Gap(
            path=f"{home}/expected",
            what="no mutant could be made of the reference's own lines",
            todo="the task needs code of its own beside the starter's",
        )
        return Check(name=CheckName.MUTANTS, gaps=(gap,))
    not_tried = (f"{score.unjudged} mutants: this machine could not judge them",)
    gaps = [
        Gap(
            path=f"{home}/expected/{survivor.path}",
            line=survivor.line,
            what=f"no test notices {survivor.operator}: {survivor.after}",
            todo="add a test, or say in metadata.json, validation.survivors, why none can",
        )
        for survivor in score.survivors
        if survivor.reason is None
    ]
    return Check(
        name=CheckName.MUTANTS,
        gaps=tuple(gaps) if score.percent < ENOUGH_PERCENT else (),
        not_tried=not_tried if score.unjudged else (),
    )


def _check_tests(known: frozenset[str], trials: Sequence[Trial], home: str) -> Check:
    """Every test must fail for something that is wrong."""
    failing = failing_tests(trials)
    gaps = [
        Gap(
            path=placed(test, f"{home}/tests"),
            what=f"{test} fails for no wrong variant and no mutant",
            todo="make it expect more, add a wrong variant that it catches, or take it out",
        )
        for test in sorted(known - failing.keys())
    ]
    return Check(name=CheckName.TESTS, gaps=tuple(gaps))
