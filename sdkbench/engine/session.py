"""A run under way: stopped by signals, ended in the store whatever happens."""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from sdkbench.engine.recorder import Recorder
from sdkbench.engine.run_events import RunEvent
from sdkbench.engine.scratch import scratch_folder
from sdkbench.engine.workshop import Workshop
from sdkbench.errors import Cancelled, StoreFault
from sdkbench.sandbox import Cancellation
from sdkbench.store import RunState

if TYPE_CHECKING:
    from sdkbench.store.database import Store

T = TypeVar("T")


def conduct(work: Coroutine[Any, Any, T], cancellation: Cancellation) -> T:
    """`work` on a loop of its own. SIGINT and SIGTERM end it alike: sandboxes are killed, what had
    ended is stored, and Cancelled is raised.
    """
    return asyncio.run(_stoppable(work, cancellation))


async def _stoppable(work: Coroutine[Any, Any, T], cancellation: Cancellation) -> T:
    task = asyncio.ensure_future(work)

    def stop() -> None:
        cancellation.cancel()
        task.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    try:
        return await task
    except asyncio.CancelledError:
        raise Cancelled("Stopped on request.") from None


@contextlib.contextmanager
def under_way(
    store: "Store", run_id: str, emit: Callable[[RunEvent], None], *, fresh: bool = False
) -> Iterator[Workshop]:
    """The run is finished where the block ends, and stopped where something is raised in it."""
    state = RunState.STOPPED
    try:
        with scratch_folder() as scratch:
            recorder, own = Recorder(store, run_id), run_id if fresh else None
            yield Workshop(store, recorder, emit, scratch, own)
        state = RunState.FINISHED
    finally:
        # Where the store is what failed, that is what is told.
        with contextlib.suppress(*(() if state is RunState.FINISHED else (StoreFault,))):
            store.end_run(run_id, state)
