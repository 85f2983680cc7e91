"""Proofs that come with the package are taken where they were made under the same conditions."""

import json
from pathlib import Path

import pytest

from sdkbench.core import Integrity
from sdkbench.datasets import Sample
from sdkbench.environments import Cache
from sdkbench.judge import shipped
from sdkbench.judge.reference import EXPECTATIONS, Reference
from sdkbench.judge.shipped import FILE, Proof, write_proofs
from sdkbench.judge.subject import Options
from sdkbench.test_harness import BaseTestRunner, Harness
from tests.support.projects import MakeSample

OPTIONS = Options(integrity=Integrity.APART)


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    tests = {"test_app.py": "from expected import app\ndef test_two(): assert app.double(2) == 4\n"}
    return make_sample({"app.py": "def double(n):\n    return 2 * n\n"}, tests)


@pytest.fixture
def elsewhere(harness: Harness, tmp_path: Path) -> Harness:
    """Another user's cache, in which nothing is proven."""
    return harness._replace(cache=Cache(tmp_path / "cache"))


@pytest.fixture
def places(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setattr(shipped, "bundled", lambda *_: tmp_path / "proofs")
    return tmp_path / "proofs" / FILE


def ran(reference: Reference, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether the reference was run to know what is expected."""
    shipped._read.cache_clear()
    runs: list[object] = []
    first_run = Reference._first_run

    def watched(self: Reference, runner: BaseTestRunner) -> object:
        runs.append(runner)
        return first_run(self, runner)

    monkeypatch.setattr(Reference, "_first_run", watched)
    assert len(reference.expectation.must_pass) == 1
    return bool(runs)


def test_a_proof_is_taken_over(
    harness: Harness, elsewhere: Harness, sample: Sample, places: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    proof = Reference(sample, harness, OPTIONS).proof()
    write_proofs(places, [proof])
    there = Reference(sample, elsewhere, OPTIONS)
    assert not ran(there, monkeypatch)
    assert there.proof() == proof
    assert there.is_known
    assert there.environment is not None
    assert elsewhere.cache.has(there.environment)


@pytest.mark.parametrize("fault", ["other environment", "other content", "damaged", "missing"])
def test_any_other_proof_is_not(
    harness: Harness, elsewhere: Harness, sample: Sample, places: Path,
    monkeypatch: pytest.MonkeyPatch, fault: str,
) -> None:  # fmt: skip
    key, records = Reference(sample, harness, OPTIONS).proof()[1:]
    said = json.loads(records[EXPECTATIONS]) | {"environment": "0" * 32}
    if fault == "other environment":
        write_proofs(places, [Proof(sample.id, key, {**records, EXPECTATIONS: json.dumps(said)})])
    elif fault == "other content":
        write_proofs(places, [Proof(sample.id, "0" * 64, records)])
    elif fault == "damaged":
        write_proofs(places, [Proof(sample.id, key, records)])
        places.write_text(places.read_text()[:-40])
    assert ran(Reference(sample, elsewhere, OPTIONS), monkeypatch)


def test_packages_that_are_gone_are_installed_again(
    elsewhere: Harness, sample: Sample, places: Path
) -> None:
    assert not places.exists()
    key = Reference(sample, elsewhere, OPTIONS).environment
    assert key is not None
    elsewhere.cache.gc(0)
    again = Reference(sample, elsewhere, OPTIONS)
    assert not elsewhere.cache.has(key)
    assert not again.is_known
    assert again.environment == key
    assert elsewhere.cache.has(key)
