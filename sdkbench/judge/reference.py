"""Reference: what a sample's own solution shows of its tests, recorded once."""

import contextlib
import functools
import random
from collections.abc import Iterator

from sdkbench import __version__
from sdkbench.core import Assurance, Integrity, Outcome, fingerprints
from sdkbench.datasets import Sample
from sdkbench.errors import NoRunner, SampleError
from sdkbench.judge.judging_code import judging_code
from sdkbench.judge.mutants import Mutants, MutantSuite, candidates, failing, run_suites
from sdkbench.judge.obstacles import obstacles_of
from sdkbench.judge.shipped import Proof, shipped_proof
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.judge.verdict import Expectation, decide, expectation_from
from sdkbench.sandbox import Level
from sdkbench.sandbox.levels import landlock_abi
from sdkbench.test_harness import (
    BaseTestRunner,
    Evidence,
    Examination,
    Harness,
    TestRunnerRegistry,
)
from sdkbench.test_harness.models import Value

EXPECTATIONS, MUTANTS, APART = "expectations", "mutants", "apart"  # kinds of records
LANDLOCK_FOR_MOVES = 2  # the version that lets files be moved between folders


def prepare_sample(sample: Sample, harness: Harness, options: Options) -> bool:
    """Install what the reference needs, unless it was run before: then that is done, and True."""
    # Whatever goes wrong goes wrong again where a solution is judged, and is told there.
    with contextlib.suppress(Exception):
        reference = Reference(sample, harness, options)
        if options.integrity is Integrity.OFF or reference.is_known:
            return True
        reference.install()
    return False


class ApartProof(Value):
    """`profile`: what the reference gave its tests; `obstacles`: why a test can't be apart."""

    profile: str = ""
    obstacles: dict[str, str] = {}  # noqa: RUF012 - never changed

    @property
    def proven(self) -> bool:
        return bool(self.profile) and not self.obstacles

    def summary(self) -> str:
        test, reason = next(iter(self.obstacles.items()))
        more = f" (and {len(self.obstacles) - 1} more)" if len(self.obstacles) > 1 else ""
        return f"{test}: {reason}{more}" if test else f"{reason}{more}"


class SampleLevel(Value):
    """At which level solutions of a sample are judged; `obstacles` keep it from the next one."""

    sample_id: str
    assurance: Assurance | None = None
    obstacles: dict[str, str] = {}  # noqa: RUF012 - never changed
    error: str | None = None


