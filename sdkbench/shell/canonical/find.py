"""find: paths, then an expression with its own grammar."""

from collections.abc import Callable
from dataclasses import dataclass

from sdkbench.shell.canonical.form import Form, constant, lead, text_word

CommandForm = Callable[[tuple[Form, ...]], Form]

_FLAGS = frozenset({"-H", "-L", "-P"})
_GLOBAL = {"-maxdepth": 1, "-mindepth": 1, "-depth": 0, "-d": 0, "-xdev": 0, "-mount": 0,
           "-noleaf": 0, "-ignore_readdir_race": 0, "-noignore_readdir_race": 0}  # fmt: skip
# These change the tests that come after them, so they stay where they are.
_POSITIONAL = {"-daystart": 0, "-regextype": 1, "-follow": 0, "-warn": 0, "-nowarn": 0}
_TESTS_OF_A_VALUE = """
amin anewer atime cmin cnewer context ctime fstype gid group ilname iname inum ipath iregex links
lname mmin mtime name newer path perm regex samefile size type uid used user wholename iwholename
xtype
"""
_TESTS_ALONE = "empty executable false nogroup nouser readable true writable"
_TESTS = {
    **dict.fromkeys(_TESTS_OF_A_VALUE.split(), 1),
    **dict.fromkeys(_TESTS_ALONE.split(), 0),
}
_ACTIONS = {"print": 0, "print0": 0, "ls": 0, "delete": 0, "quit": 0, "prune": 0,
            "printf": 1, "fprint": 1, "fprint0": 1, "fls": 1, "fprintf": 2}  # fmt: skip
_SAME = {"-mount": "-xdev", "-d": "-depth", "wholename": "path", "iwholename": "ipath"}
_PRINTS_ITSELF = frozenset(_ACTIONS) - {"prune"} | {"exec", "execdir", "ok", "okdir"}
_RUNS = frozenset({"exec", "execdir", "ok", "okdir"})
# Parentheses deeper than this are not worked out.
MAX_DEPTH = 20


class _NotUnderstood(Exception):
    pass


@dataclass(slots=True)
class _Reader:
    words: tuple[Form, ...]
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


def find_form(words: tuple[Form, ...], command: CommandForm) -> Form | None:
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
    options = Form("options", "", tuple(sorted({*flags, *globals_})))
    operands = Form("operands", "", paths)
    return Form(
        "call", "find", (options, Form("sequence"), operands, Form("inner", "", (expression,)))
    )


def _begins_expression(word: Form) -> bool:
    text = lead(word)
    return text is not None and (text in ("(", ")", "!", ",") or (text[:1] == "-" and text != "-"))


def _expression(reader: _Reader) -> tuple[list[Form], Form]:
    tree = _comma(reader) if reader.words else Form("all")
    if reader.place < len(reader.words):
        raise _NotUnderstood
    if not _has(tree, _PRINTS_ITSELF):
        tree = _all([tree, Form("primary", "print")])
    globals_, tree = _lift_globals(tree)
    if _has(tree, frozenset({"delete"})):
        globals_.append(Form("option", "depth"))
    return globals_, _arranged(tree)


def _comma(reader: _Reader) -> Form:
    parts = [_or(reader)]
    while reader.peek() == ",":
        reader.take()
        parts.append(_or(reader))
    return parts[0] if len(parts) == 1 else Form("each", "", tuple(parts))


def _or(reader: _Reader) -> Form:
    parts = [_and(reader)]
    while reader.peek() in ("-o", "-or"):
        reader.take()
        parts.append(_and(reader))
    return parts[0] if len(parts) == 1 else Form("any", "", tuple(parts))


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
    name = _SAME.get(text[1:], text[1:])
    if text in _GLOBAL or text in _POSITIONAL:
        arity = {**_GLOBAL, **_POSITIONAL}[text]
        kind = "global" if text in _GLOBAL else "primary"
        label = _SAME.get(text, text)[1:]
        return Form(kind, label, tuple(reader.take() for _ in range(arity)))
    if name in _RUNS:
        return _run(reader, name)
    if name in _TESTS or name in _ACTIONS or text.startswith("-newer"):
        arity = {**_TESTS, **_ACTIONS}.get(name, 1)
        arguments = tuple(reader.take() for _ in range(arity))
        return Form("primary", name, tuple(_argument(name, a) for a in arguments))
    raise _NotUnderstood


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


def _has(tree: Form, names: frozenset[str]) -> bool:
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
        return tree.label in _TESTS or tree.label.startswith("newer")
    return tree.kind in ("any", "all", "none") and all(map(_pure, tree.children))


def _arranged(tree: Form) -> Form:
    """Runs of pure tests in a fixed order."""
    children = (
        tuple(_arranged(c) for c in tree.children)
        if tree.kind in ("any", "all", "none", "each")
        else tree.children
    )
    if tree.kind == "any" and all(map(_pure, children)):
        children = tuple(sorted(children))
    if tree.kind == "all":
        children = _sorted_runs(children)
    return tree._replace(children=children)


def _sorted_runs(parts: tuple[Form, ...]) -> tuple[Form, ...]:
    arranged: list[Form] = []
    run: list[Form] = []
    for part in parts:
        if _pure(part):
            run.append(part)
            continue
        arranged += [*sorted(run), part]
        run = []
    return (*arranged, *sorted(run))
