"""Form: the one shape of a canonical value. Two commands are equal if their forms are.

Kinds of a word's children: `text`, `glob`, `home`, `param`, `split` (an unquoted expansion, which
the shell splits and globs), `command`, `process`, `arithmetic`, `brace`, `array`,
and `input`, the words that xargs adds.
"""

from typing import NamedTuple


class Form(NamedTuple):
    kind: str
    label: str = ""
    children: "tuple[Form, ...]" = ()


def text_word(value: str) -> Form:
    return Form("word", "", (Form("text", value),))


def constant(word: Form) -> str | None:
    """The text of a word that is nothing but text."""
    if word.kind == "word" and len(word.children) == 1 and word.children[0].kind == "text":
        return word.children[0].label
    return None


def lead(word: Form) -> str | None:
    """The text that a word begins with; None where an expansion begins it."""
    if word.kind == "word" and word.children and word.children[0].kind == "text":
        return word.children[0].label
    return None


def without_lead(word: Form, length: int) -> Form:
    """The word less its first characters, which must be text."""
    rest = word.children[0].label[length:]
    children = word.children[1:]
    if rest or not children:
        children = (Form("text", rest), *children)
    return Form("word", "", children)


def splits(word: Form) -> bool:
    """Whether the word may become none or several, so that nothing is sure of its neighbours."""
    return any(atom.kind in ("split", "brace", "input") for atom in word.children)
