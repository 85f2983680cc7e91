"""Form: the one shape of a canonical value. Two commands are equal if their forms are.

Kinds of a word's children: `text`, `glob`, `home`, `param`, `split` (an unquoted expansion, which
the shell splits and globs), `command`, `process`, `arithmetic`, `brace`, `array`,
and `input`, the words that xargs adds.
"""

from collections.abc import Iterable
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


def glued(atoms: Iterable[Form]) -> list[Form]:
    """Atoms of a word, with neighbouring texts put together."""
    whole: list[Form] = []
    for atom in atoms:
        if atom.kind == "text" and whole and whole[-1].kind == "text":
            whole[-1] = Form("text", whole[-1].label + atom.label)
        else:
            whole.append(atom)
    return whole


def text_word(value: str) -> Form:
    return Form("word", "", (Form("text", value),))


def constant(word: Form) -> str | None:
    """The text of a word that is nothing but text."""
    return word.lead if len(word.children) == 1 else None


def call_form(
    name: str, options: Words, operands: Words, inner: Words = (), *,
    sequence: Words = (), guard: str = "",
) -> Form:  # fmt: skip
    """A command that is understood: its children are always these four, in this order."""
    return Form(
        "call",
        name,
        (
            Form("options", "", options),
            Form("sequence", "", sequence),
            Form("operands", guard, operands),
            Form("inner", "", inner),
        ),
    )
