"""What the kernel refuses to judged code, as a seccomp filter; each group with its reason.

Namespaces don't cover everything: key rings, the page cache and the kernel's log outlast a sandbox,
so one run could leave bits there for the next. Errors are those that honest runtimes expect where a
call doesn't exist, so that they fall back to something else.
"""

import errno
import functools
import os
import struct
from collections.abc import Iterable
from typing import NamedTuple

ALLOW, ERROR = 0x7FFF0000, 0x00050000
LOAD, EQUAL, ANY_BIT, RETURN = 0x20, 0x15, 0x45, 0x06
OFFSET_OF_NUMBER, OFFSET_OF_ARCHITECTURE, OFFSET_OF_ARGUMENTS = 0, 4, 16
X32_CALL = 0x40000000  # a second set of numbers for the same calls
NO_ERROR = 0  # for advice: the caller may think that it was taken

NEW_NAMESPACES = 0x7E020000  # all CLONE_NEW… flags that clone(2) knows
UNIX, IPV4, IPV6, NETLINK = 1, 2, 10, 16


class Architecture(NamedTuple):
    audit: int
    column: int  # in NUMBERS


ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, 0),
    "aarch64": Architecture(0xC00000B7, 1),
}

# Name → its number on x86_64 and on aarch64, where it has one.
NUMBERS: dict[str, tuple[int, int | None]] = {
    "acct": (163, 89),
    "add_key": (248, 217),
    "bpf": (321, 280),
    "cachestat": (451, 451),
    "clock_settime": (227, 112),
    "clone": (56, 220),
    "clone3": (435, 435),
    "create_module": (174, None),
    "delete_module": (176, 106),
    "fadvise64": (221, 223),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    "finit_module": (313, 273),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fsopen": (430, 430),
    "fspick": (433, 433),
    "init_module": (175, 105),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "io_uring_setup": (425, 425),
    "ioctl": (16, 29),
    "ioperm": (173, None),
    "iopl": (172, None),
    "kcmp": (312, 272),
    "kexec_file_load": (320, 294),
    "kexec_load": (246, 104),
    "keyctl": (250, 219),
    "lookup_dcookie": (212, 18),
    "madvise": (28, 233),
    "migrate_pages": (256, 238),
    "mincore": (27, 232),
    "mount": (165, 40),
    "mount_setattr": (442, 442),
    "move_mount": (429, 429),
    "move_pages": (279, 239),
    "name_to_handle_at": (303, 264),
    "nfsservctl": (180, 42),
    "open_by_handle_at": (304, 265),
    "open_tree": (428, 428),
    "open_tree_attr": (467, 467),
    "perf_event_open": (298, 241),
    "pidfd_getfd": (438, 438),
    "pivot_root": (155, 41),
    "preadv2": (327, 286),
    "process_madvise": (440, 440),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "ptrace": (101, 117),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "reboot": (169, 142),
    "request_key": (249, 218),
    "setns": (308, 268),
    "settimeofday": (164, 170),
    "socket": (41, 198),
    "swapoff": (168, 225),
    "swapon": (167, 224),
    "syslog": (103, 116),
    "umount2": (166, 39),
    "unshare": (272, 97),
    "uselib": (134, None),
    "userfaultfd": (323, 282),
    "vhangup": (153, 58),
}


class Refused(NamedTuple):
    """Calls that fail whatever their arguments are."""

    reason: str
    error: int
    names: tuple[str, ...]


class RefusedArgument(NamedTuple):
    """Calls that fail for some values of one argument: those listed, those with any of these bits,
    or all but those listed.
    """

    reason: str
    error: int
    name: str
    argument: int
    values: tuple[int, ...] = ()
    bits: int = 0
    but: tuple[int, ...] = ()


