"""The bundled JavaScript and TypeScript samples, judged as users judge them."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import load_sample
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.nightly import mostly_nightly, of_the_day
from tests.support.places import ROOT

SDKS = ("clerk", "stripe", "octokit", "jose")
SAMPLES = [
    path.parent for sdk in SDKS for path in sorted((ROOT / "samples" / sdk).glob("*/expected"))
]
# `next build` takes half a minute: the reference of that sample is built here, in the sandbox and
# without network; its starter is judged by `sdkbench fcorr --sdk clerk --starters`.
SLOW = "clerk_provider_001"
STARTERS = [root for root in SAMPLES if root.name != SLOW]


@pytest.mark.parametrize("root", mostly_nightly(SAMPLES, of_the_day, name=lambda p: p.name))
def test_reference_passes(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    result = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (result.outcome, result.score, result.error) == (Outcome.PASSED, 100, None)
    assert result.assurance == "checked"


@pytest.mark.parametrize("root", mostly_nightly(STARTERS, of_the_day, name=lambda p: p.name))
def test_starter_fails_with_a_reason(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    result = judge_attempt(Subject(sample.starter_dir, sample), Options(), harness)
    assert (result.outcome, result.score) == (Outcome.FAILED, 0)
    assert result.error
