"""Pipelines that come to the same, brought to one shape.

What is compared is the output, the files and the exit status, of pipelines whose files exist. Each
rule is exact but for what its docstring sets apart. `status_used` says that a list or a condition
asks for the status: then rules that may change it don't apply.
"""

from collections.abc import Callable

from sdkbench.shell.canonical import find_rules
from sdkbench.shell.canonical.form import (
    Form,
    Words,
    call_form,
    constant,
    glued,
    is_one_file,
    text_word,
)
from sdkbench.shell.utilities import Utility, find_utility

PRINT0 = Form("primary", "print0")
# sort orders by the whole line alone, up or down: lines that it holds to be equal are the same.
_WHOLE_LINES = frozenset({"r", "u", "parallel", "S", "T"})
# With these, sort's order is a total one, which `-r` turns around.
_REVERSIBLE = frozenset("rnghMVfdibkt")
# grep prints one line for each line that it selects.
_LINE_BY_LINE = frozenset(
    {"E", "F", "G", "P", "e", "f", "i", "w", "x", "v", "n", "b", "m", "s", "a"}
)
_ONE_COUNT = frozenset({"l", "w", "c", "m"})
_FIRST_FIELD = (
    call_form("awk", (), (text_word("{print $1}"),)),
    call_form("cut", (Form("option", "d", (text_word(" "),)),
                      Form("option", "f", (text_word("1"),))), ()),
)  # fmt: skip
_CHANGE_THE_SHELL = frozenset({
    "read", "mapfile", "readarray", "cd", "pushd", "popd", "export", "declare", "typeset", "local",
    "readonly", "unset", "set", "shopt", "eval", "source", ".", "exec", "exit", "return", "shift",
    "alias", "unalias", "umask", "ulimit", "trap", "wait", "getopts", "let", "history", "hash",
    "enable", "disown", "fg", "bg", "command", "builtin", "break", "continue", "logout",
})  # fmt: skip
_LONG_FORMATS = frozenset({"l", "C", "m", "x", "g", "n", "o", "f", "format", "zero"})


def pipeline_form(label: str, members: list[Form], *, status_used: bool) -> Form:
    """The pipeline with every rule applied; one command alone where that is all that is left."""
    members = _without_useless_cats(members)
    place = 0
    while place < len(members) - 1:
        joined = _joined(members, place, status_used=status_used)
        if joined is None:
            place += 1
        else:
            members[place : place + 2] = joined
            place = max(place - 1, 0)
    members = [*map(_unseen, members[:-1]), members[-1]]
    if len(members) == 1 and not label:
        return members[0]
    return Form("pipeline", label, tuple(members))


def _joined(members: list[Form], place: int, *, status_used: bool) -> list[Form] | None:
    """What two neighbours can be replaced by."""
    first, second = members[place], members[place + 1]
    is_last = place + 2 == len(members)
    rule = _RULES.get((first.label, called(second).label)) or _RULES.get((first.label, ""))
    if rule is None or first.kind != "call":
        return None
    return rule(first, second, status_used and is_last)


def called(form: Form) -> Form:
    """The call in a command with redirections."""
    return form.children[1] if form.kind == "command" else form


def options_of(call: Form) -> dict[str, Form]:
    return {option.label: option for part in call.children[:2] for option in part.children}


def operands_of(call: Form) -> Words:
    return call.children[2].children


def _with_operands(call: Form, operands: Words) -> Form:
    options, sequence, _, inner = call.children
    return call._replace(children=(options, sequence, Form("operands", "", operands), inner))


def _with_options(call: Form, options: list[Form]) -> Form:
    return call._replace(children=(Form("options", "", tuple(sorted(options))), *call.children[1:]))


# Files given as standard input


def reading(call: Form, file: Form) -> Form | None:
    """`sort f` for a `sort` that would read `f` from its standard input; None if it shows more."""
    utility = find_utility(call.label) if call.kind == "call" else None
    if utility is None or not utility.reads or utility.names & options_of(call).keys():
        return None
    operands = operands_of(call)
    if len(operands) != _programs(utility, call) or call.children[2].label:
        return None
    if utility.special == "awk" and _names_files(call):
        return None
    return _with_operands(call, (*operands, file)) if is_one_file(file) else None


def _programs(utility: Utility, call: Form) -> int:
    """How many operands are no files."""
    given = options_of(call).keys()
    return 0 if utility.special == "awk" and given & {"f", "e"} else utility.programs


def _names_files(call: Form) -> bool:
    """An awk program that isn't known, or that asks for the names of its files."""
    program = constant(operands_of(call)[0]) if operands_of(call) else None
    return program is None or "FILENAME" in program or "ARG" in program or "getline" in program


