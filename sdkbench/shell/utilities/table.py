"""The tables in this folder, read once.

Keys of a table, all optional:

    options       what the utility takes: names that mean the same are joined by commas, then
                  `:` a value is required, `?` a value is optional after `--name=` (the letter
                  takes none), `*` a value is optional after `--name=` and after the letter
    last_wins     groups of names of which only the last one given counts
    tangled       groups whose order can matter in ways we don't model: order is kept, and a
                  different order is neither equal nor different
    ordered       every occurrence counts, in order
    repeated      every occurrence counts, in any order
    counted       how often it is given counts
    implies       a name, or name=value, and what it stands for: names, or name=value
    defaults      a value that changes nothing
    defaults_to   the option that is meant where none is given
    drop          options that change nothing
    soft          options that often change nothing: a difference in them decides nothing
    rephrases     options that let operands be spelled another way
    unsure        options whose values are small languages: different texts may mean the same
    digits        the option that `-5` is short for
    wide_short    options of two letters behind one dash
    in_place      options that act on the operands after them
    permute       false where options end at the first operand
    keep_dashes   true where `--` says more than that options end
    here          true where no operand means `.`
    unordered     true where the order of operands matters little
    vague         true where a further operand may only spell out a default
    pattern       the option that the first operand stands for, then others that replace it
    programs      how many first operands are small languages
    wraps         how many operands stand before a wrapped command
    appends       true where more arguments follow those of the wrapped command
    wrapped_default   the command where none is given
    subcommands   true where the first operand names a table of its own
    special       the rule in canonical/ that reads this utility's arguments
    signal_option, verbatim_after, same_as, effect, writes   see where they are used
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

_TABLES = ("archives", "files", "git", "network", "processes", "system", "text")


def _no_values() -> Mapping[str, str]:
    return MappingProxyType({})


class Arity(StrEnum):
    NONE = ""
    REQUIRED = ":"
    OPTIONAL_LONG = "?"
    OPTIONAL = "*"


@dataclass(frozen=True, slots=True)
class Utility:
    name: str
    options: Mapping[str, tuple[str, Arity]]  # any spelling: its canonical name and arity
    last_wins: tuple[frozenset[str], ...] = ()
    tangled: tuple[frozenset[str], ...] = ()
    ordered: frozenset[str] = frozenset()
    repeated: frozenset[str] = frozenset()
    counted: frozenset[str] = frozenset()
    implies: Mapping[str, str] = field(default_factory=_no_values)
    defaults: Mapping[str, str] = field(default_factory=_no_values)
    defaults_to: str = ""
    drop: frozenset[str] = frozenset()
    soft: frozenset[str] = frozenset()
    rephrases: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    digits: str = ""
    wide_short: frozenset[str] = frozenset()
    in_place: frozenset[str] = frozenset()
    permute: bool = True
    keep_dashes: bool = False
    here: bool = False
    unordered: bool = False
    vague: bool = False
    pattern: tuple[str, ...] = ()
    programs: int = 0
    wraps: int | None = None
    wrapped_default: str = ""
    appends: bool = False
    subcommands: bool = False
    special: str = ""
    signal_option: str = ""
    verbatim_after: str = ""
    same_as: tuple[str, ...] = ()
    effect: str = ""
    writes: frozenset[str] = frozenset()


_NAME_SETS = (
    "ordered",
    "repeated",
    "counted",
    "drop",
    "soft",
    "rephrases",
    "unsure",
    "wide_short",
    "in_place",
    "writes",
)


def find_utility(name: str) -> Utility | None:
    """What is known of `name` (or of `git commit`), if anything."""
    return _all().get(name)


def known_utilities() -> tuple[str, ...]:
    return tuple(sorted(_all()))


@cache
def _all() -> Mapping[str, Utility]:
    utilities: dict[str, Utility] = {}
    for table in _TABLES:
        text = files(__package__).joinpath(f"{table}.toml").read_text(encoding="utf-8")
        for name, keys in tomllib.loads(text).items():
            utilities[name] = _utility(name, keys)
    return MappingProxyType(utilities)


def _utility(name: str, keys: dict[str, Any]) -> Utility:
    made = dict(keys)
    made["options"] = _options(keys.get("options", ""))
    for key in ("last_wins", "tangled"):
        made[key] = tuple(frozenset(group.split()) for group in keys.get(key, ()))
    for key in _NAME_SETS:
        made[key] = frozenset(keys.get(key, "").split())
    made["pattern"] = tuple(keys.get("pattern", "").split())
    made["same_as"] = tuple(keys.get("same_as", ()))
    return Utility(name=name, **made)


def _options(text: str) -> Mapping[str, tuple[str, Arity]]:
    """Every spelling; the first one written is the canonical name."""
    options: dict[str, tuple[str, Arity]] = {}
    for entry in text.split():
        marked = entry[-1] in ":?*" and len(entry) > 1
        arity = Arity(entry[-1]) if marked else Arity.NONE
        names = (entry[:-1] if marked else entry).split(",")
        for name in names:
            short_flag = len(name) == 1 and arity == Arity.OPTIONAL_LONG
            options[name] = (names[0], Arity.NONE if short_flag else arity)
    return MappingProxyType(options)
