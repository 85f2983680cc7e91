"""Defects planted into a proven sample: each is found, and named with its place."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest

from sdkbench.datasets import load_sample, load_variants
from sdkbench.test_harness import Harness
from sdkbench.validation import CheckName, Gap, Progress, ProofSettings, SampleProof
from sdkbench.validation.conditions import check_clock, check_order, faketime
from sdkbench.validation.prove import prove
from sdkbench.validation.solutions import check_starter, check_variants
from sdkbench.validation.trials import Conditions, Trial, Trials, Wanted
from tests.support.proven_sample import TESTS, append, replace, scaffolded

Prove = Callable[..., SampleProof]
MakeTrials = Callable[[Path], Trials]
HOME = "tiny/tiny_lines_001"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return scaffolded(tmp_path / "samples")


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


@pytest.fixture
def proof_of(harness: Harness, pool: ThreadPoolExecutor) -> Prove:
    """The whole proof; it ends early where the reference does not pass."""

    def run(root: Path, private: Path | None = None) -> SampleProof:
        return prove(root, harness, ProofSettings(private), pool, Progress())

    return run


@pytest.fixture
def trials_of(harness: Harness, pool: ThreadPoolExecutor) -> MakeTrials:
    """For one check alone, where the others need not run."""
    return lambda root: Trials(load_sample(root), harness, pool)


def reference_run(trials: Trials) -> Trial:
    [first] = trials.judged("", [Wanted(trials.sample.reference_dir, Conditions(alone=True))])
    return first


def variant_gaps(trials: Trials) -> tuple[Sequence[Gap], Sequence[Gap]]:
    """Of right and of wrong ones."""
    known = frozenset(reference_run(trials).passed)
    right, wrong = check_variants(trials, load_variants(trials.sample), known, HOME)
    return right.check.gaps, wrong.check.gaps


def gaps(proof: SampleProof, name: CheckName) -> tuple[Gap, ...]:
    return next((check.gaps for check in proof.checks if check.name is name), ())


def only_gap(proof: SampleProof, name: CheckName) -> Gap:
    assert not proof.proven
    [gap] = gaps(proof, name)
    return gap


def test_a_scaffolded_sample_is_proven(root: Path, proof_of: Prove) -> None:
    proof = proof_of(root)
    assert [gap for check in proof.checks for gap in check.gaps] == []
    assert proof.proven
    assert proof.mutation is not None
    assert proof.mutation.percent == 100


def test_defects_that_reading_shows_are_named_in_one_go(root: Path, proof_of: Prove) -> None:
    """The guide, a test that reads the text, a demand that no text states."""
    planted = """
# GUIDE: Remove this.
from pathlib import Path

HOME = Path(__file__).parent.parent / "expected"

def test_the_mark_is_a_constant() -> None:
    text = (HOME / "app.py").read_text()
    assert "MARK" in text
"""
    append(root / TESTS, planted)
    replace(root / TESTS, "pytest.raises(ValueError)", 'pytest.raises(ValueError, match="no text")')
    replace(root / TESTS, "choc…", "choco…")  # ends the proof before anything else is tried
    proof = proof_of(root)
    guide, text, demand = (
        only_gap(proof, name) for name in (CheckName.PARTS, CheckName.BEHAVIOUR, CheckName.DEMANDS)
    )
    assert {gap.path for gap in (guide, text, demand)} == {f"{HOME}/tests/test_app.py"}
    assert all(gap.line for gap in (guide, text, demand))
    assert "reads the solution's text" in text.what
    assert "'no text'" in demand.what


def test_flaky_tests_are_named(root: Path, proof_of: Prove) -> None:
    # That none of eight such tests is unsteady in five runs happens once in four thousand million.
    flaky = """
import os

@pytest.mark.parametrize("number", range(8))
def test_luck(number: int) -> None:
    assert os.urandom(1)[0] % 2
