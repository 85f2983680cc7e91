"""Forms as shell text, for people to read and to compare by eye."""

import re
from collections.abc import Callable

from sdkbench.shell.canonical.form import Form, constant
from sdkbench.shell.utilities import Arity, find_utility

_SAFE = re.compile(r"[A-Za-z0-9_@%+=:,./^-]+\Z")
_NEGATIVE_LEAD = re.compile(r"-.")


def render(form: Form) -> str:
    """The canonical text of a form."""
    return _RULES.get(form.kind, _plain)(form)


def quote(text: str) -> str:
    if _SAFE.match(text):
        return text
    return "'" + text.replace("'", "'\\''") + "'"


def word(form: Form) -> str:
    return "".join(_atom(atom) for atom in form.children)


def _atom(atom: Form) -> str:
    inner = atom.children
    match atom.kind:
        case "text":
            return quote(atom.label)
        case "glob":
            return atom.label
        case "input":
            return ""
        case "home":
            return f"~{atom.label}"
        case "param" | "split" if atom.label != "$()":
            body = atom.label.removesuffix(" bare") + (word(inner[0]) if inner else "")
            return f'"${{{body}}}"' if atom.kind == "param" else f"${{{body}}}"
        case "command" | "split":
            return _substitution(inner[0], quoted=atom.kind == "command")
        case "process":
            return f"{atom.label}({render(inner[0])})"
        case "arithmetic":
            return f"$(({_tokens(atom)}))"
        case "array":
            return "(" + " ".join(map(word, inner)) + ")"
        case _:
            return (
                "{" + (",".join(map(word, inner)) if inner else atom.label.removesuffix("..")) + "}"
            )


def _substitution(script: Form, *, quoted: bool) -> str:
    """Text that no shell can read stays between backticks: only there bash finds it out late."""
    shown = f"$({render(script)})"
    if script.kind == "broken":
        shown = "`" + re.sub(r'[\\`"]' if quoted else r"[\\`]", r"\\\g<0>", script.label) + "`"
    return f'"{shown}"' if quoted else shown


def _tokens(form: Form) -> str:
    return " ".join(t.label if t.kind == "token" else _atom(t) for t in form.children)


def _plain(form: Form) -> str:
    return " ".join(filter(None, (form.label, *map(render, form.children))))


def _joined(separator: str) -> Callable[[Form], str]:
    return lambda form: separator.join(filter(None, map(render, form.children)))


def _option(form: Form, attached: frozenset[str] = frozenset()) -> str:
    """`attached`: options whose value may be left out, and so must touch the letter."""
    name, _, times = form.label.partition(" x")
    dashes = "-" if len(name) <= 2 else "--"  # noqa: PLR2004 - wget has letters in pairs
    shown = " ".join([dashes + name] * int(times or 1))
    if not form.children:
        return shown
    value = word(form.children[0])
    if dashes == "--":
        return f"{shown}={value}"
    # A value that is nothing but an expansion may vanish: the letter would take the next word.
    vanishes = {atom.kind for atom in form.children[0].children} == {"split"}
    return f"{shown}{value}" if name in attached or vanishes else f"{shown} {value}"


def _operands(form: Form) -> str:
    shown = list(filter(None, map(render, form.children)))
    return " ".join(["--", *shown] if form.label or _is_negative(form.children) else shown)


def _is_negative(words: tuple[Form, ...]) -> bool:
    return any(_NEGATIVE_LEAD.match(word.lead or "") for word in words)


def _call(form: Form) -> str:
    if form.label == "find":
        return _find(form)
    name = form.label.split(" ")[-1]
    utility = find_utility(form.label)
    table = utility.options if utility else {}
    attached = frozenset(kind.name for kind in table.values() if kind.arity is Arity.OPTIONAL)
    options, sequence, operands, inner = form.children
    shown = [_settled(option, attached) for option in (*options.children, *sequence.children)]
    later = utility is not None and not utility.permute and not operands.label
    if form.label == "echo" or (later and not _is_negative(operands.children[:1])):
        operands = operands._replace(kind="items")  # no `--`
    return " ".join(filter(None, (name, *shown, render(operands), render(inner))))


def _settled(form: Form, attached: frozenset[str]) -> str:
    if form.kind == "tangle":
        return " ".join(_option(option, attached) for option in form.children)
    return _option(form, attached)


def _find(form: Form) -> str:
    """The options of find that hold for the whole search stand after the paths."""
    options, _, paths, expression = form.children
    flags = [f"-{o.label}" for o in options.children if o.label in ("H", "L")]
    lifted = [
        " ".join((f"-{o.label}", *map(word, o.children)))
        for o in options.children
        if o.label not in ("H", "L")
    ]
    shown = ("find", *flags, *map(render, paths.children), *lifted, render(expression))
    return " ".join(filter(None, shown))