REFUSED = (
    Refused(
        "Keys outlast the sandbox: one run could leave bits for the next.",
        errno.ENOSYS,
        ("keyctl", "add_key", "request_key"),
    ),
    Refused(
        "They tell what of a shared file is in the page cache, which one run can change for the "
        "next.",
        errno.ENOSYS,
        ("cachestat", "mincore", "process_madvise", "move_pages", "migrate_pages"),
    ),
    Refused(
        "The kernel's log and its counters are the machine's, not the sandbox's.",
        errno.EPERM,
        ("syslog", "acct", "quotactl", "quotactl_fd", "perf_event_open", "lookup_dcookie"),
    ),
    Refused(
        "They look into another process, or take what is open there.",
        errno.EPERM,
        ("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
    ),
    Refused(
        "By a handle a file is found that the sandbox doesn't show.",
        errno.EOPNOTSUPP,
        ("name_to_handle_at", "open_by_handle_at"),
    ),
    Refused(
        "They watch what other sandboxes open of a shared file system.",
        errno.ENOSYS,
        ("fanotify_init", "fanotify_mark"),
    ),
    Refused(
        "Its requests pass by this filter. Node and others do without it where it is missing.",
        errno.ENOSYS,
        ("io_uring_setup", "io_uring_enter", "io_uring_register"),
    ),
    Refused(
        "Ways into the kernel that a program under test has no use for.",
        errno.EPERM,
        ("bpf", "userfaultfd", "init_module", "finit_module", "create_module", "delete_module",
         "kexec_load", "kexec_file_load", "iopl", "ioperm", "uselib", "nfsservctl"),
    ),
    Refused(
        "The machine is not the sandbox's to administer.",
        errno.EPERM,
        ("reboot", "swapon", "swapoff", "settimeofday", "clock_settime", "vhangup"),
    ),
)  # fmt: skip

REFUSED_ARGUMENTS = (
    RefusedArgument(
        "NOWAIT and DONTCACHE tell and change what of a file is in the page cache.",
        errno.EOPNOTSUPP, "preadv2", 5, bits=0x08 | 0x80,
    ),
    RefusedArgument(
        "Advice to drop a file from the page cache leaves a trace for the next run. It is ignored.",
        NO_ERROR, "fadvise64", 3, values=(4,),
    ),
    RefusedArgument(
        "The same advice for a file in memory (COLD, PAGEOUT).",
        NO_ERROR, "madvise", 2, values=(20, 21),
    ),
    RefusedArgument(
        "What a test program does not hand to forked children stays so (DOFORK).",
        errno.EINVAL, "madvise", 2, values=(11,),
    ),
    RefusedArgument(
        "Where a file lies on disk (FIEMAP, FIBMAP, GETFSMAP) tells a copy from a file that was "
        "written anew; TIOCSTI and TIOCLINUX type into a terminal.",
        errno.EPERM, "ioctl", 1, values=(0xC020660B, 1, 0xC0C0583B, 0x5412, 0x541C),
    ),
    RefusedArgument(
        "Other kinds of socket are not bounded by the network namespace: vsock speaks to the host.",
        errno.EAFNOSUPPORT, "socket", 0, but=(UNIX, IPV4, IPV6, NETLINK),
    ),
)  # fmt: skip

# Not for programs of ours that make sandboxes themselves.
REFUSED_NAMESPACES = (
    Refused(
        "In a namespace of its own a process may cover files and hide from us.",
        errno.EPERM,
        ("unshare", "setns", "mount", "umount2", "pivot_root", "fsopen", "fsconfig", "fsmount",
         "fspick", "open_tree", "open_tree_attr", "move_mount", "mount_setattr"),
    ),
    Refused(
        "Its flags can't be read here. C libraries fall back to clone.", errno.ENOSYS, ("clone3",)
    ),
)  # fmt: skip
REFUSED_NAMESPACE_ARGUMENTS = (
    RefusedArgument("The same by another name.", errno.EPERM, "clone", 0, bits=NEW_NAMESPACES),
)


@functools.cache
def filter_program(*, namespaces: bool = False, machine: str = "") -> bytes:
    """The filter for this machine, in the kernel's form; empty where we don't know its numbers.

    With `namespaces`, a process may make namespaces and mount.
    """
    architecture = ARCHITECTURES.get(machine or os.uname().machine)
    if architecture is None:
        return b""
    calls = REFUSED if namespaces else (*REFUSED, *REFUSED_NAMESPACES)
    arguments = REFUSED_ARGUMENTS + (() if namespaces else REFUSED_NAMESPACE_ARGUMENTS)
    words = [
        _instruction(LOAD, OFFSET_OF_ARCHITECTURE),
        *_refuse_unless(EQUAL, architecture.audit, errno.ENOSYS),
        _instruction(LOAD, OFFSET_OF_NUMBER),
    ]
    if architecture.audit == ARCHITECTURES["x86_64"].audit:
        words += _refuse_if(ANY_BIT, X32_CALL, errno.ENOSYS)
    for name in dict.fromkeys(rule.name for rule in arguments):
        number = NUMBERS[name][architecture.column]
        if number is not None:
            block = _argument_block([rule for rule in arguments if rule.name == name])
            words += [_instruction(EQUAL, number, no=len(block)), *block]
    for group in calls:
        for name in group.names:
            number = NUMBERS[name][architecture.column]
            if number is not None:
                words += _refuse_if(EQUAL, number, group.error)
    return b"".join([*words, _instruction(RETURN, ALLOW)])


def _argument_block(rules: Iterable[RefusedArgument]) -> list[bytes]:
    """What follows once the number is known to be theirs; it always returns."""
    words: list[bytes] = []
    for rule in rules:
        words.append(_instruction(LOAD, OFFSET_OF_ARGUMENTS + 8 * rule.argument))  # the lower half
        for value in rule.values:
            words += _refuse_if(EQUAL, value, rule.error)
        if rule.bits:
            words += _refuse_if(ANY_BIT, rule.bits, rule.error)
        if rule.but:
            for value in rule.but:
                words += [_instruction(EQUAL, value, no=1), _instruction(RETURN, ALLOW)]
            words.append(_instruction(RETURN, ERROR | rule.error))
    return [*words, _instruction(RETURN, ALLOW)]


def _refuse_if(test: int, value: int, error: int) -> list[bytes]:
    return [_instruction(test, value, no=1), _instruction(RETURN, ERROR | error)]


def _refuse_unless(test: int, value: int, error: int) -> list[bytes]:
    return [_instruction(test, value, yes=1), _instruction(RETURN, ERROR | error)]


def _instruction(code: int, value: int, *, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("<HBBI", code, yes, no, value)
