"""Expressions of find that come to the same, brought to one shape.

Each rule is exact as GNU find is documented, for any file names. They hold for searches whose
starting points exist, and for programs that succeed on what they are given. The status that find
reports for a program which fails depends on the shape (`;` or `+`), and so is not compared.
"""

import re
from fnmatch import fnmatchcase
from itertools import groupby

from sdkbench.shell.canonical.form import Form, Words, constant, text_word
from sdkbench.shell.canonical.modes import octal_mode
from sdkbench.shell.utilities import Utility, find_utility
from sdkbench.shell.utilities.table import find_words

_SIZE = re.compile(r"([-+]?)(\d{1,15})([bcwkMG]?)\Z")
_UNITS = {"": 512, "b": 512, "c": 1, "w": 2, "k": 1024, "M": 1024**2, "G": 1024**3}
_JUNCTIONS = frozenset({"any", "all", "none"})
PRINT = Form("primary", "print")
FOUND = text_word("{}")  # where -exec puts what was found
_EVERYTHING = text_word("*")
_DEFAULT_DEPTH = Form("option", "mindepth", (text_word("0"),))
# They always hold, so nothing after them depends on them.
_SHOWS = frozenset({"print", "print0", "printf", "ls"})
_MATCHES_ANY = frozenset({"name", "iname", "path", "ipath"})
# What rm does with folders only, and whether it asks: neither matters for a plain file that is
# there, as long as no terminal is asked.
_RM_ON_FILES = frozenset({"f", "r", "d"})
# They print a line for each of several names; a basename without -a takes only one.
_NAME_BY_NAME = frozenset({"dirname", "printf", "basename"})
# They print nothing and take no further file: the folder in which they run doesn't matter.
_ANYWHERE = frozenset({"rm", "chmod"})


def all_of(parts: list[Form]) -> Form:
    """`a (b c)` is `a b c`; a find without tests is an empty one."""
    flat: list[Form] = []
    for part in parts:
        flat += part.children if part.kind == "all" else (part,)
    return flat[0] if len(flat) == 1 else Form("all", "", tuple(flat))


def settled(options: list[Form], paths: Words, tree: Form) -> tuple[list[Form], Words, Form]:
    """Options that hold for the whole search, its starting points, and its expression."""
    options = [option for option in options if option != _DEFAULT_DEPTH]
    tree = _arranged(_merged_prints(_unnested(tree, unused=True)))
    if not _shows_root(tree, paths):
        tree = with_action(tree, plain_starts=all(map(_is_plain_start, paths)))
    if _deletes_files(tree):
        options = [*(o for o in options if o.label != "depth"), Form("option", "depth")]
    if _passes_over_start(tree, options):
        paths = tuple(text_word(".") if constant(p) == "./" else p for p in paths)
    return options, paths, tree


def is_pure(tree: Form) -> bool:
    """A test whose only effect is its answer: neighbours can change places with it."""
    if tree.kind == "primary":
        return tree.label in find_words().tests or tree.label.startswith("newer")
    return tree.kind in _JUNCTIONS and all(map(is_pure, tree.children))


def kind_found(tree: Form) -> str | None:
    """`f` or `d` where the search finds only those."""
    for part in tree.children if tree.kind == "all" else (tree,):
        if part.kind == "primary" and part.label == "type":
            return constant(part.children[0])
    return None


def _unnested(tree: Form, *, unused: bool = False) -> Form:
    """Negations at the leaves, groups of one kind in one. `unused`: nothing asks for its answer."""
    if tree.kind == "primary":
        return _primary(tree)
    if tree.kind == "none" and tree.children[0].kind in _JUNCTIONS and is_pure(tree):
        return _unnested(_negated(tree.children[0]))
    if tree.kind not in _JUNCTIONS:
        return tree
    parts: list[Form] = []
    for child in map(_unnested, tree.children):
        parts += child.children if child.kind == tree.kind != "none" else (child,)
    if tree.kind == "any" and unused:
        return _without_alternatives(parts)
    if tree.kind == "all":
        whole = all_of([p for p in parts if not _always_holds(p)])
        return _pruned_first(whole) if unused else whole
    return tree._replace(children=tuple(parts))


def _negated(tree: Form) -> Form:
    """Not (a or b) is (not a) and (not b), for tests."""
    if tree.kind == "none":
        return tree.children[0]
    if tree.kind in ("any", "all"):
        other = "all" if tree.kind == "any" else "any"
        return Form(other, "", tuple(map(_negated, tree.children)))
    return Form("none", "", (tree,))


