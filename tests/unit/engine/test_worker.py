"""Who is at work on a run: a process of this machine that still runs, and nobody else."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sdkbench.engine.resuming import is_at_work, this_worker

ASK = "from sdkbench.engine.resuming import this_worker as w; print(w(), flush=True); input()"


@contextmanager
def other() -> "Iterator[subprocess.Popen[str]]":
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", ASK], stdin=pipe, stdout=pipe, text=True) as made:
        try:
            yield made
        finally:
            made.kill()


def test_this_process_does_not_stand_in_its_own_way() -> None:
    assert not is_at_work(this_worker())


def test_another_one_is_at_work_until_it_ends_even_if_nobody_looks() -> None:
    with other() as process:
        assert process.stdout is not None
        worker = process.stdout.readline().strip()
        assert worker.split()[-2] == str(process.pid)
        assert is_at_work(worker)
        assert not is_at_work(f"{worker}1")  # a process of that number, begun at another moment
        process.kill()
        state = Path(f"/proc/{process.pid}/stat")
        deadline = time.monotonic() + 10
        while state.read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert not is_at_work(worker)
    assert not is_at_work(worker)


@pytest.mark.parametrize(
    "worker",
    ["", " ", "words", "elsewhere.example 1 5", f"{socket.gethostname()} x 5", f"{os.getppid()}"],
)
def test_what_names_no_process_of_this_machine_is_at_no_work(worker: str) -> None:
    assert not is_at_work(worker)
