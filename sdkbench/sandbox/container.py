"""Whether we are in a container, and which of its rules keep the sandbox from working."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path("/")
MARKS = (".dockerenv", "run/.containerenv")
WORDS = ("docker", "kubepods", "containerd", "lxc", "libpod", "garden")
FILTERED = "2"  # of Seccomp: in /proc/PID/status
DOCKER = (
    "docker run --security-opt seccomp=docker/seccomp.json --security-opt apparmor=unconfined "
    "--security-opt systempaths=unconfined, as compose.yaml has it"
)


class Item(NamedTuple):
    name: str
    ok: bool
    found: str
    advice: str = ""
    lack: str = "missing"  # the word for it where it is not ok


def container_items(*, works: bool, root: Path = ROOT) -> list[Item]:
    """What a container forbids, where the sandbox does not work; that there is one, else."""
    kind = container_kind(root)
    items = [Item("container", ok=True, found=kind)] if kind else []
    if not works:
        items += _forbidden(root, in_container=bool(kind))
    return items


def container_kind(root: Path = ROOT) -> str:
    """Empty outside of one, as far as can be told."""
    if any((root / mark).exists() for mark in MARKS):
        return "Docker" if (root / MARKS[0]).exists() else "Podman"
    told = _read(root / "proc/1/cgroup") + _read(root / "run/systemd/container")
    return next((word for word in WORDS if word in told), "")


def _forbidden(root: Path, *, in_container: bool) -> Iterator[Item]:
    """Each reason that can be read, with what to do."""
    if _read(root / "proc/sys/user/max_user_namespaces") == "0":
        yield _lack("user namespaces", "switched off: sysctl user.max_user_namespaces=10000.")
    if _read(root / "proc/sys/kernel/unprivileged_userns_clone") == "0":
        yield _lack("user namespaces", "for root only: sysctl kernel.unprivileged_userns_clone=1.")
    if _read(root / "proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        yield _lack(
            "user namespaces",
            "kept back by AppArmor: sysctl kernel.apparmor_restrict_unprivileged_userns=0.",
        )
    if in_container and _status(root, "Seccomp") == FILTERED:
        yield _lack(
            "system calls",
            f"the container's filter may refuse namespaces and mounts. Start it with {DOCKER}.",
        )
    if in_container and _masked_proc(root):
        yield _lack("/proc", f"partly hidden, so no namespace can have its own: {DOCKER}.")


def _masked_proc(root: Path) -> bool:
    """Docker mounts something over parts of /proc; the kernel then lets nobody mount another."""
    mounts = _read(root / "proc/self/mounts").splitlines()
    return any(line.split()[1].startswith("/proc/") for line in mounts if " " in line)


def _lack(name: str, advice: str) -> Item:
    return Item(name, ok=False, found="", advice=advice, lack="forbidden")


def _status(root: Path, name: str) -> str:
    for line in _read(root / "proc/self/status").splitlines():
        key, _, value = line.partition(":")
        if key == name:
            return value.strip()
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
