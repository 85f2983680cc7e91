from . import right
from .right import *
import asyncio, contextvars

where = contextvars.ContextVar("where")


async def one(number, queue):
    where.set(number)
    await asyncio.sleep(0.01)
    await queue.put(number)


async def doubled(number):
    queue = asyncio.Queue()
    async with asyncio.TaskGroup() as tasks:
        for _ in range(2):
            tasks.create_task(one(number, queue))
    extra = asyncio.create_task(asyncio.sleep(100))
    extra.cancel()
    try:
        await extra
    except asyncio.CancelledError:
        pass
    async with asyncio.timeout(5):
        return sum([await queue.get(), await queue.get()])
