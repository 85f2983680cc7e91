"""Runs inside the sandbox, as a script: one command in a file tree, and what it did.

The order comes as JSON from the descriptor named first, the observation goes as JSON to the one
named second. Standard library only. A command that tampers with this process can spoil its own
observation, but not make it equal to one of a command that it doesn't know.
"""

import hashlib
import json
import os
import select
import shutil
import signal
import stat
import subprocess
import sys
import time
from typing import NamedTuple, TypedDict

CHUNK = 1 << 16


class CommandOrder(TypedDict):
    command: str
    shell: str
    rooted: bool  # the tree is the file system from / on
    tree: str
    stdin: str
    seconds: float
    max_output: int
    max_entries: int


class CommandEnd(TypedDict):
    """How the command ended; `problem` says why that shows nothing."""

    status: int | None
    stdout: str  # its hash
    size: int
    head: str
    lacking: bool  # it says that a file is not there
    problem: str


class TreeEntry(NamedTuple):
    path: str
    kind: str
    mode: int
    content: str
    age: str


class CommandObservation(CommandEnd):
    changed: bool
    entries: list[TreeEntry]


def main() -> None:
    with open(int(sys.argv[1]), "rb") as order_file:
        order: CommandOrder = json.load(order_file)
    tree = order["tree"]
    system = frozenset(os.listdir("/")) if order["rooted"] else frozenset()
    if order["rooted"]:
        tree = unfolded(tree)
    roots = {"tree": tree, "home": os.environ["HOME"], "tmp": os.environ["TMPDIR"]}
    os.umask(0o022)
    os.chdir(tree)
    os.utime("..", (0, 0))  # its age would show in `ls -la`
    began = time.time()
    before = snapshot(roots, began, order["max_entries"], system)
    ran = run(order)
    after = snapshot(roots, began, order["max_entries"], system)
    if len(after) == order["max_entries"]:
        ran["problem"] = ran["problem"] or "it left too many files"
    observation: CommandObservation = {**ran, "changed": before != after, "entries": after}
    with open(int(sys.argv[2]), "w", encoding="utf-8") as channel:
        json.dump(observation, channel)


def unfolded(tree: str) -> str:
    """Moves everything in the tree to `/`, with its age, and says where it is now."""
    for name in os.listdir(tree):
        shutil.move(os.path.join(tree, name), f"/{name}")
    os.utime("/", (0, 0))
    return "/"


def run(order: CommandOrder) -> CommandEnd:
    in_r, in_w = os.pipe()
    os.write(in_w, order["stdin"].encode())
    os.close(in_w)
    out_r, out_w = os.pipe()
    err_r, err_w = os.pipe()
    actions = [
        (os.POSIX_SPAWN_DUP2, in_r, 0),
        (os.POSIX_SPAWN_DUP2, out_w, 1),
        (os.POSIX_SPAWN_DUP2, err_w, 2),
    ]
    words = [order["shell"], "-c", order["command"]]
    try:
        pid = os.posix_spawnp(words[0], words, os.environ, file_actions=actions, setpgroup=0)
    except OSError:
        problem = "no such shell"
        return CommandEnd(status=None, stdout="", size=0, head="", lacking=False, problem=problem)
    for fd in (in_r, out_w, err_w):
        os.close(fd)
    out, err, problem = listen(out_r, err_r, order)
    if problem:
        os.killpg(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if not problem and b"not found" in err:
        problem = "a program is missing in the sandbox"
    return {
        "status": status,
        "stdout": hashlib.sha256(out).hexdigest(),
        "size": len(out),
        "head": out[:200].decode("utf-8", "replace"),
        "lacking": b"No such file or directory" in err,
        "problem": problem,
    }


def listen(out_r: int, err_r: int, order: CommandOrder) -> tuple[bytes, bytes, str]:
    """Both streams to their end; a command that is too slow or too loud is a problem."""
    deadline = time.monotonic() + order["seconds"]
    kept = {out_r: bytearray(), err_r: bytearray()}
    waiting = set(kept)
    while waiting:
        ready, _, _ = select.select(waiting, [], [], max(deadline - time.monotonic(), 0))
        if not ready:
            return b"", b"", "it did not end in time"
        for fd in ready:
            chunk = os.read(fd, CHUNK)
            kept[fd] += chunk
            if not chunk:
                waiting.discard(fd)
        if sum(map(len, kept.values())) > order["max_output"]:
            return b"", b"", "it printed too much"
    return bytes(kept[out_r]), bytes(kept[err_r]), ""


def snapshot(
    roots: dict[str, str], began: float, most: int, system: frozenset[str]
) -> list[TreeEntry]:
    """Kind, mode, content and age of everything; the age of what was touched just now is "now".

    `system` are the names in `/` that belong to the sandbox.
    """
    entries: list[TreeEntry] = []
    for root, top in roots.items():
        for folder, names, files in os.walk(top):
            if folder == "/":
                names[:] = [name for name in names if name not in system]
                files[:] = [name for name in files if name not in system]
            names.sort()
            if folder.endswith("/.git") and "logs" in names:
                names.remove("logs")  # holds how a revision was spelt
            for name in sorted(names + files):
                path = os.path.join(folder, name)
                if len(entries) == most:
                    return entries
                displayed = printable(f"{root}/{os.path.relpath(path, top)}")
                entries.append(TreeEntry(displayed, *describe(path, began)))
    return entries


def describe(path: str, began: float) -> tuple[str, int, str, str]:
    status = os.lstat(path)
    mode = stat.S_IMODE(status.st_mode)
    age = "now" if status.st_mtime >= began - 1 else str(int(status.st_mtime // 60))
    if stat.S_ISLNK(status.st_mode):
        return "link", 0, printable(os.readlink(path)), ""
    if stat.S_ISDIR(status.st_mode):
        return "folder", mode, "", ""
    if not stat.S_ISREG(status.st_mode):
        return "special", mode, "", ""
    if path.endswith("/.git/index"):  # holds inode numbers and times
        return "file", mode, git_index(os.path.dirname(os.path.dirname(path))), ""
    return "file", mode, content(path, mode), age


def printable(path: str) -> str:
    """Names need not be UTF-8, JSON must."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def content(path: str, mode: int) -> str:
    """The hash; a file that its owner may not read is made readable for a moment."""
    readable = mode & stat.S_IRUSR
    if not readable:
        os.chmod(path, mode | stat.S_IRUSR)
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if not readable:
        os.chmod(path, mode)
    return digest


def git_index(repository: str) -> str:
    """The hash of what git lists as staged; "" where git can't say."""
    words = ["git", "-C", repository, "ls-files", "--stage"]
    try:
        listed = subprocess.run(words, stdout=subprocess.PIPE, check=False).stdout
    except OSError:
        return ""
    return hashlib.sha256(listed).hexdigest()


if __name__ == "__main__":
    main()
