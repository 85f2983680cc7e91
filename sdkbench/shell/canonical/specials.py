"""Utilities whose arguments don't follow getopt, one rule each."""

import re
import signal as signals
from collections.abc import Callable, Iterable

from sdkbench.shell.canonical.form import Form, Words, call_form, constant, glued, text_word
from sdkbench.shell.canonical.modes import complete_mode
from sdkbench.shell.canonical.programs import awk_program
from sdkbench.shell.canonical.rephrasings import decoded
from sdkbench.shell.utilities import Arguments, Arity, Option, Utility

_ECHO_FLAGS = re.compile(r"-[neE]+\Z")
_MODE = re.compile(r"-[rwxXstugoa,=+-]+\Z")
_SYMBOLIC = re.compile(r"([ugoa]*)([-+=])([rwxXst]*)\Z")
_OLD_TAR = re.compile(r"[A-Za-z]+\Z")
_PS_LETTERS = frozenset("auxefwljshrvcmLTHSZXng")
_DATE_SHORTHAND = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%D": "%m/%d/%y", "%R": "%H:%M"}
_NUMBER = re.compile(r"-\d+\Z")
_NEGATIVE = re.compile(r"-[\d.]")
_COUNTING = frozenset({"-n", "-c", "--lines", "--bytes", "-qn", "-vn", "-zn"})

Read = Arguments[Form]


def prepare(utility: Utility, words: Words) -> Words | Form | None:
    """The words as getopt should see them, a finished form, or None if not understood."""
    rule = _PREPARES.get(utility.special)
    return words if rule is None else rule(utility, words)


def finish(utility: Utility, read: Read) -> None:
    """What only shows once options and operands are told apart."""
    rule = _FINISHES.get("joined" if utility.joined else utility.special)
    if rule is not None:
        rule(read)


def _join(words: Iterable[Form]) -> Words:
    """Neighbours that are put together with one blank anyway, as long as none can vanish."""
    joined: list[Form] = []
    for word in words:
        mergeable = not word.splits and not any(a.kind == "glob" for a in word.children)
        if joined and mergeable and joined[-1].label != "open":
            atoms = glued((*joined[-1].children, Form("text", " "), *word.children))
            joined[-1] = Form("word", "", tuple(atoms))
        elif mergeable:
            joined.append(word)
        else:
            joined.append(word._replace(label="open"))
    return tuple(joined)


def _echo(_: Utility, words: Words) -> Form:
    """The echo of bash: leading -n, -e, -E; then its words with one blank between them."""
    letters = ""
    count = 0
    while count < len(words) and _ECHO_FLAGS.match(constant(words[count]) or ""):
        letters += (constant(words[count]) or "")[1:]
        count += 1
    operands = _join(words[count:]) or (text_word(""),)
    escapes = re.search(r"e[^E]*\Z", letters) is not None
    plain = all("\\" not in (constant(word) or "\\") for word in operands)
    text = constant(operands[0]) if escapes and not plain and len(operands) == 1 else None
    written = None if text is None else decoded(text)
    if written is not None and not _ECHO_FLAGS.match(written):
        operands, plain = (text_word(written),), True
    flags = ["e"] if escapes and not plain else []
    flags += ["n"] if "n" in letters else []
    return call_form("echo", tuple(Form("option", flag) for flag in flags), operands)


def _tar(utility: Utility, words: Words) -> Words | None:
    """`tar czf a b`: the letters without a dash take their values from the words that follow."""
    letters = constant(words[0]) if words else None
    if letters is None or letters.startswith("-"):
        return words
    if not _OLD_TAR.match(letters):
        return None
    rest = list(words[1:])
    spelled: list[Form] = []
    for letter in letters:
        if letter not in utility.options:
            return None
        spelled.append(text_word(f"-{letter}"))
        if utility.options[letter].arity is not Arity.NONE:
            if not rest:
                return None
            spelled.append(rest.pop(0))
    return (*spelled, *rest)


