"""ShellCheck and shfmt over many commands per process, run by the sandbox.

A command that hangs or breaks a tool goes without an answer; the others of its batch don't.
"""

import functools
import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from pydantic import BaseModel, ValidationError

from sdkbench.core import Placement
from sdkbench.errors import HarnessFault, MissingTool
from sdkbench.sandbox import Command, Limits, Mount, Sandbox, choose
from sdkbench.sandbox.command import GIB, MIB

# Enough to hide the start of a process, few enough that a lost batch costs little.
BATCH_COMMANDS = 200
BATCH_CHARACTERS = 200_000

# The codes about grammar and portability: without the rest, the output stays small.
CODES = ",".join(f"SC{code}" for block in (1000, 3000) for code in range(block, block + 200))
SHELLCHECK_OPTIONS = (
    "--norc", "--extended-analysis=false", "--shell=sh", "--severity=warning", f"--include={CODES}",
)  # fmt: skip

# A batch of two hundred takes half a second on an idle core. Smaller batches have less time, so
# that halving one around a command that hangs the tool ends soon.
BASE_SECONDS = 5.0
SECONDS_PER_FILE = 0.1
FOLDER = "commands"

SHFMT_LINE = re.compile(r"^(?P<file>\d+\.sh):(?P<line>\d+):(?P<column>\d+): (?P<message>.*)$")


class ToolOutput(NamedTuple):
    """How a tool ended. `complete` is false if a limit stopped it or its output was cut."""

    exit_code: int | None
    stdout: str
    stderr: str
    complete: bool = True