class Reference:
    """Kept by the content of reference, tests and harness; run where nothing is kept yet."""

    def __init__(self, sample: Sample, harness: Harness, options: Options) -> None:
        self._sample = sample
        self._harness = harness
        self._options = options

    @functools.cached_property
    def expectation(self) -> Expectation:
        """What the reference passes.

        Raises SampleError if it doesn't pass: nothing can be judged by it.
        """
        runs = self._options.reference_runs
        kept = self._harness.cache.record(
            EXPECTATIONS, f"{self._key}-{runs}", lambda: self._record(runs).model_dump_json()
        )
        return Expectation.model_validate_json(kept)

    @functools.cached_property
    def environment(self) -> str | None:
        """The key of the packages it ran with, which are installed again where they are gone."""
        key = self.expectation.environment
        if key is None or self._harness.cache.has(key) or not self._harness.install:
            return key
        with self._runner() as runner:
            return runner.environment_key

    @functools.cached_property
    def mutants(self) -> Mutants:
        """The mutations after which the reference's tests fail, each where it should."""
        kept = self._harness.cache.record(
            MUTANTS, self._key, lambda: self._record_mutants().model_dump_json()
        )
        return Mutants.model_validate_json(kept)

    @functools.cached_property
    def apart(self) -> ApartProof:
        """Whether its tests pass with the solution in another sandbox, and what crossed then."""
        if not self._isolated:
            return ApartProof(obstacles={"": "the sandbox of this machine does not isolate"})
        if landlock_abi() < LANDLOCK_FOR_MOVES:
            # A link in the folder that both sides share would lead tests to files of their own.
            return ApartProof(obstacles={"": "this machine's kernel has no Landlock"})
        kept = self._harness.cache.record(
            APART, self._key, lambda: self._record_apart().model_dump_json()
        )
        return ApartProof.model_validate_json(kept)

    @property
    def is_apart(self) -> bool:
        """Whether solutions are judged apart from their tests."""
        wanted = self._options.integrity is Integrity.APART and not self._black_box
        return wanted and self.apart.proven

    @property
    def has_mutants(self) -> bool:
        """Whether mutants of the tests were asked for, and there are any."""
        wanted = self._options.integrity in {Integrity.TWINNED, Integrity.APART}
        return wanted and not self._black_box and bool(self.mutants.tests)

    @property
    def assurance(self) -> Assurance:
        """What a verdict is worth."""
        return Assurance.APART if self.is_apart else self.assurance_together()

    def assurance_together(self, decided: frozenset[str] = frozenset()) -> Assurance:
        """Of a verdict that is not apart: twinned only if every test has a mutant, but for those
        that are `decided` already.
        """
        if self._black_box and self._isolated:
            return Assurance.BLACK_BOX
        covered = self.has_mutants and not self.without_mutants(decided)
        return Assurance.TWINNED if covered else Assurance.CHECKED

    @property
    def _isolated(self) -> bool:
        return self._harness.sandbox.level is Level.BUBBLEWRAP

    @property
    def _black_box(self) -> bool:
        """Whether the tests never share a sandbox with the solution: mutants add nothing then."""
        return self._sample.ground_truth.metadata.black_box is not None

    @property
    def notes(self) -> list[str]:
        """What a reader of the result must know of the sample's tests."""
        expectation, notes = self.expectation, []
        if expectation.build_failure is not None:
            first = expectation.build_failure.strip().partition("\n")[0]
            notes.append(f"no build is asked for, because the reference's own fails: {first}")
        if expectation.unstable:
            names = ", ".join(expectation.unstable)
            notes.append(f"left out, because the reference does not always pass them: {names}")
        if self._options.integrity is Integrity.APART and self.apart.obstacles:
            notes.append(f"not judged apart from its tests: {self.apart.summary()}")
        twinned = self._options.integrity in {Integrity.TWINNED, Integrity.APART}
        if twinned and self.assurance is Assurance.CHECKED:
            bare = ", ".join(self.without_mutants())
            notes.append(f"not twinned, because no mutant of these tests fails as it must: {bare}")
        return notes

    def level(self) -> SampleLevel:
        """The level, and what keeps it from a higher one."""
        apart = self._black_box or self.apart.proven
        obstacles = {} if apart else dict(self.apart.obstacles)
        for test in self.without_mutants() if not apart else ():
            obstacles[test] = f"{obstacles.get(test, '')} No mutant of it fails as it must.".strip()
        return SampleLevel(sample_id=self._sample.id, assurance=self.assurance, obstacles=obstacles)

    def without_mutants(self, decided: frozenset[str] = frozenset()) -> list[str]:
        """Tests that have none, but for those that are `decided` already."""
        return self.mutants.lacking(self.expectation.without(decided))

    @property
    def is_known(self) -> bool:
        """Whether all that verdicts need of it was recorded before."""
        kept = self._harness.cache.read_record
        if kept(EXPECTATIONS, f"{self._key}-{self._options.reference_runs}") is None:
            return False
        environment = self.expectation.environment
        if environment is not None and not self._harness.cache.has(environment):
            return False
        if self._black_box or self._options.integrity is Integrity.CHECKED:
            return True
        if self._options.integrity is Integrity.APART and self._isolated:
            proof = kept(APART, self._key)
            if proof is None or ApartProof.model_validate_json(proof).proven:
                return proof is not None
        return kept(MUTANTS, self._key) is not None

    def install(self) -> None:
        with self._runner():
            pass

    @functools.cached_property
    def _key(self) -> str:
        sample = self._sample
        folders = (sample.starter_dir, sample.reference_dir, sample.tests_dir)
        present = [folder for folder in folders if folder.is_dir()]
        others = (*sample.shared, *TestRunnerRegistry.code_of_plugins())
        return fingerprints.of_texts(
            __version__,
            judging_code([*present, *sample.shared]),
            *(() if self._options.run_build else ("without its build",)),
            *(fingerprints.of_path(folder) for folder in present),
            *(f"{path.name} {fingerprints.of_path(path)}" for path in others),
        )

    def _record(self, times: int) -> Expectation:
        with self._runner() as runner:
            shipped = self._shipped(runner) if times == 1 else None
            if shipped is not None:
                return shipped
            build_failure, first = self._first_run(runner)
            more = [runner.examine(run_build=not runner.skips_build) for _ in range(times - 1)]
            runs = [self._clean(run, build_failure, alone=times == 1) for run in (first, *more)]
            expectation = expectation_from(runs)
            if not expectation.must_pass:
                raise self._unfit("none of its tests is stable")
            return expectation.model_copy(
                update={"environment": runner.environment_key, "build_failure": build_failure}
            )

    def _shipped(self, runner: BaseTestRunner) -> Expectation | None:
        """What came with the package, if it was made with the same packages and toolchain."""
        proof = shipped_proof(self._key)
        if proof is None:
            return None
        expectation = Expectation.model_validate_json(proof.records[EXPECTATIONS])
        if expectation.environment is None or expectation.environment != runner.environment_key:
            return None
        for kind in (MUTANTS, APART):
            if kind in proof.records:
                self._harness.cache.adopt_record(kind, self._key, proof.records[kind])
        return expectation

    def proof(self) -> Proof:
        """All that is known of it, to be shipped."""
        records = {EXPECTATIONS: self.expectation.model_dump_json()}
        if not self._black_box:
            records[MUTANTS] = self.mutants.model_dump_json()
            records[APART] = self.apart.model_dump_json()
        return Proof(self._sample.id, self._key, records)

    def _first_run(self, runner: BaseTestRunner) -> tuple[str | None, Examination]:
        """Why the build fails, if it does, and a run of the tests: of the files as they are then.

        The runner skips the build from then on.
        """
        run = runner.examine(run_build=not runner.skips_build)
        if run.evidence is not None or runner.skips_build:
            return None, run
        runner.skips_build = True
        return "; ".join(run.build.errors), runner.examine(run_build=False)

    def _clean(
        self, examination: Examination, build_failure: str | None, *, alone: bool
    ) -> Evidence:
        """One run. Where it is one of several, a failing test may only be unstable."""
        if examination.evidence is None:
            errors = build_failure or "; ".join(examination.build.errors)
            raise self._unfit(f"it does not build: {errors}")
        unstable = () if alone else failing(examination.evidence)
        verdict = decide(examination, None, aside=unstable)
        if verdict.outcome is not Outcome.PASSED:
            reason = verdict.reason or verdict.outcome
            if build_failure is not None:
                first = build_failure.strip().partition("\n")[0]
                reason = f"it does not build: {first}. Nor does it pass as it is: {reason}"
            raise self._unfit(reason)
        return examination.evidence

    def _record_apart(self) -> ApartProof:
        """Two runs: what crosses in the first is what the second is held to."""
        with self._runner(after_expectation=True) as runner:
            proof = ApartProof()
            for _ in range(2):
                run = runner.examine_apart(proof.profile or None, run_build=not runner.skips_build)
                if run is None:
                    return ApartProof(obstacles={"": runner.why_not_apart()})
                obstacles = obstacles_of(run, self._sample, self.expectation)
                proof = ApartProof(profile=run.profile, obstacles=obstacles)
                if proof.obstacles:
                    break
            return proof

    def _record_mutants(self) -> Mutants:
        """Run the candidates as for a solution, and keep those that fail where they should."""
        chance = random.SystemRandom()
        with self._runner(after_expectation=True) as runner:
            mutations = runner.mutations()
            # Should a framework name mutated tests otherwise than we think, names stay as they are.
            for mixed, renaming in ((True, True), (True, False), (False, False)):
                offered = [mutation for mutation in mutations if renaming or not mutation.renamed]
                if mixed and not renaming and len(offered) == len(mutations):
                    continue
                tests = candidates(offered, self.expectation.must_pass, chance)
                proven = self._prove(runner, Mutants(tests=tests, mixed=mixed)) if tests else None
                if proven is not None:
                    return proven
        return Mutants(tests=())

    def _prove(self, runner: BaseTestRunner, mutants: Mutants) -> Mutants | None:
        """None where unchanged tests suffer from those that fail beside them."""
        suites = mutants.trials()
        tried: list[tuple[MutantSuite, Evidence]] = []
        for run in run_suites(runner, suites, run_build=not runner.skips_build):
            if run.examination.evidence is None or not run.is_clean(self.expectation):
                return None
            tried.append((run.suite, run.examination.evidence))
        return mutants.proven(tried) if len(tried) == len(suites) else None

    @contextlib.contextmanager
    def _runner(self, *, after_expectation: bool = False) -> Iterator[BaseTestRunner]:
        subject = Subject(self._sample.reference_dir, self._sample)
        # However short a solution's time is: what is known of a sample must not hang on it.
        seconds = max(self._options.timeout, Options().timeout)
        options = self._options._replace(language=None, timeout=seconds)
        try:
            with prepared(subject, options, self._harness) as runner:
                installed = runner.install_dependencies()
                if not installed.success:
                    raise self._unfit(f"its dependencies cannot be installed: {installed.error}")
                runner.trusted_environment = runner.environment_key
                if after_expectation and self.expectation.build_failure is not None:
                    runner.skips_build = True
                yield runner
        except NoRunner as error:
            raise SampleError(
                f"No runner recognises the reference of {self._sample.id}."
            ) from error

    def _unfit(self, reason: str) -> SampleError:
        return SampleError(
            f"The reference of {self._sample.id} does not pass its own tests, so nothing can be "
            f"judged by them: {reason} Fix the sample, or judge without it (--integrity off)."
        )
