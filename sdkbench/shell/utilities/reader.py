"""Arguments to options and operands: the one reader, for every judge and its kind of word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, Protocol, Self, TypeVar

from sdkbench.shell.utilities.table import Arity, OptionType, Utility

# `--rec` is taken for `--recursive`; a shorter beginning is more likely a mistake.
SHORTEST_ABBREVIATION = 3
_ASSIGNMENT = re.compile(r"[^\W\d]\w*=")


class ArgumentWord(Protocol):
    @property
    def lead(self) -> str | None:
        """The text that it begins with; None where an expansion begins it."""

    @property
    def whole(self) -> bool:
        """Whether `lead` is all there is."""

    @property
    def splits(self) -> bool:
        """Whether it may become none or several, so that nothing is sure of its neighbours."""

    def after(self, length: int) -> Self:
        """The word less its first characters, which are text."""


W = TypeVar("W", bound=ArgumentWord)


class Option(NamedTuple, Generic[W]):
    """`name` is the table's, or as written where the table has none (empty for an expansion)."""

    name: str
    value: W | None = None
    place: int = 0  # how many operands stand before it


@dataclass(slots=True)
class Arguments(Generic[W]):
    utility: Utility
    options: list[Option[W]] = field(default_factory=list)
    operands: list[W] = field(default_factory=list)
    unknown: list[tuple[str, W]] = field(default_factory=list)  # and the word it stands in
    dashes: int | None = None  # how many operands stand before the `--` that ends the options
    # No option is unknown, lacks its value, or follows a word that may hold options itself.
    sure: bool = True

    def has(self, *names: str) -> bool:
        """Whether one of the options is given, by any of its names or shortened."""
        if not self.options:
            return False
        wanted = self._named(names)
        if any(option.name in wanted for option in self.options):
            return True
        if not self.unknown:
            return False
        spelled = [n for n, kind in self.utility.options.items() if kind.name in wanted]
        return any(_shortens(name, (*names, *spelled)) for name, _ in self.unknown)

    def value(self, *names: str) -> W | None:
        """The value that counts: the last one."""
        values = self.every(*names)
        return values[-1] if values else None

    def every(self, *names: str) -> list[W]:
        wanted = self._named(names)
        return [o.value for o in self.options if o.name in wanted and o.value is not None]

    def wrapped(self) -> tuple[list[W], list[W]]:
        """What belongs to a wrapper (its operands and assignments), and the command it runs."""
        at = self.utility.wraps or 0
        while self.utility.assignments and at < len(self.operands):
            if not _ASSIGNMENT.match(self.operands[at].lead or ""):
                break
            at += 1
        return self.operands[:at], self.operands[at:]

    def _named(self, names: Sequence[str]) -> set[str]:
        known = self.utility.options
        return {known[name].name if name in known else name for name in names}


def _shortens(given: str, names: Sequence[str]) -> bool:
    return len(given) >= SHORTEST_ABBREVIATION and any(name.startswith(given) for name in names)


def read_arguments(utility: Utility, words: Sequence[W]) -> Arguments[W]:
    """Whatever the words are, they are read; `sure` says whether the table explains them."""
    read: Arguments[W] = Arguments(utility)
    place = 0
    count = len(words)
    behind_expansion = False
    while place < count:
        word = words[place]
        place += 1
        start = word.lead
        if start is None or start[:1] != "-" or (start == "-" and word.whole):
            if not utility.permute:
                read.operands += words[place - 1 :]
                break
            behind_expansion = behind_expansion or word.splits
            read.operands.append(word)
            continue
        if behind_expansion:
            read.sure = False
        if start == "--" and word.whole:
            read.dashes = len(read.operands)
            read.operands += words[place:]
            break
        following = words[place] if place < count else None
        if start[1:2] == "-" or utility.single_dash:
            place += _long(read, word, start, following)
        else:
            place += _cluster(read, word, start, following)
    return read


def _long(read: Arguments[W], word: W, start: str, following: W | None) -> bool:
    """Reads `--name`, `--name=value`, `--name value`; whether it took the following word."""
    bare = start.lstrip("-")
    name, equals, _ = bare.partition("=")
    kind = _resolve(read.utility, name) if word.whole or equals else None
    if equals:
        _add(read, kind, name, word, word.after(len(start) - len(bare) + len(name) + 1))
        read.sure = read.sure and kind is not None and kind.arity is not Arity.NONE
        return False
    return _alone(read, kind, name if word.whole else "", word, following)


def _resolve(utility: Utility, name: str) -> OptionType | None:
    exact = utility.options.get(name)
    if exact is not None:
        return exact if len(name) > 1 else None
    if len(name) < SHORTEST_ABBREVIATION:
        return None
    fitting = {kind for n, kind in utility.options.items() if len(n) > 1 and n.startswith(name)}
    return fitting.pop() if len(fitting) == 1 else None


def _cluster(read: Arguments[W], word: W, start: str, following: W | None) -> bool:
    """Reads `-abc`; whether it took the following word."""
    utility = read.utility
    if utility.digits and word.whole and start[1:].isdigit():
        _add(read, OptionType(utility.digits, Arity.REQUIRED), "", word, word.after(1))
        return False
    place = 1
    while place < len(start):
        size = 2 if start[place : place + 2] in utility.wide_short else 1
        letter = start[place : place + size]
        kind = utility.options.get(letter)
        place += size
        attached = place < len(start) or not word.whole
        if attached and kind is not None and kind.arity in (Arity.REQUIRED, Arity.OPTIONAL):
            _add(read, kind, letter, word, word.after(place))
            return False
        if _alone(read, kind, letter, word, None if attached else following):
            return True
    if not word.whole:  # an expansion glued to flags may be more flags
        _add(read, None, "", word, None)
    return False


def _alone(
    read: Arguments[W], kind: OptionType | None, name: str, word: W, following: W | None
) -> bool:
    """An option without a value in its own word; whether it took the following one."""
    takes = kind is not None and kind.arity is Arity.REQUIRED
    if takes and (following is None or following.splits):
        read.sure = False
    _add(read, kind, name, word, following if takes else None)
    return takes and following is not None


def _add(read: Arguments[W], kind: OptionType | None, name: str, word: W, value: W | None) -> None:
    if kind is None:
        read.sure = False
        read.unknown.append((name, word))
    read.options.append(Option(kind.name if kind else name, value, len(read.operands)))
