"""Simple commands: name and arguments, by the utility's table or as they stand."""

from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.shell.canonical import find, specials
from sdkbench.shell.canonical.form import Form, Words, call_form, constant, text_word
from sdkbench.shell.canonical.rephrasings import rephrased
from sdkbench.shell.utilities import Arguments, Option, Utility, find_utility, read_arguments

# `sudo env nice sudo …`: a longer chain of wrappers is taken as it stands.
MAX_WRAPPED = 12
GivenOptions = Sequence[Option[Form]]
# The shell's own; the program of that name may differ in what it understands.
_BUILTINS = frozenset({"echo", "printf", "test", "[", "kill", "pwd", "true", "false", "time"})
_FIXED = (Form("param", "HOME"), Form("input"))


def command_form(words: Words, depth: int = 0) -> Form:
    """A `call` (understood) or `verbatim` form of a command's words."""
    if not words:
        return Form("verbatim")
    name = constant(words[0])
    if name is None or depth > MAX_WRAPPED:
        return Form("verbatim", "", words)
    if name[:1] == "/":
        name = _without_place(name)
    if name in ("[", "test"):
        return _test(words)
    utility = find_utility(name)
    if utility is None or " " in name or utility.partial or utility.special == "verbatim":
        return Form("verbatim", name, words[1:])
    if utility.same_as:
        stands_for = tuple(text_word(part) for part in utility.same_as)
        return command_form((*stands_for, *words[1:]), depth + 1)
    return _by_table(utility, words[1:], depth) or Form("verbatim", name, words[1:])


def _without_place(name: str) -> str:
    """`/bin/rm` is rm, unless the shell has a command of its own by that name."""
    base = name.removeprefix("/usr").removeprefix("/bin/")
    known = find_utility(base)
    return base if known is not None and base not in _BUILTINS else name


def _test(words: Words) -> Form:
    """`[ … ]` is test; without its closing bracket it's only an error. `==` is `=` to bash."""
    if constant(words[0]) == "[":
        if len(words) == 1 or constant(words[-1]) != "]":
            return Form("verbatim", "[", words[1:])
        words = words[:-1]
    arguments = words[1:]
    if len(arguments) == len("a=b") and constant(arguments[1]) == "==":
        arguments = (arguments[0], text_word("="), arguments[2])
    return Form("verbatim", "test", arguments)


def _by_table(utility: Utility, words: Words, depth: int) -> Form | None:
    """None where an argument is not understood: then the command is taken as it stands."""
    if utility.special == "find":
        return find.find_form(words, lambda inner: command_form(inner, depth + 1))
    prepared = specials.prepare(utility, words)
    if isinstance(prepared, Form):
        return prepared
    read = None if prepared is None else read_arguments(utility, prepared)
    if read is None or not read.sure:
        return None
    if utility.verbatim_after and read.has(utility.verbatim_after):
        return None
    if utility.subcommands:
        return _subcommand(utility, read, depth)
    _pattern(utility, read)
    specials.finish(utility, read)
    runs_inner = utility.wraps is not None and not utility.joined
    if runs_inner and not read.has(*utility.looks_up):
        return _wrapped(utility, read, depth)
    return _call(utility, read)


def _call(utility: Utility, read: Arguments[Form], inner: Words = ()) -> Form:
    options, sequence = settle(utility, [o for o in read.options if o.name not in utility.in_place])
    operands = read.operands
    guard = ""
    if read.dashes is not None:
        # Where options end at the first operand, no later one needs it.
        exposed = operands[read.dashes :] if utility.permute else operands[read.dashes :][:1]
        guard = "--" if any(map(_may_be_option, exposed)) else ""
        if utility.keep_dashes:
            operands.insert(read.dashes, Form("dashes"))
    for option in reversed([o for o in read.options if o.name in utility.in_place]):
        operands.insert(option.place, option_form(option))
    if utility.here and not operands:
        operands = [text_word(".")]
    call = call_form(utility.name, options, tuple(operands), inner, sequence=sequence, guard=guard)
    return rephrased(call)


def _may_be_option(word: Form) -> bool:
    """Whether it needs a `--` before it."""
    start = word.lead
    return start is None or (start.startswith("-") and start != "-")


def _pattern(utility: Utility, read: Arguments[Form]) -> None:
    """`grep x` is `grep -e x`."""
    if utility.pattern and read.operands and not read.has(*utility.pattern):
        read.options.append(Option(utility.pattern[0], read.operands.pop(0)))
        read.dashes = max(read.dashes - 1, 0) if read.dashes is not None else None


def _subcommand(utility: Utility, read: Arguments[Form], depth: int) -> Form | None:
    if read.dashes is not None:
        return None  # `git -- log` is an error
    if not read.operands:
        return _call(utility, read)
    verb = constant(read.operands[0])
    table = find_utility(f"{utility.name} {verb}")
    rest = tuple(read.operands[1:])
    understood = table and not table.partial and _by_table(table, rest, depth + 1)
    inner = understood or Form(
        "verbatim",
        f"{utility.name} {verb}" if verb else "",
        rest if verb else tuple(read.operands),
    )
    read.operands = []
    return _call(utility, read, (inner,))