def _without_alternatives(parts: list[Form]) -> Form:
    """`-name a -o -print` is `! -name a -print`: nobody asks what the whole comes to."""
    tests = list(parts[: next((n for n, p in enumerate(parts) if not is_pure(p)), len(parts))])
    rest = parts[len(tests) :]
    if not tests or not rest:
        return Form("any", "", tuple(parts))
    last = rest[0] if len(rest) == 1 else Form("any", "", tuple(rest))
    return all_of([*(_unnested(_negated(test)) for test in tests), last])


def _pruned_first(tree: Form) -> Form:
    """`! ( -name a -prune ) -print` is `-name a -prune -o -print`: -prune always holds."""
    pruned: list[Form] = []
    rest = list(tree.children) if tree.kind == "all" else []
    while rest and rest[0].kind == "none" and _ends_in_prune(rest[0].children[0]):
        pruned.append(rest.pop(0).children[0])
    return Form("any", "", (*pruned, all_of(rest))) if pruned and rest else tree


def _ends_in_prune(tree: Form) -> bool:
    *tests, last = tree.children if tree.kind == "all" and tree.children else (tree,)
    return last == Form("primary", "prune") and all(map(is_pure, tests))


def _always_holds(part: Form) -> bool:
    if part.kind != "primary":
        return False
    any_name = part.label in _MATCHES_ANY and part.children[0] == _EVERYTHING
    return any_name or part.label == "true"


def _primary(test: Form) -> Form:
    argument = constant(test.children[0]) if test.children else None
    if argument is None:
        return test
    if test.label == "size":
        return test._replace(children=(text_word(_size(argument)),))
    if test.label == "perm":
        return test._replace(children=(text_word(_permissions(argument)),))
    if test.label == "printf" and argument in (r"%p\n", r"%p\0"):
        return PRINT if argument.endswith("n") else Form("primary", "print0")
    return test


def _size(text: str) -> str:
    """Sizes are rounded up to units: `+1M` is more than 1048576 bytes, `-1M` is none at all."""
    size = _SIZE.match(text)
    if not size:
        return text
    count, unit = int(size[2]), _UNITS[size[3]]
    if size[1] == "+":
        return f"+{count * unit}c"
    if size[1] == "-":
        return f"-{(count - 1) * unit + 1}c" if count else text
    return "0c" if count == 0 else f"{count}{size[3] or 'b'}"


def _permissions(text: str) -> str:
    sign = text[:1] if text[:1] in ("-", "/") else ""
    mode = octal_mode(text[len(sign) :])
    return text if mode is None else f"{sign}{mode:o}"


def _merged_prints(tree: Form) -> Form:
    """`a -print -o b -print` is `( a -o b ) -print`, for tests a and b."""
    if tree.kind != "any":
        return tree
    heads: list[Form] = []
    for part in tree.children:
        *tests, action = part.children if part.kind == "all" else (part,)
        if action.kind != "primary" or action.label not in _SHOWS or not tests:
            return tree
        if not all(map(is_pure, tests)):
            return tree
        heads.append(all_of(tests))
    actions = {(p.children if p.kind == "all" else (p,))[-1] for p in tree.children}
    if len(actions) > 1:
        return tree
    return all_of([Form("any", "", tuple(heads)), actions.pop()])


def _arranged(tree: Form) -> Form:
    """Runs of tests in a fixed order, each once."""
    if tree.kind not in ("any", "all", "none", "each"):
        return tree
    children = tuple(map(_arranged, tree.children))
    if tree.kind == "any" and all(map(is_pure, children)):
        children = tuple(sorted(set(children)))
    if tree.kind == "all":
        runs = ((pure, list(run)) for pure, run in groupby(children, is_pure))
        children = tuple(c for pure, run in runs for c in (sorted(set(run)) if pure else run))
    if tree.kind != "none" and len(children) == 1:
        return children[0]
    return tree._replace(children=children)


def _is_plain_start(path: Form) -> bool:
    """One that dirname and find's %h, basename and %f take apart in the same way."""
    text = constant(path) or "/"
    return not text.endswith("/") and not (text[0] == "/" and "/" not in text[1:])


def with_action(tree: Form, *, status_used: bool = True, plain_starts: bool = False) -> Form:
    """The one action after a run of tests, where another one does the same."""
    *tests, action = tree.children if tree.kind == "all" and tree.children else (tree,)
    if not all(map(is_pure, tests)):
        return tree
    kind = kind_found(tree)
    if kind == "f":
        tests = [_emptiness(test) for test in tests]
    elif plain_starts and action.kind == "run" and (part := _part_of_name(action)):
        return all_of([*sorted(set(tests)), part])
    return all_of([*sorted(set(tests)), settled_action(action, kind, status_used=status_used)])


def _part_of_name(action: Form) -> Form | None:
    """An `-exec dirname {}` as -printf, whatever kind of file is found."""
    shown = settled_action(action, "f")
    return shown if shown.kind == "primary" and shown.label == "printf" else None


