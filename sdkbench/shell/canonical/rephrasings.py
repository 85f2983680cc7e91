"""Calls that do what another call does, brought to that one.

Each rule is exact as the GNU utilities are documented, for inputs of any content, with or without a
last line end; the files named exist. What else a rule needs is said in its docstring.
"""

import re
from collections.abc import Callable

from sdkbench.shell.canonical import programs
from sdkbench.shell.canonical.find_rules import one_by_one
from sdkbench.shell.canonical.form import (
    PLACEHOLDER,
    Form,
    Words,
    call_form,
    constant,
    is_one_file,
    text_word,
)
from sdkbench.shell.utilities import find_utility

_READINGS = frozenset({"E", "F", "G", "P"})
_ECHO_FLAGS = re.compile(r"-[neE]+\Z")
_ESCAPE = re.compile(r"\\(.?)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_SEPARATORS = frozenset(":;,@=%#_")
_PACKED = {"z": (".gz", ".tgz"), "j": (".bz2", ".tbz", ".tbz2"), "J": (".xz", ".txz")}
_KEY = re.compile(r"([\d.,]+)([bdfgiMhnV]+)\Z")
_LOWER = frozenset({"a-z", "[a-z]", "[:lower:]"})
_UPPER = frozenset({"A-Z", "[A-Z]", "[:upper:]"})


def rephrased(call: Form) -> Form:
    rule = _RULES.get(call.label)
    return call if rule is None else rule(call)


def decoded(text: str) -> str | None:
    """Text with the escapes of `echo -e` and printf; None for those that aren't worked out."""
    if PLACEHOLDER in text or any(escape not in _ESCAPES for escape in _ESCAPE.findall(text)):
        return None
    return _ESCAPE.sub(lambda escape: _ESCAPES[escape[1]], text)


def _options(call: Form) -> dict[str, Form]:
    return {o.label: o for part in call.children[:2] for o in part.children}


def _operands(call: Form) -> Words:
    return call.children[2].children


def _with(call: Form, *, options: list[Form] | None = None, operands: Words | None = None) -> Form:
    given, sequence, words, inner = call.children
    if options is not None:
        given = given._replace(children=tuple(sorted(options)))
    if operands is not None:
        words = words._replace(children=operands)
    return call._replace(children=(given, sequence, words, inner))


def _value(option: Form | None) -> str | None:
    return constant(option.children[0]) if option and option.children else None


def _grep(call: Form) -> Form:
    """How a pattern is read (-E, -F, -P) matters only if it means something else then."""
    options = list(call.children[0].children)
    patterns = [_value(o) for o in options if o.label == "e"]
    readings = [o.label for o in options if o.label in _READINGS]
    if not patterns or None in patterns or len(readings) > 1:
        return call
    reading = readings[0].replace("G", "") if readings else ""
    alternatives = [programs.same_patterns(pattern or "", reading) for pattern in patterns]
    if any(parts is None for parts in alternatives) or (reading == "P" and len(alternatives) > 1):
        plain = [o for o in options if o.label != "G"]
        return _with(call, options=plain) if len(plain) < len(options) else call
    each = {part for parts in alternatives for part in parts or ()}
    rest = [o for o in options if o.label not in ("e", *_READINGS)]
    return _with(call, options=rest + [Form("option", "e", (text_word(p),)) for p in each])


def _sed(call: Form) -> Form:
    """`-e a -e b` is `a;b`. A range of lines of one input is what head or tail print."""
    options, sequence, operands, _ = call.children
    scripts = [_value(o) for o in sequence.children if o.label == "e"]
    if not scripts or None in scripts or len(scripts) != len(sequence.children):
        return call
    if any(PLACEHOLDER in (script or "") for script in scripts):
        return call
    script = programs.sed_commands("\n".join(s or "" for s in scripts))
    given = {o.label for o in options.children}
    # With several files, head shows their names, and sed counts on.
    one_input = len(operands.children) <= 1 and all(map(is_one_file, operands.children))
    if given <= {"n"} and one_input and not operands.label:
        short = _lines(script, operands.children, quiet="n" in given)
        if short is not None:
            return short
    option = Form("option", "e", (text_word(script),))
    return call._replace(
        children=(options, sequence._replace(children=(option,)), *call.children[2:])
    )


def _lines(script: str, operands: Words, *, quiet: bool) -> Form | None:
    ends = {("$p", True): ("tail", "1"), ("$!d", False): ("tail", "1"),
            ("$d", False): ("head", "-1"), ("$!p", True): ("head", "-1")}  # fmt: skip
    end = ends.get((script, quiet))
    if end:
        return _counting(end[0], end[1], operands)
    kept = programs.lines_kept(script, quiet=quiet)
    if kept is None:
        return None
    if kept.last is None:
        return _counting("tail", f"+{kept.first}", operands)
    if kept.first == 1:
        return _counting("head", str(kept.last), operands)
    span = str(kept.first) if kept.first == kept.last else f"{kept.first},{kept.last}"
    option = Form("option", "e", (text_word(f"{span}p"),))
    return call_form("sed", (Form("option", "n"),), operands, sequence=(option,))


def _counting(name: str, count: str, operands: Words) -> Form:
    options = () if count == "10" else (Form("option", "n", (text_word(count),)),)
    return call_form(name, options, operands)


def _awk(call: Form) -> Form:
    """The first field of lines that one character separates is what cut prints."""
    operands = _operands(call)
    given = _options(call)
    program = constant(operands[0]) if operands and not given.keys() & {"f", "e"} else None
    if program is None:
        return call
    separator = programs.field_separator(program)
    if separator and not given and (separator[0] in _SEPARATORS):
        option = Form("option", "F", (text_word(separator[0]),))
        operands = (text_word(programs.awk_program(separator[1])), *operands[1:])
        call = _with(call, options=[option], operands=operands)
        given, program = {"F": option}, constant(operands[0])
    mark = _value(given.get("F"))
    files = operands[1:]
    named = all(map(is_one_file, files))
    if given.keys() == {"F"} and mark in _SEPARATORS and program == "{print $1}" and named:
        options = (Form("option", "d", (text_word(mark or ""),)),
                   Form("option", "f", (text_word("1"),)))  # fmt: skip
        return call_form("cut", options, files)
    return call


def _printf(call: Form) -> Form:
    r"""`printf 'text\n'` is `echo text`, and so is `printf '%s\n' text`."""
    texts = [constant(word) for word in _operands(call)]
    if _options(call) or None in texts or call.children[2].label:
        return call
    if any(PLACEHOLDER in (text or "") for text in texts):
        return call
    match texts:
        case [str() as pattern] if "%" not in pattern:
            text = decoded(pattern)
        case ["%s\\n" | "%s" as pattern, str() as given]:
            text = given + "\n" * (pattern != "%s")
        case _:
            return call
    if text is None or _ECHO_FLAGS.match(text.removesuffix("\n")):
        return call
    options = () if text.endswith("\n") else (Form("option", "n"),)
    return call_form("echo", options, (text_word(text.removesuffix("\n")),))


def _tar(call: Form) -> Form:
    """How an archive is packed tar sees itself, if it is what its name says."""
    given = _options(call)
    name = _value(given.get("f")) or ""
    if not given.keys() & {"x", "t"}:
        return call
    known = {letter for letter, ends in _PACKED.items() if name.endswith(ends)}
    kept = [o for o in call.children[0].children if o.label not in known]
    return _with(call, options=kept)


def _sort(call: Form) -> Form:
    """`-k2n` is `-n -k2`: one key takes the options, and without -r the last resort stays."""
    options, sequence, *_ = call.children
    if len(sequence.children) != 1 or {o.label for o in options.children} & set("bdfgiMhnVrR"):
        return call
    key = _KEY.match(_value(sequence.children[0]) or "")
    if not key or "b" in key[2] or "," in key[1]:
        return call
    plain = Form("option", "k", (text_word(key[1]),))
    letters = [Form("option", letter) for letter in sorted(set(key[2]))]
    changed = _with(call, options=[*options.children, *letters])
    return changed._replace(
        children=(changed.children[0], sequence._replace(children=(plain,)), *changed.children[2:])
    )


def _tr(call: Form) -> Form:
    """The letters of the alphabet, in locales whose other letters have more than one byte."""
    match [constant(word) for word in _operands(call)]:
        case [str() as old, str() as new] if old in _LOWER and new in _UPPER:
            return _with(call, operands=(text_word("a-z"), text_word("A-Z")))
        case [str() as old, str() as new] if old in _UPPER and new in _LOWER:
            return _with(call, operands=(text_word("A-Z"), text_word("a-z")))
        case _:
            return call


def _unlink(call: Form) -> Form:
    """What unlink does with its one name, rm does too, as long as no terminal is asked."""
    operands = _operands(call)
    if len(operands) != 1 or operands[0].splits or not (operands[0].lead or "-")[:1].isalnum():
        return call
    return call_form("rm", (), operands)


def _xargs(call: Form) -> Form:
    """-n 1 changes nothing for programs that work on each file, and -r for those that need one.

    The first holds where no quote in the input can end it half-way, and no name can be taken for
    an option. Without -r, where there is no input, such a program fails: only the status tells.
    """
    inner = call.children[3].children
    utility = find_utility(inner[0].label) if inner and inner[0].kind == "call" else None
    if utility is None or _operands(inner[0])[-1:] != (Form("word", "", (Form("input"),)),):
        return call
    options = list(call.children[0].children)
    guarded = _options(call).keys() & {"0", "d"} and inner[0].children[2].label == "--"
    if guarded and one_by_one(utility, set(_options(inner[0]))):
        options = [o for o in options if o != Form("option", "n", (text_word("1"),))]
    if utility.bare:
        options = [o for o in options if o.label != "r"]
    return _with(call, options=options)


_RULES: dict[str, Callable[[Form], Form]] = {
    "grep": _grep,
    "sed": _sed,
    "awk": _awk,
    "printf": _printf,
    "tar": _tar,
    "sort": _sort,
    "tr": _tr,
    "unlink": _unlink,
    "xargs": _xargs,
}
