"""What the tasks of boot.py share: the channel, the processes that they start, `hide_proc`."""

import ctypes
import os

from ..channel import Channel
from ..processes import LINUX, exit_code, spawn

# The same on every architecture that has them.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
SET_NO_NEW_PRIVS = 38
PATH_BENEATH = 1
READ_AND_WRITE = 1 << 1 | 1 << 2
OF_THE_MACHINE = ("cpuinfo", "loadavg", "meminfo", "stat", "sys", "uptime", "version")


class Session(Channel):
    """The channel, and the processes that a task starts."""

    def start(
        self, argv: list[str], env: dict[str, str], stdin: int | None = None, output: str = ""
    ) -> int:
        """A child's process id. It inherits nothing but its standard streams."""
        descriptors = {} if stdin is None else {0: stdin}
        if output:
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
            descriptors |= dict.fromkeys((1, 2), file := os.open(output, flags, 0o600))
        pid = spawn(argv, {**os.environ, **env}, descriptors)
        if output:
            os.close(file)
        return pid

    def run(self, argv: list[str], env: dict[str, str], output: str = "") -> int:
        return as_shell(exit_code(self.start(argv, env, output=output)))


def as_shell(code: int) -> int:
    """The exit code; what a signal ended counts as 128 and its number, as in a shell."""
    return code if code >= 0 else 128 - code


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def hide_proc() -> None:
    """Hides /proc from this process and all that it starts, by Landlock, where the kernel knows it.

    Through /proc/self/mem code finds whatever its own process knows. Everything else stays as
    visible as the sandbox makes it, and so do the few files that tell of the machine.
    """
    if not LINUX:
        return
    library = ctypes.CDLL(None, use_errno=True)
    attributes = _Ruleset(READ_AND_WRITE)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    rules = library.syscall(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if rules < 0:
        return
    shown = [f"/{name}" for name in os.listdir("/") if name != "proc"]
    for path in [*shown, *(f"/proc/{name}" for name in OF_THE_MACHINE)]:
        try:
            parent = os.open(path, os.O_PATH)
        except OSError:
            continue
        rule = _PathBeneath(READ_AND_WRITE, parent)
        library.syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(parent)
    library.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    library.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)
