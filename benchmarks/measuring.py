"""CPU time and peak memory of a block and all processes it starts, by control groups."""

import atexit
import contextlib
import functools
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

V1_CPU = Path("/sys/fs/cgroup/cpuacct")
V1_MEMORY = Path("/sys/fs/cgroup/memory")
V2 = Path("/sys/fs/cgroup")


class Usage:
    """What was used between entering and leaving `measured`; None where nothing can tell."""

    seconds: float
    cpu_ms: float | None = None
    peak_mb: float | None = None


@contextlib.contextmanager
def measured() -> Iterator[Usage]:
    """Counts processes that were started before too, if they were after the first call."""
    usage = Usage()
    groups = _joined()
    for group in groups:
        with contextlib.suppress(OSError):
            (group / "memory.max_usage_in_bytes").write_text("0")
    began, cpu = time.perf_counter(), _cpu_ms(groups)
    yield usage
    usage.seconds = time.perf_counter() - began
    now = _cpu_ms(groups)
    usage.cpu_ms = now - cpu if now is not None and cpu is not None else None
    usage.peak_mb = _peak_mb(groups)


@functools.cache
def _joined() -> list[Path]:
    """This process joins groups of its own, with all that it starts from now on."""
    groups = []
    for parent in (V1_CPU, V1_MEMORY) if V1_CPU.is_dir() else (V2,):
        group = parent / f"bench-{os.getpid()}"
        with contextlib.suppress(OSError):
            group.mkdir(exist_ok=True)
            (group / "cgroup.procs").write_text(str(os.getpid()))
            groups.append(group)
    atexit.register(_leave, groups)
    return groups


def _leave(groups: Sequence[Path]) -> None:
    for group in groups:
        with contextlib.suppress(OSError):
            (group.parent / "cgroup.procs").write_text(str(os.getpid()))
            group.rmdir()


def _cpu_ms(groups: Sequence[Path]) -> float | None:
    for group in groups:
        if (group / "cpuacct.usage").is_file():
            return int((group / "cpuacct.usage").read_text()) / 1e6
        if (group / "cpu.stat").is_file():
            return int((group / "cpu.stat").read_text().split()[1]) / 1e3
    return None


def _peak_mb(groups: Sequence[Path]) -> float | None:
    for group in groups:
        for name in ("memory.max_usage_in_bytes", "memory.peak"):
            if (group / name).is_file():
                return int((group / name).read_text()) / 1e6
    return None


def spread(values: Sequence[float]) -> str:
    """The median, and the least and the most."""
    low, middle, high = min(values), statistics.median(values), max(values)
    digits = 0 if middle >= 100 else 1 if middle >= 10 else 2  # noqa: PLR2004
    return f"{middle:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
