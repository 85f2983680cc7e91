"""What is in force at a point of the command: variables, functions, files written so far."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter

from sdkbench.shell.reader.tree import Command, Script, Span
from sdkbench.shell.safety.report import SafetyFinding, finding_kinds
from sdkbench.shell.safety.values import NO_TAINTS, OPAQUE, SOME, Stream, Taint, Text, load, names

NOWHERE = Span(0, 0)
ENVIRONMENT: dict[str, str] = load("shell")["environment"]
HOME = ENVIRONMENT["HOME"]
NUMBERS = names("shell", "numbers")


@dataclass(slots=True)
class Inspection:
    """The findings so far, and how much more may be looked at.

    `steps` bounds the commands that are looked at (a command may call itself), `nesting` the code
    inside code.
    """

    findings: list[SafetyFinding] = field(default_factory=list)
    steps: int = 10_000
    nesting: int = 0
    depth: int = 0
    wrapped: int = 0
    active: list[str] = field(default_factory=list)  # functions being read


RunScript = Callable[[Script, "Scope", Stream], Stream]
RunText = Callable[[str, "Scope", Span, Stream], Stream]
RunFields = Callable[[tuple[Text, ...], "Scope", Stream], Stream]


@dataclass(slots=True)
class Scope:
    inspection: Inspection
    run_script: RunScript
    run_text: RunText
    run_fields: RunFields
    variables: dict[str, tuple[Text, ...]] = field(default_factory=dict)
    functions: dict[str, Command] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    aliases: dict[str, str] = field(default_factory=dict)
    files: dict[str, Stream] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)  # tested for being set or non-empty
    positional: tuple[Text, ...] | None = None
    cwd: str = ""  # empty: wherever the command starts
    within: Span | None = None  # set while code inside a word is judged
    swept: bool = False  # the caller names every file below a folder, as `find -exec` does
    unset_stops: bool = False  # `set -u` is on
    sockets: set[str] = field(default_factory=set)  # descriptors that `exec` tied to the network
    talks_to: bool = False  # standard input and output are a network connection

    def child(self) -> "Scope":
        """A scope for a subshell: sees what is here, changes nothing here but the findings."""
        inner = Scope(*_IN_FORCE(self))
        inner.variables = dict(self.variables)
        inner.functions = dict(self.functions)
        inner.aliases = dict(self.aliases)
        inner.guarded = set(self.guarded)
        return inner

    def file(self, path: str) -> Stream | None:
        """What an earlier command wrote there."""
        return self.files.get(posixpath.normpath(path)) if self.files else None

    def wrote(self, path: str, stream: Stream) -> None:
        self.files[posixpath.normpath(path)] = stream

    def report(self, name: str, span: Span, /, *, rule: str = "", **shown: str) -> None:
        """`name` is one of `findings.toml`; `shown` fills the places in its message."""
        kind = finding_kinds()[name]
        finding = SafetyFinding(
            rule or kind.rule, kind.hazard, kind.severity, self.within or span,
            kind.message.format(**shown),
        )  # fmt: skip
        if finding not in self.inspection.findings:
            self.inspection.findings.append(finding)

    def give_up(self, span: Span, what: str) -> None:
        """What can't be looked at is not safe."""
        self.report("too-much", span, what=what)

    def run_stream(
        self, stream: Stream, span: Span, stdin: Stream = OPAQUE, *, shell: bool = True
    ) -> Stream:
        """Judge a stream as the code of an interpreter (of another language if not `shell`)."""
        if Taint.NETWORK in stream.taints:
            self.report("network-to-interpreter.stream", span)
        if Taint.DECODED in stream.taints:
            self.report("decoder-to-interpreter.stream", span)
        if shell and stream.text:
            return self.run_text(stream.text, self, span, stdin)
        return OPAQUE

    def assign(self, name: str, value: str) -> None:
        self.variables[name] = (Text(value, NOWHERE, NO_TAINTS),)

    def lookup(self, name: str) -> tuple[Text, ...] | None:
        """The variable's elements; None if nothing is known of it. A guarded one is not empty."""
        elements = self.variables.get(name)
        if elements is not None:
            return elements
        if name in ENVIRONMENT:
            return (Text(ENVIRONMENT[name], NOWHERE),)
        if name in NUMBERS or name in self.guarded or self.unset_stops:
            return (Text(SOME, NOWHERE),)
        if name == "PWD":
            return (Text(self.cwd or ".", NOWHERE),)
        return None


# `dataclasses.replace` is several times slower, and each part of a pipe has a scope.
_IN_FORCE = attrgetter(*(each.name for each in fields(Scope)))