"""
    append(root / TESTS, flaky)
    found = gaps(proof_of(root), CheckName.REFERENCE)
    assert any("flaky: tests/test_app.py::test_luck" in gap.what for gap in found)
    assert {gap.path for gap in found} == {f"{HOME}/tests/test_app.py"}


def test_a_reference_that_fails_is_named(root: Path, proof_of: Prove) -> None:
    replace(root / TESTS, "choc…", "choco…")
    proof = proof_of(root)
    gap = only_gap(proof, CheckName.REFERENCE)
    assert "the reference fails tests/test_app.py::test_a_longer_text_is_cut" in gap.what
    assert proof.mutation is None, "nothing can be told by such tests"


def test_a_wrong_variant_that_passes_is_named(root: Path, trials_of: MakeTrials) -> None:
    shutil.copy(root / "expected" / "app.py", root / "variants" / "wrong-no-refusal" / "app.py")
    _, [gap] = variant_gaps(trials_of(root))
    assert gap.path == f"{HOME}/variants/wrong-no-refusal"
    assert "ends in passed: A limit of zero is not refused." in gap.what


def test_a_right_variant_that_fails_is_named(root: Path, trials_of: MakeTrials) -> None:
    replace(root / "variants" / "right-early-return" / "app.py", "limit - 1", "limit - 2")
    [gap], _ = variant_gaps(trials_of(root))
    assert gap.path == f"{HOME}/variants/right-early-return"


def test_a_mistake_that_another_test_catches_is_named(root: Path, trials_of: MakeTrials) -> None:
    listed = root / "variants" / "variants.toml"
    replace(listed, "test_a_limit_below_one_is_refused", "test_a_text_that_fits_stays_as_it_is")
    replace(listed, "test_a_longer_text_is_cut_to_the_limit", "test_nobody_wrote")
    found = {gap.what for gap in variant_gaps(trials_of(root))[1]}
    assert any("not caught by 'test_a_text_that_fits_stays_as_it_is'" in what for what in found)
    assert any("'test_nobody_wrote', and no test is called so" in what for what in found)


def test_a_mistake_without_its_test_is_told_which_fail(root: Path, trials_of: MakeTrials) -> None:
    replace(root / "variants" / "variants.toml", 'caught_by = ["test_a_limit_below', '# ["test_a')
    _, [gap] = variant_gaps(trials_of(root))
    assert '"test_a_limit_below_one_is_refused"' in gap.todo


def test_a_test_that_needs_the_network_is_named(root: Path, proof_of: Prove) -> None:
    request = """
import urllib.request

def test_the_web_is_there() -> None:
    assert urllib.request.urlopen("https://example.com", timeout=5).status == 200
"""
    append(root / TESTS, request)
    gap = only_gap(proof_of(root), CheckName.REFERENCE)
    assert "test_the_web_is_there" in gap.what
    assert "needs the network" in gap.todo


def test_a_test_that_writes_outside_is_named(root: Path, proof_of: Prove) -> None:
    writing = """
from pathlib import Path

def test_a_file_beside_the_tests() -> None:
    Path(__file__).with_name("left.txt").write_text("left")
"""
    append(root / TESTS, writing)
    gap = only_gap(proof_of(root), CheckName.REFERENCE)
    assert "test_a_file_beside_the_tests" in gap.what
    assert "writes outside" in gap.todo


def test_tests_that_hang_on_their_order_are_named(root: Path, trials_of: MakeTrials) -> None:
    ordered = """
SEEN: list[str] = []

def test_one_goes_first() -> None:
    SEEN.append(app.shorten("tea", 9))

def test_two_goes_second() -> None:
    assert SEEN == ["tea"]
"""
    append(root / TESTS, ordered)
    trials = trials_of(root)
    found = check_order(trials, reference_run(trials), HOME).gaps
    assert any("test_two_goes_second fails in another order" in gap.what for gap in found)


def test_a_test_that_hangs_on_the_time_zone_is_named(root: Path, trials_of: MakeTrials) -> None:
    zoned = """
