"""Simple commands: name and arguments, by the utility's table or as they stand."""

from sdkbench.shell.canonical import find, specials
from sdkbench.shell.canonical.form import Form, constant, lead, text_word
from sdkbench.shell.canonical.options import Option, Read, read_options, settle
from sdkbench.shell.utilities import Utility, find_utility

# `sudo env nice sudo …`: a longer chain of wrappers is taken as it stands.
MAX_WRAPPED = 12


def command_form(words: tuple[Form, ...], depth: int = 0) -> Form:
    """A `call` (understood) or `verbatim` form of a command's words.

    The children of a call are always `options`, `sequence`, `operands` and `inner` (a wrapped
    command or find's expression), in this order; those of a verbatim are its words.
    """
    if not words:
        return Form("verbatim")
    name = constant(words[0])
    utility = find_utility(name) if name else None
    if name is None or depth > MAX_WRAPPED:
        return Form("verbatim", "", words)
    if name == "[":
        return _bracket(words)
    if utility is None or " " in name or utility.special == "verbatim":
        return Form("verbatim", name, words[1:])
    if utility.same_as:
        stands_for = tuple(text_word(part) for part in utility.same_as)
        return command_form((*stands_for, *words[1:]), depth + 1)
    return _by_table(utility, words[1:], depth) or Form("verbatim", name, words[1:])


def _bracket(words: tuple[Form, ...]) -> Form:
    """`[ … ]` is test; without its closing bracket it's only an error."""
    closed = len(words) > 1 and constant(words[-1]) == "]"
    return Form("verbatim", "test", words[1:-1]) if closed else Form("verbatim", "[", words[1:])


def _by_table(utility: Utility, words: tuple[Form, ...], depth: int) -> Form | None:
    if utility.special == "find":
        return find.find_form(words, lambda inner: command_form(inner, depth + 1))
    prepared = specials.prepare(utility, words)
    if isinstance(prepared, Form):
        return prepared
    read = None if prepared is None else read_options(utility, prepared)
    if read is None:
        return None
    if utility.subcommands:
        return _subcommand(utility, read, depth)
    return _understood(utility, specials.finish(utility, _pattern(utility, read)), depth)


def _understood(utility: Utility, read: Read, depth: int) -> Form:
    if utility.wraps is not None:
        return _wrapped(utility, read, depth)
    if utility.special == "env":
        return _environment(utility, read, depth)
    return make_call(utility, read)


def make_call(utility: Utility, read: Read, inner: tuple[Form, ...] = ()) -> Form:
    options, sequence = settle(utility, read.options)
    operands = read.operands
    if utility.here and not operands:
        operands = (text_word("."),)
    guard = "--" if read.guarded else ""
    return Form(
        "call",
        utility.name,
        (
            Form("options", "", options),
            Form("sequence", "", sequence),
            Form("operands", guard, operands),
            Form("inner", "", inner),
        ),
    )


def _pattern(utility: Utility, read: Read) -> Read:
    """`grep x` is `grep -e x`."""
    given = any(option.name in utility.pattern for option in read.options)
    if not utility.pattern or given or not read.operands or read.operands[0].kind != "word":
        return read
    pattern, *operands = read.operands
    options = (*read.options, Option(utility.pattern[0], pattern))
    return Read(options, tuple(operands), read.guarded and _guards(operands))


def _guards(operands: list[Form]) -> bool:
    return any((start := lead(word)) is None or start.startswith("-") for word in operands)


def _subcommand(utility: Utility, read: Read, depth: int) -> Form | None:
    if not read.operands:
        return make_call(utility, read)
    verb = constant(read.operands[0])
    table = find_utility(f"{utility.name} {verb}")
    rest = read.operands[1:]
    inner = (table and _by_table(table, rest, depth + 1)) or Form(
        "verbatim", f"{utility.name} {verb or ''}".strip(), rest if verb else read.operands
    )
    return make_call(utility, Read(read.options, (), guarded=False), (inner,))


def _wrapped(utility: Utility, read: Read, depth: int) -> Form:
    count = utility.wraps or 0
    before, words = read.operands[:count], read.operands[count:]
    if not words and utility.wrapped_default:
        words = (text_word(utility.wrapped_default),)
    if words and utility.appends and not any(o.name in ("I", "i") for o in read.options):
        words = (*words, Form("word", "", (Form("input"),)))
    inner = (command_form(words, depth + 1),) if words else ()
    return make_call(utility, Read(read.options, before, guarded=False), inner)


def _environment(utility: Utility, read: Read, depth: int) -> Form:
    """`env A=1 B=2 command`."""
    count = 0
    while count < len(read.operands) and "=" in (lead(read.operands[count]) or ""):
        count += 1
    words = read.operands[count:]
    inner = (command_form(words, depth + 1),) if words else ()
    return make_call(utility, Read(read.options, read.operands[:count], guarded=False), inner)
