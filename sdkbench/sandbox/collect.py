"""collect: a command run in a copy of a folder, and the files that it leaves there."""

import json
import tarfile
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ValidationError

from sdkbench.core import Placement, tree
from sdkbench.sandbox import bubblewrap
from sdkbench.sandbox.command import ARCHIVE, CHANNEL, WORKSPACE, Command, Completed, Limits, Mount
from sdkbench.sandbox.levels import Level, Sandbox

PROGRAM = Path(__file__).parent.parent / "inside" / "sandbox" / "collect.py"
FOLDER = "project"
PACKING_SECONDS = 60.0
MIB = 1 << 20


class OutputFile(NamedTuple):
    """A file in the folder afterwards; `data` is None for anything but a regular file."""

    path: str
    data: bytes | None
    executable: bool = False


class Collected(NamedTuple):
    completed: Completed
    exit_code: int | None  # None: ended by a signal or at its limit, or never begun
    late: bool
    problem: str  # why nothing, or not everything, came back; empty where all did
    files: tuple[OutputFile, ...]


class _Report(BaseModel):
    code: int | None = None
    late: bool = False
    not_started: str = ""
    problem: str = ""
    too_much: bool = False
    packed: bool = False


def collect(
    sandbox: Sandbox,
    argv: Sequence[str],
    *,
    placements: tuple[Placement, ...],
    seconds: float,
    env: Mapping[str, str],
    mounts: Sequence[Path] = (),
    search_path: Sequence[Path] = (),
    network: bool = False,
) -> Collected:
    """Run `argv` in the folder that `placements` lay at `FOLDER`, for no longer than `seconds`.

    At the limit it is ended, and the folder comes back as it is then. Raises SandboxFault where
    the sandbox itself fails, Cancelled when asked to stop.
    """
    order = {
        "argv": list(argv),
        "folder": f"{WORKSPACE}/{FOLDER}",
        "seconds": seconds,
        "alone": sandbox.level is Level.BUBBLEWRAP,
        "skipped": sorted(tree.VENDORED),
        "max_files": tree.MAX_FILES,
        "max_bytes": tree.MAX_BYTES,
    }
    # Descriptors are numbers: their places are filled in outside of the quotes.
    words = json.dumps(order)[:-1] + f', "channel": {CHANNEL}, "archive": {ARCHIVE}' + "}"
    with tempfile.TemporaryDirectory(prefix="sdkbench-") as scratch:
        archive = Path(scratch) / "files.tar"
        completed = sandbox.run(
            Command(
                argv=(bubblewrap.interpreter(), "-I", "-S", str(PROGRAM), words),
                env=dict(env),
                cwd=FOLDER,
                placements=placements,
                mounts=(Mount(path=PROGRAM), *(Mount(path=path) for path in mounts)),
                search_path=tuple(search_path),
                network=network,
                namespaces=True,  # agents bring sandboxes of their own
                channel=True,
                archive=archive,
                limits=Limits(
                    wall_seconds=seconds + PACKING_SECONDS,
                    cpu_seconds=max(600, int(4 * seconds)),
                    file_bytes=tree.MAX_BYTES + 64 * MIB,
                ),
            )
        )
        report = _report(completed)
        files = _taken(archive) if report.packed else ()
    if files is None:
        report = report.model_copy(update={"packed": False, "problem": "they are garbled"})
    problem = _problem(report, completed)
    return Collected(completed, report.code, report.late, problem, files or ())


def _report(completed: Completed) -> _Report:
    try:
        return _Report.model_validate_json(completed.channel)
    except ValidationError:
        return _Report(problem=f"the program that collects them ended with {completed.ending()}")


def _problem(report: _Report, completed: Completed) -> str:
    if report.not_started:
        return f"it could not be started: {report.not_started}"
    if report.too_much:
        return (
            f"it left more than {tree.MAX_FILES:,} files or {tree.MAX_BYTES // MIB} MiB, "
            "so nothing was taken"
        )
    if report.packed:
        return ""
    return f"its files could not be read ({report.problem or completed.ending()})"


def _taken(archive: Path) -> tuple[OutputFile, ...] | None:
    """None for what is no archive: code that shared the sandbox may have written to it."""
    try:
        return tuple(_unpacked(archive))
    except (tarfile.TarError, OSError, ValueError, OverflowError, RecursionError):
        return None


def _unpacked(archive: Path) -> Iterator[OutputFile]:
    """The archive's members. Our own program wrote it, but the judged code chose the names."""
    with tarfile.open(archive, "r:") as packed:
        for member in packed:
            stream = packed.extractfile(member) if member.isreg() else None
            data = None if stream is None else stream.read(member.size)
            yield OutputFile(member.name, data, bool(member.mode & 0o100))
