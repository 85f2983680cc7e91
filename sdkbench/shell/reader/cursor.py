"""The place in the text that every reading function moves on."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from sdkbench.shell.reader.tree import Heredoc, Literal, Quoting, Script, Span

# Nobody writes forty levels by hand; a generated bomb has thousands. Each level costs about ten
# Python frames, so this also stays well under the interpreter's recursion limit.
MAX_DEPTH = 40

BLANKS = re.compile(r"(?:[ \t]|\\\n)+")


class Stuck(Exception):
    """Thrown to leave the reader; `parse` turns it into a value. Never seen by callers."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.message = message
        self.position = position


@dataclass(slots=True)
class Cursor:
    """`offsets` maps positions of unescaped backtick text to the original text."""

    text: str
    read_script: "Callable[[Cursor, frozenset[str]], Script]"
    position: int = 0
    depth: int = 0
    offsets: list[int] | None = None
    awaited: list[Heredoc] = field(default_factory=list)
    not_arithmetic: set[int] = field(default_factory=set)
    retraced: int = 0  # characters read as arithmetic that was none

    @property
    def at_end(self) -> bool:
        return self.position >= len(self.text)

    def original(self, position: int) -> int:
        return position if self.offsets is None else self.offsets[position]

    def span(self, start: int) -> Span:
        if self.offsets is None:  # as `original`, but this is asked for each word
            return tuple.__new__(Span, (start, self.position))
        return Span(self.original(start), self.original(self.position))

    def at(self, token: str) -> bool:
        return self.text.startswith(token, self.position)

    def peek(self, ahead: int = 0) -> str:
        where = self.position + ahead
        return self.text[where : where + 1]

    def looking_at(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        return pattern.match(self.text, self.position)

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The match at the cursor, which moves behind it; None leaves the cursor where it is."""
        match = pattern.match(self.text, self.position)
        if match:
            self.position = match.end()
        return match

    def literal(self, start: int, quoting: Quoting, value: str | None = None) -> Literal:
        """The text from `start` to here, as it is written or for the `value` it stands for."""
        written = self.text[start : self.position] if value is None else value
        return Literal(written, quoting, self.span(start))

    def skip_blanks(self) -> None:
        match = BLANKS.match(self.text, self.position)
        if match:
            self.position = match.end()

    def stuck(self, message: str, position: int | None = None) -> Stuck:
        return Stuck(message, self.original(self.position if position is None else position))

    def enter(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise self.stuck(f"nested more than {MAX_DEPTH} deep")

    def leave(self) -> None:
        self.depth -= 1