def _wrapped(utility: Utility, read: Arguments[Form], depth: int) -> Form:
    """`nice command`, `timeout 5 command`, `env A=1 B=2 command`."""
    read.operands, inner = read.wrapped()
    read.dashes = None
    words = tuple(inner)
    if not words and utility.wrapped_default:
        words = (text_word(utility.wrapped_default),)
    if utility.name == "command" and not read.options and words:
        return command_form(words, depth + 1)  # functions and aliases aren't considered anyway
    if words and utility.appends:
        if read.has("I", "i"):
            words = _renamed_input(read, words)
        else:
            words = (*words, Form("word", "", (Form("input"),)))
    return _call(utility, read, (command_form(words, depth + 1),) if words else ())


def _renamed_input(read: Arguments[Form], words: Words) -> Words:
    """`xargs -I X cp X y` is `xargs -I {} cp {} y`."""
    mark = constant(read.value("I") or text_word("{}"))
    texts = [atom.label for word in words for atom in word.children]
    if not mark or mark == "{}" or any("{}" in text for text in texts):
        return words
    # What an expansion holds may hold the mark too.
    if any(atom not in _FIXED and atom.kind != "text" for word in words for atom in word.children):
        return words
    if mark in (constant(words[0]) or mark):
        return words
    read.options = [o._replace(value=text_word("{}")) if o.name == "I" else o for o in read.options]
    return tuple(
        word._replace(children=tuple(a._replace(label=a.label.replace(mark, "{}"))
                                     for a in word.children))
        for word in words
    )  # fmt: skip


class Settled(NamedTuple):
    """Options whose order doesn't count, sorted, and the others."""

    loose: tuple[Form, ...]
    ordered: tuple[Form, ...]


_NOTHING_GIVEN = Settled((), ())


def settle(utility: Utility, given: GivenOptions) -> Settled:
    if not given and not utility.defaults_to:
        return _NOTHING_GIVEN
    options = _last_wins(utility, _spelled_out(utility, given))
    if not options and utility.defaults_to:
        options = [Option(utility.defaults_to)]
    in_order = [o for o in options if o.name in utility.ordered]
    if len(in_order) == 1 and _changes_nothing(utility, in_order[0]):
        in_order = []
    loose = [o for o in options if o.name not in utility.ordered]
    settled: list[Form] = []
    for group in (*utility.last_wins, *utility.tangled) if len(loose) > 1 else ():
        within = [o for o in loose if o.name in group]
        if len({o.name for o in within}) > 1:
            settled.append(Form("tangle", " ".join(sorted(group)), tuple(map(option_form, within))))
            loose = [o for o in loose if o.name not in group]
    settled += _plain(utility, loose)
    return Settled(tuple(sorted(settled)), tuple(map(option_form, in_order)))


def option_form(option: Option[Form]) -> Form:
    return Form("option", option.name, () if option.value is None else (option.value,))


def _spelled_out(utility: Utility, given: GivenOptions) -> list[Option[Form]]:
    options: list[Option[Form]] = []
    for option in given:
        value = "" if option.value is None else f"={constant(option.value)}"
        stands_for = utility.implies.get(option.name + value)
        if stands_for is None:
            options.append(option)
            continue
        for item in stands_for.split():
            name, equals, given_value = item.partition("=")
            options.append(Option(name, text_word(given_value) if equals else None))
    return options


def _last_wins(utility: Utility, options: list[Option[Form]]) -> list[Option[Form]]:
    """An overruled flag goes; an overruled value stays, since a wrong one is still an error."""
    for group in utility.last_wins if len(options) > 1 else ():
        places = [place for place, option in enumerate(options) if option.name in group]
        for place in reversed(places[:-1]):
            if options[place].value is None:
                del options[place]
    return options


def _plain(utility: Utility, options: list[Option[Form]]) -> list[Form]:
    settled: list[Form] = []
    given: dict[str, list[Option[Form]]] = {}
    for option in options:
        given.setdefault(option.name, []).append(option)
    for name, same in given.items():
        if name in utility.repeated:
            settled += map(option_form, same)
        elif len(same) > 1 and any(option.value is not None for option in same):
            # Which value holds differs between utilities; some add them up, some refuse.
            settled.append(Form("tangle", name, tuple(map(option_form, same))))
        elif len(same) > 1 and name in utility.counted:
            settled.append(Form("option", f"{name} x{len(same)}"))
        elif not _changes_nothing(utility, same[0]):
            settled.append(option_form(same[0]))
    return settled


def _changes_nothing(utility: Utility, option: Option[Form]) -> bool:
    if option.name in utility.drop and option.value is None:
        return True
    default = utility.defaults.get(option.name)
    return default is not None and option.value == text_word(default)
