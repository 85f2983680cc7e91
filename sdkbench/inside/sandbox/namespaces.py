"""A sandbox within the sandbox: namespaces and file systems of its own for a forked process."""

import contextlib
import ctypes
import fcntl
import os
import socket
import struct
import sys
import warnings
from typing import TypedDict

from .first_process import confine, copy

CLONE_NEWNS, CLONE_NEWUTS, CLONE_NEWIPC = 0x00020000, 0x04000000, 0x08000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
EVERYTHING = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWIPC | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
CAPABILITY_VERSION = 0x20080522
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 1
# What the kernel lets its owner write, wherever it is mounted.
WRITABLE_PROCESS_FILES = ("sys", "sysrq-trigger", "irq", "bus")

libc = ctypes.CDLL(None, use_errno=True)
locked = ctypes.PyDLL(None, use_errno=True)  # calls that keep the interpreter's lock
python = ctypes.pythonapi


class PlacementOrder(TypedDict):
    source: str
    target: str
    read_only: bool


class FileSystemOrder(TypedDict):
    """What one forked run sees of the file system, beside the system itself."""

    placements: list[PlacementOrder]
    scratch: list[str]
    disk_bytes: int
    hidden: list[str]  # folders that hold other runs' files
    shown: list[str]  # folders below hidden ones that stay visible
    shared: list[str]  # a folder that another run writes to as well, and where both see it
    refused: str  # a seccomp filter, in hexadecimal digits


def check(result: int, what: str) -> None:
    if result != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")


def fork_apart() -> int:
    """A child in namespaces of its own; a process that it forks is the first of the new ones.

    As os.fork, but for one call in between: a library may start threads again in a forked child,
    and only a process without threads may enter a user namespace. Nothing gives up the
    interpreter's lock between these calls, as nothing does in os.fork.
    """
    ids = os.getuid(), os.getgid()  # a new user namespace has forgotten them
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # libraries with threads warn of forks
        python.PyOS_BeforeFork()
        pid: int = locked.fork()
        if pid == 0:
            apart = locked.unshare(EVERYTHING)
            python.PyOS_AfterFork_Child()
            sys.setswitchinterval(interval)
            check(apart, "unshare")
            keep_ids(*ids)
            return 0
        python.PyOS_AfterFork_Parent()
    sys.setswitchinterval(interval)
    check(0 if pid > 0 else -1, "fork")
    return pid


def keep_ids(uid: int, gid: int) -> None:
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{uid} {uid} 1"),
        ("gid_map", f"{gid} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as stream:
            stream.write(text)


def mount(source: str, target: str, kind: str | None, flags: int, data: str = "") -> None:
    words = [source.encode(), target.encode(), kind.encode() if kind else None]
    check(libc.mount(*words, ctypes.c_ulong(flags), data.encode()), f"mount {target}")


def bind_read_only(source: str, target: str) -> None:
    mount(source, target, None, MS_BIND | MS_REC)
    mount("none", target, None, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV)


def enter(order: FileSystemOrder) -> bytes:
    """To be called by the first process of a new process namespace.

    Fresh scratch file systems with this run's files, its own /proc and terminals; nothing of
    another run's; and no way back. Returns the start sign.
    """
    mount("none", "/", None, MS_REC | MS_PRIVATE)
    mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC)
    for name in WRITABLE_PROCESS_FILES:
        if os.access(f"/proc/{name}", os.W_OK):
            bind_read_only(f"/proc/{name}", f"/proc/{name}")
    terminals = "newinstance,ptmxmode=0666,mode=620"
    mount("devpts", "/dev/pts", "devpts", MS_NOSUID | MS_NOEXEC, terminals)
    # Held open: some may stand below a folder that is covered now.
    opened = {path: os.open(path, os.O_PATH) for path in order["shown"]}
    size = f"size={order['disk_bytes']},mode=755"
    for folder in order["scratch"]:
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, size)
    for placement in order["placements"]:
        place(placement)
    hide(order["hidden"], opened)
    if order["shared"]:
        source, target = order["shared"]
        mount(source, target, None, MS_BIND)
    start_loopback()
    drop_capabilities()
    return confine(order["refused"])


def place(placement: PlacementOrder) -> None:
    source, target = placement["source"], os.path.normpath(placement["target"])
    if not placement["read_only"]:
        copy(source, target, packed=False)
        return
    if os.path.isdir(source):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "x"):
            pass
    bind_read_only(source, target)


def hide(hidden: list[str], opened: dict[str, int]) -> None:
    """Cover the hidden folders; what is to be seen below them has been `opened` before."""
    for folder in hidden:
        os.makedirs(folder, exist_ok=True)
        mount("tmpfs", folder, "tmpfs", MS_NOSUID | MS_NODEV, "size=64k,mode=755")
    for path, fd in opened.items():
        os.makedirs(path, exist_ok=True)
        bind_read_only(f"/proc/self/fd/{fd}", path)
        os.close(fd)
    for folder in hidden:
        mount("none", folder, None, MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def start_loopback() -> None:
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as any_socket:
        request = struct.pack("16sH14x", b"lo", 0)
        answer = fcntl.ioctl(any_socket, SIOCGIFFLAGS, request)
        flags = struct.unpack("16sH14x", answer)[1]
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))


def drop_capabilities() -> None:
    """Those that came with the user namespace: nothing of the above can be undone."""
    header = (ctypes.c_uint32 * 2)(CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    check(libc.capset(header, nothing), "capset")