def with_input(command: Form) -> Form:
    """`sort < f` is `sort f`. A file that is missing makes them differ in what is written."""
    assignments, call, redirects = command.children
    sources = [r for r in redirects.children if r.label == "0<"]
    if len(sources) != 1 or any(
        r.label[:1] == "0" and r not in sources for r in redirects.children
    ):
        return command
    operand = reading(call, sources[0].children[0])
    if operand is None:
        return command
    rest = tuple(r for r in redirects.children if r not in sources)
    if not rest and not assignments.children:
        return operand
    return command._replace(children=(assignments, operand, redirects._replace(children=rest)))


def redirected(form: Form, redirect: Form) -> Form | None:
    """The command with one more redirection of its input, if it has none yet.

    A command of the shell's own, behind a pipe, changes only a shell of its own.
    """
    if called(form).label in _CHANGE_THE_SHELL:
        return None
    if form.kind == "call":
        parts = (Form("assignments"), form, Form("redirects", "", (redirect,)))
        return Form("command", "", parts)
    if form.kind != "command" or form.children[1].kind != "call":
        return None
    assignments, call, redirects = form.children
    if any(r.label[:1] == "0" for r in redirects.children):
        return None
    both = Form("redirects", "", (redirect, *redirects.children))
    return Form("command", "", (assignments, call, both))


def _cat(first: Form, second: Form, _: bool) -> list[Form] | None:
    """`cat f | sort` is `sort < f`, for one file."""
    operands = operands_of(first)
    if options_of(first) or len(operands) != 1 or not is_one_file(operands[0]):
        return None
    fed = redirected(second, Form("redirect", "0<", operands))
    return None if fed is None else [with_input(fed)]


def _echo(first: Form, second: Form, _: bool) -> list[Form] | None:
    """`echo text | sort` is `sort <<< text`."""
    operands = operands_of(first)
    if options_of(first) or len(operands) != 1 or constant(operands[0]) is None:
        return None
    atoms = glued((*operands[0].children, Form("text", "\n")))
    fed = redirected(second, Form("redirect", "0<<", (Form("word", "", tuple(atoms)),)))
    return None if fed is None else [fed]


def _without_useless_cats(members: list[Form]) -> list[Form]:
    """`a | cat | b` is `a | b`. The last one stays: its status is the pipeline's."""
    bare = call_form("cat", (), ())
    if called(members[-1]).label in _CHANGE_THE_SHELL:
        return members
    return [m for m in members[:-1] if m != bare] + members[-1:]


# sort, and what comes after it


def _sort_uniq(first: Form, second: Form, _: bool) -> list[Form] | None:
    """`sort | uniq` is `sort -u`, in locales in which no two different lines sort as equal."""
    given = options_of(first)
    if second != call_form("uniq", (), ()) or not given.keys() <= _WHOLE_LINES:
        return None
    options = [o for o in first.children[0].children if o.label != "u"]
    return [_with_options(first, [*options, Form("option", "u")])]


def _turned(first: Form) -> Form | None:
    """The call that sorts in the opposite direction."""
    options = list(first.children[0].children)
    keys = [constant(key.children[0]) or "r" for key in first.children[1].children]
    if not options_of(first).keys() <= _REVERSIBLE or any("r" in key for key in keys):
        return None
    # A key with letters of its own takes no direction from the options.
    if any(letter.isalpha() for key in keys for letter in key):
        return None
    reverse = Form("option", "r")
    turned = [o for o in options if o != reverse] if reverse in options else [*options, reverse]
    return _with_options(first, turned)


def _sort_tac(first: Form, second: Form, _: bool) -> list[Form] | None:
    """`sort | tac` is `sort -r`: sort's last resort is the whole line, and -r turns that too."""
    turned = _turned(first) if second == call_form("tac", (), ()) else None
    return None if turned is None else [turned]


def _sort_tail(first: Form, second: Form, _: bool) -> list[Form] | None:
    """The last line of a sorted text is the first of it in the opposite order."""
    one = (Form("option", "n", (text_word("1"),)),)
    turned = _turned(first) if second == call_form("tail", one, ()) else None
    return None if turned is None else [turned, call_form("head", one, ())]


# Counting


def _grep_wc(first: Form, second: Form, status_used: bool) -> list[Form] | None:
    """`grep x f | wc -l` is `grep -c x f`, for one input. If no line matches, its status is 1."""
    lines = call_form("wc", (Form("option", "l"),), ())
    one_input = not operands_of(first) or (
        len(operands_of(first)) == 1 and is_one_file(operands_of(first)[0])
    )
    if second != lines or status_used or not one_input:
        return None
    if not options_of(first).keys() <= _LINE_BY_LINE:
        return None
    return [_with_options(first, [*first.children[0].children, Form("option", "c")])]


