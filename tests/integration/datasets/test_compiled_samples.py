"""Samples in Go, Rust and Java: references pass, starters and wrong solutions don't."""

from pathlib import Path
from typing import Any

import pytest

from sdkbench.core import Assurance, Outcome
from sdkbench.datasets import load_sample
from sdkbench.environments import Cache
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness
from tests.support.places import CACHE, ROOT
from tests.support.toolchains import needs

SDKS = {
    "bbolt": "go",
    "golang_jwt": "go",
    "redb": "rust",
    "jsonwebtoken": "rust",
    "okhttp": "java",
    "jackson": "java",
}


def _folders(root: Path, pattern: str) -> list[Any]:
    return [
        pytest.param(path, marks=needs(language), id="/".join(path.parts[-2:]))
        for sdk, language in SDKS.items()
        for path in sorted((root / sdk).glob(pattern))
        if path.is_dir()
    ]


@pytest.mark.parametrize("root", _folders(ROOT / "samples", f"*_{'[0-9]' * 3}"))
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


@pytest.mark.parametrize("folder", _folders(ROOT / "tests" / "solutions", "*/*"))
def test_right_solutions_pass_and_wrong_ones_fail(folder: Path, harness: Harness) -> None:
    sample = load_sample(ROOT / "samples" / folder.parent.parent.name / folder.parent.name)
    result = judge_attempt(Subject(folder, sample), Options(), harness)
    wanted = Outcome.PASSED if folder.name.startswith("right") else Outcome.FAILED
    assert result.outcome is wanted, result.error
