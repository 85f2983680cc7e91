"""What is known of each utility: one table, read once from the files in this folder.

Equality, safety and POSIX each use a part of a description. A name in a list of options is always
the first one of its group in `options`.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any, NamedTuple

_FILES = ("archives", "files", "git", "network", "processes", "system", "text")
# Their descriptions are partial.
_PARTIAL_FILES = ("posix", "interpreters", "services", "storage", "wrappers")
Names = frozenset[str]
NO_NAMES: Names = frozenset()
Arities = Mapping[str, int]  # how many arguments each takes
NOTHING: Mapping[str, str] = MappingProxyType({})


class Arity(StrEnum):
    NONE = ""
    REQUIRED = ":"
    OPTIONAL_LONG = "?"  # after `--name=` only; the letter takes none
    OPTIONAL = "*"  # after `--name=`, and after the letter in the same word


class OptionType(NamedTuple):
    name: str  # the first one of its group
    arity: Arity


@dataclass(frozen=True, slots=True)
class Harm:
    """One way to do harm, by options and words alone; every condition given must hold."""

    finding: str  # a name in safety/findings.toml
    rule: str = ""  # the finding's name where it depends on the `{program}` and its `{verb}`
    verb: str = ""  # what the operands, joined by blanks, begin with: a pattern
    options: tuple[Names, ...] = ()  # of each group one is given
    without: Names = NO_NAMES  # none of these is given
    values: Mapping[str, str] = field(default_factory=lambda: NOTHING)  # option: a pattern
    operand: str = ""  # what one operand is: a pattern
    words: str = ""  # what is found in all the arguments, joined by blanks: a pattern
    piped: bool = False  # `words` are looked for in its standard input too
    alone: bool = False  # there is no operand


@dataclass(frozen=True, slots=True)
class Utility:
    name: str
    # Every spelling. In the files: names that mean the same are joined by commas, then the arity.
    options: Mapping[str, OptionType] = field(default_factory=lambda: MappingProxyType({}))
    partial: bool = False  # only some options are listed: equality takes it as it stands

    # How its arguments are read.
    permute: bool = True  # false where options end at the first operand
    single_dash: bool = False  # `-name` is one long option
    digits: str = ""  # the option that `-5` is short for
    wide_short: Names = NO_NAMES  # options of two letters behind one dash
    subcommands: bool = False  # the first operand names a table of its own
    wraps: int | None = None  # how many operands stand before a wrapped command
    assignments: bool = False  # `name=value` may stand before the wrapped command
    looks_up: Names = NO_NAMES  # options with which it only asks about the wrapped command
    joined: bool = False  # the wrapped words are put together to one text for a shell

    # Equality: what of it counts.
    last_wins: tuple[Names, ...] = ()  # groups of which only the last one given counts
    tangled: tuple[Names, ...] = ()  # groups whose order can matter in ways we don't model
    ordered: Names = NO_NAMES  # every occurrence counts, in order
    repeated: Names = NO_NAMES  # every occurrence counts, in any order
    counted: Names = NO_NAMES  # how often it is given counts
    implies: Mapping[str, str] = field(default_factory=lambda: NOTHING)  # name or name=value
    defaults: Mapping[str, str] = field(default_factory=lambda: NOTHING)  # change nothing
    defaults_to: str = ""  # the option that is meant where none is given
    drop: Names = NO_NAMES  # options that change nothing
    soft: Names = NO_NAMES  # often change nothing: a difference in them decides nothing
    rephrases: Names = NO_NAMES  # let operands be spelled another way
    unsure: Names = NO_NAMES  # values are small languages: different texts may mean the same
    in_place: Names = NO_NAMES  # act on the operands after them
    verbatim_after: str = ""  # an option after which nothing is worked out
    keep_dashes: bool = False  # `--` says more than that options end
    here: bool = False  # no operand means `.`
    unordered: bool = False  # the order of operands matters little
    vague: bool = False  # a further operand may only spell out a default
    pattern: tuple[str, ...] = ()  # the option that the first operand stands for, then others
    programs: int = 0  # how many first operands are small languages
    reads: bool = False  # one operand is read as standard input would be
    names: Names = NO_NAMES  # options with which it shows or changes the file that it reads
    steady: bool = False  # it succeeds on files that are there
    each: bool = False  # its operands are worked on one by one: `u a b` is `u a; u b`
    together: Names = NO_NAMES  # options with which they aren't
    apart: Names = NO_NAMES  # they are only with one of these
    bare: str = ""  # with no operand and no input it "fails", or does "nothing"
    appends: bool = False  # more arguments follow those of the wrapped command
    wrapped_default: str = ""  # the wrapped command where none is given
    special: str = ""  # the rule in canonical/ that reads its arguments
    signal_option: str = ""  # the option that names a signal
    same_as: tuple[str, ...] = ()  # the words that it stands for
    effect: str = ""  # what it does; another effect is another command
    writes: Names = NO_NAMES  # options with which a filter changes files

    # Safety.
    also: str = ""  # a pattern of other names that programs of its kind go by
    code: Names = NO_NAMES  # options whose value is shell text
    harms: tuple[Harm, ...] = ()  # the first that holds counts
    same_harms: str = ""  # the utility whose harms these are too

    # POSIX: letters as getopt takes them, with a colon only where `options` says nothing.
    posix: str | None = None
    posix_2024: str | None = None  # what the newer edition adds
    posix_words: Names = NO_NAMES  # the operators or keys among its operands
    posix_words_2024: Names = NO_NAMES
    minus_operands: bool = False  # operands may start with a minus


UNKNOWN = Utility("", partial=True)


def find_utility(name: str) -> Utility | None:
    """What is known of `name` (or of `git commit`), if anything."""
    return _all().get(name)


def known_utilities() -> tuple[str, ...]:
    return tuple(sorted(_all()))


@cache
def posix_utility(name: str, *, newer: bool) -> Utility | None:
    """The utility as POSIX has it: letters only, options first; None where POSIX has it not."""
    utility = find_utility(name)
    if utility is None or (utility.posix is None and not (newer and utility.posix_2024)):
        return None
    given = (utility.posix or "") + ((newer and utility.posix_2024) or "")
    options = MappingProxyType({n: utility.options[n] for n in given.replace(":", "")})
    return replace(utility, options=options, permute=False, digits="", wide_short=NO_NAMES)


@dataclass(frozen=True, slots=True)
class FindWords:
    """The language of find's expression: words without their dash."""

    globals: Arities
    positional: Arities
    tests: Arities
    actions: Arities
    runs: Names
    narrowing: Names
    ages: Names
    patterns: Names
    posix: Names
    posix_2024: Names
    same: Mapping[str, str]  # another name: the one it stands for

    def arity(self, name: str) -> int | None:
        """How many arguments a word takes, by any of its names; None where it is no such word."""
        name = self.same.get(name, name)
        for words in (self.tests, self.actions, self.globals, self.positional):
            if name in words:
                return words[name]
        return 1 if name.startswith("newer") else None


