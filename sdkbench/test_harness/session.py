"""run_session: one sandboxed run of a boot script, and the records it sent. For every language."""

import json
import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import Placement
from sdkbench.sandbox import Command, Completed, Counterpart, Limits, Link, Mount, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import CHANNEL, MESSAGE, WORKSPACE
from sdkbench.test_harness.records import Records, read_records

INSIDE = Path(__file__).parent.parent / "inside"


class Boot(NamedTuple):
    """How to start a boot script: its interpreter's words, what must be visible, what to set."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str]
    search_path: tuple[Path, ...] = ()
    scratch: tuple[str, ...] = ()
    counterpart: Counterpart | None = None  # a solution that the tests call from outside
    process_files: bool = True


def boot_words(program: str) -> tuple[str, ...]:
    """How the base interpreter starts a program of `inside`, without any installed package."""
    return (interpreter(), "-E", "-s", "-S", "-B", str(INSIDE), program)


def run_session(
    sandbox: Sandbox,
    boot: Boot,
    placements: tuple[Placement, ...],
    order: Mapping[str, Any],
    limits: Limits,
    stages: tuple[tuple[Placement, ...], ...] = (),
    archive: Path | None = None,
) -> tuple[Completed, Records]:
    """Give `order` to the boot script and read its channel.

    The order gains what every boot script needs: the workspace, the channel's descriptor and a
    nonce that each record must carry.
    """
    nonce = secrets.token_hex(16)
    whole = {**order, "workspace": WORKSPACE, "channel_fd": CHANNEL, "nonce": nonce}
    # The counterpart and all its processes are gone before a word of the record is read.
    with boot.counterpart.serving() if boot.counterpart else nullcontext(Link()) as link:
        completed = sandbox.run(
            Command(
                argv=(*boot.argv, MESSAGE),
                env=dict(boot.env),
                placements=placements,
                stages=stages,
                archive=archive,
                mounts=(*boot.mounts, *link.mounts, Mount(path=INSIDE)),
                search_path=(*link.search_path, *boot.search_path),
                scratch=boot.scratch,
                process_files=boot.process_files,
                channel=True,
                message=json.dumps(whole).encode(),
                limits=limits,
            )
        )
    return completed, read_records(completed.channel, nonce, truncated=completed.channel_truncated)
