"""find: paths, then an expression with its own grammar."""

from collections.abc import Callable, Collection
from dataclasses import dataclass

from sdkbench.shell.canonical import find_rules
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
    globals_, paths, expression = find_rules.settled(globals_, paths, expression)
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
        tree = find_rules.all_of([tree, Form("primary", "print")])
    globals_, tree = _lift_globals(tree)
    if _has(tree, frozenset({"delete"})):
        globals_.append(Form("option", "depth"))
    return globals_, tree


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
    return find_rules.all_of(parts)


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
    """Options that hold for the whole search, wherever they stand. As a test, each holds."""
    if tree.kind == "global":
        return [Form("option", tree.label, tree.children)], Form("primary", "true")
    if tree.kind not in ("all", "any", "each"):
        return [], tree
    latest: dict[str, Form] = {}
    kept: list[Form] = []
    for part in tree.children:
        lifted, rest = _lift_globals(part)
        latest |= {option.label: option for option in lifted}
        kept.append(rest)
    whole = find_rules.all_of(kept) if tree.kind == "all" else tree._replace(children=tuple(kept))
    return list(latest.values()), whole
