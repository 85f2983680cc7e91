r"""The first difference between two forms, and whether it surely changes the effect.

A difference is sure where both sides are understood and what differs is known to count. One
unsure difference makes the result unsure: `grep -E 'a|b'` and `grep 'a\|b'` differ in two places
that make up for each other. A soft one decides nothing, either way.
"""

import posixpath
import re
from collections import Counter
from enum import Enum
from itertools import zip_longest
from typing import NamedTuple

from sdkbench.shell.canonical import Form, render
from sdkbench.shell.canonical.form import constant
from sdkbench.shell.utilities import Utility, find_utility

_SIGNS = str.maketrans("+-", "==")
_EXPANDING = frozenset({"glob", "split", "brace"})
_OPEN = frozenset({"split", "command", "process", "brace", "arithmetic", "input"})
_REVISION = re.compile(r"[~^@]|HEAD|refs/")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_PLAIN_WORD = re.compile(r"[A-Za-z0-9_ ]+\Z")
_ORDERED_KINDS = frozenset({"script", "list"})
_JOINING_KINDS = frozenset({"script", "list", "pipeline"})
_CHANGES = frozenset({
    "remove", "copy", "move", "link", "make directory", "touch", "permissions", "owner", "signal",
    "mount", "unmount", "accounts", "packages",
})  # fmt: skip
_READS = frozenset({
    "filter", "list", "print", "inspect", "disk usage", "disk free", "processes", "identity",
    "date", "system name", "sessions", "environment", "directory", "uptime", "memory", "hostname",
    "compare", "count", "md5", "sha1", "sha256", "sha512", "locate", "manual", "sockets",
})  # fmt: skip


class Weight(Enum):
    SURE = "sure"
    SOFT = "soft"
    UNSURE = "unsure"


class Difference(NamedTuple):
    """Most are found and never told: only the text of one that is asked for is put together."""

    weight: Weight
    parts: tuple[str | Form, ...]

    @property
    def sure(self) -> bool:
        return self.weight is Weight.SURE

    @property
    def text(self) -> str:
        return "".join(p if isinstance(p, str) else _displayed(p) for p in self.parts)


Parts = tuple[str | Form, ...]


def _sure(*parts: str | Form) -> Difference:
    return Difference(Weight.SURE, parts)


def _unsure(*parts: str | Form) -> Difference:
    return Difference(Weight.UNSURE, parts)


def _sure_if(condition: bool, *parts: str | Form) -> Difference:
    return Difference(Weight.SURE if condition else Weight.UNSURE, parts)


def first_difference(a: Form, b: Form) -> Difference:
    """`a` and `b` must not be equal."""
    if a.kind != b.kind:
        return _kinds(a, b)
    match a.kind:
        case "call":
            return _calls(a, b)
        case "command":
            return _commands(a, b)
        case "script" | "list" | "pipeline":
            return _sequences(a, b)
        case "background" | "group" | "subshell":
            return _children(a, b)
        case _:
            return _unsure(*_against(a, b))


def _against(a: Form, b: Form) -> Parts:
    return a, " against ", b


def _displayed(form: Form) -> str:
    limit = 80
    text = render(form) or "nothing"
    return f"`{text}`" if len(text) <= limit else f"`{text[:limit]}…`"


def _kinds(a: Form, b: Form) -> Difference:
    """A command with a redirection or assignment against one without; else other shapes."""
    if {a.kind, b.kind} <= {"command", "call"}:
        return _commands(_as_command(a), _as_command(b))
    if {a.kind, b.kind} <= _JOINING_KINDS and a.children == b.children:
        return _sure("the same commands joined in another way: ", *_against(a, b))
    if "background" in (a.kind, b.kind) and (a in b.children or b in a.children):
        return _sure("only one waits for its end: ", *_against(a, b))
    return _unsure(*_against(a, b))


def _as_command(form: Form) -> Form:
    if form.kind == "command":
        return form
    return Form("command", "", (Form("assignments"), form, Form("redirects")))


