"""Hides /proc from a process and all that it starts, by Landlock, where the kernel knows it.

Through /proc/self/mem code finds whatever its own process knows. Everything else stays as visible
as the sandbox makes it.
"""

import ctypes
import os

from .processes import LINUX

# The same on every architecture that has them.
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
SET_NO_NEW_PRIVS = 38
PATH_BENEATH = 1
READ_AND_WRITE = 1 << 1 | 1 << 2
OF_THE_MACHINE = ("cpuinfo", "loadavg", "meminfo", "stat", "sys", "uptime", "version")
# What a program may look up about itself: not what is in its memory, nor its open files.
OF_ITSELF = (
    "cgroup",
    "cmdline",
    "comm",
    "io",
    "limits",
    "maps",
    "mountinfo",
    "mounts",
    "net",
    "oom_score_adj",
    "stat",
    "statm",
    "status",
)


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_access_fs", ctypes.c_uint64),)


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def hide_proc() -> bool:
    """Whether it is hidden. The few files that tell of the machine, and of this very process, stay:
    children see nothing of themselves.
    """
    if not LINUX:
        return False
    shown = [f"/{name}" for name in os.listdir("/") if name != "proc"]
    shown += [f"/proc/{name}" for name in OF_THE_MACHINE]
    shown += [f"/proc/self/{name}" for name in OF_ITSELF]
    return allow_only(shown, READ_AND_WRITE)


def allow_only(shown: list[str], rights: int) -> bool:
    """Whether this process and its children now have these rights for `shown` and what is below
    alone. Rights that are not named stay as they are.
    """
    library = ctypes.CDLL(None, use_errno=True)
    attributes = _Ruleset(rights)
    size = ctypes.c_size_t(ctypes.sizeof(attributes))
    rules = library.syscall(CREATE_RULESET, ctypes.byref(attributes), size, 0)
    if rules < 0:
        return False
    for path in shown:
        try:
            parent = os.open(path, os.O_PATH)
        except OSError:
            continue
        rule = _PathBeneath(rights, parent)
        library.syscall(ADD_RULE, rules, PATH_BENEATH, ctypes.byref(rule), 0)
        os.close(parent)
    library.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    done: int = library.syscall(RESTRICT_SELF, rules, 0)
    os.close(rules)
    return done == 0
