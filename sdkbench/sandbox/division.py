"""Whether a sandboxed program may make workspaces of its own, and what it must know for that."""

import functools
from collections.abc import Sequence

from sdkbench.core import Placement
from sdkbench.sandbox import bubblewrap
from sdkbench.sandbox.command import STAGE, WORKSPACE, Command, Limits
from sdkbench.sandbox.levels import Level, Sandbox
from sdkbench.sandbox.process import Cancellation

# The very calls that matter, tried for real: a user and a mount namespace inside of the sandbox's.
TRY = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
uid = os.getuid()
assert libc.unshare(0x10000000 | 0x20000 | 0x08000000) == 0
for name, text in ("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"):
    open(f"/proc/self/{name}", "w").write(text)
assert libc.mount(b"none", b"/", None, ctypes.c_ulong(16384 | 1 << 18), None) == 0
assert libc.mount(b"tmpfs", b"/tmp", b"tmpfs", ctypes.c_ulong(6), b"size=1m") == 0
"""


def divides(sandbox: Sandbox) -> bool:
    """True where a child inside of the sandbox can have file systems of its own."""
    return _tried(sandbox.level, sandbox.user_namespace)


@functools.cache
def _tried(level: Level, user_namespace: bool) -> bool:
    if level is not Level.BUBBLEWRAP:
        return False
    sandbox = Sandbox(level, Cancellation(), user_namespace)
    words = (bubblewrap.interpreter(), "-I", "-S", "-c", TRY)
    return sandbox.run(Command(argv=words, limits=Limits(wall_seconds=20))).ok


def staged(number: int, placements: Sequence[Placement]) -> list[dict[str, object]]:
    """The set `number` of a command's `stages`, as the program inside finds it."""
    return [
        {
            "source": bubblewrap.staged(number, position).replace(bubblewrap.STAGE_ROOT, STAGE),
            "target": f"{WORKSPACE}/{placement.target}",
            "read_only": placement.read_only,
        }
        for position, placement in enumerate(placements)
    ]
