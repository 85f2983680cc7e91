"""Waiting for what blocks, in a thread; ending it when the waiting task is cancelled."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor
from typing import TypeVar

from sdkbench.sandbox import Cancellation

T = TypeVar("T")


async def attend(executor: Executor, work: Callable[[Cancellation], T]) -> T:
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
