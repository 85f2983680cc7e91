"""Names of the packages that a solution's manifests ask for. Versions are for the judge, who
installs them.
"""

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import PurePosixPath
from xml.etree import ElementTree as ET

from packaging.requirements import InvalidRequirement, Requirement

GO_REQUIRED = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[\w.-]+/\S+)\s+v\d", re.MULTILINE)
Table = dict[str, object]


def dependencies_of(texts: Mapping[str, str]) -> set[str]:
    """A manifest that can't be read names nothing."""
    named: set[str] = set()
    for path, text in texts.items():
        read = READERS.get(PurePosixPath(path).name)
        if read is not None:
            try:
                named.update(name.lower() for name in read(text))
            except (ValueError, ET.ParseError, RecursionError):
                continue
    return named


def _requirements(text: str) -> Iterator[str]:
    for line in text.splitlines():
        words = line.partition("#")[0].strip()
        if words and not words.startswith("-"):
            yield from _requirement(words)


def _requirement(text: object) -> Iterator[str]:
    try:
        yield Requirement(str(text)).name
    except InvalidRequirement:
        return


def _pyproject(text: str) -> Iterator[str]:
    listed = _table(tomllib.loads(text), "project").get("dependencies")
    for each in listed if isinstance(listed, list) else []:
        yield from _requirement(each)


def _package_json(text: str) -> Iterator[str]:
    document = json.loads(text)
    for name in ("dependencies", "devDependencies", "peerDependencies"):
        yield from _table(document, name)


def _cargo(text: str) -> Iterator[str]:
    document = tomllib.loads(text)
    for name in ("dependencies", "dev-dependencies"):
        yield from _table(document, name)


def _pom(text: str) -> Iterator[str]:
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        return  # entities may grow without end, and no manifest needs them
    for element in ET.fromstring(text).iter():  # noqa: S314 - entities are refused above
        if element.tag.endswith("dependency"):
            yield from (
                child.text.strip()
                for child in element
                if child.tag.endswith("artifactId") and child.text
            )


def _table(document: object, name: str) -> Table:
    table = document.get(name) if isinstance(document, dict) else None
    return table if isinstance(table, dict) else {}


READERS: Mapping[str, Callable[[str], Iterator[str] | list[str]]] = {
    "requirements.txt": _requirements,
    "pyproject.toml": _pyproject,
    "package.json": _package_json,
    "go.mod": GO_REQUIRED.findall,
    "Cargo.toml": _cargo,
    "pom.xml": _pom,
}
