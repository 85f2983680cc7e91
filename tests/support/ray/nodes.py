"""A Ray cluster of several nodes on this machine, and the processes below each of them."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

# Ray itself is imported by the one worker that starts the cluster: it takes seconds.
ON_RAY = [
    pytest.mark.skipif(
        find_spec("ray") is None, reason="Ray is not installed: pip install 'sdkbench[ray]'"
    ),
    pytest.mark.usefixtures("ray_imported"),
]
OBJECT_STORE_BYTES = 100 << 20
BUSY_SECONDS = 30.0
# A lost node is noticed within some seconds, instead of the default's fifteen and more.
HEALTH = {
    "health_check_initial_delay_ms": 0,
    "health_check_period_ms": 1000,
    # A busy one may be slow to answer; a dead one refuses at once, whatever this is.
    "health_check_timeout_ms": 10_000,
    "health_check_failure_threshold": 3,
}


class Nodes(NamedTuple):
    """`cluster` is Ray's; the head takes no attempts."""

    cluster: Any
    root: Path

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def add(self) -> Any:
        """One more node for one attempt at a time, with a cache of its own."""
        folder = self.root / f"cache-{len(list(self.root.glob('cache-*')))}"
        folder.mkdir()
        return self.cluster.add_node(
            num_cpus=1,
            object_store_memory=OBJECT_STORE_BYTES,
            env_vars={"SDKBENCH_CACHE": str(folder)},
        )

    def fill_up(self, count: int) -> None:
        while len(self.cluster.worker_nodes) < count:
            self.add()

    def lose(self, node: Any, pids: set[int]) -> None:
        """Ends the node's own process and these others, as a power cut would."""
        kill({raylet(node), *pids})
        self.cluster.worker_nodes.discard(node)

    def sandboxes(self) -> dict[Any, set[int]]:
        """Processes around judged code, on each node that has any."""
        found = {
            node: {pid for pid in below(raylet(node)) if surrounds_judged_code(pid)}
            for node in self.cluster.worker_nodes
        }
        return {node: pids for node, pids in found.items() if pids}

    def zygotes(self) -> dict[Any, set[int]]:
        """Processes that wait for runs to fork, on each node that has any."""
        waiting = {
            node: {
                pid
                for pid in below(raylet(node))
                if namespaces_of(pid) == 2 and b"-P" in command_of(pid).split(b"\0")
            }
            for node in self.cluster.worker_nodes
        }
        return {node: pids for node, pids in waiting.items() if pids}

    async def all_busy(self) -> None:
        """Once every node has judged code running."""
        deadline = time.monotonic() + BUSY_SECONDS
        while len(self.sandboxes()) < len(self.cluster.worker_nodes):
            assert time.monotonic() < deadline, "not every node got an attempt"
            await asyncio.sleep(0.05)


@contextmanager
def started(root: Path, count: int) -> Iterator[Nodes]:
    try:
        nodes = _start(root / "first", count)
    except Exception as error:  # Ray raises nothing narrower
        # It gives a node thirty seconds, which may be too few on a busy machine.
        if "timed out during startup" not in str(error):
            raise
        nodes = _start(root / "second", count)
    try:
        yield nodes
    finally:
        nodes.cluster.shutdown()


def _start(root: Path, count: int) -> Nodes:
    from ray.cluster_utils import Cluster  # noqa: PLC0415 - an extra

    root.mkdir()
    nodes = Nodes(Cluster(), root)
    try:
        nodes.cluster.add_node(  # the head
            num_cpus=0,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE_BYTES,
            _system_config=HEALTH,
        )
        nodes.fill_up(count)
    except BaseException:
        nodes.cluster.shutdown()
        raise
    return nodes


def raylet(node: Any) -> int:
    return int(node.all_processes["raylet"][0].process.pid)


def below(pid: int) -> set[int]:
    """The descendants of a process."""
    parents = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(folder.name)] = int(fields[1])
    found, more = set[int](), {pid}
    while more:
        more = {child for child, parent in parents.items() if parent in more} - found
        found |= more
    return found


def surrounds_judged_code(pid: int) -> bool:
    """A sandbox, but not one that only waits for runs to fork: its runs have a namespace more."""
    command = command_of(pid)
    return namespaces_of(pid) > 2 if b"python.zygote" in command else b"bwrap" in command


def namespaces_of(pid: int) -> int:
    """How many process namespaces it is in, from ours on."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("NSpid:"):
                return len(line.split()) - 1
    return 0


def command_of(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""


def kill(pids: set[int]) -> None:
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            continue


def until(condition: Callable[[], object], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True
