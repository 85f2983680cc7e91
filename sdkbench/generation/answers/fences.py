"""An answer's text without its thinking, cut into fenced blocks, tagged parts and prose.

CommonMark's rules, and beyond them what models do in fact: a file with fences in it inside a fence
of the same length, a closing fence that is missing or one too many, an opening fence after words
on the same line.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple

from sdkbench.generation.answers import tags
from sdkbench.generation.answers.headings import path_above
from sdkbench.generation.answers.languages import REMARK, family_of_label, family_of_path, is_whole
from sdkbench.generation.answers.paths import LONGEST_MARK, path_in_info
from sdkbench.generation.answers.proposed_files import join_lines, split_lines

THINKING = r"(?:seed:)?think(?:ing)?|thoughts?|reasoning|analysis|scratchpad|reflection|planning"
# Opening and closing signs, and what the answer must begin with for them to be those of thinking.
THINKING_OPENS = re.compile(rf"\A\s*(?:<(?P<tag>{THINKING})>|\[THINK\]|◁think▷)", re.IGNORECASE)
THINKING_CLOSES = r"</{tag}>|\[/THINK\]|◁/think▷"
# Without an opening one, the sign stands alone or before any code: else it may be a word of code.
ONLY_CLOSES = re.compile(
    r"(?:^[^\S\n]*</think(?:ing)?>[^\S\n]*$|\A[^`]*</think(?:ing)?>[^\S\n]*)\n?",
    re.IGNORECASE | re.MULTILINE,
)
# The channels of models that mark each part of their output by its kind.
FINAL = re.compile(r"<\|channel\|>\s?final\b[^<\n]{0,100}(?:<\|constrain\|>\w+\s?)?<\|message\|>")
CONTROL = re.compile(r"<\|(?:end|return|im_end|eot_id|endoftext)\|>\s*\Z")
MOST_THINKING = 20  # parts one after another; more than any model has

FENCE = re.compile(
    r"^(?P<indent>\s*(?:>\s?)*(?:(?:[-*+]|\d+[.)])\s+)?)(?P<ticks>`{3,}|~{3,})(?P<info>[^`]*)$"
)
LATE_FENCE = re.compile(r"^(?P<prose>[^`~]*[:.)\s])(?P<ticks>`{3,})(?P<info>[\w+#.-]*)\s*$")
GLUED_END = re.compile(r"""^(?P<code>(?:(?!```).)*[\w)}\]>;"'])\s*`{3,}\s*$""")
ZERO_WIDTH = re.compile(r"^[\ufeff\u200b\u2060]+|[\ufeff\u200b\u2060]+$", re.MULTILINE)
MOST_PARTS = 1000  # more blocks than any sensible answer has
MOST_ABOVE = 40  # lines of prose that are kept as what stands above a block
INNER_INDENT = 4  # deeper than the opening fence by this much, it is text of the file
LONGEST_SEARCH = 8  # closing fences tried for a file that holds fences itself
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
        return _family_of_info(self.info)


class Tagged(NamedTuple):
    text: str  # with its opening and closing tag
    closed: bool


class Cut(NamedTuple):
    parts: tuple[Block | Tagged, ...]
    prose: str  # all that is neither


@dataclass(slots=True)
class _Budget:
    """How many more times the end of a block may be searched for by parsing."""

    left: int = MOST_SEARCHES

    def spend(self) -> bool:
        self.left -= 1
        return self.left >= 0


class _Opening(NamedTuple):
    indent: int
    quote: bool
    ticks: str
    info: str
    family: str | None
    budget: _Budget


class _Fence(NamedTuple):
    """A fence inside a block, which may close it."""

    line: int
    ticks: str
    bare: bool  # without a label


class _End(NamedTuple):
    stop: int  # the first line that is not the block's
    next: int  # where to go on
    closed: bool
    stray: bool = False  # the fence that seemed to open was none
    glued: str | None = None  # the block's last line, where its closing fence stands on it


def without_thinking(text: str) -> str:
    """The answer alone; all of the text where its thinking has no end."""
    final = list(FINAL.finditer(text))
    if final:
        text = text[final[-1].end() :]
    text = CONTROL.sub("", text)
    for _ in range(MOST_THINKING):
        opening = THINKING_OPENS.match(text)
        if opening is None:
            break
        closes = THINKING_CLOSES.format(tag=opening["tag"] or "think")
        # The first on a line of its own, else the first of all.
        end = re.search(
            rf"^[^\S\n]*(?:{closes})[^\S\n]*$\n?", text, re.MULTILINE | re.IGNORECASE
        ) or re.search(closes, text, re.IGNORECASE)
        if end is None:
            return text
        text = text[end.end() :]
    hidden = ONLY_CLOSES.search(text) if "<think" not in text else None
    return text if hidden is None else text[hidden.end() :]


def cut(text: str) -> Cut:
    """Every block and tagged part in its order. Line ends become LF; zero-width marks go."""
    text = text[:LONGEST_ANSWER].replace("\r\n", "\n").replace("\r", "\n")
    lines = split_lines(ZERO_WIDTH.sub("", text))
    parts: list[Block | Tagged] = []
    prose: list[str] = []
    above: list[str] = []
    budget = _Budget()
    at = 0
    while at < len(lines) and len(parts) < MOST_PARTS:
        line = lines[at]
        tagged = tags.span(lines, at)
        if tagged is not None:
            parts.append(Tagged("\n".join(lines[at : tagged.stop]), tagged.closed))
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
        inside = join_lines(
            _unindented(inner, opening) for inner in [*lines[at + 1 : end.stop], *last]
        )
        parts.append(Block(opening.info.strip(), inside, tuple(above[-MOST_ABOVE:]), end.closed))
        at, above = end.next, []
    return Cut(tuple(parts), "\n".join(prose))


def _family_of_info(info: str) -> str | None:
    return family_of_label(re.split(r"[\s:{,=(]", info.strip(), maxsplit=1)[0])


def _opening(line: str, above: Sequence[str], budget: _Budget) -> _Opening | None:
    if len(line) > LONGEST_MARK:
        return None
    fence = FENCE.match(line) or LATE_FENCE.match(line)
    if fence is None:
        return None
    indent = fence.groupdict().get("indent") or ""
    info = fence["info"].strip()
    path = path_in_info(info)
    family = _family_of_info(info)
    if path is not None:
        family = family_of_path(path) or family
    elif family is None and (named := path_above(above, None)) is not None:
        family = family_of_path(named.path)
    return _Opening(len(indent), ">" in indent, fence["ticks"], info, family, budget)


def _fences(lines: Sequence[str], start: int, opening: _Opening) -> Iterator[_Fence]:
    """The fences from `start` on that may belong to the block."""
    for at in range(start, len(lines)):
        fence = FENCE.match(lines[at]) if len(lines[at]) <= LONGEST_MARK else None
        if (
            fence is not None
            and fence["ticks"][0] == opening.ticks[0]
            # A list item with a fence opens one in prose; here it is text.
            and not re.search(r"[-*+\d]", fence["indent"])
            and len(fence["indent"]) < opening.indent + INNER_INDENT
        ):
            yield _Fence(at, fence["ticks"], bare=not fence["info"].strip())


def _end(lines: Sequence[str], start: int, opening: _Opening) -> _End:
    inner: list[str] = []  # the ticks of fences opened inside
    for at, ticks, bare in _fences(lines, start, opening):
        if inner:
            if bare and len(ticks) >= len(inner[-1]):
                inner.pop()
        elif len(ticks) < len(opening.ticks):
            continue
        elif bare:
            if not _opens_inside(lines, start, at, opening):
                return _glued_end(lines, start, at, opening) or _End(at, at + 1, closed=True)
            inner.append(ticks)
        elif opening.family == "markdown" or _is_nested(lines, start, at, opening):
            inner.append(ticks)
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
        glued = GLUED_END.match(lines[at]) if _is_glued(lines[at]) else None
        if glued is None:
            continue
        last = glued["code"]
        if opening.budget.spend() and is_whole(opening.family, "\n".join([*lines[start:at], last])):
            return _End(at, at + 1, closed=True, glued=last)
        return None
    return None


def _is_glued(line: str) -> bool:
    # In a remark, the fence is what the remark speaks of.
    return len(line) <= LONGEST_MARK and line.rstrip().endswith("```") and not REMARK.match(line)


def _opens_inside(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether the bare fence at `at` belongs to the file rather than ending it."""
    if opening.family == "python":
        return (
            opening.budget.spend()
            and not is_whole("python", "\n".join(lines[start:at]))
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
    for fence in _fences(lines, start, opening):
        if fence.bare and not inside:
            return True
        inside = not fence.bare or not inside
    return False


def _closes_later(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether the block is a whole file once it ends at a later fence: then this one is text."""
    return any(
        is_whole(opening.family, "\n".join(lines[start : fence.line]))
        for fence in islice(_fences(lines, at + 1, opening), LONGEST_SEARCH)
    )


def _is_nested(lines: Sequence[str], start: int, at: int, opening: _Opening) -> bool:
    """Whether a labelled fence inside code is text of the file, not the next block's opening."""
    if opening.family == "script":
        return False  # in a template or a JSDoc comment no fence begins a line
    if opening.family == "python":
        return _opens_inside(lines, start, at, opening)
    following = [fence.bare for fence in islice(_fences(lines, at + 1, opening), 2)]
    closes_both = following == [True, True]
    return bool(opening.info) and closes_both and path_above(lines[start:at], None) is None


def _before_heading(lines: Sequence[str], start: int, at: int) -> int:
    """Where a block ends that was not closed before the next one: above that one's prose."""
    stop = at
    while stop > start and (not lines[stop - 1].strip() or path_above([lines[stop - 1]], None)):
        stop -= 1
    return stop


def _unindented(line: str, opening: _Opening) -> str:
    if opening.quote:
        return re.sub(r"^\s*>\s?", "", line)
    lead = len(line) - len(line.lstrip(" \t"))
    return line[min(lead, opening.indent) :]
