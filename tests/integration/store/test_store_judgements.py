"""Judgements in a store: accepted with their attempts, answered once, found again."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from sdkbench.core import Outcome
from sdkbench.errors import StoreError
from sdkbench.store import Attempt, JudgementRecord, WebhookState, open_store
from sdkbench.store.database import Store
from tests.support.store.builder import FILES, attempt, key


@pytest.fixture
def store(store_url: str) -> Iterator[Store]:
    with open_store(store_url) as opened:
        opened.start_run(run_id="service")
        yield opened


def asked(name: str, number: int = 1, **changes: object) -> JudgementRecord:
    values = {"id": name, "run_id": "service", "key": key(number), "sample": f"demo_{number:03}"}
    return JudgementRecord.model_validate(values | changes)


def unjudged(number: int = 1) -> Attempt:
    return attempt(number, outcome=Outcome.NOT_EXECUTED, score=0.0, tests=())


def accept(store: Store, *records: JudgementRecord) -> list[JudgementRecord]:
    numbers = {key(number): number for number in range(50)}
    parts = [(each, unjudged(numbers[each.key]), FILES) for each in records]
    return store.accept_judgements("service", parts)


def test_an_answer_comes_once_and_stays(store: Store) -> None:
    accept(store, asked("a"), asked("b"), asked("c", 2))
    assert [each.id for each in store.open_judgements("service")] == ["a", "b", "c"]
    answered = store.answer_judgements("service", [(attempt(1), FILES)])
    assert [(each.id, each.outcome) for each in answered] == [("a", "passed"), ("b", "passed")]
    assert store.answer_judgements("service", [(attempt(1, outcome=Outcome.FAILED), ())]) == []
    first = store.judgement("a")
    assert first is not None
    assert first == answered[0]
    assert store.answer(first) == attempt(1).result
    assert [each.id for each in store.open_judgements("service")] == ["c"]


def test_an_error_is_an_answer_and_the_next_one_is_judged_again(store: Store) -> None:
    accept(store, asked("a"))
    failed = attempt(1, outcome=Outcome.ERROR, score=0.0, result={"error": "ours"})
    assert store.answer_judgements("service", [(failed, FILES)])[0].outcome is Outcome.ERROR
    (again,) = accept(store, asked("b"))
    assert again.answered_at is None
    (passed,) = store.answer_judgements("service", [(attempt(1), FILES)])
    assert (passed.id, passed.outcome) == ("b", Outcome.PASSED)
    first = store.judgement("a")
    assert first is not None
    assert (first.outcome, store.answer(first)) == (Outcome.ERROR, {"error": "ours"})


def test_what_is_known_is_answered_at_once(store: Store) -> None:
    accept(store, asked("a"))
    store.answer_judgements("service", [(attempt(1), FILES)])
    (second,) = accept(store, asked("b"))
    assert (second.outcome, store.answer(second)) == (Outcome.PASSED, attempt(1).result)
    store.start_run(run_id="other")
    store.save_attempt("other", attempt(7, outcome=Outcome.FAILED), FILES)
    (third,) = accept(store, asked("c", 7))
    assert third.outcome is Outcome.FAILED
    assert store.stored("service", key(7)).attempt.reused_from == "other"


def test_an_idempotency_key_is_one_judgement(store: Store) -> None:
    one = asked("a", idempotency_key="k", owner="me", request="x")
    assert accept(store, one, asked("b", 2, idempotency_key="k", owner="me"))[1].id == "a"
    (again,) = accept(store, asked("c", 3, idempotency_key="k", owner="me"))
    assert (again.id, again.request) == ("a", "x")
    assert accept(store, asked("d", 3, idempotency_key="k", owner="you"))[0].id == "d"
    assert store.judgement_of("me", "k") == again
    assert store.judgement_of("me", "other") is None
    assert [each.id for each in store.open_judgements("service")] == ["a", "d"]
    assert {each.key for each in store.attempts("service")} == {key(1), key(3)}


def test_all_of_a_batch_or_nothing(store: Store) -> None:
    accept(store, asked("a", batch="b1", owner="me"), asked("b", 2, batch="b1", owner="me"))
    assert [each.id for each in store.judgements_of_batch("me", "b1")] == ["a", "b"]
    assert store.judgements_of_batch("you", "b1") == []
    with pytest.raises(StoreError):
        store.accept_judgements("nowhere", [(asked("c"), unjudged(), ())])
    assert store.judgement("c") is None


def test_webhooks_wait_until_they_are_settled(store: Store) -> None:
    hooked: dict[str, Any] = {"webhook": "http://localhost/", "webhook_state": WebhookState.WAITING}
    accept(store, asked("a", **hooked), asked("b", 2, **hooked), asked("c", 1))
    assert store.waiting_webhooks("service") == []
    store.answer_judgements("service", [(attempt(1), ())])
    assert [each.id for each in store.waiting_webhooks("service")] == ["a"]
    store.settle_webhook("a", WebhookState.DELIVERED)
    assert store.waiting_webhooks("service") == []


def test_a_race_for_one_key_is_answered_for_all(store: Store) -> None:
    def work(number: int) -> None:
        accept(store, asked(f"j{number:02}", idempotency_key=f"k{number % 4}"))
        store.answer_judgements("service", [(attempt(1), FILES)])

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    assert store.open_judgements("service") == []
    kept = [store.judgement(f"j{number:02}") for number in range(24)]
    assert sum(each is not None for each in kept) == 4
    assert len(list(store.attempts("service"))) == 1
