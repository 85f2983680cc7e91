"""Runs inside the sandbox: a command in a folder for a limited time, then the folder as a tar file.

Started with a JSON order as its only argument, under the harness's interpreter without packages.
The command shares our user but must not write the archive in our place: so we can't be traced, and
our descriptors can't be opened through /proc.
"""

import contextlib
import ctypes
import json
import os
import signal
import subprocess
import sys
import tarfile
from typing import TypedDict

PR_SET_DUMPABLE = 4


class CollectOrder(TypedDict):
    argv: list[str]
    folder: str
    seconds: float
    alone: bool  # in a process namespace of its own
    skipped: list[str]
    max_files: int
    max_bytes: int
    channel: int
    archive: int


class CollectReport(TypedDict, total=False):
    code: int | None
    late: bool
    not_started: str
    problem: str
    too_much: bool
    packed: bool


def main() -> None:
    order: CollectOrder = json.loads(sys.argv[1])
    # Absent outside Linux, where there is no /proc to open descriptors through either.
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
    report = run(order)
    try:
        report.update(pack(order))
    except (OSError, RecursionError, ValueError) as error:
        report["problem"] = f"{type(error).__name__}: {error}"
    os.write(order["channel"], json.dumps(report).encode())


def run(order: CollectOrder) -> CollectReport:
    try:
        child = subprocess.Popen(
            order["argv"], cwd=order["folder"], stdin=subprocess.DEVNULL, start_new_session=True
        )
    except OSError as error:
        return {"not_started": error.strerror or str(error)}
    late = False
    code = None
    try:
        code = child.wait(timeout=order["seconds"])
    except subprocess.TimeoutExpired:
        late = True
    # What it leaves running would go on writing while the folder is packed.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if order["alone"]:
            os.kill(-1, signal.SIGKILL)  # everyone in this process namespace but us and its first
        else:
            os.killpg(child.pid, signal.SIGKILL)
    return {"code": code, "late": late}


def pack(order: CollectOrder) -> CollectReport:
    """Everything below the folder but vendored folders, up to a number of files and of bytes."""
    root, left_files, left_bytes = order["folder"], order["max_files"], order["max_bytes"]
    skipped = set(order["skipped"])
    with (
        os.fdopen(order["archive"], "wb") as stream,
        tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT) as archive,
    ):
        for current, folders, names in os.walk(root):
            folders[:] = sorted(name for name in folders if name not in skipped)
            links = [n for n in folders if os.path.islink(os.path.join(current, n))]
            for name in folders:
                if name not in links:
                    with contextlib.suppress(OSError):
                        os.chmod(os.path.join(current, name), 0o700)
            for name in sorted([*names, *links]):
                path = os.path.join(current, name)
                size = os.lstat(path).st_size
                left_files, left_bytes = left_files - 1, left_bytes - size
                if left_files < 0 or left_bytes < 0:
                    return {"too_much": True}
                if not os.path.islink(path):
                    with contextlib.suppress(OSError):
                        os.chmod(path, os.stat(path).st_mode | 0o400)
                archive.add(path, os.path.relpath(path, root), recursive=False)
    return {"packed": True}


if __name__ == "__main__":
    main()
