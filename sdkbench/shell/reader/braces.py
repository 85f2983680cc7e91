"""Brace expansion: which `{…}` of a word are lists or ranges, and the words that they make."""

import re
from collections.abc import Callable
from itertools import pairwise

from sdkbench.shell.reader.cursor import Cursor
from sdkbench.shell.reader.tree import BraceList, BraceRange, Literal, Part, Quoting, Span

_MARKS = re.compile(r"[{},]|[^{},]+")
_RANGE = re.compile(r"(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?\Z")

Run = tuple[Part, ...]


def runs(parts: Run, choices: Callable[[Part], list[Run] | None], most: int) -> list[Run] | None:
    """Every word that the braces make, in order; None where there are more than `most`.

    `choices` says what any part but a list may be; None where that is not worked out.
    """
    words: list[Run] = [()]
    for part in parts:
        if isinstance(part, BraceList):
            inner = [runs(alternative, choices, most) for alternative in part.alternatives]
            options = None if None in inner else [run for each in inner for run in each or ()]
        else:
            options = choices(part)
        if options is None or len(words) * len(options) > most:
            return None
        words = [word + option for word in words for option in options]
    return words


def find(parts: list[Part], cursor: Cursor) -> list[Part]:
    """The parts with every brace list and range recognised; other braces stay literal."""
    items = _split(parts)
    return _fold(items, _matches(items), 0, len(items), cursor)


def _split(parts: list[Part]) -> list[Part]:
    """Unquoted `{`, `,` and `}` as parts of their own."""
    items: list[Part] = []
    for part in parts:
        if not isinstance(part, Literal) or part.quoting != Quoting.NONE:
            items.append(part)
            continue
        for piece in _MARKS.finditer(part.value):
            start = part.span.start + piece.start()
            items.append(Literal(piece[0], Quoting.NONE, Span(start, start + len(piece[0]))))
    return items


def _is(item: Part, mark: str) -> bool:
    return isinstance(item, Literal) and item.quoting == Quoting.NONE and item.value == mark


def _matches(items: list[Part]) -> dict[int, int]:
    """Where the brace that opens at a place closes."""
    opened: list[int] = []
    matches: dict[int, int] = {}
    for place, item in enumerate(items):
        if _is(item, "{"):
            opened.append(place)
        elif _is(item, "}") and opened:
            matches[opened.pop()] = place
    return matches


def _fold(
    items: list[Part], matches: dict[int, int], start: int, end: int, cursor: Cursor
) -> list[Part]:
    folded: list[Part] = []
    place = start
    while place < end:
        close = matches.get(place)
        expansion = None if close is None else _expansion(items, matches, place, close, cursor)
        folded.append(expansion or items[place])
        place = close + 1 if expansion and close else place + 1
    return folded


def _expansion(
    items: list[Part], matches: dict[int, int], start: int, close: int, cursor: Cursor
) -> BraceList | BraceRange | None:
    span = Span(items[start].span.start, items[close].span.end)
    commas = [start, *_commas(items, matches, start, close), close]
    if len(commas) > 2:  # noqa: PLR2004 - more than the two braces themselves
        cursor.enter()
        alternatives = tuple(
            tuple(_fold(items, matches, a + 1, b, cursor)) for a, b in pairwise(commas)
        )
        cursor.leave()
        return BraceList(alternatives, span)
    inner = items[start + 1] if close == start + 2 else None
    if isinstance(inner, Literal) and inner.quoting == Quoting.NONE:
        bounds = _RANGE.match(inner.value)
        if bounds and bounds[1].lstrip("-").isdigit() == bounds[2].lstrip("-").isdigit():
            return BraceRange(bounds[1], bounds[2], bounds[3], span)
    return None


def _commas(items: list[Part], matches: dict[int, int], start: int, close: int) -> list[int]:
    places = []
    place = start + 1
    while place < close:
        if place in matches and matches[place] < close:
            place = matches[place]
        elif _is(items[place], ","):
            places.append(place)
        place += 1
    return places
