"""The bundled JavaScript and TypeScript samples, judged as users judge them."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import load_sample
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.places import ROOT

SDKS = ("clerk", "stripe", "octokit", "jose")
SAMPLES = [
    path.parent for sdk in SDKS for path in sorted((ROOT / "samples" / sdk).glob("*/expected"))
]
SOLUTIONS = [path for sdk in SDKS for path in sorted((ROOT / "tests/solutions" / sdk).glob("*/*"))]
# `next build` takes half a minute: one solution of that sample is built here, in the sandbox and
# without network; the others are judged by `sdkbench fcorr --sdk clerk`.
SLOW = "clerk_provider_001"


@pytest.mark.parametrize("root", SAMPLES, ids=lambda p: p.name)
def test_reference_passes(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    result = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (result.outcome, result.score, result.error) == (Outcome.PASSED, 100, None)
    assert result.assurance == "checked"


@pytest.mark.parametrize("root", [s for s in SAMPLES if s.name != SLOW], ids=lambda p: p.name)
def test_starter_fails_with_a_reason(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    result = judge_attempt(Subject(sample.starter_dir, sample), Options(), harness)
    assert (result.outcome, result.score) == (Outcome.FAILED, 0)
    assert result.error


@pytest.mark.parametrize(
    "folder",
    [s for s in SOLUTIONS if s.parent.name != SLOW],
    ids=lambda p: f"{p.parent.name}/{p.name}",
)
def test_right_solutions_pass_and_wrong_ones_fail(folder: Path, harness: Harness) -> None:
    sdk, name = folder.parent.parent.name, folder.parent.name
    sample = load_sample(ROOT / "samples" / sdk / name)
    result = judge_attempt(Subject(folder, sample), Options(), harness)
    wanted = Outcome.PASSED if folder.name.startswith("right") else Outcome.FAILED
    assert result.outcome is wanted, result.error
