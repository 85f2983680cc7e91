"""Tree to form: lists, pipelines, commands, words. Quotes go, what they protect stays visible."""

import re

from sdkbench.shell.canonical.commands import command_form
from sdkbench.shell.canonical.form import Form, constant, glued, text_word
from sdkbench.shell.canonical.names import settled_names
from sdkbench.shell.canonical.pipelines import pipeline_form, with_input
from sdkbench.shell.reader import braces, tree
from sdkbench.shell.utilities import find_utility

# A brace expression that grows past this is kept as written.
MAX_BRACE_WORDS = 64

# The shell never splits these: they are numbers.
_NUMERIC_PARAMETERS = frozenset("?#$")
_ARITHMETIC_TOKEN = re.compile(
    r"[A-Za-z0-9_#@.]+|\*\*|<<=?|>>=?|[-+*/%<>=!&|^]=|&&|\|\||\+\+|--|\S"
)
_DEFAULT_DESCRIPTOR = {"<": "0", "<>": "0", "<&": "0", "<<": "0", "<<-": "0", "<<<": "0"}
_INTEGER = re.compile(r"(?:0|-?[1-9]\d{0,8})\Z")
# Tests with one operand, which mean the same in `[` and in `[[`.
_UNARY = frozenset(f"-{letter}" for letter in "bcdefghkLprsSuwxOGNnz")
# Effects of programs, none of which is a command of the shell.
_OUTSIDE = frozenset({
    "filter", "list", "remove", "copy", "move", "link", "make directory", "touch", "permissions",
    "owner", "inspect", "disk usage", "disk free", "pack", "compare", "count", "tee",
})  # fmt: skip
_ACTIVE = frozenset({"glob", "split", "brace", "process", "array"})
_NULL = text_word("/dev/null")


def canonical_script(script: tree.Script) -> Form:
    """The canonical form of a whole command."""
    return settled_names(script_form(script))


def script_form(script: tree.Script, *, status_used: bool = False) -> Form:
    """The form of a script or a part of one; of one foreground command it is that command's.

    `status_used` says that something depends on the exit status: a list or a condition.
    """
    forms = [form for each in script.statements for form in _statement(each, status_used)]
    return forms[0] if len(forms) == 1 else Form("script", "", tuple(forms))


def _statement(statement: tree.Statement, status_used: bool) -> list[Form]:
    body = statement.body
    if isinstance(body, tree.Group) and not body.redirects and not statement.background:
        # `{ a; b; }` alone groups nothing.
        return [form for each in body.body.statements for form in _statement(each, status_used)]
    form = _body(body, status_used=status_used)
    return [Form("background", "", (form,)) if statement.background else form]


def _body(body: tree.Body, *, status_used: bool) -> Form:
    if isinstance(body, tree.AndOr):
        parts = tuple(_element(part, status_used=True) for part in body.parts)
        if body.operators == ("&&", "||") and _never_fails(parts[1]):
            return Form("if", "1", (*parts, Form("redirects")))
        return Form("list", " ".join(body.operators), parts)
    if isinstance(body, tree.Pipeline):
        label = ("! " if body.negated else "") + body.timed
        members = [_element(command, status_used=status_used) for command in body.commands]
        return pipeline_form(label.strip(), members, status_used=status_used or body.negated)
    return _command(body)


def _never_fails(form: Form) -> bool:
    """`a && echo b || c` is `if a; then echo b; else c; fi`."""
    return form.kind == "call" and form.label == "echo"


def _element(part: tree.Pipeline | tree.Command, *, status_used: bool) -> Form:
    """A group of one simple command, inside a list or pipeline, is that command."""
    if isinstance(part, tree.Group) and not part.redirects and len(part.body.statements) == 1:
        only = part.body.statements[0]
        if not only.background and isinstance(only.body, tree.SimpleCommand):
            return _command(only.body)
    return _body(part, status_used=status_used)


