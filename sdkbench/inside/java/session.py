"""Hides /proc from this process and all it starts, by Landlock; for the tasks of java_boot.

Through /proc/self/mem code finds whatever its own process knows. Everything else stays as visible
as the sandbox makes it, and so do the few files that tell of the machine.
"""

import ctypes
import os

# The same on every architecture that has them.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
SET_NO_NEW_PRIVS = 38
PATH_BENEATH = 1
READ_AND_WRITE = 1 << 1 | 1 << 2
OF_THE_MACHINE = ("cpuinfo", "loadavg", "meminfo", "stat", "sys", "uptime", "version")


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def hide_proc() -> bool:
    """Whether it worked; older kernels know no Landlock."""
    library = ctypes.CDLL(None, use_errno=True)
    attributes = _Ruleset(READ_AND_WRITE)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    rules = library.syscall(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if rules < 0:
        return False
    shown = [f"/{name}" for name in os.listdir("/") if name != "proc"]
    for path in [*shown, *(f"/proc/{name}" for name in OF_THE_MACHINE)]:
        _allow(library, rules, path)
    library.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    worked: bool = library.syscall(RESTRICT_SELF, rules, 0) == 0
    os.close(rules)
    return worked


def _allow(library: ctypes.CDLL, rules: int, path: str) -> None:
    try:
        parent = os.open(path, os.O_PATH)
    except OSError:
        return
    rule = _PathBeneath(READ_AND_WRITE, parent)
    library.syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(rule), 0)
    os.close(parent)
