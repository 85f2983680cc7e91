"""Tree to form: lists, pipelines, commands, words. Quotes go, what they protect stays visible."""

import re

from sdkbench.shell.canonical.commands import command_form
from sdkbench.shell.canonical.form import Form, constant, glued, text_word
from sdkbench.shell.reader import braces, tree

# A brace expression that grows past this is kept as written.
MAX_BRACE_WORDS = 64

# The shell never splits these: they are numbers.
_NUMERIC_PARAMETERS = frozenset("?#$")
_ARITHMETIC_TOKEN = re.compile(
    r"[A-Za-z0-9_#@.]+|\*\*|<<=?|>>=?|[-+*/%<>=!&|^]=|&&|\|\||\+\+|--|\S"
)
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


def _body(body: tree.Body) -> Form:
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
            bodies = [_arithmetic(command.header), script_form(command.body)]
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
            expression = _arithmetic(command.expression)
            return _compound("arithmetic-command", "", [expression], command.redirects)


def _compound(
    kind: str, label: str, bodies: list[Form], redirects: tuple[tree.Redirect, ...]
) -> Form:
    applied = Form("redirects", "", _redirects(redirects))
    return Form(kind, label, (*bodies, applied))


def _arguments(words: tuple[tree.Word, ...]) -> tuple[Form, ...]:
    forms: list[Form] = []
    for word in words:
        parts = word.parts
        if len(parts) == 1 and isinstance(parts[0], tree.Literal):  # most words are such
            forms.append(text_word(parts[0].value))
        else:
            forms += _word_forms(word)
    return tuple(forms)


def _if(command: tree.If) -> Form:
    bodies = [script_form(script) for branch in command.branches for script in branch]
    if command.otherwise:
        bodies.append(script_form(command.otherwise))
    return _compound("if", str(len(command.branches)), bodies, command.redirects)


def _case(command: tree.Case) -> Form:
    arms = [_word(command.subject.parts, splitting=False)]
    for arm in command.arms:
        patterns = tuple(_word(p.parts, splitting=False) for p in arm.patterns)
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
        form = _word(item.parts, splitting=pattern)
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
    return Form("assignment", label, (_word(assignment.value.parts, splitting=False),))


def _redirects(redirects: tuple[tree.Redirect, ...]) -> tuple[Form, ...]:
    return _settled_null([form for redirect in redirects for form in _spelled_out(redirect)])


def _spelled_out(redirect: tree.Redirect) -> list[Form]:
    operator = redirect.operator
    descriptor = redirect.descriptor or _DEFAULT_DESCRIPTOR.get(operator, "1")
    if redirect.heredoc:
        body = _word(redirect.heredoc.parts, splitting=False)
        return [Form("redirect", f"{descriptor}<<", (body,))]
    if operator == "<<<":
        # The shell doesn't split this word, and adds a line end.
        word = _word(redirect.target.parts, splitting=False)
        atoms = glued((*word.children, Form("text", "\n")))
        return [Form("redirect", f"{descriptor}<<", (Form("word", "", tuple(atoms)),))]
    target = _word(redirect.target.parts)
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
    if not forms:
        return ()
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


def _word_forms(word: tree.Word) -> list[Form]:
    """The word as an argument: several where braces expand, none where they leave nothing."""
    runs = [word.parts]
    if any(isinstance(part, tree.BraceList | tree.BraceRange) for part in word.parts):
        runs = braces.runs(word.parts, _choices, MAX_BRACE_WORDS) or runs
    return [_word(run) for run in runs if run or not word.parts]


def _word(parts: tuple[tree.Part, ...], *, splitting: bool = True) -> Form:
    """One word; it is not split in assignments, case and here-documents."""
    if len(parts) == 1 and isinstance(parts[0], tree.Literal):
        return text_word(parts[0].value)
    atoms = glued(_atom(part, splitting=splitting) for part in parts)
    # `""` matters only beside what may expand to nothing, or alone.
    solid = [atom for atom in atoms if atom != ("text", "", ())]
    kept = solid and not any(atom.kind in ("split", "brace") for atom in solid)
    return Form("word", "", tuple(solid if kept else atoms))