@cache
def find_words() -> FindWords:
    return FindWords(**_typed(FindWords, _read("find")))


@cache
def families() -> tuple[tuple[re.Pattern[str], str], ...]:
    """Names that programs of one kind go by, and the name they are known by here."""
    return tuple((re.compile(u.also), u.name) for u in _all().values() if u.also)


@cache
def _all() -> Mapping[str, Utility]:
    utilities: dict[str, Utility] = {}
    for file in (*_FILES, *_PARTIAL_FILES):
        for name, keys in _read(file).items():
            if name in utilities:
                raise ValueError(f"{file}.toml describes {name} a second time")
            letters = keys.get("posix", "") + keys.get("posix_2024", "")
            keys.setdefault("options", " ".join(re.findall(r"[^:]:?", letters)))
            keys.setdefault("permute", "wraps" not in keys)
            keys.setdefault("partial", file in _PARTIAL_FILES)
            utilities[name] = Utility(name, **_typed(Utility, keys))
    return MappingProxyType(utilities)


def _read(file: str) -> dict[str, Any]:
    text = files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _typed(of: type[Utility | Harm | FindWords], keys: dict[str, Any]) -> dict[str, Any]:
    return {f.name: _value(f.type, keys.pop(f.name)) for f in fields(of) if f.name in keys} | keys


def _value(kind: object, value: Any) -> Any:
    """What the files hold, as the field's type wants it; lists of names are written as text."""
    if kind == Names:
        return frozenset(value.split())
    if kind == tuple[Names, ...]:
        groups = [value] if isinstance(value, str) else value
        return tuple(frozenset(group.split()) for group in groups)
    if kind == Arities:
        return {name: len(colons) for name, colons in re.findall(r"([^\s:]+)(:*)", value)}
    if kind == tuple[str, ...]:
        return tuple(value.split())
    if kind == tuple[Harm, ...]:
        return tuple(Harm(**_typed(Harm, keys)) for keys in value)
    return _options(value) if kind == Mapping[str, OptionType] else value


def _options(text: str) -> Mapping[str, OptionType]:
    options: dict[str, OptionType] = {}
    for entry in text.split():
        marked = entry[-1] in ":?*" and len(entry) > 1
        arity = Arity(entry[-1]) if marked else Arity.NONE
        names = (entry[:-1] if marked else entry).split(",")
        for name in names:
            short_flag = len(name) == 1 and arity == Arity.OPTIONAL_LONG
            options[name] = OptionType(names[0], Arity.NONE if short_flag else arity)
    return MappingProxyType(options)
