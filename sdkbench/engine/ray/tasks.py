"""Tasks: calls on the nodes of a cluster that outlive the loss of nodes, and end when cancelled."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

import ray
from ray import exceptions

from sdkbench.engine.ray.cluster import Cluster
from sdkbench.errors import DiskFault, HarnessFault, SdkbenchError
from sdkbench.judge.attempt import DISK_ERRORS

# Ray runs a task again after a crash so many times; then it gives up, and we send it once more so
# many times. A task that kills every process it runs in must come to an end.
RAY_RETRIES = 2
RESUBMISSIONS = 2
LOST = (
    exceptions.WorkerCrashedError,
    exceptions.NodeDiedError,
    exceptions.ObjectLostError,
    exceptions.LocalRayletDiedError,
    exceptions.OutOfMemoryError,
)
WATCH_SECONDS = 5.0
# An interrupted task has its processes killed within a second; one that doesn't react is killed.
INTERRUPT_SECONDS = 10.0
KILL_SECONDS = 5.0
LONGEST_REASON = 300

A = TypeVar("A")
T = TypeVar("T")


class Tasks:
    """Executed at least once: a node may be lost after the work and before its result."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self._under_way: set[asyncio.Future[Any]] = set()
        self._remotes: dict[Callable[[Any], Any], Any] = {}

    async def run(self, function: Callable[[A], T], order: A) -> T:
        """`function(order)` on some node; both must be importable there.

        Raises the SdkbenchError that `function` raised, and HarnessFault where Ray has none of it.
        """
        remote = self._remote(function)
        error: Exception
        for _ in range(1 + RESUBMISSIONS):
            try:
                return await self._result(remote.remote(order))
            except LOST as lost:
                error = lost
        raise HarnessFault(
            f"The attempt was lost {1 + RESUBMISSIONS} times with the process or node that ran it: "
            f"{_reason(error)}."
        )

    async def settle(self) -> None:
        """Wait for what is under way."""
        while self._under_way:
            await asyncio.wait(self._under_way)

    def _remote(self, function: Callable[[A], T]) -> Any:
        """Made once: each one is sent to all nodes, which takes longer than a small task."""
        if function not in self._remotes:
            make = ray.remote(num_cpus=self._cluster.cpus, max_retries=RAY_RETRIES)
            self._remotes[function] = make(function)
        return self._remotes[function]

    async def _result(self, ref: "ray.ObjectRef[T]") -> T:
        future = asyncio.wrap_future(ref.future())
        self._under_way.add(future)
        future.add_done_callback(self._under_way.discard)
        try:
            # A task that no node can run waits in silence: so somebody must look.
            while not (await asyncio.wait([future], timeout=WATCH_SECONDS))[0]:
                await asyncio.to_thread(self._cluster.check_not_stranded)
        finally:
            if not future.done():
                await _end(ref, future)
        try:
            return future.result()
        except LOST:
            raise
        except exceptions.RayTaskError as error:
            if isinstance(error.cause, SdkbenchError):
                raise error.cause from None
            raise _fault(error.cause) from error
        except exceptions.RayError as error:
            raise HarnessFault(f"Ray could not run the attempt: {_reason(error)}.") from error


async def _end(ref: "ray.ObjectRef[T]", future: "asyncio.Future[T]") -> None:
    """Nothing of the task is left on its node when this returns, if the node can be reached."""
    ray.cancel(ref)
    try:
        await asyncio.wait([future], timeout=INTERRUPT_SECONDS)
    finally:
        if not future.done():
            ray.cancel(ref, force=True)
    await asyncio.wait([future], timeout=KILL_SECONDS)
    if future.done():
        future.exception()  # seen; what cancelled work has to say is of no interest


def _fault(cause: BaseException) -> HarnessFault:
    message = f"A fault on a node: {_reason(cause)}."
    if isinstance(cause, OSError) and cause.errno in DISK_ERRORS:
        return DiskFault(f"{message} Make room there, and run again.")
    return HarnessFault(message)


def _reason(error: BaseException) -> str:
    """One line of what Ray tells in many."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    first = lines[0] if lines else ""
    return f"{type(error).__name__}: {first[:LONGEST_REASON]}".rstrip(".: ")
