"""What a tree of processes uses, and when it is too much."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from sdkbench.sandbox import Limits
from sdkbench.sandbox.command import StoppedBy
from sdkbench.sandbox.tree_watch import LOOK_SECONDS, TreeWatch

MB = 1 << 20
READY = "print('ready', flush=True)\nimport time\ntime.sleep(60)\n"
CHILD = "import subprocess, sys\nsubprocess.Popen([sys.executable, '-c', {code!r}]).wait()\n"


@contextlib.contextmanager
def running(code: str, **environment: str) -> Iterator[int]:
    """A process that has said that it is ready, or a child of its has."""
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        yield process.pid
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def exceeded(root: int, memory_mb: int = 4096, processes: int = 100, mark: str = "") -> object:
    limits = Limits(memory_bytes=memory_mb * MB, processes=processes)
    watch = TreeWatch(limits, memory=True, processes=True, mark=mark)
    return watch.of(root)()


def test_the_memory_of_children_counts() -> None:
    greedy = f"held = bytearray(b'x') * (80 << 20)\n{READY}"
    with running(CHILD.format(code=greedy)) as root:
        assert exceeded(root, memory_mb=60) is StoppedBy.MEMORY
        assert exceeded(root, memory_mb=400) is None


def test_shared_pages_count_once() -> None:
    code = f"""
import os
held = bytearray(b'x') * (60 << 20)
children = [os.fork() for _ in range(1)]
if children[0]:
    children.append(os.fork())
if all(children):
    {READY.replace(chr(10), chr(10) + "    ")}
else:
    import time
    time.sleep(60)
"""
    with running(code) as root:
        assert exceeded(root, memory_mb=150) is None  # three processes that hold the same 60
        assert exceeded(root, memory_mb=50) is StoppedBy.MEMORY


def test_processes_and_threads_count() -> None:
    code = f"import subprocess\nfor _ in range(10): subprocess.Popen(['sleep', '60'])\n{READY}"
    with running(code) as root:
        assert exceeded(root, processes=5) is StoppedBy.PROCESSES
        assert exceeded(root, processes=20) is None
    started = "threading.Thread(target=time.sleep, args=(60,), daemon=True).start()"
    code = f"import threading, time\nfor _ in range(10): {started}\n{READY}"
    with running(code) as root:
        assert exceeded(root, processes=5) is StoppedBy.PROCESSES


def test_who_left_its_parents_is_found_by_the_mark() -> None:
    orphan = f"held = bytearray(b'x') * (80 << 20)\n{READY}"
    code = (
        "import os, sys\n"
        "if os.fork() == 0:\n"
        "    if os.fork() == 0:\n"
        f"        os.execv(sys.executable, [sys.executable, '-c', {orphan!r}])\n"
        "    os._exit(0)\n"
        "os.wait()\n"
        "import time\ntime.sleep(60)\n"
    )
    with running(code, SDKBENCH_TREE_MARK="one-of-mine") as root:
        assert exceeded(root, memory_mb=60) is None
        mark = "SDKBENCH_TREE_MARK=one-of-mine"
        assert exceeded(root, memory_mb=60, mark=mark) is StoppedBy.MEMORY


def test_it_looks_some_times_a_second() -> None:
    limits = Limits(memory_bytes=MB, processes=1)
    moment = 1.0
    watch = TreeWatch(limits, memory=True, processes=False, clock=lambda: moment).of(os.getpid())
    assert watch() is StoppedBy.MEMORY
    assert watch() is None  # too soon for another look
    moment += LOOK_SECONDS
    assert watch() is StoppedBy.MEMORY


def test_a_tree_that_has_ended_uses_nothing() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    assert exceeded(process.pid, memory_mb=1, processes=1) is None


@pytest.mark.parametrize(("memory", "processes"), [(True, False), (False, True)])
def test_only_what_nothing_else_holds_is_watched(*, memory: bool, processes: bool) -> None:
    limits = Limits(memory_bytes=1, processes=1)
    watch = TreeWatch(limits, memory=memory, processes=processes)
    code = f"import subprocess\nfor _ in range(10): subprocess.Popen(['sleep', '60'])\n{READY}"
    with running(code) as root:
        expected = StoppedBy.MEMORY if memory else StoppedBy.PROCESSES
        assert watch.of(root)() is expected
