"""The answers under tests/data/answers: text, starter, and the files that must come of them.

<group>/<name>.md        an answer as a model wrote it
<group>/expected.toml    for each answer of the group: the starter, and what must come of it
starters.toml            small starters
"""

import tomllib
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
    starters: dict[str, dict[str, str]] = _read(FOLDER / "starters.toml")
    return [
        answer
        for group in sorted(path for path in FOLDER.iterdir() if path.is_dir())
        for answer in _group(group, starters)
    ]


def _group(folder: Path, starters: dict[str, dict[str, str]]) -> list[Recorded]:
    expected = _read(folder / "expected.toml")
    texts = {path.stem: path.read_bytes().decode() for path in sorted(folder.glob("*.md"))}
    assert texts.keys() == expected.keys(), texts.keys() ^ expected.keys()
    return [
        Recorded(
            name,
            text,
            _starter(expected[name]["starter"], starters),
            expected[name].get("files", {}) | dict.fromkeys(expected[name].get("removed", [])),
            expected[name].get("cut_off", False),
            expected[name].get("problems", []),
        )
        for name, text in texts.items()
    ]


def _starter(name: str, starters: dict[str, dict[str, str]]) -> dict[str, str]:
    """A small one of starters.toml, or what a sample (`sdk/id`) starts from."""
    if name in starters:
        return starters[name]
    found = starter_texts(bundled_samples() / name / "input")
    assert found, name
    return found


def _read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))
