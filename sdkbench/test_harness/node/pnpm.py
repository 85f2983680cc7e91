"""pnpm-workspace.yaml: the members of a workspace, and the versions that they share."""

import re
from pathlib import Path
from typing import NamedTuple

from sdkbench.test_harness.recognition import text_of

FILE = "pnpm-workspace.yaml"
CATALOG = "catalog:"  # before the name of a table of versions; the usual one has none
LINE = re.compile(
    r"""^(?P<indent> *)(?P<key>"[^"]*"|'[^']*'|[^\s#'":-][^\s:]*):(?: +(?P<value>.*))?$"""
)
ITEM = re.compile(r"^ *- +(?P<value>.*)$")
COMMENT = re.compile(r"(^|\s)#.*$")


class PnpmWorkspace(NamedTuple):
    packages: tuple[str, ...] = ()
    catalogs: dict[str, dict[str, str]] = {}  # noqa: RUF012 - never changed

    def version(self, name: str, spec: str) -> str:
        """What a dependency's `catalog:` stands for; any other spec as it is."""
        if not spec.startswith(CATALOG):
            return spec
        table = self.catalogs.get(spec.removeprefix(CATALOG).strip() or "default", {})
        return table.get(name, spec)


def read_workspace(folder: Path) -> PnpmWorkspace:
    """As much of the file as matters: lists and tables of plain words, one to a line."""
    packages: list[str] = []
    catalogs: dict[str, dict[str, str]] = {}
    above: list[tuple[int, str]] = []  # the keys that a line is below, with their indents
    for raw in text_of(folder / FILE).splitlines():
        line = COMMENT.sub("", raw).rstrip()
        if (item := ITEM.match(line)) and [key for _, key in above[:1]] == ["packages"]:
            packages.append(_bare(item["value"]))
        elif entry := LINE.match(line):
            indent, key = len(entry["indent"]), _bare(entry["key"])
            above = [one for one in above if one[0] < indent]
            keys = [name for _, name in above]
            value = _bare(entry["value"] or "")
            if value and keys == ["catalog"]:
                catalogs.setdefault("default", {})[key] = value
            elif value and len(keys) == 2 and keys[0] == "catalogs":  # noqa: PLR2004
                catalogs.setdefault(keys[1], {})[key] = value
            above.append((indent, key))
    wanted = (p.removeprefix("./").rstrip("/") for p in packages if not p.startswith("!"))
    return PnpmWorkspace(tuple(p for p in wanted if p not in {"", "."}), catalogs)


def _bare(text: str) -> str:
    return text.strip().strip("\"'")