def _shows_root(tree: Form, paths: Words) -> bool:
    """The program dirname calls the folder of `/x` by its name; find's %h leaves it empty."""
    last = tree.children[-1] if tree.kind == "all" and tree.children else tree
    is_dirname = last.kind == "run" and last.children[0].label == "dirname"
    return is_dirname and any((constant(path) or "").strip("/") == "" for path in paths)


def _emptiness(test: Form) -> Form:
    """A plain file is empty if its size is 0."""
    is_zero = test == Form("primary", "size", (text_word("0c"),))
    return Form("primary", "empty") if is_zero else test


def settled_action(action: Form, kind: str | None, *, status_used: bool = True) -> Form:
    """`kind` is the one kind of file that is found, where it is known."""
    if action.kind == "primary" and action.label == "delete" and kind == "f":
        return action
    if action.kind != "run":
        return action
    name, _, end = action.label.partition(" ")
    command = action.children[0]
    if name == "execdir" and command.label in _ANYWHERE and kind == "f":
        name = "exec"
    if name != "exec" or command.kind != "call" or _mentions(command) != 1:
        return action
    operands = command.children[2].children
    if not operands or operands[-1] != FOUND:
        return action
    shown = _shown(command, kind)
    if shown and (end == ";" or command.label in _NAME_BY_NAME):
        return shown
    if command.label == "rm" and kind == "f" and _given(command) <= _RM_ON_FILES:
        return Form("primary", "delete")
    if end == ";" and works_on_each(command, kind, status_used=status_used):
        end = "+"
    return Form("run", f"exec {end}", (command,))


def _mentions(form: Form) -> int:
    """How often `{}` stands in it."""
    return form.label.count("{}") + sum(map(_mentions, form.children))


def _given(command: Form) -> set[str]:
    options, sequence, _, _ = command.children
    return {option.label for option in (*options.children, *sequence.children)}


def _shown(command: Form, kind: str | None) -> Form | None:
    """Programs that only print the name, or a part of it."""
    given = _given(command)
    operands = command.children[2].children
    if len(operands) == 1 and not given:
        if command.label == "echo" or (command.label == "ls" and kind == "f"):
            return PRINT
        if command.label == "dirname" and kind == "f":
            return Form("primary", "printf", (text_word(r"%h\n"),))
    if command.label == "basename" and kind == "f" and len(operands) == 1 and given <= {"a"}:
        return Form("primary", "printf", (text_word(r"%f\n"),))
    if command.label == "ls" and given == {"d"} and len(operands) == 1:
        return PRINT
    if command.label == "printf" and operands == (text_word(r"%s\n"), FOUND) and not given:
        return PRINT
    return None


def one_by_one(utility: Utility, given: set[str]) -> bool:
    """Whether it does with several operands what it does with each, one after the other."""
    together = given & utility.together or (utility.apart and not given & utility.apart)
    return utility.each and not together


def works_on_each(command: Form, kind: str | None, *, status_used: bool) -> bool:
    """Whether one run for all files does what a run for each does."""
    utility = find_utility(command.label)
    if utility is None or kind != "f" or not one_by_one(utility, _given(command)):
        return False
    return utility.steady or not status_used


def _deletes_files(tree: Form) -> bool:
    last = tree.children[-1] if tree.kind == "all" and tree.children else tree
    return last == Form("primary", "delete") and kind_found(tree) == "f"


def _passes_over_start(tree: Form, options: list[Form]) -> bool:
    """Whether `.` itself, a folder, is never found: only its name shows how it was written."""
    if any(o.label == "mindepth" and o.children != (text_word("0"),) for o in options):
        return not _tells_start(tree)
    tests = [part for part in tree.children if is_pure(part)] if tree.kind == "all" else []
    before = tree.children[: len(tests)]
    return any(map(_excludes_start, tests)) and all(map(is_pure, before)) and not _tells_start(tree)


def _excludes_start(test: Form) -> bool:
    argument = constant(test.children[0]) if test.kind == "primary" and test.children else None
    if test.label == "type":
        return argument in ("f", "l")
    if test.label not in ("name", "iname") or argument is None:
        return False
    # Python and the shell read these two differently.
    return not fnmatchcase(".", argument) and "[^" not in argument and "\\" not in argument


def _tells_start(tree: Form) -> bool:
    """A format that shows the starting point as it was written."""
    if tree.kind == "primary" and tree.label in ("printf", "fprintf"):
        return any("%H" in (constant(child) or "%H") for child in tree.children)
    return any(map(_tells_start, tree.children)) if tree.kind in (*_JUNCTIONS, "each") else False
