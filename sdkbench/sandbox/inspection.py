"""What of the sandbox and its tools this machine can give."""

import os
import shutil
from collections.abc import Mapping

from sdkbench.sandbox import plain
from sdkbench.sandbox.command import Command, Limits
from sdkbench.sandbox.container import Item, container_items
from sdkbench.sandbox.levels import MEMORY, PROCESSES, WATCHER, choose, landlock_abi, probe

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


def tools(wanted: Mapping[str, str] = TOOLS) -> list[Item]:
    return [
        Item(name, ok=path is not None, found=path or "", advice=f"needed for {advice}")
        for name, advice in wanted.items()
        for path in [shutil.which(name)]
    ]


def limits() -> list[Item]:
    """The level in use and each limit, tried for real."""
    probed = probe()
    level = Item(
        "bubblewrap",
        ok=probed.works,
        found="works" + (" in a user namespace" if probed.user_namespace else ""),
        advice=f"{probed.reason}. Without it, --sandbox plain isolates nothing: install "
        "bubblewrap, and allow user namespaces (sysctl kernel.unprivileged_userns_clone=1; on "
        "Ubuntu 24.04 "
        "also kernel.apparmor_restrict_unprivileged_userns=0).",
    )
    done = choose().run(Command(argv=("true",), limits=Limits(wall_seconds=20)))
    advice = (
        "no writable control group here. Run as root, or in a delegated scope: "
        "systemd-run --user --scope -p Delegate=yes sdkbench …"
    )
    abi = landlock_abi()
    return [
        level,
        *container_items(works=probed.works),
        Item("wall, CPU, file, output", ok=True, found="applied"),
        *(
            Item(name, ok=key in done.held_by, found=_by(done.held_by.get(key)), advice=advice)
            for name, key in (("memory (whole tree)", MEMORY), ("process count", PROCESSES))
        ),
        Item(
            "system call filter",
            ok=plain.CALL_FILTER not in done.unapplied,
            found="works (seccomp)",
            advice="one run could leave bits for the next: bubblewrap, a kernel with seccomp and "
            "an x86_64 or aarch64 machine are needed.",
        ),
        Item(
            "session keyring",
            ok=plain.OWN_KEYRING not in done.unapplied,
            found="one for each sandbox",
            advice="needs bubblewrap; or the user's quota of keys is used up: see /proc/key-users.",
        ),
        Item(
            "Landlock",
            ok=abi > 0,
            found=f"ABI {abi}",
            advice="not in this kernel, or switched off (lsm=landlock,…): Go and Java tests can "
            "read their own process's memory as a file.",
        ),
        Item("cores", ok=True, found=str(os.cpu_count())),
    ]


def _by(what: str | None) -> str:
    if what == WATCHER:
        return "by a watcher that ends the tree: there is no writable control group"
    return f"by {what}" if what else ""
