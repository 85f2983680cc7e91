"""Words: quotes go, what they protect stays visible."""

import re
from collections.abc import Callable, Iterable
from itertools import product

from sdkbench.shell.canonical.form import Form, glued, text_word
from sdkbench.shell.reader import tree

# A brace expression that grows past this is kept as written.
MAX_BRACE_WORDS = 64

# The shell never splits these: they are numbers.
_NUMERIC_PARAMETERS = frozenset("?#$")
_ARITHMETIC_TOKEN = re.compile(
    r"[A-Za-z0-9_#@.]+|\*\*|<<=?|>>=?|[-+*/%<>=!&|^]=|&&|\|\||\+\+|--|\S"
)

ScriptForm = Callable[[tree.Script], Form]


def word_forms(word: tree.Word, script: ScriptForm) -> list[Form]:
    """The word as an argument: several where braces expand, none where they leave nothing."""
    if not any(isinstance(part, tree.BraceList | tree.BraceRange) for part in word.parts):
        return [single_word(word, script)]
    runs = _brace_runs(word.parts)
    if runs is None:
        return [single_word(word, script)]
    return [_word(run, script, splitting=True) for run in runs if run]


def single_word(word: tree.Word, script: ScriptForm, *, splitting: bool = True) -> Form:
    """The word where braces don't expand: assignments, redirections, case, `[[`."""
    return _word(word.parts, script, splitting=splitting)


def parts_form(parts: Iterable[tree.Part], script: ScriptForm) -> Form:
    """Text between double quotes, or of a here-document."""
    return _word(tuple(parts), script, splitting=False)


def _word(parts: tuple[tree.Part, ...], script: ScriptForm, *, splitting: bool) -> Form:
    if len(parts) == 1 and isinstance(parts[0], tree.Literal):
        return text_word(parts[0].value)
    atoms = glued(_atom(part, script, splitting=splitting) for part in parts)
    # `""` matters only beside what may expand to nothing, or alone.
    solid = [atom for atom in atoms if atom != ("text", "", ())]
    kept = solid and not any(atom.kind in ("split", "brace") for atom in solid)
    return Form("word", "", tuple(solid if kept else atoms))


def _atom(part: tree.Part, script: ScriptForm, *, splitting: bool) -> Form:  # noqa: C901 - one per kind
    match part:
        case tree.Literal():
            return Form("text", part.value)
        case tree.Glob():
            return Form("glob", part.pattern)
        case tree.Tilde():
            # `~` is $HOME, and is not split.
            return Form("param", "HOME") if not part.user else Form("home", part.user)
        case tree.Parameter():
            return _parameter(part, script, splitting=splitting)
        case tree.CommandSubstitution():
            kind = "split" if splitting and not part.quoted else "command"
            return Form(kind, "$()", (script(part.script),))
        case tree.ProcessSubstitution():
            return Form("process", part.direction, (script(part.script),))
        case tree.Arithmetic():
            return arithmetic_form(part, script)
        case tree.ArrayLiteral():
            items = [form for word in part.words for form in word_forms(word, script)]
            return Form("array", "", tuple(items))
        case tree.BraceList():
            runs = [_word(run, script, splitting=splitting) for run in part.alternatives]
            return Form("brace", ",", tuple(runs))
        case tree.BraceRange():
            return Form("brace", f"{part.first}..{part.last}..{part.step or ''}")


def _parameter(part: tree.Parameter, script: ScriptForm, *, splitting: bool) -> Form:
    subscript = "" if part.subscript is None else f"[{part.subscript}]"
    label = f"{part.prefix}{part.name}{subscript}{part.operator}"
    argument: tuple[Form, ...] = ()
    if part.operator or part.argument:
        # Inside ${…} a text that is quoted and one that isn't can act differently (patterns).
        argument = (_word(part.argument, script, splitting=True), *_quoted_marks(part.argument))
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


def arithmetic_form(part: tree.Arithmetic, script: ScriptForm) -> Form:
    """Blanks between tokens don't count; blanks that part tokens do."""
    children: list[Form] = []
    glued = False
    for piece in part.parts:
        if not isinstance(piece, tree.Literal):
            children += [Form("token", "#")] if glued else []
            children.append(_atom(piece, script, splitting=False))
            glued = True
            continue
        # `1$x` is one number, `1 $x` is two.
        if glued and piece.value[:1].isalnum():
            children.append(Form("token", "#"))
        children += [Form("token", t) for t in _ARITHMETIC_TOKEN.findall(piece.value)]
        glued = piece.value[-1:].isalnum()
    return Form("arithmetic", "", tuple(children))


def _brace_runs(parts: tuple[tree.Part, ...]) -> list[tuple[tree.Part, ...]] | None:
    """Every word that the braces make, in order; None where that is not worked out."""
    choices: list[list[tuple[tree.Part, ...]]] = []
    total = 1
    for part in parts:
        match part:
            case tree.BraceList():
                runs = _alternatives(part)
            case tree.BraceRange():
                runs = _range(part)
            case tree.Literal(value=text, quoting=tree.Quoting.NONE) if "~" in text:
                runs = None  # braces may bring it to the front, where it would be expanded
            case _:
                runs = [(part,)]
        total *= len(runs or ())
        if runs is None or total > MAX_BRACE_WORDS:
            return None
        choices.append(runs)
    return [tuple(p for run in chosen for p in run) for chosen in product(*choices)]


def _alternatives(braces: tree.BraceList) -> list[tuple[tree.Part, ...]] | None:
    runs: list[tuple[tree.Part, ...]] = []
    for alternative in braces.alternatives:
        inner = _brace_runs(alternative)
        if inner is None or len(runs) > MAX_BRACE_WORDS:
            return None
        runs += inner
    return runs


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
