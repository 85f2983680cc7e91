"""Work in threads ends before whoever waits for it goes on."""

import asyncio
import threading

import pytest

from sdkbench.backends.blocking import finish


def test_short_work_is_done_even_when_cancelled() -> None:
    started, done = threading.Event(), threading.Event()

    def work() -> None:
        started.set()
        released.wait(20)
        done.set()

    released = threading.Event()

    async def cancelled() -> None:
        task = asyncio.ensure_future(finish(work))
        await asyncio.to_thread(started.wait, 20)
        task.cancel()
        await asyncio.sleep(0.05)
        assert not task.done()
        released.set()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert done.is_set()

    asyncio.run(cancelled())


def test_what_it_raises_goes_on() -> None:
    def work() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        asyncio.run(finish(work))
