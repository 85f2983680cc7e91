"""Where in a dataset's text each case and key stands; the TOML reader itself doesn't tell."""

import re
from dataclasses import dataclass, field

_HEADER = re.compile(r"\s*\[\[\s*([A-Za-z0-9_-]+)\s*\]\]")
_TABLE = re.compile(r"\s*\[")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*=""")
_STRINGS = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|\#.*')


@dataclass(slots=True)
class Lines:
    """Line numbers from 1; what can't be located is at the line of what holds it, or 1."""

    known: dict[tuple[int | str, ...], int] = field(default_factory=dict)

    def of(self, *location: int | str) -> int:
        for length in range(len(location), 0, -1):
            if location[:length] in self.known:
                return self.known[location[:length]]
        return 1


def locate(text: str) -> Lines:
    lines = Lines()
    counts: dict[str, int] = {}
    prefix: tuple[int | str, ...] = ()
    inside = ""  # the mark that ends the string we are in
    for number, line in enumerate(text.split("\n"), start=1):
        if not inside:
            header = _HEADER.match(line)
            key = _KEY.match(line)
            if header:
                place = counts.get(header[1], 0)
                counts[header[1]] = place + 1
                prefix = (header[1], place)
                lines.known.setdefault((header[1],), number)
                lines.known[prefix] = number
            elif key:
                name = key[1] or key[2] or key[3] or ""
                lines.known.setdefault((*prefix, name), number)
            elif _TABLE.match(line):
                prefix = ("",)  # some other table: no key of ours
        inside = _string_left_open(line, inside)
    return lines


def _string_left_open(line: str, inside: str) -> str:
    """The mark of the long string that goes on after this line, if one does."""
    place = 0
    while place < len(line):
        if inside:
            end = line.find(inside, place)
            if end < 0:
                return inside
            place, inside = end + len(inside), ""
            continue
        found = _STRINGS.search(line, place)
        if not found:
            return ""
        place = found.end()
        if found[0] in ('"""', "'''"):
            inside = found[0]
    return inside
