"""What tox runs the tests with: the environment that a project describes in tox.ini, setup.cfg,
tox.toml or pyproject.toml. Read, never run.
"""

import configparser
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.test_harness.python import manifest
from sdkbench.test_harness.python.manifest import table_or_empty

# `unit: pytest` counts where the environment's name has that part; these mean the tests, here.
HERE = {
    "test", "tests", "unit", "unittest", "pytest", "py", "py3",
    f"py3{sys.version_info.minor}", f"3.{sys.version_info.minor}",
}  # fmt: skip
CONDITION = re.compile(r"^(?P<factors>[\w.!{},-]+)\s*:(?=\s)\s*(?P<rest>.*)$")
FACTOR = re.compile(r"[\w.]+")
ROOT = re.compile(r"\{(?:toxinidir|tox_root|\.)\}/?")
REFERENCE = re.compile(r"^\{\[(?P<section>[^\]]+)\](?P<key>\w+)\}$")
MAX_REFERENCES = 20


class Environment(NamedTuple):
    deps: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()


def read(root: Path, pyproject: Mapping[str, Any]) -> Environment:
    """The one that every environment of tox is made after; empty where there is none."""
    for path in (root / "tox.ini", root / "setup.cfg"):
        environment = _from_cfg(_cfg(path))
        if any(environment):
            return environment
    tox = table_or_empty(table_or_empty(pyproject, "tool"), "tox")
    legacy = tox.get("legacy_tox_ini")
    if isinstance(legacy, str):
        return _from_cfg(manifest.cfg_text(legacy))
    try:
        own = manifest.toml_of(root / "tox.toml")
    except manifest.Problem:
        own = {}
    base = table_or_empty(tox or own, "env_run_base")
    return Environment(
        tuple(_strings(base.get("deps"))),
        tuple(_strings(base.get("extras"))),
        tuple(_strings(base.get("dependency_groups"))),
        tuple(" ".join(_strings(words)) for words in _list(base.get("commands"))),
    )


def section(path: Path, name: str) -> dict[str, str]:
    """A section of a file in the style of tox.ini; empty where there is none."""
    parser = _cfg(path)
    return dict(parser[name]) if parser is not None and parser.has_section(name) else {}


def _cfg(path: Path) -> configparser.ConfigParser | None:
    try:
        return manifest.cfg_of(path)
    except manifest.Problem:
        return None


def _from_cfg(parser: configparser.ConfigParser | None) -> Environment:
    if parser is None or not parser.has_section("testenv"):
        return Environment()
    values = [
        tuple(_applying(parser, "testenv", key))
        for key in ("deps", "extras", "dependency_groups", "commands")
    ]
    deps, extras, groups, commands = values
    return Environment(deps, _split(extras), _split(groups), commands)


def _split(lines: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, (word.strip() for line in lines for word in line.split(","))))


def _applying(
    parser: configparser.ConfigParser, name: str, key: str, depth: int = 0
) -> Iterator[str]:
    """The lines of a setting that hold for a run of the tests."""
    text = parser.get(name, key, fallback="")
    for raw in text.splitlines():
        line = re.sub(r"(^|\s)#.*$", "", raw).strip()
        condition = CONDITION.match(line)
        if condition:
            negated = condition["factors"].startswith("!")
            if not negated and not HERE & {*FACTOR.findall(condition["factors"])}:
                continue
            line = condition["rest"].strip()
        reference = REFERENCE.match(line)
        if reference and depth < MAX_REFERENCES:
            yield from _applying(parser, reference["section"], reference["key"], depth + 1)
            continue
        line = ROOT.sub("", line)
        if line and (key == "commands" or "{" not in line):
            yield line


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _strings(value: object) -> list[str]:
    return [item for item in _list(value) if isinstance(item, str)]