def _signal_name(text: str) -> str | None:
    """`9`, `KILL`, `SIGKILL` and `kill` are one signal."""
    if text.isdigit():
        known = [s.name for s in signals.Signals if s.value == int(text)]
        return known[0].removeprefix("SIG") if known else text
    name = text.upper().removeprefix("SIG")
    return name if f"SIG{name}" in signals.Signals.__members__ else None


def _signal(utility: Utility, words: Words) -> Words | None:
    """`-9`, `-KILL`, `-s KILL`: one option; the default signal goes."""
    spellings = {s for s, kind in utility.options.items() if kind.name == utility.signal_option}
    for place, word in enumerate(words):
        text = constant(word)
        if text is None or not text.startswith("-") or text == "--":
            return words
        signal = _signal_at(text, words[place + 1 :], spellings)
        if signal is None:
            continue
        name, used = signal
        rest = words[place + 1 + used :]
        if utility.name == "kill" and rest and constant(rest[0]) != "--":
            rest = (text_word("--"), *rest)  # a further `-1` is a process group
        dashes = "-" if len(utility.signal_option) == 1 else "--"
        option = text_word(dashes + utility.signal_option)
        chosen = [] if name == "TERM" else [option, text_word(name)]
        return (*words[:place], *chosen, *rest)
    return words


def _signal_at(text: str, following: Words, spellings: set[str]) -> tuple[str, int] | None:
    """The signal that a word names, and how many words after it belong to it."""
    key, equals, value = text.lstrip("-").partition("=")
    if key in spellings:
        given = value if equals else constant(following[0]) if following else None
        name = _signal_name(given or "")
        return (name, 0 if equals else 1) if name else None
    attached = text[1:2] in spellings and not text.startswith("--")
    name = (attached and _signal_name(text[2:])) or _signal_name(text[1:])
    return (name, 0) if name else None


def _chmod(_: Utility, words: Words) -> Words | None:
    """`chmod -x f`: the mode looks like an option."""
    modes = [w for w in words if _MODE.match(constant(w) or "")]
    if not modes or any(constant(w) == "--" for w in words):
        return words
    if len(modes) > 1:
        return None
    return (*(w for w in words if (w.lead or "").startswith("-") and w not in modes),
            text_word("--"), *modes,
            *(w for w in words if not (w.lead or "").startswith("-")))  # fmt: skip


def _mode(text: str) -> str:
    if re.match(r"0[0-7]{3}\Z", text):
        return text[1:]
    complete = complete_mode(text)
    if complete is not None:
        return f"{complete:03o}"
    clauses = [_SYMBOLIC.match(clause) for clause in text.split(",")]
    if not all(clauses):
        return text
    return ",".join("".join((*sorted(set(c[1])), c[2], *sorted(set(c[3])))) for c in clauses if c)


def _dd(_: Utility, words: Words) -> Form | None:
    """`name=value` in any order; the last of a name counts."""
    settings: dict[str, Form] = {}
    for word in words:
        name, equals, _value = (word.lead or "").partition("=")
        if not equals or not name.isalpha():
            return None
        settings[name] = word
    return call_form("dd", (), tuple(sorted(settings.values())))


def _ps(_: Utility, words: Words) -> Words | Form | None:
    """`ps aux`: letters without a dash, in any order."""
    letters = constant(words[0]) if words else None
    if letters is None or letters.startswith("-"):
        return words
    if not set(letters) <= _PS_LETTERS or len(words) > 1:
        return None
    counted = "".join(sorted(set(letters) - {"w"})) + "w" * letters.count("w")
    return call_form("bsd ps", (), (text_word(counted),))


def _seq(_: Utility, words: Words) -> Words:
    """A `--` before the first number that looks like an option."""
    looks = (place for place, w in enumerate(words) if _NEGATIVE.match(constant(w) or ""))
    place = next(looks, None)
    return words if place is None else (*words[:place], text_word("--"), *words[place:])


