"""Cluster: a Ray of this process's own, or one that it joins; and whether its nodes can be used."""

import logging
import math
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.pool import ThreadPool
from typing import Any, NamedTuple

import ray
from ray import exceptions
from ray._private import ray_constants
from ray._private import worker as ray_worker
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from sdkbench.engine.ray.node import Surroundings, difference, look_around, versions
from sdkbench.errors import HarnessFault, InputError, SdkbenchError

# Sent objects are solutions and samples of some kilobytes; what is more goes to disk.
OBJECT_STORE_BYTES = 200 << 20
KNOCK_SECONDS = 5.0
JOIN_SECONDS = 60.0
# A first worker process on each node, with all that it imports; on busy machines this takes long.
ANSWER_SECONDS = 90.0
# What Ray raises where it can't be started or joined; see also `_bounded`.
FAILURES = (OSError, RuntimeError, ValueError, exceptions.RayError)
STRANDED_SECONDS = 120.0  # without a node for so long, waiting for one is of no use
# What Ray sets in its driver's environment, and leaves there.
RAY_VARIABLES = ("RAY_AUTH_MODE", "RAY_USAGE_STATS_ENABLED", "PYTHONBREAKPOINT")


class Node(NamedTuple):
    id: str
    address: str
    cpus: float


class Cluster:
    """`cpus` is what one attempt takes of a node. `leave` must be called."""

    def __init__(self, address: str | None, *, cpus: float, workers: int | None) -> None:
        """Start a Ray on this machine's loopback, or join the one at `address`.

        Raises InputError for an address that no cluster can have, HarnessFault where nobody
        answers or no node has `cpus`. The processes of an own Ray end with the thread that
        started it.
        """
        self.cpus = cpus
        self.name = address or "this machine"
        self._fitting_at = time.monotonic()
        self._before = {name: os.environ.get(name) for name in RAY_VARIABLES}
        if ray.is_initialized():
            raise HarnessFault("This process is in a Ray cluster already: one at a time.")
        handler = signal.getsignal(signal.SIGTERM)
        _silence()
        if address is None:
            _start(math.ceil((workers or os.cpu_count() or 1) * cpus))
        else:
            _knock(address)
            _bounded(lambda: _join(address), address)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)  # Ray put one of its own there
        if not self.fitting():
            most = max((node.cpus for node in self.nodes()), default=0)
            self.leave()
            raise HarnessFault(
                f"No node of the Ray cluster at {self.name} has the {cpus:g} CPUs that an attempt "
                f"asks for: the largest has {most:g}. Ask for fewer, or start such a node."
            )

    def nodes(self) -> list[Node]:
        """Those that are alive."""
        return [
            Node(node["NodeID"], node["NodeManagerAddress"], node["Resources"].get("CPU", 0.0))
            for node in ray.nodes()  # type: ignore[no-untyped-call]
            if node["Alive"]
        ]

    def fitting(self) -> list[Node]:
        """Those that an attempt can run on."""
        return [node for node in self.nodes() if node.cpus >= self.cpus]

    def slots(self) -> int:
        """How many attempts can run at the same time, as of now."""
        return sum(math.floor(node.cpus / self.cpus) for node in self.fitting())

    def check_not_stranded(self) -> None:
        """Raises HarnessFault once no node fitted for a while: they are lost for good."""
        now = time.monotonic()
        if self.fitting():
            self._fitting_at = now
        elif now - self._fitting_at > STRANDED_SECONDS:
            raise HarnessFault(
                f"The Ray cluster at {self.name} has had no node with {self.cpus:g} CPUs for "
                f"{STRANDED_SECONDS:.0f} s. Start nodes, and resume the run."
            )

    def leave(self) -> None:
        ray.shutdown()
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _start(cpus: int) -> None:
    """On loopback only, which Ray itself does on systems where it takes no other nodes."""
    multiple = ray_constants.ENABLE_RAY_CLUSTER
    ray_constants.ENABLE_RAY_CLUSTER = False
    try:
        ray.init(
            address="local",  # else Ray may join whatever runs here
            num_cpus=cpus,
            include_dashboard=False,
            object_store_memory=OBJECT_STORE_BYTES,
            log_to_driver=False,
            logging_level=logging.ERROR,
            _node_ip_address="127.0.0.1",
        )
    except FAILURES as error:
        raise HarnessFault(f"Ray can't be started here: {error}.") from error
    finally:
        ray_constants.ENABLE_RAY_CLUSTER = multiple


