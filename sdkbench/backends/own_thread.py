"""A backend that is not ours is asked on a thread of its own: there it may block."""

import asyncio
import inspect
import threading
from collections.abc import Awaitable
from concurrent.futures import Future

from sdkbench.backends.protocol import Answer, Backend

OURS = "sdkbench."
JOIN_SECONDS = 1.0  # for a loop that was told to stop; one that is blocked is left behind


def on_own_thread(backend: Backend) -> Backend:
    """`backend` itself where it is one of ours, which are known not to block."""
    ours = type(backend).__module__.startswith(OURS)
    return backend if ours else OwnThread(backend)


class OwnThread:
    """Every call runs in one event loop, on one thread, which begins with the first of them.

    A `generate` that blocks holds up the other questions to its backend, each up to its limit, and
    nothing else. One that is no coroutine function may block as well.
    """

    def __init__(self, backend: Backend) -> None:
        self.name = backend.name
        parallel = getattr(backend, "parallel", None)
        if parallel is not None:
            self.parallel: int = parallel
        self._backend = backend
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        async def call() -> Answer:
            answer: Answer | Awaitable[Answer] = self._backend.generate(
                prompt, system=system, deadline_seconds=deadline_seconds, max_tokens=max_tokens
            )
            return await answer if inspect.isawaitable(answer) else answer

        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(call(), self._running()))

    async def close(self) -> None:
        close = getattr(self._backend, "close", None)

        async def call() -> None:
            closed = close() if close else None
            if inspect.isawaitable(closed):
                await closed

        try:
            done: Future[None] = asyncio.run_coroutine_threadsafe(call(), self._running())
            await asyncio.wrap_future(done)
        finally:
            self.stop()

    def stop(self) -> None:
        """End the thread; the backend stays open, and can be asked again."""
        loop, thread = self._loop, self._thread
        self._loop = self._thread = None
        if loop is not None and thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            thread.join(JOIN_SECONDS)

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            # A daemon: a call that never returns must not keep the program from ending.
            self._thread = threading.Thread(
                target=_serve, args=(self._loop,), name=f"backend {self.name}", daemon=True
            )
            self._thread.start()
        return self._loop


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    """Until somebody stops the loop; then calls that are still open end as cancelled."""
    try:
        loop.run_forever()
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        if left:
            loop.run_until_complete(asyncio.wait(left))
    finally:
        loop.close()
