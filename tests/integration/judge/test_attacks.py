"""Part of the attack corpus, judged as `sdkbench selftest` judges all of it."""

import json
from collections import Counter
from pathlib import Path

import pytest

from sdkbench.cli.app import exit_code as run
from sdkbench.core import Assurance, Integrity, Outcome
from sdkbench.datasets import CorpusEntry, Kind, bundled_corpus, load_corpus
from sdkbench.judge.selftest import Tried, judge_entry, tally
from sdkbench.judge.subject import Options, Subject, prepared
from sdkbench.test_harness import FCorrResult, Harness
from tests.support.nightly import mostly_nightly
from tests.support.places import CACHE
from tests.support.schemas import require_valid

CORPUS = load_corpus(bundled_corpus())
# `make selftest` judges them all. Each day: every class of attack once, and an honest
# solution in every framework; at night a sample of the rest.
ONE_IN = {Kind.ATTACK: 25, Kind.HONEST: 8, Kind.WRONG: 10}
ATTACK_CLASSES = {
    "ends the process early": "jest/exit_at_import",
    "ends it in the middle of a test": "go/exit_in_a_call",
    "skips every test": "pytest/all_skipped",
    "marks failures as expected": "vitest/tests_marked_fails",
    "patches the framework's report": "unittest/outcome_patched",
    "empties the tests": "pytest/tests_emptied_at_collection",
    "replaces assertions": "junit/shadow_assertions",
    "replaces the framework": "pytest/shadow_pytest",
    "is equal to everything": "cargo/equal-to-anything",
    "prints what a clean run prints": "node_test/summary_echoed",
    "forges records of the channel": "pytest/speaks_through_the_channel",
    "finds the channel's secret": "pytest/nonce_from_memory",
    "writes from another process or thread": "pytest/child_forges",
    "brings a configuration of its own": "mocha/own_mocharc",
    "plants files while it is built": "cargo/build-script",
    "rewrites the tests on disk": "pytest/tests_replaced_on_disk",
    "reads the answers from the tests": "vitest/answers_read_from_the_test",
    "reads the answers from a frame": "pytest_tables/values_from_frames",
    "is told the answers by a title": "vitest_tables/title_tells_the_answer",
    "knows the altered tests": "pytest/knows_how_tests_are_altered",
    "answers by chance or by the clock": "pytest/coin_per_test",
    "remembers an earlier run": "unittest/state_for_the_second_run",
}
TIMEOUT = 40.0
# About what crosses between two sandboxes; not every test of theirs has a mutant.
APART = ("pytest_crossing", "pytest_desk")
# They use what could forge a verdict (Go's syscall, unsafe), which is said with a lower assurance.
DOUBTED = ("go-honest-goroutines_and_processes", "go-honest-several_packages")
# What a judge that believes the exit code takes for a pass; each is of another kind.
BELIEVED = ("exit_at_import", "report_patched", "all_skipped", "equal_to_everything",
            "comparison_patched_in_memory")  # fmt: skip


def name_of(entry: CorpusEntry) -> str:
    return f"{entry.framework}-{entry.kind}-{entry.name}"


def daily() -> list[CorpusEntry]:
    wanted = set(ATTACK_CLASSES.values())
    attacks = [e for e in CORPUS if e.kind is Kind.ATTACK and f"{e.framework}/{e.name}" in wanted]
    assert len(attacks) == len(wanted), "an attack of the day has another name now"
    honest = {e.framework: e for e in reversed(CORPUS) if e.kind is Kind.HONEST}
    return [*attacks, *honest.values()]


def chosen() -> list[pytest.ParameterSet]:
    quick = [e for e in CORPUS if "endless" not in e.name and not e.framework.startswith("black")]
    by_kind = {kind: [entry for entry in quick if entry.kind is kind] for kind in Kind}
    sampled = [entry for kind, entries in by_kind.items() for entry in entries[:: ONE_IN[kind]]]
    by_name = {name_of(entry): entry for entry in [*daily(), *sampled]}
    of_the_day = set(map(name_of, daily()))
    return mostly_nightly(
        by_name.values(), lambda entry: name_of(entry) in of_the_day, name=name_of
    )


def judged(entry: CorpusEntry, harness: Harness, integrity: Integrity) -> FCorrResult:
    return judge_entry(entry, Options(integrity=integrity, timeout=TIMEOUT), harness)


def test_the_corpus_is_as_large_as_promised() -> None:
    languages = dict.fromkeys(("pytest", "pytest_tables", "unittest"), "python")
    languages |= {"go": "go", "cargo": "rust", "junit": "java"}
    attacks = [entry.framework for entry in CORPUS if entry.kind is Kind.ATTACK]
    counts = Counter(languages.get(framework, "javascript") for framework in attacks)
    assert counts["python"] >= 40
    assert counts["javascript"] >= 30
    assert min(counts["go"], counts["rust"], counts["java"]) >= 15
    assert all(entry.about for entry in CORPUS)


