"""What of the sandbox and its tools this machine can give."""

import os
import shutil
from collections.abc import Mapping
from typing import NamedTuple

from sdkbench.sandbox import cgroup
from sdkbench.sandbox.command import Command, Limits
from sdkbench.sandbox.levels import choose, probe

# Program → what it is for and how to get it.
TOOLS = {
    "bwrap": "isolates judged code; Debian and Ubuntu: apt-get install bubblewrap",
    "node": "JavaScript and TypeScript; Debian and Ubuntu: apt-get install nodejs npm",
    "npm": "JavaScript and TypeScript; Debian and Ubuntu: apt-get install npm",
    "go": "Go (1.21 or newer); https://go.dev/dl, or apt-get install golang",
    "cargo": "Rust (1.82 or newer); https://rustup.rs, or apt-get install cargo",
    "javac": "Java (11 or newer); Debian and Ubuntu: apt-get install default-jdk-headless",
    "mvn": "Java; Debian and Ubuntu: apt-get install maven",
}


class Item(NamedTuple):
    name: str
    ok: bool
    found: str
    advice: str = ""
    lack: str = "missing"  # the word for it where it is not ok


def tools(wanted: Mapping[str, str] = TOOLS) -> list[Item]:
    return [
        Item(name, ok=path is not None, found=path or "", advice=f"needed for {advice}")
        for name, advice in wanted.items()
        for path in [shutil.which(name)]
    ]


def limits() -> list[Item]:
    """The level in use and each limit, tried for real."""
    found = probe()
    level = Item(
        "bubblewrap",
        ok=found.works,
        found="works" + (" in a user namespace" if found.user_namespace else ""),
        advice=f"{found.reason}. Without it, --sandbox plain isolates nothing: install bubblewrap, "
        "and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu 24.04 "
        "also kernel.apparmor_restrict_unprivileged_userns=0).",
    )
    done = choose().run(Command(argv=("true",), limits=Limits(wall_seconds=20)))
    group = cgroup.acquire(Limits())
    held = group.controllers if group else frozenset()
    if group:
        group.remove()
    advice = (
        "no writable control group here. Run as root, or in a delegated scope: "
        "systemd-run --user --scope -p Delegate=yes sdkbench …"
    )
    processes = "pids" in held or not any("process" in name for name in done.unapplied)
    return [
        level,
        Item("wall, CPU, file, output", ok=True, found="applied"),
        Item("memory (whole tree)", ok="memory" in held, found="by control group", advice=advice),
        Item(
            "process count",
            ok=processes,
            found="by control group" if "pids" in held else "by user namespace",
            advice=advice,
        ),
        Item("cores", ok=True, found=str(os.cpu_count())),
    ]
