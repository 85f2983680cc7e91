"""Records that come at once share a transaction; one that fails, fails for all that wait."""

import asyncio
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from sdkbench.engine.events import Event, Finished
from sdkbench.engine.recorder import MOST_AT_ONCE, Recorder
from sdkbench.errors import StoreFault
from sdkbench.store import Artefact, Attempt, Stored, open_store
from sdkbench.store.database import Store
from tests.support.store.builder import FILES, attempt, key


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db", wait_seconds=0.2) as opened:
        yield opened


def unheard(_event: Event) -> None:
    pass


class Watched:
    """A real store that notes how many come at once; the first waits until it is let go."""

    def __init__(self, store: Store) -> None:
        self.sizes: list[int] = []
        self.let_go = threading.Event()
        self._store = store

    def save_attempts(
        self, run_id: str, batch: Iterable[tuple[Attempt, Iterable[Artefact]]]
    ) -> list[bool]:
        self.let_go.wait(timeout=10)
        records = list(batch)
        self.sizes.append(len(records))
        return self._store.save_attempts(run_id, records)


def recorded(number: int, **changes: object) -> Stored:
    return Stored(attempt(number, **changes), FILES)


def test_what_comes_while_the_disk_is_busy_goes_together(store: Store) -> None:
    run, watched, count = store.start_run(), Watched(store), MOST_AT_ONCE + 30

    async def scene() -> list[bool]:
        recorder = Recorder(watched, run.id, unheard)  # type: ignore[arg-type]
        first = asyncio.create_task(recorder.save(recorded(0)))
        await asyncio.sleep(0.05)
        rest = [asyncio.create_task(recorder.save(recorded(n))) for n in range(1, 1 + count)]
        await asyncio.sleep(0)
        watched.let_go.set()
        return await asyncio.gather(first, *rest)

    assert asyncio.run(scene()) == [True] * (1 + count)
    assert watched.sizes == [1, MOST_AT_ONCE, 30]
    assert store.finished_keys(run.id) == {key(n) for n in range(1 + count)}


def test_each_hears_whether_its_own_was_new(store: Store) -> None:
    run = store.start_run()

    async def scene() -> list[bool]:
        recorder = Recorder(store, run.id, unheard)
        numbers = (1, 2, 1, 3, 2)
        return await asyncio.gather(*(recorder.save(recorded(n)) for n in numbers))

    assert asyncio.run(scene()) == [True, True, False, True, False]


def test_a_store_that_fails_is_told_to_everyone_who_waits(store: Store, tmp_path: Path) -> None:
    run = store.start_run()

    async def scene(recorder: Recorder) -> list[bool | BaseException]:
        saves = (recorder.save(recorded(n)) for n in range(3))
        return await asyncio.gather(*saves, return_exceptions=True)

    recorder = Recorder(store, run.id, unheard)
    with open_store(tmp_path / "store.db") as other, other._writing():
        told = asyncio.run(scene(recorder))
    assert [type(each) for each in told] == [StoreFault] * 3
    assert store.finished_keys(run.id) == frozenset()
    # It is not broken for ever.
    assert asyncio.run(scene(recorder)) == [True] * 3


def test_flush_waits_for_what_nobody_waits_for_any_more(store: Store) -> None:
    run, watched = store.start_run(), Watched(store)

    async def scene() -> None:
        recorder = Recorder(watched, run.id, unheard)  # type: ignore[arg-type]
        waiting = [asyncio.create_task(recorder.save(recorded(n))) for n in range(3)]
        await asyncio.sleep(0.05)
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        watched.let_go.set()
        await recorder.flush()

    asyncio.run(scene())
    assert store.finished_keys(run.id) == {key(n) for n in range(3)}


def test_flush_of_nothing_is_nothing(store: Store) -> None:
    run = store.start_run()
    asyncio.run(Recorder(store, run.id, unheard).flush())
    assert list(store.attempts(run.id)) == []


def test_what_is_finished_is_emitted_though_nobody_waits_any_more(store: Store) -> None:
    run, watched, events = store.start_run(), Watched(store), list[Event]()

    async def scene() -> None:
        recorder = Recorder(watched, run.id, events.append)  # type: ignore[arg-type]
        waiting = asyncio.create_task(recorder.finish(recorded(0)))
        await asyncio.sleep(0.05)
        waiting.cancel()
        watched.let_go.set()
        await recorder.flush()
        await recorder.save(recorded(1))

    asyncio.run(scene())
    (event,) = events
    assert isinstance(event, Finished)
    assert (event.attempt.key, event.is_new) == (key(0), True)
