"""An answer's text cut into fenced blocks, tagged parts and the prose between them.

CommonMark's rules, and beyond them what models do in fact: a file with fences in it inside a fence
of the same length, a closing fence that is missing or one too many, an opening fence after words
on the same line.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.generation.answers import tags
from sdkbench.generation.answers.headings import name_above
from sdkbench.generation.answers.languages import family_of_label, family_of_path
from sdkbench.generation.answers.paths import LONGEST_MARK, path_in_info
from sdkbench.generation.answers.wholeness import REMARK, is_whole

FENCE = re.compile(
    r"^(?P<indent>\s*(?:>\s?)*(?:(?:[-*+]|\d+[.)])\s+)?)(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$"
)
LATE_FENCE = re.compile(r"^(?P<prose>[^`~]*[:.)\s])(?P<ticks>`{3,})(?P<info>[\w+#.-]*)\s*$")
GLUED_END = re.compile(r"""^(?P<code>(?:(?!```).)*[\w)}\]>;"'])\s*`{3,}\s*$""")
ZERO_WIDTH = re.compile(r"^[\ufeff\u200b\u2060]+|[\ufeff\u200b\u2060]+$", re.MULTILINE)
MOST_PARTS = 1000  # more blocks than any answer has that is meant
MOST_ABOVE = 40  # lines of prose that are kept as what stands above a block
INNER_INDENT = 4  # deeper than the opening fence by this much, it is text of the file
LONGEST_SEARCH = 8  # closing fences tried for a file that holds fences itself
ENOUGH = 2  # bare fences ahead tell that one more opens and closes
MOST_SEARCHES = 40  # in one answer: each may parse much of it
LONGEST_ANSWER = 2 << 20  # characters; what is past them is not looked at


class Block(NamedTuple):
    info: str
    text: str
    above: tuple[str, ...]  # the prose since the part before
    closed: bool = True

    @property
    def family(self) -> str | None:
        """By its label; None for none, or one that is not a language."""
        words = re.split(r"[\s:{,=(]", self.info.strip(), maxsplit=1)
        return family_of_label(words[0])


class Tagged(NamedTuple):
    tag: str
    text: str  # with its opening and closing tag
    closed: bool


class Cut(NamedTuple):
    parts: tuple[Block | Tagged, ...]
    prose: str  # all that is neither


class _Opening(NamedTuple):
    indent: int
    quote: bool
    ticks: str
    info: str
    family: str | None
    budget: "_Budget"


class _Budget:
    """How many more times the end of a block may be searched for by parsing."""

    def __init__(self) -> None:
        self._left = MOST_SEARCHES

    def spend(self) -> bool:
        self._left -= 1
        return self._left >= 0


class _End(NamedTuple):
    stop: int  # the first line that is not the block's
    next: int  # where to go on
    closed: bool
    stray: bool = False  # the fence that seemed to open was none
    glued: str | None = None  # the block's last line, where its closing fence stands on it


def cut(text: str) -> Cut:
    """Every block and tagged part in its order. Line ends become LF; zero-width marks go."""
    text = text[:LONGEST_ANSWER].replace("\r\n", "\n").replace("\r", "\n")
    text = ZERO_WIDTH.sub("", text)
    lines = text.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    parts: list[Block | Tagged] = []
    prose: list[str] = []
    above: list[str] = []
    budget = _Budget()
    at = 0
    while at < len(lines) and len(parts) < MOST_PARTS:
        line = lines[at]
        tagged = tags.span(lines, at)
        if tagged is not None:
            body = "\n".join(lines[at : tagged.stop])
            parts.append(Tagged(tagged.tag, body, tagged.closed))
            at, above = tagged.stop, []
            continue
        opening = _opening(line, above[-MOST_ABOVE:], budget)
        end = None if opening is None else _end(lines, at + 1, opening)
        if opening is None or end is None or end.stray:
            above.append(line)
            prose.append(line)
            at += 1
            continue
        late = LATE_FENCE.match(line)
        if late and not FENCE.match(line):
            above.append(late["prose"])
        last = [] if end.glued is None else [end.glued]
        content = [_unindented(inner, opening) for inner in [*lines[at + 1 : end.stop], *last]]
        joined = "".join(f"{inner}\n" for inner in content)
        parts.append(Block(opening.info.strip(), joined, tuple(above[-MOST_ABOVE:]), end.closed))
        at, above = end.next, []
    return Cut(tuple(parts), "\n".join(prose))


def _opening(line: str, above: Sequence[str], budget: _Budget) -> _Opening | None:
    if len(line) > LONGEST_MARK:
        return None
    found = FENCE.match(line) or LATE_FENCE.match(line)
    if found is None:
        return None
    groups = found.groupdict()
    indent = groups.get("indent") or ""
    info = found["info"].strip()
    path = path_in_info(info)
    family = family_of_label(re.split(r"[\s:{,=(]", info, maxsplit=1)[0])
    if path is not None:
        family = family_of_path(path) or family
    elif family is None and (named := name_above(above, None)) is not None:
        family = family_of_path(named.path)
    return _Opening(len(indent), ">" in indent, found["ticks"], info, family, budget)


def _end(lines: Sequence[str], start: int, opening: _Opening) -> _End:
    inner: list[str] = []  # the ticks of fences opened inside
    for at in range(start, len(lines)):
        found = _fence(lines[at], opening)
        if found is None:
            continue
        bare = not found["info"].strip()
        if inner:
            if bare and len(found["ticks"]) >= len(inner[-1]):
                inner.pop()
            continue
        if len(found["ticks"]) < len(opening.ticks):
            continue
        if bare:
            if _opens_inside(lines, start, at, opening):
                inner.append(found["ticks"])
                continue
            return _glued_end(lines, start, at, opening) or _End(at, at + 1, closed=True)
        if opening.family == "markdown" or _is_nested(lines, start, at, opening):
            inner.append(found["ticks"])
        elif not opening.info and opening.family is None:
            return _End(at, at, closed=False, stray=True)
        else:
            stop = _before_heading(lines, start, at)
            return _glued_end(lines, start, stop, opening) or _End(stop, at, closed=True)
    end = _End(len(lines), len(lines), closed=False)
    return _glued_end(lines, start, len(lines), opening) or end


def _glued_end(lines: Sequence[str], start: int, stop: int, opening: _Opening) -> _End | None:
    """Where a closing fence stands at the end of a line of code, if that makes the block whole."""
    if opening.family == "markdown" or (opening.info and opening.family is None):
        return None
    for at in range(start, stop):
        found = GLUED_END.match(lines[at]) if _is_glued(lines[at]) else None
        if found is None:
            continue
        last = found["code"]
        if opening.budget.spend() and is_whole(opening.family, "\n".join([*lines[start:at], last])):
            return _End(at, at + 1, closed=True, glued=last)
        return None
    return None


def _is_glued(line: str) -> bool:
    # In a remark, the fence is what the remark speaks of.
    return len(line) <= LONGEST_MARK and line.rstrip().endswith("```") and not REMARK.match(line)


def _fence(line: str, opening: _Opening) -> "re.Match[str] | None":
    found = FENCE.match(line) if len(line) <= LONGEST_MARK else None
    if found is None or found["ticks"][0] != opening.ticks[0]:
        return None
    if re.search(r"[-*+\d]", found["indent"]):
        return None  # a list item with a fence is an opening one in prose; here it is text
    return found if len(found["indent"]) < opening.indent + INNER_INDENT else None


def _bare_fences(lines: Sequence[str], start: int, opening: _Opening) -> list[int]:
    """The first bare fences from `start` up to the next fence that has a label."""
    found = []
    for at in range(start, len(lines)):
        fence = _fence(lines[at], opening)
        if fence is None:
            continue
        if fence["info"].strip():
            break
        found.append(at)
        if len(found) == ENOUGH:
            break
    return found


def _opens_inside(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether the bare fence at `at` belongs to the file rather than ending it."""
    text = "\n".join(lines[start:at])
    if opening.family == "python":
        return (
            opening.budget.spend()
            and not is_whole("python", text)
            and _closes_later(lines, start, at, opening)
        )
    if opening.family != "markdown":
        return False
    after = lines[at + 1] if at + 1 < len(lines) else ""
    starts_code = bool(after.strip()) and not re.match(r"\s*(?:#{1,6}\s|\*\*|---)", after)
    return starts_code and opening.budget.spend() and _ends_twice(lines, at + 1, opening)


def _ends_twice(lines: Sequence[str], start: int, opening: _Opening) -> bool:
    """Whether there are fences to end both what a bare fence opened and the block around it."""
    inside = True
    for at in range(start, len(lines)):
        fence = _fence(lines[at], opening)
        if fence is None:
            continue
        bare = not fence["info"].strip()
        if bare and not inside:
            return True
        inside = not bare or not inside
    return False


def _closes_later(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether the block is a whole file once it ends at a later fence: then this one is text."""
    later = (n for n in range(at + 1, len(lines)) if _fence(lines[n], opening))
    for _, stop in zip(range(LONGEST_SEARCH), later, strict=False):
        if is_whole(opening.family, "\n".join(lines[start:stop])):
            return True
    return False


def _is_nested(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether a labelled fence inside code is text of the file, not the next block's opening."""
    if opening.family == "script":
        return False  # in a template or a JSDoc comment no fence begins a line
    if opening.family == "python":
        return _opens_inside(lines, start, at, opening)
    bare = _bare_fences(lines, at + 1, opening)
    return bool(opening.info) and len(bare) > 1 and name_above(lines[start:at], None) is None


def _before_heading(lines: Sequence[str], start: int, at: int) -> int:
    """Where a block ends that was not closed before the next one: above that one's prose."""
    stop = at
    while stop > start and (not lines[stop - 1].strip() or name_above([lines[stop - 1]], None)):
        stop -= 1
    return stop


def _unindented(line: str, opening: _Opening) -> str:
    if opening.quote:
        return re.sub(r"^\s*>\s?", "", line)
    lead = len(line) - len(line.lstrip(" \t"))
    return line[min(lead, opening.indent) :]