def _ssh(utility: Utility, words: Words) -> Words | None:
    """Options between the host and the command are moved to the front."""
    front: list[Form] = []
    rest = list(words)
    host: Form | None = None
    while rest:
        text = rest[0].lead
        if text is None or not text.startswith("-"):
            if host is not None:
                break
            host = rest.pop(0)
            continue
        if text == "--" or len(text) == 1:
            return words if host is None else None
        valued = (place for place, c in enumerate(text) if _takes_value(utility, c))
        used = 2 if next(valued, 0) == len(text) - 1 and rest[0].whole else 1
        front += rest[:used]
        del rest[:used]
    return (*front, *([host] if host else ()), *rest)


def _takes_value(utility: Utility, letter: str) -> bool:
    kind = utility.options.get(letter)
    return kind is not None and kind.arity is not Arity.NONE


def _context(read: Read) -> None:
    """`-C 2` is `-A 2 -B 2`, save where those are given too."""
    around = read.value("C")
    if around is not None:
        missing = [name for name in ("A", "B") if not read.has(name)]
        read.options = [o for o in read.options if o.name != "C"]
        read.options += [Option(name, around) for name in missing]


def _count(read: Read) -> None:
    """`seq 5` is `seq 1 5`, and `seq 1 1 5`."""
    one = text_word("1")
    match read.operands:
        case [last]:
            read.operands = [one, last]
        case [first, step, last] if step == one:
            read.operands = [first, last]


def _awk(read: Read) -> None:
    """The first operand is the program, unless an option brings it."""
    if not read.has("f", "e"):
        _on_first(awk_program)(read)


def _date_format(text: str) -> str:
    if not text.startswith("+"):
        return text
    return re.sub(r"%%|%[FTDR]", lambda code: _DATE_SHORTHAND.get(code[0], code[0]), text)


def _on_first(change: Callable[[str], str]) -> Callable[[Read], None]:
    def finish_first(read: Read) -> None:
        text = constant(read.operands[0]) if read.operands else None
        if text is not None:
            read.operands[0] = text_word(change(text))

    return finish_first


def _joined(read: Read) -> None:
    """`watch ls -l` hands one text to a shell; with -x it doesn't."""
    if not read.has("x"):
        read.operands = list(_join(read.operands))


def _remote(read: Read) -> None:
    """The words of a remote command are put together with blanks."""
    read.operands[1:] = _join(read.operands[1:])


def _home(read: Read) -> None:
    read.operands = read.operands or [Form("word", "", (Form("param", "HOME"),))]


def _first_number(utility: Utility, words: Words) -> Words | None:
    """`head -5`: only as the first argument; tail takes but one file beside it."""
    texts = [word.lead or "" for word in words]
    numbers = [place for place, text in enumerate(texts) if _NUMBER.match(text)]
    # The 5 of `-n -5` is a value, not an option.
    numbers = [n for n in numbers if n == 0 or texts[n - 1] not in _COUNTING]
    if not numbers:
        return words
    options = any(text.startswith("-") and text != "-" for text in texts[1:])
    alone = utility.name == "head" or (len(words) <= len(("-5", "file")) and not options)
    return words if numbers == [0] and alone else None


_PREPARES: dict[str, Callable[[Utility, Words], Words | Form | None]] = {
    "echo": _echo,
    "count": _first_number,
    "tar": _tar,
    "signal": _signal,
    "chmod": _chmod,
    "dd": _dd,
    "ps": _ps,
    "ssh": _ssh,
    "stash": lambda _, words: words or (text_word("push"),),
    "seq": _seq,
}
_FINISHES: dict[str, Callable[[Read], None]] = {
    "grep": _context,
    "awk": _awk,
    "date": _on_first(_date_format),
    "chmod": _on_first(_mode),
    "joined": _joined,
    "ssh": _remote,
    "seq": _count,
    "cd": _home,
}
