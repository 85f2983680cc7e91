"""Lists, pipelines and compound commands."""

from sdkbench.shell.canonical.commands import command_form
from sdkbench.shell.canonical.form import Form, constant
from sdkbench.shell.canonical.redirects import redirect_forms
from sdkbench.shell.canonical.words import arithmetic_form, single_word, word_forms
from sdkbench.shell.reader.tree import (
    AndOr,
    ArithmeticCommand,
    Assignment,
    Case,
    CFor,
    Command,
    Condition,
    Coproc,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Redirect,
    Script,
    SimpleCommand,
    Statement,
    Subshell,
    While,
    Word,
)


def script_form(script: Script) -> Form:
    """The canonical form; a script of one foreground command is that command's form."""
    forms = [form for statement in script.statements for form in _statement(statement)]
    return forms[0] if len(forms) == 1 else Form("script", "", tuple(forms))


def _statement(statement: Statement) -> list[Form]:
    body = statement.body
    if isinstance(body, Group) and not body.redirects and not statement.background:
        # `{ a; b; }` alone groups nothing.
        return [form for inner in body.body.statements for form in _statement(inner)]
    form = _body(body)
    return [Form("background", "", (form,)) if statement.background else form]


def _body(body: AndOr | Pipeline | Command) -> Form:
    if isinstance(body, AndOr):
        return Form("list", " ".join(body.operators), tuple(_element(p) for p in body.parts))
    if isinstance(body, Pipeline):
        label = ("! " if body.negated else "") + body.timed
        return Form("pipeline", label.strip(), tuple(_element(c) for c in body.commands))
    return _command(body)


def _element(part: Pipeline | Command) -> Form:
    """A group of one simple command, inside a list or pipeline, is that command."""
    if isinstance(part, Group) and not part.redirects and len(part.body.statements) == 1:
        only = part.body.statements[0]
        if not only.background and isinstance(only.body, SimpleCommand):
            return _command(only.body)
    return _body(part)


def _command(command: Command) -> Form:  # noqa: C901 - one per kind
    match command:
        case SimpleCommand():
            return _simple(command)
        case Group():
            return _compound("group", "", [script_form(command.body)], command.redirects)
        case Subshell():
            return _compound("subshell", "", [script_form(command.body)], command.redirects)
        case If():
            return _if(command)
        case While():
            bodies = [script_form(command.condition), script_form(command.body)]
            return _compound("until" if command.until else "while", "", bodies, command.redirects)
        case For():
            items = Form("items", "none") if command.words is None else _items(command.words)
            bodies = [items, script_form(command.body)]
            label = f"{command.keyword} {command.variable}"
            return _compound("for", label, bodies, command.redirects)
        case CFor():
            bodies = [arithmetic_form(command.header, script_form), script_form(command.body)]
            return _compound("c-for", "", bodies, command.redirects)
        case Case():
            return _case(command)
        case Function():
            return Form("function", command.name, (_command(command.body),))
        case Coproc():
            return Form("coproc", command.name, (_command(command.body),))
        case Condition():
            return _condition(command)
        case ArithmeticCommand():
            expression = arithmetic_form(command.expression, script_form)
            return _compound("arithmetic-command", "", [expression], command.redirects)


def _compound(kind: str, label: str, bodies: list[Form], redirects: tuple[Redirect, ...]) -> Form:
    applied = Form("redirects", "", redirect_forms(redirects, script_form))
    return Form(kind, label, (*bodies, applied))


def _items(words: tuple[Word, ...]) -> Form:
    return Form("items", "", tuple(f for word in words for f in word_forms(word, script_form)))


def _if(command: If) -> Form:
    bodies = [script_form(script) for branch in command.branches for script in branch]
    if command.otherwise:
        bodies.append(script_form(command.otherwise))
    return _compound("if", str(len(command.branches)), bodies, command.redirects)


def _case(command: Case) -> Form:
    arms = [single_word(command.subject, script_form, splitting=False)]
    for arm in command.arms:
        patterns = tuple(single_word(p, script_form, splitting=False) for p in arm.patterns)
        arms.append(Form("arm", arm.terminator, (*patterns, script_form(arm.body))))
    return _compound("case", "", arms, command.redirects)


def _condition(command: Condition) -> Form:
    """Quotes matter on the right of `==` and `=~`; a quoted word is marked there."""
    items: list[Form] = []
    for item in command.items:
        if isinstance(item, str):
            items.append(Form("operator", item))
            continue
        pattern = bool(items) and constant(items[-1]) in ("==", "=", "!=", "=~")
        form = single_word(item, script_form, splitting=pattern)
        marked = pattern and item.quoted
        items.append(form._replace(label=_quoting(item)) if marked else form)
    return _compound("condition", "", items, command.redirects)


def _quoting(word: Word) -> str:
    return " ".join(str(getattr(part, "quoting", part.__class__.__name__)) for part in word.parts)


def _simple(command: SimpleCommand) -> Form:
    """`assignments`, the call, `redirects`."""
    words = tuple(f for word in command.words for f in word_forms(word, script_form))
    assignments = tuple(_assignment(a) for a in command.assignments)
    fixed = all(len(a.children) == 1 and constant(a.children[0]) is not None for a in assignments)
    if words and fixed and len({a.label for a in assignments}) == len(assignments):
        assignments = tuple(sorted(assignments))
    redirects = redirect_forms(command.redirects, script_form)
    called = command_form(words)
    if not assignments and not redirects:
        return called
    return Form(
        "command",
        "",
        (Form("assignments", "", assignments), called, Form("redirects", "", redirects)),
    )


def _assignment(assignment: Assignment) -> Form:
    subscript = "" if assignment.subscript is None else f"[{assignment.subscript}]"
    label = f"{assignment.name}{subscript}{'+' if assignment.append else ''}"
    return Form("assignment", label, (single_word(assignment.value, script_form, splitting=False),))
