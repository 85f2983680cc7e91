"""Answers that were paid for are found again, and are not lost to what comes after them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.errors import StoreError
from sdkbench.store import Artefact, open_store
from sdkbench.store.database import Store
from tests.support.store.builder import FILES, attempt, key

ANSWER = Artefact(kind="answer", name="answer.txt", data=b"ls -la")
OUTPUT = Artefact(kind="output", name="test_results", data=b"1 passed")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def test_an_answer_is_found_by_what_was_asked_judged_or_not(store: Store) -> None:
    run = store.start_run()
    assert store.generated("q") is None
    for number, outcome in enumerate(Outcome):
        made = attempt(number, outcome=outcome, score=0, generation_key=f"q{number}")
        store.save_attempt(run.id, made, FILES)
        found = store.generated(f"q{number}")
        assert found is not None
        assert (found.attempt.key, found.artefacts) == (made.key, FILES)


def test_the_newest_answer_of_any_run_counts_and_none_that_is_empty(store: Store) -> None:
    first, second = store.start_run(), store.start_run()
    store.save_attempt(first.id, attempt(1, generation_key="q"), [ANSWER])
    store.save_attempt(second.id, attempt(2, generation_key="q"), FILES)
    store.save_attempt(second.id, attempt(3, generation_key="q"), [OUTPUT])
    failed = attempt(4, generation_key="q", outcome=Outcome.ERROR, score=0)
    store.save_attempt(second.id, failed)
    found = store.generated("q")
    assert found is not None
    assert found.attempt.key == key(2)


def test_an_attempt_without_a_question_answers_none(store: Store) -> None:
    store.save_attempt(store.start_run().id, attempt(1), FILES)
    assert store.generated("") is None


def test_an_answer_is_not_lost_to_a_failure_that_brought_none(store: Store) -> None:
    run = store.start_run()
    kept = attempt(1, outcome=Outcome.NOT_EXECUTED, score=0, generation_key="q")
    failed = attempt(1, outcome=Outcome.ERROR, score=0, generation_key="q")
    assert store.save_attempt(run.id, kept, FILES)
    assert not store.save_attempt(run.id, failed)
    assert store.stored(run.id, key(1)).artefacts == FILES
    assert store.save_attempt(run.id, failed, FILES)
    assert store.save_attempt(run.id, attempt(1, generation_key="q"), FILES)
    assert [each.outcome for each in store.attempts(run.id)] == [Outcome.PASSED]


def test_a_failure_gives_way_to_another_failure(store: Store) -> None:
    run = store.start_run()
    for reason in ("first", "second"):
        made = attempt(1, outcome=Outcome.ERROR, score=0, error=reason)
        assert store.save_attempt(run.id, made)
    assert [each.error for each in store.attempts(run.id)] == ["second"]


def test_many_are_stored_together_or_not_at_all(store: Store) -> None:
    run = store.start_run()
    batch = [(attempt(n), FILES) for n in (1, 2, 1)]
    assert store.save_attempts(run.id, batch) == [True, True, False]
    assert store.save_attempts(run.id, []) == []
    twice = [(attempt(3), FILES), (attempt(4), (ANSWER, ANSWER))]
    with pytest.raises(ValueError, match="same kind and name"):
        store.save_attempts(run.id, twice)
    with pytest.raises(StoreError, match="no run"):
        store.save_attempts("nope", [(attempt(3), ())])
    assert store.finished_keys() == {key(1), key(2)}


def test_digests_are_by_name_and_of_one_kind(store: Store) -> None:
    run = store.start_run()
    store.save_attempt(run.id, attempt(1), [ANSWER, *reversed(FILES)])
    names = [name for name, _ in store.digests(run.id, key(1), "solution")]
    assert names == ["app.py", "pkg/empty.py"]
    assert [len(digest) for _, digest in store.digests(run.id, key(1), "answer")] == [64]
    assert store.digests(run.id, key(2), "solution") == []


def test_a_run_begun_afresh_finds_its_own_answers_only(store: Store) -> None:
    old, fresh = store.start_run(), store.start_run()
    store.save_attempt(old.id, attempt(1, generation_key="q"), [ANSWER])
    assert store.generated("q", run_id=fresh.id) is None
    store.save_attempt(fresh.id, attempt(1, generation_key="q"), FILES)
    found = store.generated("q", run_id=fresh.id)
    assert found is not None
    assert found.artefacts == FILES


def test_what_another_run_has_finished_takes_the_place_of_an_error(store: Store) -> None:
    first, second = store.start_run(), store.start_run()
    store.save_attempt(first.id, attempt(1, outcome=Outcome.ERROR, score=0), FILES)
    store.save_attempt(second.id, attempt(1))
    assert store.reuse(first.id, [key(1)]) == {key(1)}
    (taken,) = store.attempts(first.id)
    assert (taken.outcome, taken.reused_from) == (Outcome.PASSED, second.id)
    assert store.reuse(second.id, [key(1)]) == frozenset(), "it has a verdict of its own"


def test_a_batch_reports_each_in_its_own_order(store: Store) -> None:
    run = store.start_run()
    store.save_attempt(run.id, attempt(2))
    numbers = sorted(range(6), key=key, reverse=True)
    stored = store.save_attempts(run.id, [(attempt(number), FILES) for number in numbers])
    assert stored == [number != 2 for number in numbers]
