"""Lists, pipelines and compound commands."""

from sdkbench.shell.canonical.commands import command_form
from sdkbench.shell.canonical.form import Form, constant, glued, text_word
from sdkbench.shell.canonical.words import arithmetic_form, parts_form, single_word, word_forms
from sdkbench.shell.reader import tree

_DEFAULT_DESCRIPTOR = {"<": "0", "<>": "0", "<&": "0", "<<": "0", "<<-": "0", "<<<": "0"}
_NULL = text_word("/dev/null")


def script_form(script: tree.Script) -> Form:
    """The canonical form; a script of one foreground command is that command's form."""
    forms = [form for statement in script.statements for form in _statement(statement)]
    return forms[0] if len(forms) == 1 else Form("script", "", tuple(forms))


def _statement(statement: tree.Statement) -> list[Form]:
    body = statement.body
    if isinstance(body, tree.Group) and not body.redirects and not statement.background:
        # `{ a; b; }` alone groups nothing.
        return [form for inner in body.body.statements for form in _statement(inner)]
    form = _body(body)
    return [Form("background", "", (form,)) if statement.background else form]


def _body(body: tree.AndOr | tree.Pipeline | tree.Command) -> Form:
    if isinstance(body, tree.AndOr):
        return Form("list", " ".join(body.operators), tuple(_element(p) for p in body.parts))
    if isinstance(body, tree.Pipeline):
        label = ("! " if body.negated else "") + body.timed
        return Form("pipeline", label.strip(), tuple(_element(c) for c in body.commands))
    return _command(body)


def _element(part: tree.Pipeline | tree.Command) -> Form:
    """A group of one simple command, inside a list or pipeline, is that command."""
    if isinstance(part, tree.Group) and not part.redirects and len(part.body.statements) == 1:
        only = part.body.statements[0]
        if not only.background and isinstance(only.body, tree.SimpleCommand):
            return _command(only.body)
    return _body(part)


def _command(command: tree.Command) -> Form:  # noqa: C901 - one per kind
    match command:
        case tree.SimpleCommand():
            return _simple(command)
        case tree.Group():
            return _compound("group", "", [script_form(command.body)], command.redirects)
        case tree.Subshell():
            return _compound("subshell", "", [script_form(command.body)], command.redirects)
        case tree.If():
            return _if(command)
        case tree.While():
            bodies = [script_form(command.condition), script_form(command.body)]
            return _compound("until" if command.until else "while", "", bodies, command.redirects)
        case tree.For():
            items = _arguments(command.words or ())
            absent = "none" if command.words is None else ""
            bodies = [Form("items", absent, items), script_form(command.body)]
            label = f"{command.keyword} {command.variable}"
            return _compound("for", label, bodies, command.redirects)
        case tree.CFor():
            bodies = [arithmetic_form(command.header, script_form), script_form(command.body)]
            return _compound("c-for", "", bodies, command.redirects)
        case tree.Case():
            return _case(command)
        case tree.Function():
            return Form("function", command.name, (_command(command.body),))
        case tree.Coproc():
            return Form("coproc", command.name, (_command(command.body),))
        case tree.Condition():
            return _condition(command)
        case tree.ArithmeticCommand():
            expression = arithmetic_form(command.expression, script_form)
            return _compound("arithmetic-command", "", [expression], command.redirects)


def _compound(
    kind: str, label: str, bodies: list[Form], redirects: tuple[tree.Redirect, ...]
) -> Form:
    applied = Form("redirects", "", _redirects(redirects))
    return Form(kind, label, (*bodies, applied))


def _arguments(words: tuple[tree.Word, ...]) -> tuple[Form, ...]:
    return tuple(form for word in words for form in word_forms(word, script_form))


def _if(command: tree.If) -> Form:
    bodies = [script_form(script) for branch in command.branches for script in branch]
    if command.otherwise:
        bodies.append(script_form(command.otherwise))
    return _compound("if", str(len(command.branches)), bodies, command.redirects)


def _case(command: tree.Case) -> Form:
    arms = [single_word(command.subject, script_form, splitting=False)]
    for arm in command.arms:
        patterns = tuple(single_word(p, script_form, splitting=False) for p in arm.patterns)
        arms.append(Form("arm", arm.terminator, (*patterns, script_form(arm.body))))
    return _compound("case", "", arms, command.redirects)


def _condition(command: tree.Condition) -> Form:
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


def _quoting(word: tree.Word) -> str:
    return " ".join(str(getattr(part, "quoting", part.__class__.__name__)) for part in word.parts)


def _simple(command: tree.SimpleCommand) -> Form:
    """`assignments`, the call, `redirects`."""
    words = _arguments(command.words)
    assignments = tuple(_assignment(a) for a in command.assignments)
    fixed = all(len(a.children) == 1 and constant(a.children[0]) is not None for a in assignments)
    if words and fixed and len({a.label for a in assignments}) == len(assignments):
        assignments = tuple(sorted(assignments))
    redirects = _redirects(command.redirects)
    called = command_form(words)
    if not assignments and not redirects:
        return called
    return Form(
        "command",
        "",
        (Form("assignments", "", assignments), called, Form("redirects", "", redirects)),
    )


def _assignment(assignment: tree.Assignment) -> Form:
    subscript = "" if assignment.subscript is None else f"[{assignment.subscript}]"
    label = f"{assignment.name}{subscript}{'+' if assignment.append else ''}"
    return Form("assignment", label, (single_word(assignment.value, script_form, splitting=False),))


def _redirects(redirects: tuple[tree.Redirect, ...]) -> tuple[Form, ...]:
    return _settled_null([form for redirect in redirects for form in _spelled_out(redirect)])


def _spelled_out(redirect: tree.Redirect) -> list[Form]:
    operator = redirect.operator
    descriptor = redirect.descriptor or _DEFAULT_DESCRIPTOR.get(operator, "1")
    if redirect.heredoc:
        body = parts_form(redirect.heredoc.parts, script_form)
        return [Form("redirect", f"{descriptor}<<", (body,))]
    if operator == "<<<":
        # The shell doesn't split this word, and adds a line end.
        word = single_word(redirect.target, script_form, splitting=False)
        atoms = glued((*word.children, Form("text", "\n")))
        return [Form("redirect", f"{descriptor}<<", (Form("word", "", tuple(atoms)),))]
    target = single_word(redirect.target, script_form)
    text = constant(target) or ""
    if operator == ">&" and not redirect.descriptor and not _is_descriptor(text):
        operator = "&>"
    if operator in ("&>", "&>>"):
        both = Form("redirect", "2>&", (text_word("1"),))
        return [Form("redirect", "1" + operator[1:], (target,)), both]
    return [Form("redirect", descriptor + operator, (target,))]


def _is_descriptor(text: str) -> bool:
    return text == "-" or text.rstrip("-").isdigit()


def _settled_null(forms: list[Form]) -> tuple[Form, ...]:
    """Descriptors that all end in /dev/null: it doesn't matter how they got there."""
    at_null: set[str] = set()
    for form in forms:
        descriptor = form.label.rstrip("<>&|")
        target = constant(form.children[0]) or ""
        copies = form.label.endswith(">&") and target in at_null
        opens = form.label.endswith(">") and form.children[0] == _NULL
        if descriptor in at_null or not (copies or opens):
            return tuple(forms)
        at_null.add(descriptor)
    return tuple(Form("redirect", f"{descriptor}>", (_NULL,)) for descriptor in sorted(at_null))
