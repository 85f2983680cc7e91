"""Files of deliveries as rows."""

import csv
import re
from pathlib import Path
from typing import NamedTuple

HEADER = "article;name;change"


class Refused(Exception):
    """A file that is no delivery; its text is the reason."""


class Row(NamedTuple):
    line: int
    text: str
    article: str
    name: str
    change: int
    reason: str | None


def read(file: Path) -> list[Row]:
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        raise Refused("not UTF-8") from None
    header, *lines = [line.removesuffix("\r") for line in text.split("\n")]
    if header != HEADER:
        raise Refused("wrong header")
    return [row(number, line) for number, line in enumerate(lines, 2) if line.strip()]


def row(number: int, line: str) -> Row:
    fields = [field.strip() for field in next(csv.reader([line], delimiter=";"))]
    if len(fields) != 3:
        return Row(number, line, "", "", 0, "wrong number of fields")
    article, name, change = fields
    if not article:
        reason = "no article"
    elif not name:
        reason = "no name"
    elif not re.fullmatch("[+-]?[0-9]{1,9}", change) or int(change) == 0:
        reason = "bad change"
    else:
        return Row(number, line, article, name, int(change), None)
    return Row(number, line, article, name, 0, reason)
