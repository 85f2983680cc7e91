"""Samples in Go, Rust and Java: references pass, starters fail."""

from pathlib import Path

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.datasets import load_sample
from sdkbench.environments import Cache
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.nightly import of_the_day
from tests.support.places import CACHE, SAMPLES
from tests.support.toolchains import LANGUAGES, needs

ROOTS = [
    pytest.param(
        path,
        marks=[needs(language)] if of_the_day(path) else [needs(language), pytest.mark.nightly],
        id="/".join(path.parts[-2:]),
    )
    for sdk, language in LANGUAGES.items()
    for path in sorted((SAMPLES / sdk).glob(f"*_{'[0-9]' * 3}"))
]


@pytest.mark.parametrize("root", ROOTS)
def test_a_reference_passes_and_a_starter_fails(root: Path, harness: Harness) -> None:
    sample = load_sample(root)
    right = judge_attempt(Subject(sample.reference_dir, sample), Options(), harness)
    assert (right.outcome, right.score, right.error) == (Outcome.PASSED, 100, None)
    assert right.assurance is Assurance.CHECKED
    starter = judge_attempt(Subject(sample.starter_dir, sample), Options(), harness)
    assert (starter.outcome, starter.score) == (Outcome.FAILED, 0)
    assert "failed" in (starter.error or "")

    # Another process, later and without the network, finds everything made.
    later = Harness(harness.sandbox, Cache(CACHE), install=False)
    again = judge_attempt(Subject(sample.reference_dir, sample), Options(), later)
    assert again.passed
    assert again.install_results
    assert right.install_results
    assert again.install_results.environment_key == right.install_results.environment_key
    assert not again.install_results.built
