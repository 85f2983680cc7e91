"""The answers under tests/data/answers: text, starter, and the files that must come of them."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.datasets import bundled_samples
from sdkbench.generation.files import starter_texts
from tests.support.places import DATA

FOLDER = DATA / "answers"


class Recorded(NamedTuple):
    name: str
    text: str
    starter: dict[str, str]
    files: dict[str, str | None]  # None: removed
    cut_off: bool
    problems: list[str]  # the paths of what was not taken over


def recorded() -> list[Recorded]:
    starters: dict[str, dict[str, str]] = _read(FOLDER / "starters.json")
    found = []
    for path in sorted(FOLDER.glob("*.md")):
        told = _read(path.with_suffix(".json"))
        text = path.read_bytes().decode()
        starter = _starter(told["starter"], starters)
        found.append(
            Recorded(path.stem, text, starter, told["files"], told["cut_off"], told["problems"])
        )
    return found


def _starter(name: str, starters: dict[str, dict[str, str]]) -> dict[str, str]:
    """A small one of starters.json, or what a sample (`sdk/id`) starts from."""
    if name in starters:
        return starters[name]
    found = starter_texts(bundled_samples() / name / "input")
    assert found, name
    return found


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
