"""First process inside every sandbox: fills the workspace, sets limits, becomes the command.

Runs as a script with an order as its only argument, a dictionary as Python writes it, under the
harness's own interpreter but without its packages: only the standard library is here, and of that
only what is loaded at once, as this is the start of every sandbox: json and shutil would take
longer than all the rest. It writes one byte to `started_fd` when all is ready; without that byte a
failure is the sandbox's, never the judged code's.
"""

import ctypes
import errno
import os
import resource
import sys

# The byte that says all is ready, and what may be added to it.
STARTED, KEYS_SHARED, UNFILTERED = 1, 2, 4
# Of keyctl and seccomp, which the C library has no functions for.
CALLS = {"x86_64": (250, 317), "aarch64": (219, 277)}
JOIN_SESSION_KEYRING = 1
SET_NO_NEW_PRIVS = 38
SET_MODE_FILTER, ALL_THREADS, NO_SLOW_DOWN = 1, 1, 4
INSTRUCTION_BYTES = 8
BLOCK_BYTES = 1 << 20
# Landlock's calls, the same everywhere, and its rights: to make what is no file, to move files.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
PATH_BENEATH = 1
MAKE_CHAR, MAKE_FIFO, MAKE_BLOCK, MAKE_SYM, REFER = (1 << n for n in (6, 10, 11, 12, 13))
NO_FILES = MAKE_CHAR | MAKE_FIFO | MAKE_BLOCK | MAKE_SYM

TYPE_CHECKING = False  # importing typing would delay every start of a sandbox
if TYPE_CHECKING:
    from typing import TypedDict

    class StartOrder(TypedDict):
        copies: list[tuple[str, str, bool]]  # source, target, whether the source is a tar file
        links: list[tuple[str, str]]
        cwd: str
        rlimits: dict[str, int]
        refused: str  # a seccomp filter, in hexadecimal digits; none at the plain level
        without_links: str  # a folder where nothing but files and folders may be made
        started_fd: int
        argv: list[str]


def main() -> None:
    # The harness wrote it, and no name means anything in it.
    order: StartOrder = eval(sys.argv[1], {"__builtins__": {}})  # noqa: S307
    for source, target, packed in order["copies"]:
        copy(source, target, packed=packed)
    for source, target in order["links"]:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.symlink(source, target)
    os.makedirs(order["cwd"], exist_ok=True)
    os.chdir(order["cwd"])
    for name, value in order["rlimits"].items():
        lower(getattr(resource, name), value)
    if order["without_links"]:
        forbid_links(order["without_links"])
    os.write(order["started_fd"], confine(order["refused"]))
    os.close(order["started_fd"])
    argv = order["argv"]
    try:
        os.execvpe(argv[0], argv, os.environ)
    except OSError as error:
        sys.stderr.write(f"{argv[0]}: {error.strerror}\n")
        os._exit(127 if isinstance(error, FileNotFoundError) else 126)


def copy(source: str, target: str, *, packed: bool) -> None:
    """Files and folders as they are; links as links, so nothing outside is read."""
    if packed:
        import subprocess  # noqa: PLC0415 - rarely needed, and slow to load

        os.makedirs(target, exist_ok=True)
        subprocess.run(["tar", "-x", "--no-overwrite-dir", "-f", source, "-C", target], check=True)  # noqa: S607 - PATH is ours
    elif os.path.isdir(source):
        copy_folder(source, target)
    else:
        os.makedirs(os.path.dirname(target) or ".", exist_ok=True)
        copy_file(source, target)


def copy_folder(source: str, target: str) -> None:
    """A read-only folder in a solution must not stop its own code from writing there.

    Only folders that are copied: others below `target` are mounted read-only on purpose.
    """
    os.makedirs(target, exist_ok=True)
    with os.scandir(source) as entries:
        for entry in entries:
            place = os.path.join(target, entry.name)
            if entry.is_dir(follow_symlinks=False):
                copy_folder(entry.path, place)
            else:
                copy_file(entry.path, place)
    like(source, target, writable=True)


def copy_file(source: str, target: str) -> None:
    if os.path.islink(source):
        os.symlink(os.readlink(source), target)
        return
    # Does not wait for somebody to write to what is no file.
    reading = os.open(source, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        writing = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        try:
            while block := os.read(reading, BLOCK_BYTES):
                while block:  # a disk that is nearly full takes a part, and says so the next time
                    block = block[os.write(writing, block) :]
        finally:
            os.close(writing)
    finally:
        os.close(reading)
    like(source, target)


def like(source: str, target: str, *, writable: bool = False) -> None:
    """The same rights and times."""
    known = os.stat(source)
    os.chmod(target, (known.st_mode & 0o7777) | (0o700 if writable else 0))
    os.utime(target, ns=(known.st_atime_ns, known.st_mtime_ns))


class Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("program", ctypes.c_char_p))


def confine(refused: str) -> bytes:
    """A session keyring of our own, then the filter, for this process and all that it starts.

    What comes back is the start sign; it tells what this kernel does not give.
    """
    numbers = CALLS.get(os.uname().machine)
    program = bytes.fromhex(refused)
    if numbers is None or not program:
        return bytes([STARTED | KEYS_SHARED | UNFILTERED])
    keyctl, seccomp = numbers
    library = ctypes.CDLL(None, use_errno=True)
    sign = STARTED
    if library.syscall(keyctl, JOIN_SESSION_KEYRING, None) < 0 and (
        ctypes.get_errno() != errno.ENOSYS  # a kernel without keys
    ):
        sign |= KEYS_SHARED
    library.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    whole = Filter(len(program) // INSTRUCTION_BYTES, program)
    flags = ALL_THREADS | NO_SLOW_DOWN
    if library.syscall(seccomp, SET_MODE_FILTER, flags, ctypes.byref(whole)) != 0:
        sign |= UNFILTERED
    return bytes([sign])


class Ruleset(ctypes.Structure):
    _fields_ = (("handled", ctypes.c_uint64),)


class Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def forbid_links(folder: str) -> None:
    """No link, pipe or device can be made in this folder, by us and whatever we start.

    It is shared with the tests: a link there would lead them to files of their own, to what they
    expect, say. Everywhere else all is as ever.
    """
    library = ctypes.CDLL(None, use_errno=True)
    rules = Ruleset(NO_FILES | REFER)
    number = library.syscall(CREATE_RULESET, ctypes.byref(rules), ctypes.sizeof(rules), 0)
    if number < 0:
        raise OSError(ctypes.get_errno(), "Landlock is not there")
    allowed = [("/", REFER)]
    for entry in os.scandir("/"):
        if entry.path != folder and entry.is_dir(follow_symlinks=False):
            allowed.append((entry.path, NO_FILES))  # noqa: PERF401 - two conditions
    for path, rights in allowed:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = Beneath(rights, parent)
        library.syscall(ADD_RULE, number, PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(parent)
    library.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if library.syscall(RESTRICT_SELF, number, 0) != 0:
        raise OSError(ctypes.get_errno(), "Landlock cannot be used")
    os.close(number)


def lower(kind: int, value: int) -> None:
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        value = min(value, hard)
    # One second apart, SIGXCPU comes before SIGKILL and tells why.
    ceiling = value + 1 if kind == resource.RLIMIT_CPU and value != hard else value
    resource.setrlimit(kind, (value, ceiling))


if __name__ == "__main__":
    main()
