"""What the kernel refuses inside a sandbox, tried there."""

import errno
import json
import os
import subprocess
import sys

import pytest

from sdkbench.sandbox import Command, Completed, Limits, Sandbox, choose
from sdkbench.sandbox.system_calls import NUMBERS, REFUSED, REFUSED_NAMESPACES, filter_program

pytestmark = pytest.mark.skipif(not filter_program(), reason="no filter for this machine")

SESSION_KEYRING, SEARCH = -3, 10  # of keyctl
ALLOW_ALL = "060000000000ff7f"  # a filter
NO_KEYS = 77
PROBE = """
import ctypes, json, mmap, os, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def tried(number, *words):
    # -1 everywhere: what the kernel does not refuse fails for its nonsense, and does no harm.
    words = words or (-1,) * 6
    ctypes.set_errno(0)
    done = libc.syscall(ctypes.c_long(number), *map(ctypes.c_long, words))
    return ctypes.get_errno() if done == -1 else 0
"""


def run(sandbox: Sandbox, code: str, *, namespaces: bool = False) -> Completed:
    return sandbox.run(
        Command(
            argv=("python3", "-I", "-c", PROBE + code),
            limits=Limits(wall_seconds=20),
            namespaces=namespaces,
        )
    )


def column() -> int:
    return {"x86_64": 0, "aarch64": 1}[os.uname().machine]


def test_each_refused_call_fails_with_its_error(sandbox: Sandbox) -> None:
    expected = {
        name: group.error
        for group in (*REFUSED, *REFUSED_NAMESPACES)
        for name in group.names
        if NUMBERS[name][column()] is not None
    }
    numbers = {name: NUMBERS[name][column()] for name in expected}
    done = run(sandbox, f"print(json.dumps({{n: tried(v) for n, v in {numbers!r}.items()}}))")
    assert json.loads(done.stdout) == expected
    assert done.unapplied == ()


def test_a_sandbox_has_a_session_keyring_of_its_own() -> None:
    """What was in the one before is not found any more. Tried without the filter's refusal."""
    add_key, keyctl = (NUMBERS[call][column()] for call in ("add_key", "keyctl"))
    code = f"""
from sdkbench.inside.sandbox.first_process import confine
name = b"sdkbench-test"
if libc.syscall({add_key}, b"user", name, b"bit", 3, {SESSION_KEYRING}) < 0:
    sys.exit(77)
def found():
    return libc.syscall({keyctl}, {SEARCH}, {SESSION_KEYRING}, b"user", name, 0) > 0
print(found(), confine({ALLOW_ALL!r}), found())
"""
    done = subprocess.run(
        [sys.executable, "-c", PROBE + code], capture_output=True, text=True, check=False
    )
    if done.returncode == NO_KEYS:
        pytest.skip("no keys on this machine")
    assert done.stdout.split() == ["True", r"b'\x01'", "False"], done.stderr


def test_the_page_cache_is_neither_told_nor_changed(sandbox: Sandbox) -> None:
    code = """
file = os.open("/usr/bin/env", os.O_RDONLY)
os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)  # taken, and ignored
try:
    os.preadv(file, [bytearray(10)], 0, os.RWF_NOWAIT)
except OSError as error:
    print(error.errno)
print(os.preadv(file, [bytearray(10)], 0))
anonymous = mmap.mmap(-1, 4096)
anonymous.madvise(mmap.MADV_DONTNEED)
for advice in (20, 21, 11):
    try:
        anonymous.madvise(advice)
        print(0)
    except OSError as error:
        print(error.errno)
"""
    done = run(sandbox, code)
    assert done.stdout.split() == [
        str(errno.EOPNOTSUPP), "10", "0", "0", str(errno.EINVAL)
    ], done.output  # fmt: skip


def test_only_ordinary_sockets_can_be_had(sandbox: Sandbox) -> None:
    code = """
for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK, 40, 38, 17):
    try:
        socket.socket(family, socket.SOCK_DGRAM if family < 30 else socket.SOCK_STREAM).close()
        print("ok")
    except OSError as error:
        print(error.errno)
"""
    refused = str(errno.EAFNOSUPPORT)
    done = run(sandbox, code)
    assert done.stdout.split() == ["ok"] * 4 + [refused] * 3, done.output


def test_threads_children_and_pools_work(sandbox: Sandbox) -> None:
    code = """
import concurrent.futures, multiprocessing, subprocess, threading
thread = threading.Thread(target=print, args=("thread",)); thread.start(); thread.join()
print(subprocess.run(["/bin/echo", "child"], capture_output=True, text=True).stdout.strip())
with multiprocessing.get_context("fork").Pool(2) as pool:
    print(sum(pool.map(abs, [-1, -2])))
"""
    done = run(sandbox, code)
    assert done.stdout.split() == ["thread", "child", "3"], done.output


def test_new_namespaces_only_where_they_are_allowed(sandbox: Sandbox) -> None:
    code = """
CLONE_NEWUSER = 0x10000000
pid = os.fork()
if pid == 0:
    os._exit(1 if libc.unshare(CLONE_NEWUSER) else 0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
"""
    assert run(sandbox, code).stdout.split() == ["1"]
    assert run(sandbox, code, namespaces=True).stdout.split() == ["0"]


def test_the_plain_level_says_that_it_has_no_filter() -> None:
    done = run(choose("plain"), "print('ok')")
    assert {"a filter of system calls", "a session keyring of its own"} <= set(done.unapplied)