def _command(command: tree.Command) -> Form:  # noqa: C901 - one per kind
    match command:
        case tree.SimpleCommand():
            return _simple(command)
        case tree.Group():
            return _compound("group", "", [script_form(command.body)], command.redirects)
        case tree.Subshell():
            return _subshell(command)
        case tree.If():
            return _if(command)
        case tree.While():
            condition = script_form(command.condition, status_used=True)
            bodies = [condition, script_form(command.body)]
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


def _subshell(command: tree.Subshell) -> Form:
    """`(ls)` is `ls`: nothing of it would stay in this shell."""
    body = script_form(command.body)
    if body.kind == "call" and not command.redirects and _is_program(body.label):
        return body
    return _compound("subshell", "", [body], command.redirects)


def _is_program(name: str) -> bool:
    """Whether it is surely no command of the shell, which could change the shell itself."""
    utility = find_utility(name)
    return utility is not None and utility.effect in _OUTSIDE


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
    bodies: list[Form] = []
    for condition, body in command.branches:
        bodies += (script_form(condition, status_used=True), script_form(body))
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
    test = None if command.redirects else _as_test(items)
    return test or _compound("condition", "", items, command.redirects)


def _as_test(items: list[Form]) -> Form | None:
    """`[[ -f $x ]]` is `[ -f "$x" ]`: in both, one word is one operand."""
    if any(atom.kind in _ACTIVE for item in items for atom in item.children):
        return None
    match items:
        case [sign, word] if constant(sign) in _UNARY and word.kind == "word":
            return Form("verbatim", "test", (sign, word._replace(label="")))
        case [first, sign, second] if first.kind == second.kind == "word":
            operator = {"==": "="}.get(constant(sign) or "", constant(sign) or "")
            if operator in ("=", "!=", "-nt", "-ot", "-ef"):
                operands = (
                    first._replace(label=""),
                    text_word(operator),
                    second._replace(label=""),
                )
                return Form("verbatim", "test", operands)
    return None


def _quoting(word: tree.Word) -> str:
    return " ".join(str(getattr(part, "quoting", part.__class__.__name__)) for part in word.parts)


def _simple(command: tree.SimpleCommand) -> Form:
    """`assignments`, the call, `redirects`."""
    words = _arguments(command.words)
    if not (command.assignments or command.redirects):
        return command_form(words)
    assignments = tuple(_assignment(a) for a in command.assignments)
    fixed = all(len(a.children) == 1 and constant(a.children[0]) is not None for a in assignments)
    if words and fixed and len({a.label for a in assignments}) == len(assignments):
        assignments = tuple(sorted(assignments))
    redirects = _redirects(command.redirects)
    called = command_form(words)
    if not assignments and not redirects:
        return called
    whole = (Form("assignments", "", assignments), called, Form("redirects", "", redirects))
    return with_input(Form("command", "", whole))


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
    forms = [_word(run) for run in runs if run or not word.parts]
    return _numbers(forms[0]) or forms if len(forms) == 1 else forms


def _numbers(word: Form) -> list[Form] | None:
    """`$(seq 3)` is `1 2 3`: what seq prints has nothing in it but numbers."""
    inner = word.children[0].children if len(word.children) == 1 else ()
    if word.splits and inner and inner[0].kind == "call" and inner[0].label == "seq":
        options, _, operands, _ = inner[0].children
        texts = [constant(operand) or "" for operand in operands.children]
        if options.children or not all(_INTEGER.match(text) for text in texts):
            return None
        first, step, last = (int(texts[0]), int(texts[1]) if len(texts) > 2 else 1, int(texts[-1]))  # noqa: PLR2004 - first, step, last
        if step and 0 <= (last - first) // step < MAX_BRACE_WORDS:
            return [text_word(str(n)) for n in range(first, last + (1 if step > 0 else -1), step)]
    return None


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
            inner = Form("broken", part.broken) if part.broken else script_form(part.script)
            return Form(kind, "$()", (inner,))
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
    if not part.name:
        return Form("param" if part.quoted else "split", part.operator)
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
