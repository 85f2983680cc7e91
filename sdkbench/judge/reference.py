"""Reference: what a sample's own solution shows of its tests, recorded once."""

import contextlib
import functools
import hashlib
import itertools
from collections.abc import Iterator

from sdkbench import __version__
from sdkbench.core import Assurance, Integrity, Outcome, fingerprints
from sdkbench.datasets import Sample
from sdkbench.errors import NoRunner, SampleError
from sdkbench.judge.deck_runs import examine_decks, is_clean
from sdkbench.judge.expectation import Expectation, expectation_from
from sdkbench.judge.preparing import prepared
from sdkbench.judge.subject import Options, Subject
from sdkbench.judge.twins import Deck, Twins, candidates, failing
from sdkbench.judge.verdict import decide
from sdkbench.sandbox import Level
from sdkbench.test_harness import BaseTestRunner, Evidence, Harness, TestRunnerRegistry

# What decides on a reference: our own code from the sandbox to the verdict.
JUDGING_ROOMS = ("sandbox", "inside", "test_harness", "judge")


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
    def twins(self) -> Twins:
        """The alterations after which the reference's tests fail, each where it should."""
        kept = self._harness.cache.record(
            "twins", self._key, lambda: self._record_twins().model_dump_json()
        )
        return Twins.model_validate_json(kept)

    @property
    def has_twins(self) -> bool:
        """Whether altered copies of the tests were asked for, and there are any."""
        wanted = self._options.integrity is Integrity.TWINNED and not self._apart
        return wanted and bool(self.twins.twins)

    @property
    def assurance(self) -> Assurance:
        """What a verdict is worth: twinned only if every test has a twin."""
        if self._apart and self._harness.sandbox.level is Level.BUBBLEWRAP:
            return Assurance.BLACK_BOX
        if self.has_twins and self.twins.cover(self.expectation):
            return Assurance.TWINNED
        return Assurance.CHECKED

    @property
    def _apart(self) -> bool:
        """Whether the tests never share a sandbox with the solution: altered copies add nothing."""
        return self._sample.ground_truth.metadata.black_box is not None

    @property
    def notes(self) -> list[str]:
        """What a reader of the result must know of the sample's tests."""
        expectation, notes = self.expectation, []
        if expectation.unstable:
            names = ", ".join(expectation.unstable)
            notes.append(f"left out, because the reference does not always pass them: {names}")
        if self._options.integrity is Integrity.TWINNED and self.assurance is Assurance.CHECKED:
            have = {i for twin in self.twins.twins for i in twin.ids}
            bare = ", ".join(sorted(set(expectation.must_pass) - have))
            notes.append(f"not twinned, because these tests have no altered copies: {bare}")
        return notes

    @functools.cached_property
    def _key(self) -> str:
        sample, digest = self._sample, hashlib.sha256(__version__.encode())
        digest.update(fingerprints.of_rooms(*JUDGING_ROOMS).encode())
        for path in (sample.starter_dir, sample.reference_dir, sample.tests_dir):
            if path.is_dir():
                digest.update(fingerprints.of_path(path).encode())
        for path in (*sample.shared, *TestRunnerRegistry.code_of_plugins()):
            content = fingerprints.of_path(path)
            digest.update(f"{path.name}\0{content}".encode())
        return digest.hexdigest()[:32]

    def _record(self, times: int) -> Expectation:
        with self._runner() as runner:
            runs = [self._clean_run(runner, alone=times == 1) for _ in range(times)]
            expectation = expectation_from(runs)
            if not expectation.must_pass:
                raise self._unfit("none of its tests is stable")
            return expectation.model_copy(update={"environment": runner.environment_key})

    def _clean_run(self, runner: BaseTestRunner, *, alone: bool) -> Evidence:
        """One run; where it is one of several, a failing test is for them all to tell."""
        examined = runner.examine()
        if examined.evidence is None:
            raise self._unfit(f"it does not build: {'; '.join(examined.build.errors)}")
        unstable = () if alone else failing(examined.evidence)
        verdict = decide(examined.evidence, None, aside=unstable)
        if verdict.outcome is not Outcome.PASSED:
            raise self._unfit(verdict.reason or verdict.outcome)
        return examined.evidence

    def _record_twins(self) -> Twins:
        """Deal the candidates as for a solution, and keep what failed where it should."""
        with self._runner() as runner:
            wanted = candidates(runner.alterations(), self.expectation.must_pass)
            sharing = (True, False) if runner.shares_imports else (False,)
            for mixed, together in itertools.product((True, False), sharing) if wanted else ():
                kept = self._prove(runner, Twins(twins=wanted, mixed=mixed, together=together))
                if kept is not None:
                    return kept
        return Twins(twins=())

    def _prove(self, runner: BaseTestRunner, wanted: Twins) -> Twins | None:
        """None where tests that stand as they are suffer from those that fail beside them."""
        decks = wanted.trials()
        runs = examine_decks(runner, decks, together=wanted.together, run_build=True)
        tried: list[tuple[Deck, Evidence]] = []
        for deck, examined in zip(decks, runs, strict=False):
            if examined.evidence is None or not is_clean(deck, examined, self.expectation):
                return None
            tried.append((deck, examined.evidence))
        return wanted.kept(tried) if len(tried) == len(decks) else None

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
