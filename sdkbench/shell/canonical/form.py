"""Form: the one shape of a canonical value. Two commands are equal if their forms are.

Kinds of a word's children: `text`, `glob`, `home`, `param`, `split` (an unquoted expansion, which
the shell splits and globs), `command`, `process`, `arithmetic`, `brace`, `array`,
and `input`, the words that xargs adds.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple


class Form(NamedTuple):
    kind: str
    label: str = ""
    children: "tuple[Form, ...]" = ()

    @property
    def lead(self) -> str | None:
        """The text that a word begins with; None where an expansion begins it."""
        if self.kind == "word" and self.children and self.children[0].kind == "text":
            return self.children[0].label
        return None

    @property
    def whole(self) -> bool:
        return len(self.children) == 1

    @property
    def splits(self) -> bool:
        return any(atom.kind in ("split", "brace", "input") for atom in self.children)

    def after(self, length: int) -> "Form":
        """The word less its first characters, which must be text."""
        rest = self.children[0].label[length:]
        children = self.children[1:]
        if rest or not children:
            children = (Form("text", rest), *children)
        return Form("word", "", children)


Words = tuple[Form, ...]
# Where find and xargs put a name: a text that holds it isn't known.
PLACEHOLDER = "{}"


def glued(atoms: Iterable[Form]) -> list[Form]:
    """Atoms of a word, with neighbouring texts put together."""
    whole: list[Form] = []
    for atom in atoms:
        if atom.kind == "text" and whole and whole[-1].kind == "text":
            whole[-1] = Form("text", whole[-1].label + atom.label)
        else:
            whole.append(atom)
    return whole


@lru_cache(maxsize=1024)
def text_word(value: str) -> Form:
    """Kept, as commands share most of their words; not all of them, as one may have 64 KiB."""
    return Form("word", "", (Form("text", value),))


def constant(word: Form) -> str | None:
    """The text of a word that is nothing but text."""
    return word.lead if len(word.children) == 1 else None


def is_one_file(word: Form) -> bool:
    """One word for one file, whose name is no option, and no assignment to awk.

    `{}` may stand for many.
    """
    lead = word.lead
    if any(atom.kind not in ("text", "param") for atom in word.children) or not word.children:
        return False
    if any(PLACEHOLDER in atom.label for atom in word.children):
        return False
    return lead is None or (lead[:1] != "-" and "=" not in lead)


_NO_OPTIONS, _NO_SEQUENCE, _NO_INNER = Form("options"), Form("sequence"), Form("inner")


def call_form(
    name: str, options: Words, operands: Words, inner: Words = (), *,
    sequence: Words = (), guard: str = "",
) -> Form:  # fmt: skip
    """A command that is understood: its children are always these four, in this order."""
    return Form(
        "call",
        name,
        (
            Form("options", "", options) if options else _NO_OPTIONS,
            Form("sequence", "", sequence) if sequence else _NO_SEQUENCE,
            Form("operands", guard, operands),
            Form("inner", "", inner) if inner else _NO_INNER,
        ),
    )
