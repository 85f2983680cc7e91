"""The filter as the kernel would read it, for machines that are not at hand as well."""

import errno
import struct
from itertools import pairwise

import pytest

from sdkbench.sandbox.system_calls import (
    ARCHITECTURES,
    NUMBERS,
    REFUSED,
    REFUSED_ARGUMENTS,
    REFUSED_NAMESPACES,
    filter_program,
)

ALLOWED = 0x7FFF0000
MACHINES = sorted(ARCHITECTURES)
I386 = 0x40000003


def answer(program: bytes, audit: int, number: int, *arguments: int) -> int:
    """What the filter returns for a system call."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<iIQ6Q", number, audit, 0, *padded)
    words = list(struct.iter_unpack("<HBBI", program))
    at = loaded = 0
    while True:
        code, yes, no, value = words[at]
        at += 1
        match code:
            case 0x20:
                (loaded,) = struct.unpack_from("<I", data, value)
            case 0x15:
                at += yes if loaded == value else no
            case 0x45:
                at += yes if loaded & value else no
            case 0x06:
                return int(value)


def refused(error: int) -> int:
    return 0x00050000 | error


@pytest.mark.parametrize("machine", MACHINES)
def test_refused_calls_are_refused_and_others_are_not(machine: str) -> None:
    audit, column = ARCHITECTURES[machine]
    program = filter_program(machine=machine)
    groups = (*REFUSED, *REFUSED_NAMESPACES)
    expected = {NUMBERS[name][column]: group.error for group in groups for name in group.names}
    expected.pop(None, None)
    by_argument = {NUMBERS[rule.name][column] for rule in REFUSED_ARGUMENTS}
    by_argument.add(NUMBERS["clone"][column])
    for number in range(600):
        if number not in by_argument:
            told = answer(program, audit, number, *[(1 << 64) - 1] * 6)
            assert told == (refused(expected[number]) if number in expected else ALLOWED), number


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("ioctl", (0, 0xC020660B), refused(errno.EPERM)),
        ("ioctl", (0, 0xFFFFFFFF_C020660B), refused(errno.EPERM)),  # the kernel reads 32 bits
        ("ioctl", (0, 0x5413), ALLOWED),
        ("madvise", (0, 0, 21), refused(0)),
        ("madvise", (0, 0, 11), refused(errno.EINVAL)),
        ("madvise", (0, 0, 4), ALLOWED),
        ("fadvise64", (3, 0, 0, 4), refused(0)),
        ("fadvise64", (3, 0, 0, 3), ALLOWED),
        ("preadv2", (3, 0, 1, 0, 0, 0x08), refused(errno.EOPNOTSUPP)),
        ("preadv2", (3, 0, 1, 0, 0, 0), ALLOWED),
        ("socket", (40, 1), refused(errno.EAFNOSUPPORT)),
        ("socket", (2, 1), ALLOWED),
        ("clone", (0x10000000 | 17,), refused(errno.EPERM)),
        ("clone", (0x00003D0F00,), ALLOWED),  # a thread, as glibc makes one
        ("clone", (0x4100 | 17,), ALLOWED),  # vfork and shared memory, as posix_spawn
    ],
)
def test_arguments_decide(machine: str, name: str, arguments: tuple[int, ...], told: int) -> None:
    audit, column = ARCHITECTURES[machine]
    number = NUMBERS[name][column]
    assert number is not None
    assert answer(filter_program(machine=machine), audit, number, *arguments) == told


def test_other_sets_of_numbers_are_refused() -> None:
    """A 32-bit call and an x32 one have other numbers for the same calls."""
    program = filter_program(machine="x86_64")
    assert answer(program, I386, 1) == refused(errno.ENOSYS)
    x32 = 0x40000000
    assert answer(program, ARCHITECTURES["x86_64"].audit, x32 | 1) == refused(errno.ENOSYS)


@pytest.mark.parametrize("machine", MACHINES)
def test_our_own_programs_may_make_namespaces(machine: str) -> None:
    audit, column = ARCHITECTURES[machine]
    program = filter_program(namespaces=True, machine=machine)
    for name in ("unshare", "mount", "clone3"):
        assert answer(program, audit, NUMBERS[name][column] or 0) == ALLOWED
    assert answer(program, audit, NUMBERS["keyctl"][column] or 0) == refused(errno.ENOSYS)


def test_no_filter_is_claimed_for_an_unknown_machine() -> None:
    assert filter_program(machine="vax") == b""


def test_the_table_is_in_order_and_numbers_are_told_apart() -> None:
    assert all(one < other for one, other in pairwise(NUMBERS))
    for column in (0, 1):
        numbers = [pair[column] for pair in NUMBERS.values() if pair[column] is not None]
        assert len(numbers) == len(set(numbers))
