"""find: the words of its expression, read once from `find.toml`."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class FindWords:
    """Words without their dash. The mappings tell how many arguments each takes."""

    globals: Mapping[str, int]
    positional: Mapping[str, int]
    tests: Mapping[str, int]
    actions: Mapping[str, int]
    same: Mapping[str, str]  # another name: the one it stands for
    runs: frozenset[str]
    narrowing: frozenset[str]
    ages: frozenset[str]
    patterns: frozenset[str]
    posix: frozenset[str]
    posix_2024: frozenset[str]

    def arity(self, name: str) -> int | None:
        """How many arguments a word takes, by any of its names; None where it is no such word."""
        name = self.same.get(name, name)
        for words in (self.tests, self.actions, self.globals, self.positional):
            if name in words:
                return words[name]
        return 1 if name.startswith("newer") else None


@cache
def find_words() -> FindWords:
    data = tomllib.loads(files(__package__).joinpath("find.toml").read_text(encoding="utf-8"))
    same: dict[str, str] = {}

    def arities(key: str) -> dict[str, int]:
        found = {}
        for spelled, colons in re.findall(r"([^\s:]+)(:*)", data[key]):
            name, *others = spelled.split(",")
            found[name] = len(colons)
            same.update(dict.fromkeys(others, name))
        return found

    def names(key: str) -> frozenset[str]:
        return frozenset(data[key].split())

    return FindWords(
        globals=arities("globals"),
        positional=arities("positional"),
        tests=arities("tests"),
        actions=arities("actions"),
        same=same,
        runs=names("runs"),
        narrowing=names("narrowing"),
        ages=names("ages"),
        patterns=names("patterns"),
        posix=names("posix"),
        posix_2024=names("posix_2024"),
    )
