"""Waiting for what blocks, in a thread; ending it when the waiting task is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from sdkbench.sandbox import Cancellation

T = TypeVar("T")


async def attend(executor: Executor | None, work: Callable[[Cancellation], T]) -> T:
    """`work`'s result. When cancelled: switches `work`'s cancellation, waits for its end."""
    cancellation = Cancellation()
    future = asyncio.get_running_loop().run_in_executor(executor, work, cancellation)
    try:
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        cancellation.cancel()
        await asyncio.wait([future])
        if not future.cancelled():
            future.exception()  # seen; what cancelled work has to say is of no interest
        raise


async def finish(work: Callable[[], T]) -> T:
    """`work`'s result, for what is short and writes into a folder.

    Waits for its end even when cancelled: the folder may be removed then.
    """
    return await attend(None, lambda _cancellation: work())