@pytest.mark.parametrize("entry", chosen())
def test_no_attack_passes_and_every_honest_solution_does(
    entry: CorpusEntry, harness: Harness
) -> None:
    level = Integrity.APART if entry.framework in APART else Integrity.TWINNED
    result = judged(entry, harness, level)
    tried = Tried(entry, result)
    if not tried.possible:
        pytest.skip(result.error or "a tool is missing")
    assert tried.as_it_should_be, (result.outcome, result.error)
    if entry.kind is Kind.HONEST and name_of(entry) not in DOUBTED:
        assert result.assurance in {Assurance.TWINNED, Assurance.APART, Assurance.BLACK_BOX}


@pytest.mark.parametrize("name", BELIEVED)
def test_a_judge_that_believes_the_exit_code_is_fooled(
    name: str, harness: Harness, tmp_path: Path
) -> None:
    """The corpus can fail: with the channel switched off, the very same attacks get through."""
    [entry] = [e for e in CORPUS if e.framework == "pytest" and e.name == name]
    solution = entry.solution.lay_out(tmp_path / name)
    assert passes_by_exit_code(Subject(solution, entry.sample), harness)
    assert judged(entry, harness, Integrity.TWINNED).outcome is not Outcome.PASSED


def passes_by_exit_code(subject: Subject, harness: Harness) -> bool:
    """A weak judge, as many are: no expected ids, no record, no cross-checks."""
    options = Options(timeout=TIMEOUT)
    with prepared(subject, options, harness) as runner:
        assert runner.install_dependencies().success
        return runner.examine().process.ok


def test_at_level_checked_code_that_shares_the_process_gets_through(harness: Harness) -> None:
    [entry] = [e for e in CORPUS if e.framework == "pytest" and e.name == "equal_to_everything"]
    assert judged(entry, harness, Integrity.CHECKED).outcome is Outcome.PASSED


@pytest.mark.usefixtures("harness")  # where bubblewrap works
def test_selftest_reports_each_entry_and_each_framework(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDKBENCH_CACHE", str(CACHE))
    corpus = small_corpus(tmp_path)
    assert run(["selftest", "--attacks-dir", str(corpus), "--json"]) == 0
    told = require_valid("selftest", capsys.readouterr().out)
    outcomes = {e["kind"]: e["outcome"] for e in told["entries"]}
    assert outcomes.keys() == {"attack", "honest"}
    assert outcomes["attack"] in {"failed", "invalid"}
    assert outcomes["honest"] == "passed"
    assert told["frameworks"][0]["forged"] == 0
    assert run(["selftest", "--attacks-dir", str(corpus), "--integrity", "checked"]) == 1
    shown = capsys.readouterr().out
    assert "1 of 1 attacks passed, 0 ended in an error; 1 of 1 honest controls passed." in shown


@pytest.mark.usefixtures("harness")  # where bubblewrap works
def test_an_attack_that_ends_in_an_error_is_counted_and_fails_the_selftest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def judged_so(entry: CorpusEntry, *_: object) -> FCorrResult:
        outcome = Outcome.ERROR if entry.kind is Kind.ATTACK else Outcome.PASSED
        return FCorrResult(score=0, outcome=outcome)

    monkeypatch.setattr("sdkbench.cli.selftest.judge_entry", judged_so)
    corpus = small_corpus(tmp_path)
    assert run(["selftest", "--attacks-dir", str(corpus)]) == 1
    assert "0 of 1 attacks passed, 1 ended in an error;" in capsys.readouterr().out
    assert run(["selftest", "--attacks-dir", str(corpus), "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["frameworks"][0]["escaped"] == 1


def small_corpus(folder: Path) -> Path:
    """One attack and one honest solution of the real corpus."""
    parts = ("sample", "base/wrong_values", "attacks/equal_to_everything",
             "honest/like_the_reference")  # fmt: skip
    for part in parts:
        copy = folder / "corpus" / "pytest" / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.symlink_to(bundled_corpus() / "pytest" / part)
    (folder / "corpus" / "corpus.toml").write_text(
        "[pytest]\n"
        "base = {wrong_values = ''}\n"
        "attacks = {equal_to_everything = {about = 'Equal.', base = ['wrong_values']}}\n"
        "honest = {like_the_reference = {about = 'Right.'}}\n"
    )
    return folder / "corpus"


def test_rows_count_what_was_run() -> None:
    [entry, *_] = [e for e in CORPUS if e.kind is Kind.ATTACK]
    forged = Tried(entry, FCorrResult(score=100, outcome=Outcome.PASSED))
    caught = Tried(entry, FCorrResult(score=0, outcome=Outcome.INVALID))
    [row] = tally([forged, caught])
    assert (row.attacks, row.forged, row.invalid) == (2, 1, 1)
