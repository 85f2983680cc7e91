"""What runs on this machine now."""

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path


def processes_with(text: str) -> list[str]:
    """The command lines that contain `text`, but for this process's own."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                line = (
                    (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                )
            except OSError:
                continue
            if text in line and str(os.getpid()) != folder.name:
                found.append(line)
    return found


@contextlib.contextmanager
def sandboxes_killed() -> Iterator[list[int]]:
    """Every bubblewrap that this process has started, or starts in the block, is killed from
    outside, as a kernel without memory would; the list has their numbers.
    """
    done, killed = threading.Event(), list[int]()

    def kill() -> None:
        while not done.wait(0.1):
            for pid in descendants(os.getpid()):
                with contextlib.suppress(OSError):
                    if Path(f"/proc/{pid}/comm").read_text().strip() == "bwrap":
                        os.kill(pid, signal.SIGKILL)
                        killed.append(pid)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def descendants(root: int) -> list[int]:
    """The processes below `root`, as they are now."""
    parents = {}
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text(errors="replace").rpartition(")")[2].split()
            parents[int(folder.name)] = int(fields[1])
    found, waiting = [], [root]
    while waiting:
        above = waiting.pop()
        below = [pid for pid, parent in parents.items() if parent == above]
        found += below
        waiting += below
    return found