class Run(Protocol):
    """Starts `argv` in a folder of its own that holds `files`, under a time limit.

    A missing program is raised as MissingTool; a program that fails or hangs is a ToolOutput.
    """

    def __call__(self, argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput: ...


class SandboxedTools:
    """A `Run`. The tools only read text, so any level of isolation will do."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self._sandbox = sandbox

    def __call__(self, argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        program = find_tool(argv[0])
        if self._sandbox is None:
            self._sandbox = choose()
        with tempfile.TemporaryDirectory(prefix="sdkbench-commands-") as name:
            folder = Path(name)
            for file, content in files.items():
                (folder / file).write_bytes(content)
            done = self._sandbox.run(
                Command(
                    argv=(str(program), *argv[1:]),
                    cwd=FOLDER,
                    placements=(Placement(source=folder, target=FOLDER, read_only=True),),
                    mounts=(Mount(path=program),),
                    limits=_limits(len(files)),
                )
            )
        whole = done.stopped_by is None and done.signal is None and not done.truncated
        return ToolOutput(done.exit_code, done.stdout, done.stderr, complete=whole)


@functools.cache
def find_tool(name: str) -> Path:
    """The program that came with our dependencies, else the one on PATH."""
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    path = shutil.which(name, path=beside)
    if path is None:
        raise MissingTool(
            f"{name} is not installed, and POSIX can't be judged without it. "
            f"Install it with: pip install {name}-py"
        )
    return Path(path).resolve()


@functools.cache
def default_tools() -> Run:
    return SandboxedTools()


def _limits(files: int) -> Limits:
    seconds = BASE_SECONDS + SECONDS_PER_FILE * files
    return Limits(
        wall_seconds=seconds,
        cpu_seconds=int(4 * seconds),
        memory_bytes=2 * GIB,
        processes=256,
        output_bytes=32 * MIB,
        output_stop_bytes=64 * MIB,
    )


class Remark(NamedTuple):
    """One tool's complaint about one command; line and column count from 1."""

    code: str
    message: str
    line: int
    column: int
    error: bool


Remarks = tuple[Remark, ...]


class ShellCheckComment(BaseModel):
    file: str
    line: int
    column: int
    level: str
    code: int
    message: str


class ShellCheckOutput(BaseModel):
    comments: list[ShellCheckComment]


class Tools(Protocol):
    """By source what a tool says of it; None where it gave no answer."""

    def shfmt(self, sources: Iterable[str], dialect: str) -> dict[str, Remarks | None]: ...

    def shellcheck(self, sources: Iterable[str]) -> dict[str, Remarks | None]: ...


class BatchTools(NamedTuple):
    """`Tools` that start a process for every two hundred commands."""

    run: Run

    def shfmt(self, sources: Iterable[str], dialect: str) -> dict[str, Remarks | None]:
        return shfmt(sources, dialect, self.run)

    def shellcheck(self, sources: Iterable[str]) -> dict[str, Remarks | None]:
        return shellcheck(sources, self.run)


def shellcheck(sources: Iterable[str], run: Run) -> dict[str, Remarks | None]:
    """By source what ShellCheck says of it as `sh`; None where it gave no answer."""
    return _in_batches(sources, lambda batch: _shellcheck_batch(batch, run))


def shfmt(sources: Iterable[str], dialect: str, run: Run) -> dict[str, Remarks | None]:
    """By source why shfmt can't read it in this dialect; an empty tuple where it can."""
    return _in_batches(sources, lambda batch: _shfmt_batch(batch, dialect, run))


Judge = Callable[[Sequence[str]], list[Remarks] | None]


def _in_batches(sources: Iterable[str], judge: Judge) -> dict[str, Remarks | None]:
    distinct = list(dict.fromkeys(sources))
    answers = [remarks for batch in _batches(distinct) for remarks in _bisect(batch, judge)]
    return dict(zip(distinct, answers, strict=True))


def _batches(sources: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for source in sources:
        if batch and (len(batch) == BATCH_COMMANDS or size + len(source) > BATCH_CHARACTERS):
            yield batch
            batch, size = [], 0
        batch.append(source)
        size += len(source)
    if batch:
        yield batch


def _bisect(batch: Sequence[str], judge: Judge) -> list[Remarks | None]:
    """Halve a batch that got no answer, until only the command that caused it is without one."""
    answer = judge(batch)
    if answer is not None:
        return list(answer)
    if len(batch) == 1:
        return [None]
    middle = len(batch) // 2
    return _bisect(batch[:middle], judge) + _bisect(batch[middle:], judge)


def _shellcheck_batch(batch: Sequence[str], run: Run) -> list[Remarks] | None:
    files = _files(batch)
    output = run(("shellcheck", *SHELLCHECK_OPTIONS, "--format=json1", *files), files)
    if not output.complete:
        return None
    if output.exit_code not in {0, 1, 2}:
        raise HarnessFault(
            f"shellcheck ended with exit code {output.exit_code}: {output.stderr.strip()[:200]}. "
            "Check its version: 0.9 or later is needed."
        )
    try:
        comments = ShellCheckOutput.model_validate(json.loads(output.stdout)).comments
    except (json.JSONDecodeError, ValidationError):
        return None
    remarks: dict[str, list[Remark]] = {name: [] for name in files}
    for comment in comments:
        code, error = f"SC{comment.code}", comment.level == "error"
        remark = Remark(code, comment.message, comment.line, comment.column, error)
        remarks[comment.file].append(remark)
    return [tuple(remarks[name]) for name in files]


def _shfmt_batch(batch: Sequence[str], dialect: str, run: Run) -> list[Remarks] | None:
    files = _files(batch)
    output = run(("shfmt", f"--language-dialect={dialect}", "--list", *files), files)
    if not output.complete or output.exit_code not in {0, 1}:
        return None
    return shfmt_remarks(output.stderr, list(files))


def shfmt_remarks(stderr: str, names: Sequence[str]) -> list[Remarks] | None:
    """By file what shfmt complains of; None where it says anything else."""
    remarks: dict[str, list[Remark]] = {name: [] for name in names}
    for line in stderr.splitlines():
        match = SHFMT_LINE.match(line)
        if match is None or match["file"] not in remarks:
            return None
        place = (int(match["line"]), int(match["column"]))
        remarks[match["file"]].append(Remark("shfmt", match["message"], *place, error=True))
    return [tuple(remarks[name]) for name in names]


def _files(batch: Sequence[str]) -> dict[str, bytes]:
    # Lone surrogates can't be written as UTF-8; any replacement is as foreign to the shell.
    return {
        f"{index}.sh": source.encode("utf-8", "replace") + b"\n"
        for index, source in enumerate(batch)
    }
