"""The names of loop variables: `for f in …` and `for file in …` do the same.

A name counts where something outside the loop, a program's environment or a text that is run could
see it. There, and where a command sets variables by name, loops stay as they are written.
"""

import re
from collections.abc import Iterable, Iterator

from sdkbench.shell.canonical.form import Form, constant, text_word

# Others may mean something to the shell or to programs.
_NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
_SEES_NAMES = frozenset({
    "eval", "source", ".", "export", "declare", "typeset", "local", "readonly", "unset", "let",
    "mapfile", "readarray", "getopts", "trap", "set", "builtin",
})  # fmt: skip
# They take names as words, if at all.
_MAY_SEE_NAMES = frozenset({"read", "printf", "test", "select"})
_JOINING = frozenset({"script", "pipeline"})


def settled_names(form: Form) -> Form:
    return _settled(form, (), 1) if form.kind in _LOOPS or form.kind in _JOINING else form


_LOOPS = frozenset({"for", "while", "until"})


def _settled(form: Form, around: Iterable[Form], depth: int) -> Form:
    """`around` is what could see a variable after the loop, besides its neighbours."""
    if form.kind not in _JOINING:
        return _loop(form, around, depth)
    settled = [
        _loop(child, (*around, *form.children[:place], *form.children[place + 1 :]), depth)
        for place, child in enumerate(form.children)
    ]
    return form._replace(children=tuple(settled))


def _loop(form: Form, around: Iterable[Form], depth: int) -> Form:
    name = _variable(form)
    fresh = f"_{depth}"
    if name is None or not _NAME.match(name) or not _is_hidden(form, name, fresh):
        return form
    # A loop over the same name sets it before anything in it is run.
    if any(_variable(other) != name and _mentions(other, name) for other in around):
        return form
    head, body, redirects = _renamed(form, name, fresh).children
    if form.kind != "for":
        head = _reading_into(head, fresh)
    label = f"for {fresh}" if form.kind == "for" else ""
    body = _settled(body, (*around, head, redirects), depth + 1)
    return Form(form.kind, label, (head, body, redirects))


def _variable(form: Form) -> str | None:
    """The variable of `for name in …` or `while IFS= read name`."""
    if form.kind == "for" and form.label.startswith("for "):
        return form.label.removeprefix("for ")
    if form.kind in ("while", "until"):
        call = _called(form.children[0])
        operands = call.children[2].children if call.kind == "call" and call.label == "read" else ()
        return constant(operands[0]) if len(operands) == 1 else None
    return None


def _called(command: Form) -> Form:
    return command.children[1] if command.kind == "command" else command


def _reading_into(command: Form, name: str) -> Form:
    if command.kind == "command":
        assignments, call, redirects = command.children
        return command._replace(children=(assignments, _reading_into(call, name), redirects))
    options, sequence, operands, inner = command.children
    named = operands._replace(children=(text_word(name),))
    return command._replace(children=(options, sequence, named, inner))


def _parts(form: Form) -> Iterator[Form]:
    yield form
    for child in form.children:
        yield from _parts(child)


def _mentions(form: Form, name: str) -> bool:
    """Also as plain text: some command may take it for a name."""
    word = re.compile(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])")
    return any(name in part.label and word.search(part.label) for part in _parts(form))


def _is_hidden(loop: Form, name: str, fresh: str) -> bool:
    """Whether nothing in the loop could know its variable by name, save `$name` and its kin."""
    expands = re.compile(rf"#?{name}(?![A-Za-z0-9_])[^!$`A-Za-z\[]*(?:\[[@*\d]\])?(?: bare)?\Z")
    condition = _called(loop.children[0]) if loop.kind != "for" else None
    for part in _parts(loop):
        if part.kind == "function" or fresh in part.label:
            return False
        if part.kind in ("call", "verbatim") and part is not condition:
            if part.label in _SEES_NAMES:
                return False
            if part.label in _MAY_SEE_NAMES and (_mentions_text(part, name) or _asks(part)):
                return False
        if part.kind in ("param", "split") and part.label != "$()":
            if any(_mentions_text(child, name) for child in part.children):
                return False  # `${x:name}` is arithmetic
            if _mentions(Form("", part.label), name) and not expands.match(part.label):
                return False
        if part.kind in ("token", "assignment", "condition") and _mentions_text(part, name):
            return False
    return True


def _mentions_text(form: Form, name: str) -> bool:
    """As `_mentions`, but for what is expanded from `$name`."""
    word = re.compile(rf"(?<![A-Za-z0-9_]){name}(?![A-Za-z0-9_])")
    return any(
        word.search(part.label) for part in _parts(form) if part.kind not in ("param", "split")
    )


def _asks(command: Form) -> bool:
    """`test -v x`, `printf -v x`: of a variable whose name may be computed."""
    return any(part.label in ("-v", "v") for part in _parts(command)) or (
        command.label == "read" and any(part.kind in ("param", "split") for part in _parts(command))
    )


def _renamed(form: Form, name: str, fresh: str) -> Form:
    label = form.label
    if form.kind in ("param", "split") and label != "$()":
        label = re.sub(rf"^(#?){name}(?![A-Za-z0-9_])", rf"\g<1>{fresh}", label)
    children = tuple(_renamed(child, name, fresh) for child in form.children)
    return Form(form.kind, label, children)