def _atom(part: tree.Part, *, splitting: bool) -> Form:  # noqa: C901 - one per kind
    match part:
        case tree.Literal():
            return Form("text", part.value)
        case tree.Glob():
            return Form("glob", part.pattern)
        case tree.Tilde():
            # `~` is $HOME, and is not split.
            return Form("param", "HOME") if not part.user else Form("home", part.user)
        case tree.Parameter():
            return _parameter(part, splitting=splitting)
        case tree.CommandSubstitution():
            kind = "split" if splitting and not part.quoted else "command"
            return Form(kind, "$()", (script_form(part.script),))
        case tree.ProcessSubstitution():
            return Form("process", part.direction, (script_form(part.script),))
        case tree.Arithmetic():
            return _arithmetic(part)
        case tree.ArrayLiteral():
            items = [form for word in part.words for form in _word_forms(word)]
            return Form("array", "", tuple(items))
        case tree.BraceList():
            runs = [_word(run, splitting=splitting) for run in part.alternatives]
            return Form("brace", ",", tuple(runs))
        case tree.BraceRange():
            return Form("brace", f"{part.first}..{part.last}..{part.step or ''}")


def _parameter(part: tree.Parameter, *, splitting: bool) -> Form:
    subscript = "" if part.subscript is None else f"[{part.subscript}]"
    label = f"{part.prefix}{part.name}{subscript}{part.operator}"
    argument: tuple[Form, ...] = ()
    if part.operator or part.argument:
        # Inside ${…} a text that is quoted and one that isn't can act differently (patterns).
        argument = (_word(part.argument), *_quoted_marks(part.argument))
    if part.name in "@*" or part.subscript in ("@", "*"):
        whole = Form("param", label, argument)
        return whole if part.quoted else Form("split", f"{label} bare", argument)
    numeric = part.name in _NUMERIC_PARAMETERS or part.prefix == "#"
    kind = "split" if splitting and not part.quoted and not numeric else "param"
    return Form(kind, label, argument)


def _quoted_marks(parts: tuple[tree.Part, ...]) -> tuple[Form, ...]:
    quoted = any(isinstance(p, tree.Literal) and p.quoting != tree.Quoting.NONE for p in parts)
    if not quoted:
        return ()
    return (Form("quoting", " ".join(p.quoting for p in parts if isinstance(p, tree.Literal))),)


def _arithmetic(part: tree.Arithmetic) -> Form:
    """Blanks between tokens don't count; blanks that part tokens do."""
    children: list[Form] = []
    glued = False
    for piece in part.parts:
        if not isinstance(piece, tree.Literal):
            children += [Form("token", "#")] if glued else []
            children.append(_atom(piece, splitting=False))
            glued = True
            continue
        # `1$x` is one number, `1 $x` is two.
        if glued and piece.value[:1].isalnum():
            children.append(Form("token", "#"))
        children += [Form("token", t) for t in _ARITHMETIC_TOKEN.findall(piece.value)]
        glued = piece.value[-1:].isalnum()
    return Form("arithmetic", "", tuple(children))


def _choices(part: tree.Part) -> list[tuple[tree.Part, ...]] | None:
    """What a part may be in the words that braces make."""
    match part:
        case tree.BraceRange():
            return _range(part)
        case tree.Literal(value=text, quoting=tree.Quoting.NONE) if "~" in text:
            return None  # braces may bring it to the front, where it would be expanded
        case _:
            return [(part,)]


def _range(braces: tree.BraceRange) -> list[tuple[tree.Part, ...]] | None:
    numeric = braces.first.lstrip("-").isdigit()
    first = int(braces.first) if numeric else ord(braces.first)
    last = int(braces.last) if numeric else ord(braces.last)
    step = abs(int(braces.step or 1)) or 1
    if abs(last - first) // step >= MAX_BRACE_WORDS:
        return None
    sign = 1 if last >= first else -1
    values = range(first, last + sign, sign * step)
    padded = numeric and any(_padded(end) for end in (braces.first, braces.last))
    width = max(len(braces.first), len(braces.last)) if padded else 0
    shown = [f"{v:0{width}d}" if numeric else chr(v) for v in values]
    return [(tree.Literal(text, tree.Quoting.SINGLE, braces.span),) for text in shown]


def _padded(end: str) -> bool:
    digits = end.lstrip("-")
    return len(digits) > 1 and digits.startswith("0")
