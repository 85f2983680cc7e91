"""run_session: one sandboxed run of a boot script, and the records it sent. For every language."""

import json
import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ConfigDict

from sdkbench.core import Placement
from sdkbench.sandbox import Command, Completed, Counterpart, Limits, Link, Mount, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import MESSAGE
from sdkbench.test_harness.protocol import Order, Record, Records, read_records

INSIDE = Path(__file__).parent.parent / "inside"


class UntypedOrder(Order):
    """Until every language has an order of its own."""

    model_config = ConfigDict(extra="allow")


class Boot(NamedTuple):
    """How to start a boot script: its interpreter's words, what must be visible, what to set."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str]
    search_path: tuple[Path, ...] = ()
    scratch: tuple[str, ...] = ()
    counterpart: Counterpart | None = None  # a solution that the tests call from outside
    process_files: bool = True
    own_records: tuple[type[Record], ...] = ()  # kinds that only this program sends


def boot_words(program: str | Path) -> tuple[str, ...]:
    """How the base interpreter starts a program of `inside` by its name, or a plugin's own by its
    file, which must be mounted. It sees no installed package.
    """
    return (interpreter(), "-E", "-s", "-S", "-B", str(INSIDE), str(program))


def sandbox_command(
    boot: Boot,
    order: Order | Mapping[str, Any],
    limits: Limits,
    *,
    nonce: str = "",
    link: Link = Link(),  # noqa: B008 - immutable
    placements: tuple[Placement, ...] = (),
    archive: Path | None = None,
) -> Command:
    whole = order if isinstance(order, Order) else UntypedOrder(**order)
    return Command(
        argv=(*boot.argv, MESSAGE),
        env=dict(boot.env),
        placements=placements,
        archive=archive,
        mounts=(*boot.mounts, *link.mounts, Mount(path=INSIDE)),
        search_path=(*link.search_path, *boot.search_path),
        scratch=boot.scratch,
        process_files=boot.process_files,
        channel=True,
        # Escaped as ASCII: a file name that is no UTF-8 must come through as well.
        message=json.dumps(whole.model_dump() | {"nonce": nonce}).encode(),
        limits=limits,
    )


def run_session(
    sandbox: Sandbox,
    boot: Boot,
    placements: tuple[Placement, ...],
    order: Order | Mapping[str, Any],
    limits: Limits,
    archive: Path | None = None,
) -> tuple[Completed, Records]:
    """Give `order` to the program; read its channel. The order gains a nonce that each record must
    carry.
    """
    nonce = secrets.token_hex(16)
    # The counterpart and all its processes are gone before a word of the record is read.
    with boot.counterpart.serving() if boot.counterpart else nullcontext(Link()) as link:
        completed = sandbox.run(
            sandbox_command(
                boot,
                order,
                limits,
                nonce=nonce,
                link=link,
                placements=placements,
                archive=archive,
            )
        )
    records = read_records(
        completed.channel, nonce, boot.own_records, truncated=completed.channel_truncated
    )
    return completed, records