def _all_of(differences: list[Difference]) -> Difference:
    """The first sure one, else the first; the weight is sure only if none is unsure."""
    weights = {d.weight for d in differences}
    weight = next(w for w in (Weight.UNSURE, Weight.SURE, Weight.SOFT) if w in weights)
    reported = next((d for d in differences if d.weight is Weight.SURE), differences[0])
    return Difference(weight, reported.parts)


def _children(a: Form, b: Form) -> Difference:
    pairs = zip_longest(a.children, b.children, fillvalue=Form("nothing"))
    return _all_of([first_difference(x, y) for x, y in pairs if x != y])


def _sequences(a: Form, b: Form) -> Difference:
    """Lists and pipelines of the same shape are compared member by member."""
    if len(a.children) != len(b.children):
        return _unsure(*_against(a, b))
    if a.label != b.label:
        same = a.children == b.children
        return _sure_if(
            same, f"joined by `{a.label or 'nothing'}` against `{b.label or 'nothing'}`"
        )
    differences = [
        first_difference(x, y) for x, y in zip(a.children, b.children, strict=True) if x != y
    ]
    whole = _all_of(differences)
    # Two members of a pipeline can make up for each other (`sort -r | head`, `sort | tail`).
    return (
        whole
        if len(differences) == 1 or a.kind in _ORDERED_KINDS
        else whole._replace(weight=Weight.UNSURE)
    )


def _commands(a: Form, b: Form) -> Difference:
    differences: list[Difference] = []
    assigned_a, call_a, redirects_a = a.children
    assigned_b, call_b, redirects_b = b.children
    if call_a != call_b:
        calls = first_difference(call_a, call_b)
        # `cat a > b` copies as `cp a b` does: with a redirection, another program shows nothing.
        comparable = call_a.label == call_b.label or not redirects_a.children
        differences.append(calls if comparable else calls._replace(weight=Weight.UNSURE))
    if redirects_a != redirects_b:
        differences.append(_redirects(redirects_a, redirects_b))
    if assigned_a != assigned_b:
        differences.append(_unsure(*_against(assigned_a, assigned_b)))
    whole = _all_of(differences)
    # A redirection can stand in for an operand or option (`wc < f`, `gzip -c f > f.gz`).
    return whole if len(differences) == 1 else whole._replace(weight=Weight.UNSURE)


def _redirects(a: Form, b: Form) -> Difference:
    if sorted(a.children) == sorted(b.children):
        # Copies of descriptors depend on their order; separate files hardly do.
        copies = any(r.label.endswith("&") for r in a.children)
        return _sure_if(copies, "redirections in another order: ", *_against(a, b))
    clobber = [r.label.replace(">|", ">") for r in a.children] == [
        r.label.replace(">|", ">") for r in b.children
    ]
    pairs = zip(a.children, b.children, strict=False)
    targets = [_word(x.children[0], y.children[0]) for x, y in pairs if x.children != y.children]
    if clobber and not targets:
        return _unsure(*_against(a, b))
    sure = all(t.sure for t in targets)
    return _sure_if(sure, "redirections ", *_against(a, b))


def _calls(a: Form, b: Form) -> Difference:
    utility = find_utility(a.label)
    other = find_utility(b.label)
    if a.label != b.label or utility is None:
        sure = bool(utility and other and _other_effect(utility, other, a, b))
        return _sure_if(sure, f"{a.label} against {b.label}")
    differences: list[Difference] = []
    for x, y in zip(a.children, b.children, strict=True):
        if x == y:
            continue
        match x.kind:
            case "options" | "sequence":
                differences += _options(utility, x, y)
            case "operands":
                differences.append(_operands(utility, x, y))
            case _:
                differences.append(_inner(x, y))
    return _all_of(differences)


def _other_effect(utility: Utility, other: Utility, a: Form, b: Form) -> bool:
    """One changes something and the other only reads, or they change different things."""
    effects = {utility.effect, other.effect}
    if len(effects) == 1 or not effects & _CHANGES or not effects <= _CHANGES | _READS:
        return False
    pairs = ((utility, a), (other, b))
    writes = any(o.label in u.writes for u, form in pairs for o in form.children[0].children)
    return not writes and effects != {"copy", "link"}  # cp can link too


