"""Every variant of the bundled samples: right solutions pass, wrong ones fail."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import Variant, load_sdk, load_variants
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.nightly import of_the_day
from tests.support.places import SAMPLES
from tests.support.toolchains import LANGUAGES, needs

# `next build` takes half a minute: that sample's reference is enough here; scripts/prove_honest.py
# judges its right variants.
SLOW = "clerk_provider_001"


def cases() -> Iterator[pytest.ParameterSet]:
    """Each day a right and a wrong one of those samples of the day that need no compiler: of the
    others the reference and the starter are judged each day.
    """
    for sample in load_sdk(SAMPLES, "all"):
        outcomes = set[Outcome]()
        for variant in load_variants(sample):
            if sample.root.name == SLOW:
                continue
            marks = [needs(LANGUAGES[sample.sdk])] if sample.sdk in LANGUAGES else []
            repeats = sample.sdk in LANGUAGES or variant.outcome in outcomes
            if repeats or not of_the_day(sample.root):
                marks.append(pytest.mark.nightly)
            outcomes.add(variant.outcome)
            yield pytest.param(variant, marks=marks, id=f"{sample.root.name}/{variant.name}")


@pytest.mark.parametrize("variant", list(cases()))
def test_right_solutions_pass_and_wrong_ones_fail(
    variant: Variant, harness: Harness, tmp_path: Path
) -> None:
    solution = variant.solution.lay_out(tmp_path / variant.name)
    result = judge_attempt(Subject(solution, variant.sample), Options(), harness)
    assert result.outcome is variant.outcome, result.error
