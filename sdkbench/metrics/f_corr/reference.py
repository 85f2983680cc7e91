"""Expected test ids, recorded once from each sample's reference solution."""

import hashlib
import tempfile
from pathlib import Path

from sdkbench import __version__, test_harness
from sdkbench.core import Outcome, tree
from sdkbench.datasets import Sample, lay_out
from sdkbench.errors import SampleError
from sdkbench.integrity import Expectation, decide, expectation_from
from sdkbench.test_harness import BaseTestRunner, Harness, TestRunnerRegistry

KIND = "expectations"


def expected_ids(sample: Sample, harness: Harness, *, timeout: float) -> Expectation:
    """What the reference passes; kept by the content of reference, tests and harness.

    Raises SampleError if the reference itself doesn't pass: nothing can be judged by it.
    """
    kept = harness.cache.record(
        KIND, _key(sample), lambda: _record(sample, harness, timeout).model_dump_json()
    )
    return Expectation.model_validate_json(kept)


def _key(sample: Sample) -> str:
    digest = hashlib.sha256(__version__.encode())
    harness = Path(test_harness.__file__).parent
    for path in (harness, sample.starter_dir, sample.reference_dir, sample.tests_dir):
        if path.is_dir():
            digest.update(tree.content_hash(path).encode())
    for path in sample.shared:
        content = tree.content_hash(path) if path.is_dir() else path.read_bytes().hex()
        digest.update(f"{path.name}\0{content}".encode())
    return digest.hexdigest()[:32]


def _record(sample: Sample, harness: Harness, timeout: float) -> Expectation:
    with tempfile.TemporaryDirectory(prefix="sdkbench-reference-") as folder:
        project = lay_out(sample, sample.reference_dir, Path(folder))
        runner = TestRunnerRegistry.get_runner(
            project.solution.source, timeout, project=project, harness=harness
        )
        if runner is None:
            raise SampleError(f"No runner recognises the reference of {sample.id}.")
        return _run(sample, runner)


def _run(sample: Sample, runner: BaseTestRunner) -> Expectation:
    installed = runner.install_dependencies()
    if not installed.success:
        raise _unfit(sample, f"its dependencies cannot be installed: {installed.error}")
    examined = runner.examine()
    if examined.evidence is None:
        raise _unfit(sample, f"it does not build: {'; '.join(examined.build.errors)}")
    verdict = decide(examined.evidence, None)
    if verdict.outcome is not Outcome.PASSED:
        raise _unfit(sample, verdict.reason or verdict.outcome)
    return expectation_from(examined.evidence)


def _unfit(sample: Sample, reason: str) -> SampleError:
    return SampleError(
        f"The reference of {sample.id} does not pass its own tests, so nothing can be judged by "
        f"them: {reason} Fix the sample, or judge without it (--no-reference)."
    )
