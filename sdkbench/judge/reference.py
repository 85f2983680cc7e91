"""Reference: what a sample's own solution shows of its tests, recorded once."""

import contextlib
import functools
from collections.abc import Iterator

from sdkbench import __version__
from sdkbench.core import Assurance, Integrity, Outcome, fingerprints
from sdkbench.datasets import Sample
from sdkbench.errors import NoRunner, SampleError
from sdkbench.judge.mutants import Mutants, MutantSuite, candidates, failing, run_suites
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.judge.verdict import Expectation, decide, expectation_from
from sdkbench.sandbox import Level
from sdkbench.test_harness import BaseTestRunner, Evidence, Harness, TestRunnerRegistry

# What decides on a reference: our own code from the sandbox to the verdict.
JUDGING_ROOMS = ("sandbox", "inside", "test_harness", "judge")


def prepare_sample(sample: Sample, harness: Harness, options: Options) -> bool:
    """Install what the reference needs, unless it was run before: then that is done, and True."""
    # Whatever goes wrong goes wrong again where a solution is judged, and is told there.
    with contextlib.suppress(Exception):
        reference = Reference(sample, harness, options)
        if options.integrity is Integrity.OFF or reference.is_known:
            return True
        reference.install()
    return False


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
            "expectations", f"{self._key}-{runs}", lambda: self._record(runs).model_dump_json()
        )
        return Expectation.model_validate_json(kept)

    @functools.cached_property
    def mutants(self) -> Mutants:
        """The mutations after which the reference's tests fail, each where it should."""
        kept = self._harness.cache.record(
            "mutants", self._key, lambda: self._record_mutants().model_dump_json()
        )
        return Mutants.model_validate_json(kept)

    @property
    def has_mutants(self) -> bool:
        """Whether mutants of the tests were asked for, and there are any."""
        wanted = self._options.integrity is Integrity.TWINNED and not self._apart
        return wanted and bool(self.mutants.tests)

    @property
    def assurance(self) -> Assurance:
        """What a verdict is worth: twinned only if every test has a mutant."""
        if self._apart and self._harness.sandbox.level is Level.BUBBLEWRAP:
            return Assurance.BLACK_BOX
        if self.has_mutants and self.mutants.cover(self.expectation):
            return Assurance.TWINNED
        return Assurance.CHECKED

    @property
    def _apart(self) -> bool:
        """Whether the tests never share a sandbox with the solution: mutants add nothing then."""
        return self._sample.ground_truth.metadata.black_box is not None

    @property
    def notes(self) -> list[str]:
        """What a reader of the result must know of the sample's tests."""
        expectation, notes = self.expectation, []
        if expectation.unstable:
            names = ", ".join(expectation.unstable)
            notes.append(f"left out, because the reference does not always pass them: {names}")
        if self._options.integrity is Integrity.TWINNED and self.assurance is Assurance.CHECKED:
            covered = {test_id for test in self.mutants.tests for test_id in test.ids}
            bare = ", ".join(sorted(set(expectation.must_pass) - covered))
            notes.append(f"not twinned, because no mutant of these tests fails as it must: {bare}")
        return notes

    @property
    def is_known(self) -> bool:
        """Whether all that verdicts need of it was recorded before."""
        kept = self._harness.cache.read_record
        runs, twinned = self._options.reference_runs, self._options.integrity is Integrity.TWINNED
        proven = kept("expectations", f"{self._key}-{runs}") is not None
        return proven and (not twinned or self._apart or kept("mutants", self._key) is not None)

    def install(self) -> None:
        with self._runner():
            pass

    @functools.cached_property
    def _key(self) -> str:
        sample = self._sample
        folders = (sample.starter_dir, sample.reference_dir, sample.tests_dir)
        others = (*sample.shared, *TestRunnerRegistry.code_of_plugins())
        return fingerprints.of_texts(
            __version__,
            fingerprints.of_rooms(*JUDGING_ROOMS),
            *(fingerprints.of_path(folder) for folder in folders if folder.is_dir()),
            *(f"{path.name} {fingerprints.of_path(path)}" for path in others),
        )

    def _record(self, times: int) -> Expectation:
        with self._runner() as runner:
            runs = [self._clean_run(runner, alone=times == 1) for _ in range(times)]
            expectation = expectation_from(runs)
            if not expectation.must_pass:
                raise self._unfit("none of its tests is stable")
            return expectation.model_copy(update={"environment": runner.environment_key})

    def _clean_run(self, runner: BaseTestRunner, *, alone: bool) -> Evidence:
        """One run. Where it is one of several, a failing test may only be unstable."""
        examination = runner.examine()
        if examination.evidence is None:
            raise self._unfit(f"it does not build: {'; '.join(examination.build.errors)}")
        unstable = () if alone else failing(examination.evidence)
        verdict = decide(examination, None, aside=unstable)
        if verdict.outcome is not Outcome.PASSED:
            raise self._unfit(verdict.reason or verdict.outcome)
        return examination.evidence

    def _record_mutants(self) -> Mutants:
        """Run the candidates as for a solution, and keep those that fail where they should."""
        with self._runner() as runner:
            tests = candidates(runner.mutations(), self.expectation.must_pass)
            for mixed in (True, False) if tests else ():
                proven = self._prove(runner, Mutants(tests=tests, mixed=mixed))
                if proven is not None:
                    return proven
        return Mutants(tests=())

    def _prove(self, runner: BaseTestRunner, mutants: Mutants) -> Mutants | None:
        """None where unchanged tests suffer from those that fail beside them."""
        suites = mutants.trials()
        tried: list[tuple[MutantSuite, Evidence]] = []
        for run in run_suites(runner, suites, run_build=True):
            if run.examination.evidence is None or not run.is_clean(self.expectation):
                return None
            tried.append((run.suite, run.examination.evidence))
        return mutants.proven(tried) if len(tried) == len(suites) else None

    @contextlib.contextmanager
    def _runner(self) -> Iterator[BaseTestRunner]:
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
