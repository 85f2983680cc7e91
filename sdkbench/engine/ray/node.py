"""What a Ray worker does on its node: look around, judge a solution, let an agent make one.

A verdict must not hang on the node: every order says which SDKBench and Python the driver has.
"""

import asyncio
import functools
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from concurrent import futures
from pathlib import Path
from typing import NamedTuple, TypeVar

import ray

import sdkbench
from sdkbench.core import fingerprints, tree
from sdkbench.datasets import Sample, load_sample
from sdkbench.engine.ray.archive import Packed, SampleArchive, keep_sample, pack, unpack
from sdkbench.environments import Cache
from sdkbench.errors import HarnessFault
from sdkbench.generation import Settings, Source, open_generator
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import Cancellation, choose
from sdkbench.test_harness import Harness, TestRunnerRegistry
from sdkbench.test_harness.warm_start import WarmStarts

TICK_SECONDS = 0.1  # how late an interrupt may be seen
# Samples that an installed package brings along are sent by the driver, like any other.
BUNDLED = "bundled"
T = TypeVar("T")


class Versions(NamedTuple):
    sdkbench: str
    code: str  # digest of the package and of installed runners
    python: str


class Sent(NamedTuple):
    """A sample by its digest; the archive is fetched only where the node hasn't kept it."""

    digest: str
    place: str
    archive: (
        "Sequence[ray.ObjectRef[SampleArchive]]"  # in a sequence: Ray fetches bare ones at once
    )


class NodeSettings(NamedTuple):
    """How solutions are judged, on whichever node."""

    options: Options
    sandbox: str
    install: bool
    warm: bool


class JudgeOrder(NamedTuple):
    driver: Versions
    sample: Sent
    solution: tuple[Packed, ...]
    settings: NodeSettings


class AgentOrder(NamedTuple):
    driver: Versions
    sample: Sent
    spec: str
    settings: Settings  # with the driver's PATH and the variables to be handed on
    source: Source  # the driver's, which the solution is stored under


class AgentResult(NamedTuple):
    generated: str  # JSON
    files: tuple[Packed, ...]


class Surroundings(NamedTuple):
    host: str
    versions: Versions
    sandbox: str  # the level that would be chosen


@functools.cache
def versions() -> Versions:
    """Those of this process."""
    package = Path(*sdkbench.__path__)
    own = [path.relative_to(package) for path in tree.files(package)]
    code = {
        str(path): package / path
        for path in own
        if not any(part.startswith(BUNDLED) for part in path.parts)
    }
    code |= {path.name: path for path in TestRunnerRegistry.code_of_plugins()}
    digests = [f"{name} {fingerprints.of_path(path)}" for name, path in code.items()]
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Versions(sdkbench.__version__, fingerprints.of_texts(*digests)[:16], python)


def difference(driver: Versions, node: Versions) -> str | None:
    """What is not the same, as part of a sentence; None where all is."""
    if driver.python != node.python:
        return f"it has Python {node.python}, the driver {driver.python}"
    if driver.sdkbench != node.sdkbench:
        return f"it has SDKBench {node.sdkbench}, the driver {driver.sdkbench}"
    if driver.code != node.code:
        return "its SDKBench or its runner plugins have other code than the driver's"
    return None


@functools.cache
def _warm_starts() -> WarmStarts:
    """Those of this process, for all its attempts: Ray keeps it while the driver has work."""
    return WarmStarts()


def look_around(sandbox: str) -> Surroundings:
    """Raises MissingTool where the node doesn't have `sandbox`."""
    return Surroundings(socket.gethostname(), versions(), choose(sandbox).level.value)


def judge_here(order: JudgeOrder) -> str:
    """The verdict as JSON."""

    def work(cancellation: Cancellation) -> str:
        options, sandbox, install, warm = order.settings
        harness = Harness(
            choose(sandbox, cancellation),
            Cache(cancellation=cancellation),
            install,
            warm=_warm_starts() if warm else None,
        )
        sample = _sample(order.sample, harness.cache)
        with tempfile.TemporaryDirectory(prefix="sdkbench-") as scratch:
            solution = unpack(order.solution, Path(scratch) / "solution")
            result = judge_attempt(Subject(solution, sample), options, harness)
        return result.model_dump_json(round_trip=True)

    _check(order.driver)
    return _interruptible(work)


def generate_here(order: AgentOrder) -> AgentResult:
    """What an agent makes of a sample.

    Raises what the generator raises, and HarnessFault where this node's agent is another one.
    """

    async def generate(sample: Sample, into: Path, cancellation: Cancellation) -> AgentResult:
        generator = open_generator(order.spec, order.settings)
        try:
            if generator.source(sample) != order.source:
                raise HarnessFault(
                    f"Node {socket.gethostname()} has another agent than the driver: put the same "
                    "files under the same names on every node, and run again."
                )
            generating = asyncio.ensure_future(generator.generate(sample, into))
            while not (await asyncio.wait([generating], timeout=TICK_SECONDS))[0]:
                if cancellation.requested:
                    generating.cancel()
            return AgentResult(generating.result().model_dump_json(), pack(into))
        finally:
            await generator.close()

    def work(cancellation: Cancellation) -> AgentResult:
        sample = _sample(order.sample, Cache(cancellation=cancellation))
        with tempfile.TemporaryDirectory(prefix="sdkbench-") as scratch:
            return asyncio.run(generate(sample, Path(scratch) / "solution", cancellation))

    _check(order.driver)
    return _interruptible(work)


def _check(driver: Versions) -> None:
    problem = difference(driver, versions())
    if problem is not None:
        raise HarnessFault(
            f"Node {socket.gethostname()} can't judge: {problem}. Install the same on every node."
        )


def _sample(sent: Sent, cache: Cache) -> Sample:
    folder = cache.root / "samples" / sent.digest
    if not folder.is_dir():
        keep_sample(ray.get(sent.archive[0]), folder)
    return load_sample(folder / sent.place)


def _interruptible(work: Callable[[Cancellation], T]) -> T:
    """`work`, beside the thread that Ray interrupts: so that an interrupt ends every process.

    In the working thread it would wait, in the middle of whatever, for threads that know nothing.
    """
    cancellation = Cancellation()
    with futures.ThreadPoolExecutor(1, thread_name_prefix="attempt") as pool:
        working = pool.submit(work, cancellation)
        try:
            while not futures.wait([working], timeout=TICK_SECONDS).done:
                pass
        finally:
            if not working.done():
                cancellation.cancel()
        return working.result()