def _wc_field(first: Form, second: Form, _: bool) -> list[Form] | None:
    """`wc -l f | awk '{print $1}'` is `wc -l < f`: one file, one number, then its name."""
    operands = operands_of(first)
    if second not in _FIRST_FIELD or len(operands) != 1 or not is_one_file(operands[0]):
        return None
    if len(options_of(first)) != 1 or not options_of(first).keys() <= _ONE_COUNT:
        return None
    fed = redirected(_with_operands(first, ()), Form("redirect", "0<", operands))
    return None if fed is None else [fed]


# find and xargs


def _find_xargs(first: Form, second: Form, status_used: bool) -> list[Form] | None:
    """`find … -print0 | xargs -0 rm` is `find … -exec rm {} +`, for programs that succeed.

    Where nothing is found, xargs runs the program once, without a file, unless it has -r. That is
    accepted only of programs that then do nothing or fail, which leaves another exit status.
    """
    options, _, paths, (expression,) = (part.children for part in first.children)
    *tests, action = expression.children if expression.kind == "all" else (expression,)
    if action != PRINT0 or not all(map(find_rules.is_pure, tests)) or second.kind != "call":
        return None
    run = _run_by_xargs(second)
    if run is None:
        return None
    kind = find_rules.kind_found(expression)
    if not _succeeds(run.children[0], kind, status_used=status_used):
        return None
    action = find_rules.settled_action(run, kind, status_used=status_used)
    tree = find_rules.all_of([*tests, action])
    settled = find_rules.settled(list(options), paths, tree)
    return [call_form("find", tuple(sorted(set(settled[0]))), settled[1], (settled[2],))]


def _run_by_xargs(xargs: Form) -> Form | None:
    """The action of find that does what xargs does with names that end in NUL."""
    given = options_of(xargs)
    inner = xargs.children[3].children
    if "0" not in given or not given.keys() <= {"0", "r", "n", "I"} or not inner:
        return None
    command = inner[0]
    if command.kind != "call":
        return None
    if "I" in given:
        placed = given["I"] == Form("option", "I", (find_rules.FOUND,)) and "n" not in given
        return Form("run", "exec ;", (command,)) if placed else None
    each = given.get("n")
    if each is not None and each.children != (text_word("1"),):
        return None
    operands = operands_of(command)
    appended = Form("word", "", (Form("input"),))
    utility = find_utility(command.label)
    tolerated = utility is not None and utility.bare in ("nothing", "fails")
    if not operands or operands[-1] != appended or not ("r" in given or tolerated):
        return None
    command = _with_operands(command, (*operands[:-1], find_rules.FOUND))
    return Form("run", "exec ;" if each else "exec +", (command,))


def _succeeds(command: Form, kind: str | None, *, status_used: bool) -> bool:
    """Whether a run of it fails only for reasons that are set apart."""
    utility = find_utility(command.label)
    if utility is None or kind not in ("f", "d"):
        return False
    if kind == "d":
        return command.label in ("chown", "chgrp", "touch", "stat", "dirname", "basename", "ls")
    return utility.steady or command.label in ("cp", "mv") or not status_used


def _tr_xargs(first: Form, second: Form, _: bool) -> list[Form] | None:
    r"""`tr '\n' '\0' | xargs -0` is `xargs -d '\n'`, for text."""
    ends = tuple(constant(word) for word in operands_of(first))
    if ends != ("\\n", "\\0") or options_of(first) or second.kind != "call":
        return None
    options = [o for o in second.children[0].children if o.label != "0"]
    if len(options) == len(second.children[0].children) or "d" in options_of(second):
        return None
    return [_with_options(second, [*options, Form("option", "d", (text_word("\\n"),))])]


def _unseen(member: Form) -> Form:
    """Nobody sees the status of a command before a pipe, and ls writes one name a line into it."""
    if member.kind != "call" or member.label not in ("ls", "find"):
        return member
    if member.label == "find":
        options, sequence, paths, inner = member.children
        tree = find_rules.with_action(inner.children[0], status_used=False)
        return member._replace(children=(options, sequence, paths, Form("inner", "", (tree,))))
    given = options_of(member).keys()
    if "1" not in given or given & _LONG_FORMATS:
        return member
    return _with_options(member, [o for o in member.children[0].children if o.label != "1"])


Rule = Callable[[Form, Form, bool], list[Form] | None]
_RULES: dict[tuple[str, str], Rule] = {
    ("cat", ""): _cat,
    ("echo", ""): _echo,
    ("sort", "uniq"): _sort_uniq,
    ("sort", "tac"): _sort_tac,
    ("sort", "tail"): _sort_tail,
    ("grep", "wc"): _grep_wc,
    ("wc", "awk"): _wc_field,
    ("wc", "cut"): _wc_field,
    ("find", "xargs"): _find_xargs,
    ("tr", "xargs"): _tr_xargs,
}
