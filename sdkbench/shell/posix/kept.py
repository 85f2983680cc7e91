"""The tools kept at the ready in one sandbox, what they have said before, and plain commands.

A first-seen command costs the tools' own work instead of the start of two sandboxes. Many commands
at once go the way of a batch. Any thread may ask.
"""

import atexit
import functools
import json
import os
import re
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

from sdkbench.errors import SandboxFault
from sdkbench.sandbox import Command, Ending, Limits, Mount, Sandbox, choose
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import GIB
from sdkbench.sandbox.resident import CONTROL
from sdkbench.sandbox.service import Service
from sdkbench.shell.posix.plain import surely_plain
from sdkbench.shell.posix.tools import (
    BASE_SECONDS,
    SHELLCHECK_OPTIONS,
    BatchTools,
    Remark,
    Remarks,
    default_tools,
    find_tool,
    shfmt_remarks,
)

PROGRAM = Path(__file__).parents[2] / "inside" / "shell" / "tools.py"
START_SECONDS = 30.0  # for an interpreter in a sandbox, on a machine that is busy
TRIES = 2
# From here on a batch of its own is cheaper than one request after the other.
MANY = 50
REMEMBERED = 20_000
REMEMBERED_LENGTH = 2_000  # longer texts are rare, and hardly ever come again
# The program outlives any request, which has a time limit of its own.
LIMITS = Limits(wall_seconds=1e9, cpu_seconds=10**9, memory_bytes=2 * GIB, processes=256)

COMMENT = re.compile(
    r"<error line='(\d+)' column='(\d+)' severity='(\w+)' message='([^']*)' "
    r"source='ShellCheck\.(SC\d+)' />"
)
ESCAPED = re.compile(r"&#(\d+);")


class Unserved(SandboxFault):
    """The kept tools can't answer; the command has to go the way of a batch."""


class KeptTools:
    """A service that is started when first asked, and again when it is gone."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self._sandbox = sandbox
        self._lock = threading.Lock()
        self._service: Service | None = None
        self._owner = 0
        self._refused = ""  # why the service can't be started here

    @property
    def pid(self) -> int | None:
        return None if self._service is None else self._service.pid

    def ask(self, tool: str, text: str, *, seconds: float = BASE_SECONDS) -> str | None:
        """What the tool says of `text`; None if it is late. Raises Unserved, MissingTool."""
        line = json.dumps({"tool": tool, "text": text}).encode()
        with self._lock:
            for _ in range(TRIES):
                reply = self._running().ask(line, seconds=seconds)
                if reply.ending is not None:
                    self._service = None
                if reply.ending is Ending.LATE:
                    return None
                if reply.ending is None:
                    answer = json.loads(reply.line)
                    if not answer["lost"]:
                        return str(answer["output"])
        raise Unserved(f"{tool} gave no answer.")

    def close(self) -> None:
        """End the service; the next question starts another."""
        with self._lock:
            service, self._service = self._service, None
            if service is not None and self._owner == os.getpid():
                service.stop()

    def _running(self) -> Service:
        if self._refused:
            raise Unserved(self._refused)
        if self._service is None or self._owner != os.getpid():  # a forked copy has its own
            try:
                self._service = self._start()
            except SandboxFault as fault:
                self._refused = str(fault)
                raise Unserved(self._refused) from fault
            self._owner = os.getpid()
        return self._service

    def _start(self) -> Service:
        programs = {name: find_tool(name) for name in ("shellcheck", "shfmt")}
        shellcheck = [str(programs["shellcheck"]), *SHELLCHECK_OPTIONS, "--format=checkstyle"]
        order = json.dumps({"shellcheck": shellcheck, "shfmt": str(programs["shfmt"])})
        command = Command(
            argv=(interpreter(), "-I", "-S", "-B", str(PROGRAM), CONTROL, order),
            mounts=tuple(Mount(path=path) for path in (PROGRAM, *programs.values())),
            limits=LIMITS,
        )
        service = Service(self._sandbox or choose(), command)
        if service.ask(b"", seconds=START_SECONDS).ending is not None:
            raise SandboxFault("The tools for POSIX can't be kept running here.")
        return service


class RememberingTools:
    """`Tools` that answer from memory first, then by the kept tools or a batch.

    Remarks depend on nothing but the text: the tools stay the same while we run.
    """

    def __init__(self, kept: KeptTools, batch: BatchTools) -> None:
        self.kept = kept
        self._batch = batch
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Remarks] = {}

    def shfmt(self, sources: Iterable[str], dialect: str) -> dict[str, Remarks | None]:
        return self._answers(
            dialect,
            sources,
            lambda output: shfmt_remarks(output, ["0.sh"]),
            lambda texts: self._batch.shfmt(texts, dialect),
        )

    def shellcheck(self, sources: Iterable[str]) -> dict[str, Remarks | None]:
        return self._answers("shellcheck", sources, _shellcheck_remarks, self._batch.shellcheck)

    def _answers(
        self,
        tool: str,
        sources: Iterable[str],
        read: Callable[[str], list[Remarks] | None],
        batch: Callable[[Iterable[str]], dict[str, Remarks | None]],
    ) -> dict[str, Remarks | None]:
        texts = list(dict.fromkeys(sources))
        answers: dict[str, Remarks | None] = {text: self._known_of(tool, text) for text in texts}
        missing = [text for text in texts if answers[text] is None]
        if len(missing) >= MANY:
            fresh = batch(missing)
        else:
            fresh = {text: self._ask(tool, text, read, batch) for text in missing}
        self._remember(tool, fresh)
        return answers | fresh

    def _ask(
        self,
        tool: str,
        text: str,
        read: Callable[[str], list[Remarks] | None],
        batch: Callable[[Iterable[str]], dict[str, Remarks | None]],
    ) -> Remarks | None:
        try:
            output = self.kept.ask(tool, text)
        except Unserved:
            return batch([text])[text]
        remarks = None if output is None else read(output)
        return None if remarks is None else remarks[0]

    def _known_of(self, tool: str, text: str) -> Remarks | None:
        if surely_plain(text):
            return ()
        return self._known.get((tool, text))

    def _remember(self, tool: str, answers: dict[str, Remarks | None]) -> None:
        with self._lock:
            for text, remarks in answers.items():
                if remarks is not None and len(text) <= REMEMBERED_LENGTH:
                    self._known[tool, text] = remarks
            while len(self._known) > REMEMBERED:
                del self._known[next(iter(self._known))]


@functools.cache
def kept_tools() -> RememberingTools:
    """The one of this process; its service ends with it."""
    kept = KeptTools()
    atexit.register(kept.close)
    return RememberingTools(kept, BatchTools(default_tools()))


def _shellcheck_remarks(output: str) -> list[Remarks] | None:
    """None where it says something else than comments, such as that it can't read its file."""
    comments = COMMENT.findall(output)
    if len(comments) != output.count("<error "):
        return None
    return [
        tuple(
            Remark(code, _unescaped(message), int(line), int(column), severity == "error")
            for line, column, severity, message, code in comments
        )
    ]


def _unescaped(message: str) -> str:
    return ESCAPED.sub(lambda match: chr(int(match[1])), message)