def _join(address: str) -> None:
    ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)


def _knock(address: str) -> None:
    """Whether somebody listens, and at once: Ray would try for more than a minute."""
    if address == "auto":
        return
    host, _, port = address.rpartition(":")
    if "://" in address or not host or not port.isdigit():
        raise InputError(
            f"A Ray cluster has no address {address!r}. Pass HOST:PORT of its head, or auto on a "
            "machine that is one of its nodes."
        )
    try:
        socket.create_connection((host.strip("[]"), int(port)), KNOCK_SECONDS).close()
    except (OSError, OverflowError) as error:
        raise _unreachable(address, f"{error}") from error


def _bounded(join: Callable[[], None], address: str) -> None:
    """Joining starts no processes, so it may have a thread, which is left where it hangs."""
    pool = ThreadPool(1)  # of threads that nobody waits for at the end
    joining = pool.apply_async(join)
    pool.close()
    try:
        joining.get(JOIN_SECONDS)
    except multiprocessing.TimeoutError as error:
        raise _unreachable(address, f"no answer within {JOIN_SECONDS:.0f} s") from error
    except Exception as error:
        # Of a head that is not fully up Ray tells by a bare Exception.
        if type(error) is not Exception and not isinstance(error, FAILURES):
            raise
        raise _unreachable(address, f"{error}".splitlines()[0] if f"{error}" else "") from error


def _unreachable(address: str, reason: str) -> HarnessFault:
    return HarnessFault(
        f"The Ray cluster at {address} can't be joined ({reason.rstrip('.')}). It must run, and "
        "this machine must be one of its nodes: ray start --address HOST:PORT --num-cpus 0."
    )


def _silence() -> None:
    """Ray prints what happens to its workers on stdout, which is for results alone."""

    def nothing(*_data: Any, **_options: Any) -> None:
        pass

    ray_worker.print_to_stdstream = nothing


def inspect(cluster: Cluster, sandbox: str) -> list[Surroundings]:
    """Whether the nodes judge as this process would, before anything is sent: what each has, in the
    order of `cluster.fitting()`.

    Raises HarnessFault naming the first node that can't be used: another SDKBench or Python, no
    SDKBench at all, no such sandbox, no answer. Nodes that join later are checked as they work.
    """
    remote = ray.remote(num_cpus=0, max_retries=1)(look_around)
    asked = {
        node: remote.options(
            scheduling_strategy=NodeAffinitySchedulingStrategy(node.id, soft=False)
        ).remote(sandbox)
        for node in cluster.fitting()
    }
    ray.wait(list(asked.values()), num_returns=len(asked), timeout=ANSWER_SECONDS)
    return [_checked(node, ref) for node, ref in asked.items()]


def _checked(node: Node, ref: "ray.ObjectRef[Surroundings]") -> Surroundings:
    try:
        surroundings = ray.get(ref, timeout=0)
    except exceptions.GetTimeoutError as error:
        raise _unfit(node, f"it gave no answer within {ANSWER_SECONDS:.0f} s") from error
    except exceptions.RayTaskError as error:
        if isinstance(error.cause, SdkbenchError):
            raise _unfit(node, str(error.cause).rstrip(".")) from None
        reason = f"{type(error.cause).__name__}: {str(error.cause).strip().splitlines()[-1]}"
        raise _unfit(node, f"SDKBench does not start there ({reason})") from error
    except exceptions.RayError as error:
        raise _unfit(node, f"its worker ended with {type(error).__name__}") from error
    problem = difference(versions(), surroundings.versions)
    if problem is not None:
        raise _unfit(node, problem)
    return surroundings


def _unfit(node: Node, reason: str) -> HarnessFault:
    return HarnessFault(
        f"The Ray node at {node.address} can't judge: {reason}. Every node needs the driver's "
        "Python, SDKBench and plugins."
    )