from datetime import datetime, timedelta

def test_everybody_lives_in_greenwich() -> None:
    assert datetime.now().astimezone().utcoffset() == timedelta(0)
"""
    append(root / TESTS, zoned)
    trials = trials_of(root)
    [gap] = check_clock(trials, reference_run(trials), HOME).gaps
    assert "test_everybody_lives_in_greenwich fails in another time zone" in gap.what


@pytest.mark.skipif(faketime(None)[0] is None, reason=faketime(None)[1])
def test_a_test_that_hangs_on_the_day_is_named(root: Path, trials_of: MakeTrials) -> None:
    year = datetime.now(tz=UTC).year + 1
    dated = f"""
import time
from datetime import date

def test_who_sleeps_is_not_to_blame() -> None:
    time.sleep(0.001)
    assert app.shorten("tea", 2) == "t…"

def test_the_token_is_valid_for_a_year() -> None:
    assert date.today() <= date({year}, 12, 31)
"""
    append(root / TESTS, dated)
    trials = trials_of(root)
    [gap] = check_clock(trials, reference_run(trials), HOME).gaps
    assert "test_the_token_is_valid_for_a_year fails on another day" in gap.what


def test_tests_that_show_nothing_are_named(root: Path, proof_of: Prove) -> None:
    idle = """
def test_nothing() -> None:
    assert callable(app.shorten)

@pytest.mark.skip(reason="later")
def test_later() -> None:
    pass
"""
    append(root / TESTS, idle)
    proof = proof_of(root)
    assert "test_later is skipped" in only_gap(proof, CheckName.REFERENCE).what
    replace(root / TESTS, '@pytest.mark.skip(reason="later")\n', "")
    replace(root / TESTS, "    pass\n", '    assert app.shorten("tea", 2) == "t…"\n')
    found = [gap.what for gap in gaps(proof_of(root), CheckName.TESTS)]
    assert found == ["tests/test_app.py::test_nothing fails for no wrong variant and no mutant"]


def test_mutants_that_nobody_notices_are_named_until_they_are_explained(
    root: Path, proof_of: Prove
) -> None:
    replace(root / TESTS, '    assert app.shorten("coffee", 6) == "coffee"\n', "")
    replace(root / TESTS, 'app.shorten("cake", 1) == "…"', 'app.shorten("cake", 2) == "c…"')
    proof = proof_of(root)
    found = gaps(proof, CheckName.MUTANTS)
    assert {gap.path for gap in found} == {f"{HOME}/expected/app.py"}
    assert any("comparison" in gap.what for gap in found)
    listed = [
        f'{{"file": "app.py", "line": {gap.line}, "reason": "a limit of one is rare"}}'
        for gap in found
    ]
    explained = f'"validation": {{"survivors": [{", ".join(listed)}]}},\n  "sample_id"'
    replace(root / "expected" / "metadata.json", '"sample_id"', explained)
    proof = proof_of(root)
    assert gaps(proof, CheckName.MUTANTS) == ()
    assert proof.mutation is not None
    assert all(survivor.reason for survivor in proof.mutation.survivors)


def test_a_starter_that_passes_is_named(root: Path, trials_of: MakeTrials) -> None:
    shutil.copy(root / "expected" / "app.py", root / "input" / "app.py")
    [gap] = check_starter(trials_of(root), HOME).check.gaps
    assert "the starter passes" in gap.what


def test_private_tests_must_fit_the_reference(root: Path, proof_of: Prove, tmp_path: Path) -> None:
    private = tmp_path / "private"
    shutil.copytree(root / "tests", private / HOME)
    assert gaps(proof_of(root, private=private), CheckName.PRIVATE) == ()
    replace(private / HOME / "test_app.py", "choc…", "choco…")
    [gap] = gaps(proof_of(root, private=private), CheckName.PRIVATE)
    assert "the reference fails" in gap.what