def _verbatim(form: Form) -> str:
    name = form.label
    first, _, verb = name.partition(" ")
    if verb and (utility := find_utility(first)) and utility.subcommands:
        name = verb
    return " ".join(filter(None, (name and quote(name), *map(render, form.children))))


def _list(form: Form) -> str:
    parts = [render(child) for child in form.children]
    operators = form.label.split(" ")
    return parts[0] + "".join(f" {o} {p}" for o, p in zip(operators, parts[1:], strict=True))


def _redirect(form: Form) -> str:
    if form.label.endswith("<<"):
        return _here_string(form)
    target = word(form.children[0])
    return f"{form.label} {target}" if target[:1] in "<>" else form.label + target


def _here_string(form: Form) -> str:
    """The shell adds the last line end itself; a document without one is empty."""
    *atoms, last = form.children[0].children or (Form("text"),)
    if last.kind != "text" or not last.label.endswith("\n"):
        return "< /dev/null"
    body = (*atoms, Form("text", last.label[:-1]))
    kept = tuple(atom for atom in body if atom.label or atom.kind != "text") or body
    return f"{form.label[:-2].lstrip('0')}<<<{word(Form('word', '', kept))}"


def _for(form: Form) -> str:
    items, body, redirects = form.children
    named = "" if items.label == "none" else f" in {render(items)}"
    return f"{form.label}{named.rstrip()}; do {render(body)}; done {render(redirects)}".strip()


def _if(form: Form) -> str:
    *bodies, redirects = form.children
    branches = int(form.label)
    text = ""
    for place in range(branches):
        keyword = "elif" if place else "if"
        condition, body = render(bodies[2 * place]), render(bodies[2 * place + 1])
        text += f"{keyword} {condition}; then {body}; "
    if len(bodies) > 2 * branches:
        text += f"else {render(bodies[-1])}; "
    return f"{text}fi {render(redirects)}".strip()


def _case(form: Form) -> str:
    subject, *arms, redirects = form.children
    shown = "".join(
        f" {' | '.join(map(word, arm.children[:-1]))}) {render(arm.children[-1])} {arm.label}"
        for arm in arms
    )
    return f"case {word(subject)} in{shown} esac {render(redirects)}".strip()


def _condition(form: Form) -> str:
    *items, redirects = form.children
    return f"[[ {' '.join(map(render, items))} ]] {render(redirects)}".strip()


def _primary(form: Form) -> str:
    if form.kind == "run":
        name, _, end = form.label.partition(" ")
        return f"-{name} {render(form.children[0])} {quote(end)}"
    return " ".join((f"-{form.label}", *map(word, form.children)))


def _find_group(form: Form) -> str:
    shown = [
        f"\\( {render(c)} \\)" if c.kind in ("any", "each") else render(c) for c in form.children
    ]
    inner = {"any": " -o ", "each": " , "}.get(form.kind, " ").join(shown)
    return f"! \\( {inner} \\)" if form.kind == "none" else inner


def _assignment(form: Form) -> str:
    value = form.children[0]
    return f"{form.label}={word(value) if constant(value) != '' else ''}"


def _coproc(form: Form) -> str:
    """Only a compound command can have a name before it."""
    body = render(form.children[0])
    simple = form.children[0].kind in ("call", "command", "verbatim")
    return f"coproc {body}" if simple else f"coproc {form.label} {body}"


def _filled(form: Form) -> str:
    return _TEMPLATES[form.kind].format(*map(render, form.children), label=form.label).strip()


_TEMPLATES = {
    "background": "{0} &",
    "group": "{{ {0}; }} {1}",
    "subshell": "( {0} ) {1}",
    "while": "while {0}; do {1}; done {2}",
    "until": "until {0}; do {1}; done {2}",
    "c-for": "for (({0})); do {1}; done",
    "arithmetic-command": "(({0})) {1}",
    "function": "{label}() {0}",
    "dashes": "--",
}
_RULES: dict[str, Callable[[Form], str]] = {
    **dict.fromkeys(_TEMPLATES, _filled),
    **dict.fromkeys(("tangle", "items"), _joined(" ")),
    **dict.fromkeys(("primary", "run"), _primary),
    **dict.fromkeys(("all", "any", "each", "none"), _find_group),
    "word": word,
    "option": _option,
    "operands": _operands,
    "call": _call,
    "verbatim": _verbatim,
    "assignment": _assignment,
    "redirect": _redirect,
    "script": lambda form: "; ".join(map(render, form.children)).replace(" &; ", " & "),
    "list": _list,
    "pipeline": lambda form: f"{form.label} {_joined(' | ')(form)}".strip(),
    "for": _for,
    "coproc": _coproc,
    "if": _if,
    "case": _case,
    "condition": _condition,
    "arithmetic": _tokens,
}
