"""One command run once on a copy of a tree, and what it did."""

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from sdkbench.core import Placement
from sdkbench.sandbox import Command, Completed, Limits, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import CHANNEL, GIB, MESSAGE, MIB, WORKSPACE

PROBE = Path(__file__).with_name("inside_probe.py")
COMMAND_SECONDS = 5.0
MAX_OUTPUT = 4 * MIB
MAX_ENTRIES = 20_000
# What a command finds on its standard input: names that are there in some trees and not in others.
STDIN = "notes.txt\na.txt\nbig.bin\n"
# The probe ends its command itself; these only stop what goes beyond that.
LIMITS = Limits(
    wall_seconds=4 * COMMAND_SECONDS,
    cpu_seconds=int(4 * COMMAND_SECONDS),
    memory_bytes=GIB,
    processes=256,
    file_bytes=64 * MIB,
    disk_bytes=256 * MIB,
)
# Commits made now must be alike; no command may wait for an editor, a pager or a password.
ENVIRONMENT = {
    "GIT_AUTHOR_DATE": "2024-06-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-06-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "EDITOR": "true",
    "PAGER": "cat",
    "COLUMNS": "80",
    "TERM": "dumb",
}


class Observation(BaseModel):
    """`problem` tells why nothing can be concluded; else everything a person could notice."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: int | None
    stdout: str  # its hash
    size: int
    head: str
    changed: bool
    entries: tuple[tuple[str | int, ...], ...]
    problem: str = ""

    @property
    def telling(self) -> bool:
        """It worked, and there is something to see of it."""
        return self.status == 0 and (self.size > 0 or self.changed)

    def without_ages(self) -> "Observation":
        kept = tuple(entry[:4] for entry in self.entries)
        return self.model_copy(update={"entries": kept})


def observe(command: str, shell: str, tree: Path, sandbox: Sandbox) -> Observation:
    """What can't be observed is a problem in the observation, never an exception."""
    order = {
        "command": command,
        "shell": shell,
        "tree": f"{WORKSPACE}/box/tree",
        "stdin": STDIN,
        "seconds": COMMAND_SECONDS,
        "max_output": MAX_OUTPUT,
        "max_entries": MAX_ENTRIES,
    }
    done = sandbox.run(
        Command(
            argv=(
                interpreter(),
                "-I",
                "-S",
                f"{WORKSPACE}/probe/inside_probe.py",
                MESSAGE,
                CHANNEL,
            ),
            env=ENVIRONMENT,
            placements=(
                Placement(source=tree, target="box/tree"),
                Placement(source=PROBE, target="probe/inside_probe.py", read_only=True),
            ),
            message=_message(order, command),
            channel=True,
            limits=LIMITS,
        )
    )
    return _observation(done)


def _message(order: dict[str, object], command: str) -> bytes:
    """As JSON; braces of the command are written so that it holds no placeholder of ours."""
    text = json.dumps(order | {"command": ""})
    escaped = json.dumps(command).replace("{", "\\u007b")
    return text.replace('"command": ""', f'"command": {escaped}', 1).encode()


def _observation(done: Completed) -> Observation:
    """The canary has shown that the probe works: what is missing now is the command's doing."""
    if not done.channel or done.channel_truncated:
        return _nothing(f"nothing was observed of it ({done.ending()})")
    try:
        return Observation.model_validate_json(done.channel)
    except ValidationError:
        return _nothing("what was observed of it can't be read")


def _nothing(problem: str) -> Observation:
    return Observation(
        status=None, stdout="", size=0, head="", changed=False, entries=(), problem=problem
    )
