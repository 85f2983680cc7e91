"""An answer's text without its thinking, cut into fenced blocks, tagged parts and prose.

CommonMark's rules, and beyond them what models do in fact: a file with fences in it inside a fence
of the same length, a closing fence that is missing or one too many, an opening fence after words
on the same line.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from sdkbench.generation.answers.calls import Tagged, tagged_part
from sdkbench.generation.answers.languages import REMARK, family_of_label, family_of_path, is_whole
from sdkbench.generation.answers.paths import LONGEST_MARK, path_above, path_in_info
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
    above: tuple[str, ...] = ()  # the prose since the part before
    closed: bool = True

    @property
    def family(self) -> str | None:
        """By its label; None for none, or one that is not a language."""
        return _family_of_info(self.info)


class Cut(NamedTuple):
    parts: tuple[Block | Tagged, ...]
    prose: str  # all that is neither


class _Fence(NamedTuple):
    """A fence inside a block, which may close it."""

    line: int
    ticks: str
    bare: bool  # without a label


class _End(NamedTuple):
    stop: int  # the first line that is not the block's
    next: int  # where to go on
    closed: bool = True
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
    searches = iter(range(MOST_SEARCHES))
    at = 0
    while at < len(lines) and len(parts) < MOST_PARTS:
        line = lines[at]
        tagged = tagged_part(lines, at)
        if tagged is not None:
            parts.append(tagged)
            at, above = tagged.stop, []
            continue
        fence = (FENCE.match(line) or LATE_FENCE.match(line)) if len(line) <= LONGEST_MARK else None
        opened = fence and _OpenBlock(lines, at + 1, fence, above[-MOST_ABOVE:], searches)
        end = opened.end() if opened else None
        if opened is None or end is None:
            above.append(line)
            prose.append(line)
            at += 1
            continue
        above += opened.prose
        inside = opened.text(end)
        parts.append(Block(opened.info, inside, tuple(above[-MOST_ABOVE:]), end.closed))
        at, above = end.next, []
    return Cut(tuple(parts), "\n".join(prose))


def _family_of_info(info: str) -> str | None:
    return family_of_label(re.split(r"[\s:{,=(]", info.strip(), maxsplit=1)[0])


class _OpenBlock:
    """A block whose opening fence is read; its text begins at line `start`.

    `searches` is spent by one each time that the end is searched for by parsing.
    """

    def __init__(
        self,
        lines: Sequence[str],
        start: int,
        fence: re.Match[str],
        above: Sequence[str],
        searches: Iterator[int],
    ) -> None:
        self.lines, self.start, self.searches = lines, start, searches
        groups = fence.groupdict()
        self.prose = [groups["prose"]] if "prose" in groups else []
        self.indent = groups.get("indent") or ""
        self.ticks = fence["ticks"]
        self.info = fence["info"].strip()
        path = path_in_info(self.info)
        self.family = _family_of_info(self.info)
        if path is not None:
            self.family = family_of_path(path) or self.family
        elif self.family is None and (named := path_above(above, None)) is not None:
            self.family = family_of_path(named.path)

    def text(self, end: _End) -> str:
        lines = [*self.lines[self.start : end.stop], *([] if end.glued is None else [end.glued])]
        if ">" in self.indent:
            return join_lines(re.sub(r"^\s*>\s?", "", line) for line in lines)
        leads = (min(len(line) - len(line.lstrip(" \t")), len(self.indent)) for line in lines)
        return join_lines(line[lead:] for line, lead in zip(lines, leads, strict=True))

    def end(self) -> _End | None:
        """None where the fence that seemed to open the block is a stray one."""
        inner: list[str] = []  # the ticks of fences opened inside
        for at, ticks, bare in self._fences(self.start):
            if inner:
                if bare and len(ticks) >= len(inner[-1]):
                    inner.pop()
            elif len(ticks) < len(self.ticks):
                continue
            elif self._opens_inside(at) if bare else self._is_nested(at):
                inner.append(ticks)
            elif bare:
                return self._glued_end(at) or _End(at, at + 1)
            elif not self.info and self.family is None:
                return None
            else:
                stop = self._before_heading(at)
                return self._glued_end(stop) or _End(stop, at)
        last = len(self.lines)
        return self._glued_end(last) or _End(last, last, closed=False)

    def _fences(self, start: int) -> Iterator[_Fence]:
        """The fences from `start` on that may belong to the block."""
        for at in range(start, len(self.lines)):
            line = self.lines[at]
            fence = FENCE.match(line) if len(line) <= LONGEST_MARK else None
            if (
                fence is not None
                and fence["ticks"][0] == self.ticks[0]
                # A list item with a fence opens one in prose; here it is text.
                and not re.search(r"[-*+\d]", fence["indent"])
                and len(fence["indent"]) < len(self.indent) + INNER_INDENT
            ):
                yield _Fence(at, fence["ticks"], bare=not fence["info"].strip())

    def _may_search(self) -> bool:
        return next(self.searches, None) is not None

    def _is_whole_until(self, stop: int, *last: str) -> bool:
        return is_whole(self.family, "\n".join([*self.lines[self.start : stop], *last]))

    def _glued_end(self, stop: int) -> _End | None:
        """Where a closing fence ends a line of code, if that makes the block whole."""
        if self.family == "markdown" or (self.info and self.family is None):
            return None
        for at in range(self.start, stop):
            line = self.lines[at]
            if len(line) > LONGEST_MARK or not line.rstrip().endswith("```"):
                continue
            glued = GLUED_END.match(line)
            # In a remark, the fence is what the remark speaks of.
            if glued is None or REMARK.match(line):
                continue
            if self._may_search() and self._is_whole_until(at, glued["code"]):
                return _End(at, at + 1, glued=glued["code"])
            return None
        return None

    def _opens_inside(self, at: int) -> bool:
        """Whether the bare fence at `at` belongs to the file rather than ending it."""
        if self.family == "python":
            # If the block is a whole file once it ends at a later fence, this one is text.
            later = islice(self._fences(at + 1), LONGEST_SEARCH)
            return (
                self._may_search()
                and not self._is_whole_until(at)
                and any(self._is_whole_until(fence.line) for fence in later)
            )
        after = self.lines[at + 1] if at + 1 < len(self.lines) else ""
        starts_code = bool(after.strip()) and not re.match(r"\s*(?:#{1,6}\s|\*\*|---)", after)
        if self.family != "markdown" or not starts_code or not self._may_search():
            return False
        # There must be fences to end both what this one opens and the block around it.
        inside = True
        for fence in self._fences(at + 1):
            if fence.bare and not inside:
                return True
            inside = not fence.bare or not inside
        return False

    def _is_nested(self, at: int) -> bool:
        """Whether a labelled fence inside is text of the file, not the next block's opening."""
        if self.family == "script":
            return False  # in a template or a JSDoc comment no fence begins a line
        if self.family in {"markdown", "python"}:
            return self.family == "markdown" or self._opens_inside(at)
        closes_both = [fence.bare for fence in islice(self._fences(at + 1), 2)] == [True, True]
        above = self.lines[self.start : at]
        return bool(self.info) and closes_both and path_above(above, None) is None

    def _before_heading(self, at: int) -> int:
        """Where a block ends that was not closed before the next one: above that one's prose."""
        while at > self.start:
            last = self.lines[at - 1]
            if last.strip() and not path_above([last], None):
                break
            at -= 1
        return at