def _options(utility: Utility, a: Form, b: Form) -> list[Difference]:
    if sorted(a.children) == sorted(b.children):
        return [_sure("options in another order: ", *_against(a, b))]
    left = Counter(a.children) - Counter(b.children)
    right = Counter(b.children) - Counter(a.children)
    differences: list[Difference] = []
    for option in left:
        counterpart = next((o for o in right if o.label == option.label), None)
        differences.append(_option(utility, option, counterpart))
    names = {option.label for option in left}
    differences += [
        _option(utility, o, None, whose="second") for o in right if o.label not in names
    ]
    if _spelled_otherwise(utility, left, right):
        differences.append(_unsure("options ", *_against(a, b)))
    return differences


def _spelled_otherwise(utility: Utility, left: Counter[Form], right: Counter[Form]) -> bool:
    """`diff -u` and `diff -U 3`: two of one group, at least one of them with a value."""
    ours = {(form.label, bool(form.children)) for form in left}
    theirs = {(form.label, bool(form.children)) for form in right}
    return any(
        x != y and {x, y} <= group and (x_valued or y_valued)
        for group in utility.tangled
        for x, x_valued in ours
        for y, y_valued in theirs
    )


def _option(
    utility: Utility, option: Form, counterpart: Form | None, *, whose: str = "first"
) -> Difference:
    """An option that one side lacks or gives another value."""
    name = option.label.split(" ")[0]
    weight = Weight.SURE
    if name in utility.soft:
        weight = Weight.SOFT
    if option.kind == "tangle" or name in utility.rephrases:
        weight = Weight.UNSURE
    if counterpart is None:
        return Difference(weight, (f"only the {whose} has ", option))
    if option.children and counterpart.children and option.kind == "option":
        values = (option.children[0], counterpart.children[0])
        # A pattern of letters means itself; a key or a date of letters may not.
        plain = name in utility.pattern and _plain(*values)
        if not _word(*values).sure or (name in utility.unsure and not plain):
            weight = Weight.UNSURE
    return Difference(weight, _against(option, counterpart))


def _operands(utility: Utility, a: Form, b: Form) -> Difference:
    text: Parts = ("arguments ", *_against(a, b))
    if a.children == b.children:
        return _unsure(*text)  # only the guarding `--` differs
    if Counter(a.children) == Counter(b.children):
        return _sure_if(not utility.unordered, "in another order: ", *text)
    if len(a.children) != len(b.children):
        words = (*a.children, *b.children)
        here = {constant(word) for word in words} <= {".", "./"}
        expands = any(atom.kind in _EXPANDING for word in words for atom in word.children)
        return _sure_if(not (utility.vague or here or expands or utility.name == "echo"), *text)
    sure = []
    for place, (x, y) in enumerate(zip(a.children, b.children, strict=True)):
        if x == y:
            continue
        program = place < utility.programs and not _plain(x, y)
        if utility.special == "chmod" and place == 0:
            program = not _other_mode(constant(x) or "", constant(y) or "")
        if utility.vague and any(_REVISION.search(constant(word) or "") for word in (x, y)):
            program = True
        sure.append(not program and (_word(x, y).sure or _pattern_against_text(x, y)))
    return _sure_if(all(sure), *text)


def _pattern_against_text(a: Form, b: Form) -> bool:
    """`ls *.txt` and `ls '*.txt'`: files that match, against one file of that name."""
    kinds = {atom.kind for word in (a, b) for atom in word.children}
    return kinds == {"text", "glob"} and (constant(a) is None) != (constant(b) is None)


def _plain(*words: Form) -> bool:
    return all(_PLAIN_WORD.match(constant(word) or "") for word in words)


def _word(a: Form, b: Form) -> Difference:
    """Unsure if both may name one place, or if an expansion may hold the other text."""
    text = _against(a, b)
    first, second = constant(a), constant(b)
    if first is not None and second is not None:
        return _sure_if(_path(first) != _path(second), *text)
    kinds = {atom.kind for word in (a, b) for atom in word.children}
    if kinds & _OPEN:
        return _unsure(*text)
    if "param" in kinds and (first is None) != (second is None):
        # A variable may hold that text, unless the text is the variable's own name, quoted.
        return _sure_if(bool({"$", "~"} & set(first or second or "")), *text)
    if _path(_unquoted_text(a)) == _path(_unquoted_text(b)):
        return _unsure(*text)
    return _sure_if(a.kind == b.kind == "word", *text)


