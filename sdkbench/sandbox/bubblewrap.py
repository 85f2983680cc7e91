"""The isolating level: no network, a read-only system, only what a command names is visible."""

import os
import sys
from pathlib import Path

from sdkbench.sandbox.command import Command

ETC = Path(__file__).parent / "etc"
FIRST_PROCESS = Path(__file__).parent.parent / "inside" / "sandbox" / "first_process.py"
WORKSPACE_ROOT = "/w"
SCRATCH_ROOTS = ("/tmp", "/home/user", WORKSPACE_ROOT, "/dev/shm")  # noqa: S108 - private ones
STAGE_ROOT = "/stage"
HIDDEN_ROOT = "/hidden"
SHARED_ROOT = "/shared"
HOME = "/home/user"
SYSTEM_LINKS = ("/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# Nothing secret: the loader's cache, the certificates, and which of several programs is meant.
SYSTEM_ETC = ("/etc/ld.so.cache", "/etc/alternatives", "/etc/ssl/certs", "/etc/pki/tls/certs")
NETWORK_ETC = ("/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf")


def interpreter() -> str:
    """The Python that runs `inside.py`: the base one, not the harness's virtual environment."""
    base: str = getattr(sys, "_base_executable", sys.executable)
    return os.path.realpath(base)


def interpreter_mounts() -> list[str]:
    """Folders outside /usr that the interpreter lives in."""
    prefix = os.path.realpath(sys.base_prefix)
    return [] if prefix == "/usr" or prefix.startswith("/usr/") else [prefix]


def user_flags(user: int, *, user_namespace: bool) -> list[str]:
    # Inside, nobody is root: servers that refuse to run as root run, and no capability is left.
    return ["--unshare-user", "--uid", f"{user}", "--gid", f"{user}"] if user_namespace else []


def argv(command: Command, env: dict[str, str], *, user_namespace: bool) -> list[str]:
    """Bwrap's words, up to and without the program to run inside."""
    words = ["bwrap", "--unshare-all", *user_flags(command.user, user_namespace=user_namespace)]
    words += ["--share-net"] if command.network else []
    words += ["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--hostname", "sandbox"]
    words += ["--clearenv"]
    for name, value in env.items():
        words += ["--setenv", name, value]
    words += _system(command)
    size = str(command.limits.disk_bytes)
    for scratch in SCRATCH_ROOTS:
        words += ["--size", size, "--tmpfs", scratch]
    for path in [str(FIRST_PROCESS), *interpreter_mounts()]:
        words += ["--ro-bind", path, path]
    for mount in command.mounts:
        words += ["--bind" if mount.writable else "--ro-bind", str(mount.path), str(mount.path)]
    if command.shared is not None:
        words += ["--bind", str(command.shared), SHARED_ROOT]
    for number, placement in enumerate(command.placements):
        target = (
            os.path.normpath(f"{WORKSPACE_ROOT}/{placement.target}")
            if placement.read_only
            else f"{STAGE_ROOT}/{number}"
        )
        words += ["--ro-bind", str(placement.source), target]
    for name in command.scratch:
        words += ["--size", size, "--tmpfs", os.path.normpath(f"{WORKSPACE_ROOT}/{name}")]
    if command.fork_stage is not None:
        words += ["--ro-bind", str(command.fork_stage), STAGE_ROOT]
        # The kernel lets a namespace within mount a /proc only where it sees a whole one: ours is
        # partly covered, so there is another below a folder that nobody can enter.
        words += ["--bind", "/proc", f"{HIDDEN_ROOT}/proc", "--tmpfs", HIDDEN_ROOT]
        words += ["--remount-ro", HIDDEN_ROOT]
        # What one run leaves anywhere, another one must not find.
        words += ["--remount-ro", "/dev", "--remount-ro", "/"]
    return [*words, "--chdir", "/"]


def copies(command: Command) -> list[tuple[str, str, bool]]:
    return [
        (
            f"{STAGE_ROOT}/{number}",
            os.path.normpath(f"{WORKSPACE_ROOT}/{placement.target}"),
            placement.packed,
        )
        for number, placement in enumerate(command.placements)
        if not placement.read_only
    ]


def _system(command: Command) -> list[str]:
    words = ["--ro-bind", "/usr", "/usr"]
    for path in SYSTEM_LINKS:
        if Path(path).is_symlink():
            words += ["--symlink", str(Path(path).readlink()), path]
        elif Path(path).is_dir():
            words += ["--ro-bind", path, path]
    words += ["--dev", "/dev", *(["--proc", "/proc"] if command.process_files else [])]
    for path in SYSTEM_ETC:
        words += ["--ro-bind-try", path, path]
    own = {"passwd", "group"} if command.network else {"passwd", "group", "hosts", "nsswitch.conf"}
    for name in sorted(own):
        words += ["--ro-bind", str(ETC / name), f"/etc/{name}"]
    if command.network:
        for path in NETWORK_ETC:
            words += ["--ro-bind-try", path, path]
    return words
