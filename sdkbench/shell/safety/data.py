"""What the judge knows and that is no logic: names and patterns, in the data files beside this."""

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(file: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(f"{file}.toml").read_text(encoding="utf-8"))


def names(file: str, key: str) -> frozenset[str]:
    return frozenset(load(file)[key].split())


def pattern(file: str, key: str, *, whole: bool = False) -> re.Pattern[str]:
    """`whole`: it matches from the beginning to the end of a text."""
    text = load(file)[key]
    return re.compile(rf"^{text}$" if whole else text)
