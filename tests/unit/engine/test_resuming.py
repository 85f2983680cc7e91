"""Which run a plan belongs to, and what of it is done."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.core import Outcome
from sdkbench.engine.resuming import PLAN, ResumeRequest, plan_digest, resume_or_start
from sdkbench.errors import InputError, StoreError
from sdkbench.store import RunState, open_store
from sdkbench.store.database import Store
from tests.support.store.builder import FILES, attempt, key

KEYS = frozenset(key(number) for number in range(6))


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def begin(store: Store, keys: frozenset[str] = KEYS, request: ResumeRequest | None = None) -> str:
    return resume_or_start(
        store, request or ResumeRequest(), keys, {"model": ["m"]}, "a label"
    ).run.id


def test_a_new_plan_is_a_new_run(store: Store) -> None:
    state = resume_or_start(store, ResumeRequest(), KEYS, {"model": ["m"]}, "a label")
    assert (state.done, state.reused) == (frozenset(), 0)
    assert (state.run.label, state.run.planned) == ("a label", 6)
    assert state.run.settings == {"model": ["m"], PLAN: plan_digest(KEYS)}


def test_the_same_plan_is_the_same_run_in_whatever_state(store: Store) -> None:
    first = begin(store)
    assert begin(store) == first
    for state in (RunState.STOPPED, RunState.FINISHED):
        store.end_run(first, state)
        assert begin(store) == first
        assert store.find_run(first).state is RunState.RUNNING
    assert begin(store, request=ResumeRequest(resume=False)) != first


def test_of_several_the_newest_is_resumed(store: Store) -> None:
    begin(store)
    newest = begin(store, request=ResumeRequest(resume=False))
    assert begin(store) == newest


def test_again_leaves_finished_runs_alone(store: Store) -> None:
    first = begin(store)
    store.end_run(first, RunState.STOPPED)
    assert begin(store, request=ResumeRequest(again=True)) == first
    store.end_run(first, RunState.FINISHED)
    assert begin(store, request=ResumeRequest(again=True)) != first


def test_a_named_run_has_one_plan(store: Store) -> None:
    mine = ResumeRequest(run_id="mine")
    assert begin(store, request=mine) == "mine"
    assert begin(store, request=mine) == "mine"
    with pytest.raises(InputError, match="another plan"):
        begin(store, KEYS | {key(99)}, mine)
    with pytest.raises(StoreError, match="already"):
        begin(store, request=ResumeRequest(run_id="mine", resume=False))
    assert begin(store, request=ResumeRequest(run_id="other")) == "other"


def test_an_imported_run_is_never_taken_for_a_plan(store: Store) -> None:
    store.start_run(run_id="imported")
    assert begin(store, frozenset()) != "imported"
    with pytest.raises(InputError, match="another plan"):
        begin(store, request=ResumeRequest(run_id="imported"))


def test_fresh_takes_nothing_over(store: Store) -> None:
    store.save_attempt(begin(store), attempt(0), FILES)
    request = ResumeRequest(resume=False, reuse=False)
    state = resume_or_start(store, request, KEYS, {}, "")
    assert state.done == frozenset()
    assert list(store.attempts(state.run.id)) == []


OUTCOMES = st.dictionaries(st.integers(0, 9), st.sampled_from(list(Outcome)), max_size=8)


@settings(max_examples=25)
@given(own=OUTCOMES, others=OUTCOMES, planned=st.frozensets(st.integers(0, 9), min_size=1))
def test_done_is_what_has_a_verdict_anywhere_and_is_planned(
    own: dict[int, Outcome], others: dict[int, Outcome], planned: frozenset[int]
) -> None:
    keys = frozenset(map(key, planned))
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "store.db") as store:
        other = store.start_run().id
        mine = begin(store, keys)
        for run_id, outcomes in ((other, others), (mine, own)):
            for number, outcome in outcomes.items():
                store.save_attempt(run_id, attempt(number, outcome=outcome, score=0), FILES)
        state = resume_or_start(store, ResumeRequest(), keys, {}, "")
        unjudged = {Outcome.ERROR, Outcome.NOT_EXECUTED}
        done = {n for n, outcome in own.items() if outcome not in unjudged} & planned
        elsewhere = {n for n, outcome in others.items() if outcome not in unjudged} & planned
        assert state.run.id == mine
        assert state.done == frozenset(map(key, done | elsewhere))
        assert state.reused == len(elsewhere - done)
        by_key = {each.key: each for each in store.attempts(mine)}
        assert {k for k, each in by_key.items() if each.reused_from} == {
            key(n) for n in elsewhere - done
        }
        assert all(by_key[key(n)].outcome == own[n] for n in done)
