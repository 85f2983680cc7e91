"""A word as the table sees it: its text as far as it is fixed."""

from typing import NamedTuple

from sdkbench.shell.syntax import Glob, Literal, Span, Tilde, Word

# Stands for whatever an expansion gives; no utility's option has this letter.
UNKNOWN = "\N{OBJECT REPLACEMENT CHARACTER}"


class Argument(NamedTuple):
    text: str
    fixed: bool
    span: Span

    @property
    def option_like(self) -> bool:
        """Whether it starts with a minus and its letters are known, up to an option's argument."""
        return len(self.text) > 1 and self.text[0] == "-" and self.text[1] != UNKNOWN


def argument(word: Word) -> Argument:
    text = ""
    fixed = True
    for part in word.parts:
        if isinstance(part, Literal):
            text += part.value
        elif isinstance(part, Glob):
            text += part.pattern
        elif isinstance(part, Tilde):
            text += f"~{part.user}"
        else:
            text += UNKNOWN
            fixed = False
    return Argument(text, fixed, word.span)
