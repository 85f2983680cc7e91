"""find: paths, then an expression with its own grammar."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import groupby

from sdkbench.shell.canonical.form import Form, Words, call_form, constant, text_word
from sdkbench.shell.utilities.table import find_words

CommandForm = Callable[[Words], Form]

_FLAGS = frozenset({"-H", "-L", "-P"})
# Parentheses deeper than this are not worked out.
MAX_DEPTH = 20


class _NotUnderstood(Exception):
    pass


@dataclass(slots=True)
class _Reader:
    words: Words
    command: CommandForm
    place: int = 0
    depth: int = 0

    def peek(self) -> str | None:
        """The next word's text; a word that isn't fixed reads as None, the end as an empty one."""
        return constant(self.words[self.place]) if self.place < len(self.words) else ""

    def take(self) -> Form:
        if self.place >= len(self.words):
            raise _NotUnderstood
        self.place += 1
        return self.words[self.place - 1]


def find_form(words: Words, command: CommandForm) -> Form | None:
    """A call of find; None where the expression is not understood."""
    count = 0
    flags: list[Form] = []
    while count < len(words) and constant(words[count]) in _FLAGS:
        flags = [Form("option", (constant(words[count]) or "")[1:])]  # the last one counts
        count += 1
    if flags == [Form("option", "P")]:
        flags = []  # the default
    start = count
    while count < len(words) and not _begins_expression(words[count]):
        count += 1
    paths = words[start:count] or (text_word("."),)
    try:
        globals_, expression = _expression(_Reader(words[count:], command))
    except _NotUnderstood:
        return None
    return call_form("find", tuple(sorted({*flags, *globals_})), paths, (expression,))


def _begins_expression(word: Form) -> bool:
    text = word.lead
    return text is not None and (text in ("(", ")", "!", ",") or (text[:1] == "-" and text != "-"))


def _expression(reader: _Reader) -> tuple[list[Form], Form]:
    tree = _comma(reader) if reader.words else Form("all")
    if reader.place < len(reader.words):
        raise _NotUnderstood
    known = find_words()
    if not _has(tree, (known.actions.keys() | known.runs) - {"prune"}):
        tree = _all([tree, Form("primary", "print")])
    globals_, tree = _lift_globals(tree)
    if _has(tree, frozenset({"delete"})):
        globals_.append(Form("option", "depth"))
    return globals_, _arranged(tree)


def _comma(reader: _Reader) -> Form:
    return _separated(reader, "each", (",",), _or)


def _or(reader: _Reader) -> Form:
    return _separated(reader, "any", ("-o", "-or"), _and)


def _separated(
    reader: _Reader, kind: str, separators: tuple[str, ...], part: Callable[[_Reader], Form]
) -> Form:
    parts = [part(reader)]
    while reader.peek() in separators:
        reader.take()
        parts.append(part(reader))
    return parts[0] if len(parts) == 1 else Form(kind, "", tuple(parts))


def _and(reader: _Reader) -> Form:
    parts = [_not(reader)]
    while reader.peek() not in ("", ")", "-o", "-or", ","):
        if reader.peek() in ("-a", "-and"):
            reader.take()
        parts.append(_not(reader))
    return _all(parts)


def _all(parts: list[Form]) -> Form:
    """`a (b c)` is `a b c`; a find without tests is an empty one."""
    flat: list[Form] = []
    for part in parts:
        flat += part.children if part.kind == "all" else (part,)
    return flat[0] if len(flat) == 1 else Form("all", "", tuple(flat))


def _not(reader: _Reader) -> Form:
    negated = False
    while reader.peek() in ("!", "-not"):
        reader.take()
        negated = not negated
    if reader.peek() == "(":
        reader.take()
        reader.depth += 1
        if reader.depth > MAX_DEPTH:
            raise _NotUnderstood
        inner = _comma(reader)
        reader.depth -= 1
        if reader.peek() != ")":
            raise _NotUnderstood
        reader.take()
    else:
        inner = _primary(reader)
    return Form("none", "", (inner,)) if negated else inner


def _primary(reader: _Reader) -> Form:
    text = constant(reader.take())
    if text is None or not text.startswith("-"):
        raise _NotUnderstood
    known = find_words()
    name = known.same.get(text[1:], text[1:])
    if name in known.runs:
        return _run(reader, name)
    arity = known.arity(name)
    if arity is None:
        raise _NotUnderstood
    arguments = tuple(_argument(name, reader.take()) for _ in range(arity))
    return Form("global" if name in known.globals else "primary", name, arguments)


def _argument(name: str, word: Form) -> Form:
    text = constant(word)
    if text is None:
        return word
    if name == "perm" and len(text) == len("0644") and text.startswith("0") and text.isdigit():
        return text_word(text[1:])
    if name in ("type", "xtype") and "," in text:
        return text_word(",".join(sorted(set(text.split(",")))))
    return word


def _run(reader: _Reader, name: str) -> Form:
    """`-exec command ;` or `-exec command {} +`."""
    words: list[Form] = []
    while True:
        word = reader.take()
        text = constant(word)
        ends = text == ";" or (text == "+" and words and constant(words[-1]) == "{}")
        if ends:
            if not words:
                raise _NotUnderstood
            return Form("run", f"{name} {text}", (reader.command(tuple(words)),))
        words.append(word)


def _has(tree: Form, names: Collection[str]) -> bool:
    if tree.kind in ("primary", "run", "global"):
        return tree.label.split(" ")[0] in names
    return any(_has(child, names) for child in tree.children)


def _lift_globals(tree: Form) -> tuple[list[Form], Form]:
    """Options that hold for the whole search, wherever they stand in a plain sequence."""
    parts = tree.children if tree.kind == "all" else (tree,)
    lifted = [Form("option", p.label, p.children) for p in parts if p.kind == "global"]
    latest = {form.label: form for form in lifted}
    kept = [p for p in parts if p.kind != "global"]
    return list(latest.values()), _all(kept)


def _pure(tree: Form) -> bool:
    """A test whose only effect is its answer: neighbours can change places with it."""
    if tree.kind == "primary":
        return tree.label in find_words().tests or tree.label.startswith("newer")
    return tree.kind in ("any", "all", "none") and all(map(_pure, tree.children))


def _arranged(tree: Form) -> Form:
    """Runs of pure tests in a fixed order."""
    if tree.kind not in ("any", "all", "none", "each"):
        return tree
    children = tuple(map(_arranged, tree.children))
    if tree.kind == "any" and all(map(_pure, children)):
        children = tuple(sorted(children))
    if tree.kind == "all":
        runs = ((pure, list(run)) for pure, run in groupby(children, _pure))
        children = tuple(c for pure, run in runs for c in (sorted(run) if pure else run))
    return tree._replace(children=children)
