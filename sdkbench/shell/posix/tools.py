"""ShellCheck and shfmt over many commands per process, and what to do when one of them is junk."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

from pydantic import BaseModel, TypeAdapter, ValidationError

from sdkbench.errors import HarnessFault

# Enough to hide the start of a process, few enough that a lost batch costs little.
BATCH_COMMANDS = 200
BATCH_CHARACTERS = 200_000

# The codes that speak of grammar and of portability: leaving the rest out keeps the output small.
CODES = ",".join(f"SC{code}" for block in (1000, 3000) for code in range(block, block + 200))

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


SHELLCHECK_OUTPUT = TypeAdapter(ShellCheckOutput)


def shellcheck(sources: Sequence[str], run: Run) -> list[Remarks | None]:
    """Per source what ShellCheck says of it as `sh`; None where it gave no answer."""
    return _in_batches(sources, lambda batch: _shellcheck_batch(batch, run))


def shfmt(sources: Sequence[str], dialect: str, run: Run) -> list[Remarks | None]:
    """Per source why shfmt can't read it in this dialect; an empty tuple where it can."""
    return _in_batches(sources, lambda batch: _shfmt_batch(batch, dialect, run))


Judge = Callable[[Sequence[str]], list[Remarks] | None]


def _in_batches(sources: Sequence[str], judge: Judge) -> list[Remarks | None]:
    return [remarks for batch in _batches(sources) for remarks in _bisect(batch, judge)]


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
    """Halve a batch that got no answer until only the command that spoilt it goes without."""
    answer = judge(batch)
    if answer is not None:
        return list(answer)
    if len(batch) == 1:
        return [None]
    middle = len(batch) // 2
    return _bisect(batch[:middle], judge) + _bisect(batch[middle:], judge)


def _shellcheck_batch(batch: Sequence[str], run: Run) -> list[Remarks] | None:
    files = _files(batch)
    output = run(
        ("shellcheck", "--norc", "--extended-analysis=false", "--shell=sh", "--severity=warning",
         f"--include={CODES}", "--format=json1", *files),
        files,
    )  # fmt: skip
    if not output.complete:
        return None
    if output.exit_code not in {0, 1, 2}:
        raise HarnessFault(
            f"shellcheck ended with exit code {output.exit_code}: {output.stderr.strip()[:200]}. "
            "Check its version: 0.9 or later is needed."
        )
    try:
        comments = SHELLCHECK_OUTPUT.validate_python(json.loads(output.stdout)).comments
    except (json.JSONDecodeError, ValidationError):
        return None
    found: dict[str, list[Remark]] = {name: [] for name in files}
    for comment in comments:
        found[comment.file].append(
            Remark(f"SC{comment.code}", comment.message, comment.line, comment.column,
                   error=comment.level == "error")
        )  # fmt: skip
    return [tuple(found[name]) for name in files]


def _shfmt_batch(batch: Sequence[str], dialect: str, run: Run) -> list[Remarks] | None:
    files = _files(batch)
    output = run(("shfmt", f"--language-dialect={dialect}", "--list", *files), files)
    if not output.complete or output.exit_code not in {0, 1}:
        return None
    found: dict[str, list[Remark]] = {name: [] for name in files}
    for line in output.stderr.splitlines():
        match = SHFMT_LINE.match(line)
        if match is None or match["file"] not in found:
            return None
        remark = Remark(
            "shfmt", match["message"], int(match["line"]), int(match["column"]), error=True
        )
        found[match["file"]].append(remark)
    return [tuple(found[name]) for name in files]


def _files(batch: Sequence[str]) -> dict[str, bytes]:
    # Lone surrogates can't be written as UTF-8; any replacement is as foreign to the shell.
    return {
        f"{index}.sh": source.encode("utf-8", "replace") + b"\n"
        for index, source in enumerate(batch)
    }
