"""What this machine has, for machines: tools and limits, and the environments that are kept."""

import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from pydantic import AwareDatetime

from sdkbench import __version__
from sdkbench.core import Value
from sdkbench.environments import Cache
from sdkbench.sandbox.inspection import Item


class MachineItem(Value):
    """`found` says what is there where it is ok, `advice` what to do where it is not."""

    name: str
    ok: bool
    found: str
    advice: str


class MachineReport(Value):
    """What `doctor --json` prints. `usable`: judging can work at all."""

    sdkbench_version: str
    python_version: str
    platform: str
    interpreter: str
    usable: bool
    sections: dict[str, tuple[MachineItem, ...]]


class CachedEnvironment(Value):
    key: str
    language: str
    packages: tuple[str, ...]
    size_bytes: int
    last_used: AwareDatetime


class CacheReport(Value):
    """What `cache ls --json` prints: the environment used longest ago first."""

    folder: str
    total_bytes: int
    environments: tuple[CachedEnvironment, ...]


def machine_report(sections: Mapping[str, Sequence[Item]], *, usable: bool) -> MachineReport:
    return MachineReport(
        sdkbench_version=__version__,
        python_version=platform.python_version(),
        platform=platform.platform(),
        interpreter=sys.base_prefix,
        usable=usable,
        sections={
            name: tuple(
                MachineItem(name=i.name, ok=i.ok, found=i.found, advice="" if i.ok else i.advice)
                for i in items
            )
            for name, items in sections.items()
        },
    )


def cache_report(cache: Cache) -> CacheReport:
    return CacheReport(
        folder=str(cache.root),
        total_bytes=cache.total_bytes(),
        environments=tuple(
            CachedEnvironment(
                key=environment.key,
                language=environment.language,
                packages=environment.packages,
                size_bytes=size,
                last_used=datetime.fromtimestamp(used_at, UTC),
            )
            for environment, size, used_at in cache.entries()
        ),
    )
