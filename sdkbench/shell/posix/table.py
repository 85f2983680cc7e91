"""The POSIX table as values: the utilities of an edition, and the options of each."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sdkbench.shell.posix.report import Edition


@dataclass(frozen=True, slots=True)
class Table:
    """`options` maps a utility to its letters, and each letter to whether it takes an argument."""

    options: Mapping[str, Mapping[str, bool]]
    verbatim: frozenset[str]
    runs: frozenset[str]
    find_none: frozenset[str]
    find_one: frozenset[str]
    test_operators: frozenset[str]
    dd_operands: frozenset[str]


@cache
def table(edition: Edition) -> Table:
    data = tomllib.loads(files(__package__).joinpath("utilities.toml").read_text("utf-8"))
    newer = edition is Edition.POSIX_2024
    letters = dict(data["options"])
    if newer:
        for name, added in data["added_2024"].items():
            letters[name] = letters.get(name, "") + added
    find, test = data["find"], data["test"]
    return Table(
        options={name: _letters(spec) for name, spec in letters.items()},
        verbatim=frozenset(data["verbatim"]["names"]),
        runs=frozenset(data["runs"]["names"]),
        find_none=frozenset(find["none"] + (find["none_2024"] if newer else [])),
        find_one=frozenset(find["one"] + (find["one_2024"] if newer else [])),
        test_operators=frozenset(test["operators"] + (test["operators_2024"] if newer else [])),
        dd_operands=frozenset(data["dd"]["operands"]),
    )


def _letters(spec: str) -> dict[str, bool]:
    return {letter: spec[at + 1 : at + 2] == ":" for at, letter in enumerate(spec) if letter != ":"}
