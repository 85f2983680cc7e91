"""Figures of runs: every one with its denominator, each outcome in its place."""

from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.report.pages.overview import Collected, Spread, collect
from sdkbench.store import Attempt, Run, Suite, open_store
from tests.support.store.builder import attempt, key
from tests.support.store.invented import fill


def collected(path: Path, *runs: list[Attempt]) -> Collected:
    with open_store(path / "store.db") as store:
        made: list[Run] = []
        for number, attempts in enumerate(runs):
            made.append(store.start_run(run_id=f"run-{number}", label=f"night {number}"))
            for each in attempts:
                store.save_attempt(made[-1].id, each)
        return collect(store, made)


def tried(number: int, outcome: Outcome, **changes: object) -> Attempt:
    score = 100 * (outcome is Outcome.PASSED)
    given = {"sample": f"demo_{number % 4:03}", "outcome": outcome, "score": score}
    return attempt(number, key=key(number), **(given | changes))


def test_the_best_is_first_and_errors_count_in_no_share(tmp_path: Path) -> None:
    good = [tried(n, Outcome.PASSED, model="good") for n in range(4)]
    bad = [tried(n, Outcome.FAILED, model="bad") for n in range(4, 7)]
    ours = [tried(7, Outcome.ERROR, model="bad")]
    overview = collected(tmp_path, good + bad + ours).overview
    (suite,) = overview.suites
    assert [entry.label for entry in suite.entries] == ["good", "bad"]
    figures = suite.entries[1].figures
    assert (figures.attempts, figures.judged, figures.pass_share.value) == (4, 3, 0.0)
    assert suite.entries[0].p_value is None
    assert suite.entries[1].p_value == pytest.approx(0.25)  # three samples of three
    assert overview.outcomes == {Outcome.PASSED: 4, Outcome.FAILED: 3, Outcome.ERROR: 1}


def test_breakdowns_have_a_column_for_each_entry(tmp_path: Path) -> None:
    python = {"language": "python", "difficulty": "hard"}
    attempts = [
        tried(0, Outcome.PASSED, model="a", sdk="x", result=python),
        tried(1, Outcome.FAILED, model="a", sdk="y", result=python, fault="test"),
        tried(2, Outcome.PASSED, model="b", sdk="x", result=python),
    ]
    (suite,) = collected(tmp_path, attempts).overview.suites
    shares = {each.field: each for each in suite.shares}
    assert [entry.label for entry in suite.entries] == ["b", "a"]
    assert [group.value for group in shares["sdk"].groups] == ["x", "y"]
    assert shares["sdk"].groups[1].figures[0] is None
    assert [group.value for group in shares["difficulty"].groups] == ["hard"]
    counts = {each.field: each for each in suite.counts}
    assert counts["fault"].groups[0].counts == (0, 1)
    assert counts["outcome"].groups[0].counts == (1, 1)


def test_trials_give_pass_at_k(tmp_path: Path) -> None:
    attempts = [
        tried(n, Outcome.PASSED if n % 3 == 0 else Outcome.FAILED, sample="one", trial=n)
        for n in range(3)
    ]
    (suite,) = collected(tmp_path, attempts).overview.suites
    assert [(at.k, at.mean.value) for at in suite.entries[0].pass_at_k] == [
        (1, pytest.approx(1 / 3)), (2, pytest.approx(2 / 3)), (3, 1.0),
    ]  # fmt: skip


def test_a_model_of_two_runs_has_two_entries_and_its_changes(tmp_path: Path) -> None:
    before = [tried(n, Outcome.FAILED) for n in range(2)]
    after = [tried(0, Outcome.PASSED), tried(1, Outcome.FAILED)]
    made = collected(tmp_path, before, after)
    (suite,) = made.overview.suites
    assert [entry.label for entry in suite.entries] == ["model-a · night 1", "model-a · night 0"]
    (change,) = made.overview.changes
    assert (change.sample, change.before, change.after) == ("demo/demo_000", 0.0, 1.0)
    assert len({row.id for row in made.rows}) == 4


def test_the_shell_suite_tells_dangers_and_where_models_part(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store:
        run = store.find_run(fill(store, 800))
        overview = collect(store, [run]).overview
        shell = [each for each in store.attempts(run.id) if each.suite is Suite.SHELL]
    assert overview.shell is not None
    for each in overview.shell.confusions:
        told = each.model_dump(exclude={"label", "declined"})
        assert sum(told.values()) == len([a for a in shell if a.model == each.label])
    assert len(overview.shell.agreement) == 6
    assert all(len(case.answers) == 4 for case in overview.shell.divergences)


def test_a_run_without_attempts_has_no_figures(tmp_path: Path) -> None:
    overview = collected(tmp_path, []).overview
    assert (overview.attempts, overview.suites, overview.shell) == (0, (), None)


def test_a_spread_is_over_what_was_reported() -> None:
    spread = Spread.of([None, 1.0, 2.0, 3.0, None])
    assert spread is not None
    assert (spread.known, spread.total, spread.median) == (3, 6.0, 2.0)
    assert Spread.of([None]) is None