def _unquoted_text(word: Form) -> str:
    return "".join(atom.label for atom in word.children)


def _path(text: str) -> str:
    """Names that may mean the same file, number, time or unit are folded together."""
    duration = re.fullmatch(r"(\d{1,9})([smhd])", text)
    if duration:
        return str(int(duration[1]) * _SECONDS[duration[2]])
    folded = re.sub(r"^0+(?=\d)|\.service$", "", text)
    return posixpath.normpath(re.sub(r":~/?$", ":", folded))


def _other_mode(a: str, b: str) -> bool:
    """Two octal modes, or one symbolic change and its opposite."""
    if a.isdigit() and b.isdigit():
        return a != b
    return len(a) == len(b) and a.translate(_SIGNS) == b.translate(_SIGNS)


def _inner(a: Form, b: Form) -> Difference:
    if len(a.children) != len(b.children) or not a.children:
        return _unsure(*_against(a, b))
    x, y = a.children[0], b.children[0]
    if {x.kind, y.kind} <= {"all", "any", "none", "each", "primary", "run"}:
        return _expressions(x, y)
    return first_difference(x, y)


def _expressions(a: Form, b: Form) -> Difference:
    """Expressions of find, compared by the tests and actions in them."""
    text = _against(a, b)
    left, right = _leaves(a), _leaves(b)
    names_a, names_b = Counter(f.label for f in left), Counter(f.label for f in right)
    if "prune" in names_a or "prune" in names_b:
        return _unsure(*text)  # what is passed over can be said in many ways
    if Counter(left) == Counter(right):
        return _sure("in another order or grouping: ", *text)
    if _deletes(names_a, names_b) or _folds_case(left, right):
        return _sure(*text)
    if names_a != names_b:
        # One has an extra test: sure. Each lacks one of the other's: those may be equivalent.
        return _sure_if(names_a <= names_b or names_b <= names_a, *text)
    if [f.label for f in left] != [f.label for f in right]:
        return _unsure(*text)
    differences = [_leaf(x, y) for x, y in zip(left, right, strict=True) if x != y]
    return _sure_if(all(d.sure for d in differences), *text)


def _deletes(a: Counter[str], b: Counter[str]) -> bool:
    """One deletes and the other only prints."""
    shows = {"print", "print0", "ls", "printf"}
    runs = any(name.split(" ")[0] in ("exec", "execdir", "ok", "okdir") for name in (*a, *b))
    return not runs and ("delete" in a) != ("delete" in b) and bool(shows & (a.keys() | b.keys()))


def _folds_case(left: list[Form], right: list[Form]) -> bool:
    """`-name` against `-iname`, and nothing else, with a letter in the pattern."""
    apart = [(x, y) for x, y in zip(left, right, strict=False) if x != y]
    if len(left) != len(right) or len(apart) != 1:
        return False
    x, y = apart[0]
    names = sorted((x.label, y.label), key=len)
    letters = any(c.isalpha() for c in _unquoted_text(x.children[0])) if x.children else False
    return names[1] == "i" + names[0] and x.children == y.children and letters


def _leaves(tree: Form) -> list[Form]:
    if tree.kind in ("primary", "run"):
        return [tree]
    return [leaf for child in tree.children for leaf in _leaves(child)]


def _leaf(a: Form, b: Form) -> Difference:
    if a.kind == "run":
        return first_difference(a.children[0], b.children[0])
    if a.label in ("regex", "iregex", "printf", "perm", "size"):
        units = {(constant(f.children[0]) or "")[-1:] for f in (a, b)}
        return _sure_if(a.label == "size" and len(units) == 1, *_against(a, b))
    return _all_of([_word(x, y) for x, y in zip(a.children, b.children, strict=True) if x != y])
