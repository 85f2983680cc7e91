"""What is asked of a sandbox, and what comes back."""

from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from sdkbench.core.project import Placement

GIB = 1024**3
MIB = 1024**2

FIRST_USER = 1000  # not root: servers that refuse to run as root run

# In argv, env and message of a Command, replaced by what they are at the level that runs it.
WORKSPACE = "{workspace}"
CHANNEL = "{channel}"
MESSAGE = "{message}"
ARCHIVE = "{archive}"
SHARED = "{shared}"


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Limits(Frozen):
    """What a command may use. Every limit that a level cannot apply is named in the result."""

    wall_seconds: float = Field(default=300.0, gt=0)
    cpu_seconds: int = Field(default=600, gt=0)  # each process; two cores for the wall time
    memory_bytes: int = Field(default=4 * GIB, gt=0)  # the whole tree, where a cgroup can be had
    processes: int = Field(default=1024, gt=0)  # threads count too, and servers have many
    file_bytes: int = Field(default=GIB, gt=0)  # the largest single file
    disk_bytes: int = Field(default=GIB, gt=0)  # each scratch file system
    output_bytes: int = Field(default=MIB, gt=0)  # kept of stdout and of stderr, head and tail
    output_stop_bytes: int = Field(default=128 * MIB, gt=0)  # past this the command is stopped
    channel_bytes: int = Field(default=32 * MIB, gt=0)


class Mount(Frozen):
    """A host path that stays visible under its own name; everything else is hidden."""

    path: Path
    writable: bool = False


class Command(Frozen):
    """A program to run. `argv`, `env` and `message` (text) may hold the placeholders above.

    `env` is the whole environment besides what every level sets (PATH, HOME, TMPDIR, locale).
    `message`, if given, is readable once from the descriptor `{message}`; `channel` opens the
    descriptor `{channel}` for results. The working folder is the workspace, or `cwd` below it.
    """

    argv: tuple[str, ...] = Field(min_length=1)
    env: dict[str, str] = Field(default_factory=dict)
    cwd: str = "."
    placements: tuple[Placement, ...] = ()
    mounts: tuple[Mount, ...] = ()
    search_path: tuple[Path, ...] = ()  # goes before the system's PATH
    scratch: tuple[str, ...] = ()  # folders inside read-only placements that must be writable
    network: bool = False
    process_files: bool = True  # /proc; without it no process can be read or written as a file
    channel: bool = False
    archive: Path | None = None  # a file on the host that can be written at {archive}
    fork_stage: Path | None = None  # for a program that forks runs: where it finds their files
    shared: Path | None = None  # a folder on the host that two sandboxes write to, at {shared}
    links_refused: bool = False  # there: no link, pipe or device can be made in it
    namespaces: bool = False  # whether it may make namespaces and mounts of its own
    message: bytes | None = None
    lent: tuple[int, ...] = ()  # descriptors it inherits under their own numbers; ours to close
    user: int = FIRST_USER  # its user and group id, where a user namespace can be had
    limits: Limits = Limits()


class StoppedBy(StrEnum):
    """Which limit ended the command; absent when it ended by itself."""

    WALL = "wall time"
    CPU = "CPU time"
    MEMORY = "memory"
    PROCESSES = "process count"
    OUTPUT = "output"


class Completed(Frozen):
    """How a command ended. `exit_code` is None when a signal ended it."""

    exit_code: int | None
    signal: int | None
    stopped_by: StoppedBy | None
    stdout: str
    stderr: str
    truncated: bool
    channel: bytes
    channel_truncated: bool
    duration_seconds: float
    level: str
    unapplied: tuple[str, ...]
    held_by: dict[str, str] = Field(default_factory=dict)  # limits of the whole tree: by what
    notes: tuple[str, ...] = ()  # limits that were touched without ending the command

    @property
    def ok(self) -> bool:
        return self.exit_code == 0 and self.stopped_by is None

    @property
    def output(self) -> str:
        return "\n".join(part for part in (self.stdout.rstrip(), self.stderr.rstrip()) if part)

    def ending(self) -> str:
        """How it ended, as a clause: 'exit code 1', 'killed by SIGSEGV', 'stopped: memory'."""
        if self.stopped_by is not None:
            return f"stopped at its {self.stopped_by} limit"
        if self.signal is not None:
            return f"killed by {signal_name(self.signal)}"
        return f"exit code {self.exit_code}"


def signal_name(number: int) -> str:
    import signal  # noqa: PLC0415 - a field above has this name

    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
