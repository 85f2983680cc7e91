"""The path that the prose above a fence gives: a heading, bold words, a line, a sentence."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sdkbench.generation.answers.languages import fits
from sdkbench.generation.answers.paths import (
    BRACKETED,
    CONTINUED,
    KEYWORD,
    LONGEST_MARK,
    WORD,
    cleaned,
    is_path,
)
from sdkbench.generation.answers.proposed_files import Strength

MOST_LINES_ABOVE = 6  # lines of prose above a fence in which its heading is looked for
HEADING = re.compile(r"^\s*#{1,6}\s+(.*?)\s*#*\s*$")
BOLD = re.compile(r"^\s*(?:\*\*|__)(.+?)(?:\*\*|__)\s*[:.]?\s*(?:\(.*\))?\s*$")
ITALIC = re.compile(r"^\s*_([^_\s].*[^_\s])_\s*[:.]?\s*$")
RULE = re.compile(r"^\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
LEADING = re.compile(r"^\s*(?:>\s*)*(?:[-*+•]\s+|\d+[.)]\s+|[^\w\s`*\[\]().#/\\@$~<'\"_-]+\s*)*")
ORDER = re.compile(
    rf"""^(?:(?:step|file|part)\s*\d+\s*[:.)–—-]*\s*|\d+[.)]\s*|[a-z][.)]\s+)?
    (?:(?:here(?:'s|\ is)|this\ is|the|a|an|new|updated?|create|add|edit|modify|replace|write|
    contents?\ of|complete|full|final|main|{KEYWORD})[\s:]+)*""",
    re.VERBOSE | re.IGNORECASE,
)
TAG = re.compile(r"</?(?:summary|details|b|strong|code|p|h[1-6]|br)\b[^>]*>", re.IGNORECASE)
LINK = re.compile(r"\[([^\]]+)\]\((?:[^)]*)\)")
SPAN = re.compile(r"`([^`\n]+)`")
STRONG_SPAN = re.compile(r"(?:\*\*|__)([^*_\n][^*\n]*?)(?:\*\*|__)")
TOKEN = re.compile(WORD)
AFTER_VERB = re.compile(
    r"(?:creat|updat|modif|edit|replac|chang|writ|add(?:ing)?\b|in\b|to\b|into\b|file\b|is\b|for\b)"
    r"[^`]{0,40}$",
    re.IGNORECASE,
)
# A sentence that announces a file: its code may follow after more words about it.
ANNOUNCED = re.compile(
    r"\b(?:creat|updat|modif|edit|replac|rewrit|writ|implement|add)", re.IGNORECASE
)
SHOWN_IN_USE = re.compile(
    r"\b(?:usage|example|for instance|try it|test it|run it|call it|use it|using it|outputs?|"
    r"prints|you (?:can|should|will|could))\b",
    re.IGNORECASE,
)
# The block shows the code as it is now, not as it should become.
BEFORE = re.compile(
    r"^\W*(?:before|old(?: code)?|current(?:ly| code)?|original(?: code)?|instead of(?: this)?|"
    r"from this|previously|existing code|was)\W*$",
    re.IGNORECASE,
)
AFTER = re.compile(
    r"^\W*(?:after|new(?: code)?|updated(?: code)?|becomes|to this)\W*$", re.IGNORECASE
)


class GivenPath(NamedTuple):
    """The path that an answer gives to a block."""

    path: str
    strength: Strength
    continued: bool = False


def path_above(lines: Sequence[str], family: str | None) -> GivenPath | None:
    """The path that the prose since the block before gives."""
    lines_read = 0
    in_use = False
    for at in range(len(lines) - 1, -1, -1):
        line = lines[at]
        if not line.strip():
            continue
        if RULE.match(line):
            if at and lines[at - 1].strip():
                continue  # it underlines a heading
            return None
        lines_read += 1
        if lines_read > MOST_LINES_ABOVE and not HEADING.match(line):
            continue
        named = _name_in(line, family)
        if named is not None and (lines_read == 1 or named.strength is Strength.NAMED):
            return named
        if named is not None and not in_use and ANNOUNCED.search(line):
            return named
        if HEADING.match(line):
            return None  # a section of its own that names no file
        in_use = in_use or SHOWN_IN_USE.search(line) is not None
    return None


def shows_before(lines: Sequence[str]) -> bool:
    return BEFORE.match(_last(lines)) is not None


def shows_after(lines: Sequence[str]) -> bool:
    return AFTER.match(_last(lines)) is not None


def goes_on(lines: Sequence[str]) -> bool:
    """Whether the block continues the one before it."""
    return len(_last(lines)) <= LONGEST_MARK and CONTINUED.search(_last(lines)) is not None


def _last(lines: Sequence[str]) -> str:
    return next((line for line in reversed(lines) if line.strip()), "")


def _name_in(line: str, family: str | None) -> GivenPath | None:
    if len(line) > LONGEST_MARK:
        return None
    text = TAG.sub(" ", LINK.sub(r"`\1`", line.replace("\u200b", "").replace("\ufeff", "")))
    heading = HEADING.match(text)
    text = LEADING.sub("", heading[1] if heading else text).strip()
    bold = BOLD.match(text) or ITALIC.match(text)
    bracketed = BRACKETED.fullmatch(text)
    text = bracketed[1] if bracketed else text
    continued = CONTINUED.search(text) is not None
    alone = _whole_line(bold[1] if bold else text)
    if alone is not None:
        return GivenPath(alone, Strength.NAMED, continued) if fits(family, alone) else None
    paths = [path for path in _paths(text) if fits(family, path)]
    if not paths:
        return None
    distinct = list(dict.fromkeys(paths))
    if (heading or bold) and len(distinct) == 1:
        return GivenPath(distinct[0], Strength.NAMED, continued)
    spoken_of = distinct[0] if len(distinct) == 1 else _after_verb(text, distinct)
    return GivenPath(spoken_of, Strength.MENTIONED, continued) if spoken_of else None


def _whole_line(text: str) -> str | None:
    """The path, if the line holds no more than that and words such as `Step 2: Create …:`."""
    text = text.replace("**", "").replace("__:", ":").strip()
    rest = ORDER.sub("", text, count=1)
    line = re.match(rf"^(`[^`]+`|\"[^\"]+\"|'[^']+'|{WORD})\s*(?P<rest>.*)$", rest)
    if line is None:
        return None
    path, more = cleaned(line[1]), line["rest"].strip()
    plain = not more or re.match(r"^(?:[:(\[–—,-]|file\b|\*)", more)
    return path if plain and is_path(path) else None


def _paths(text: str) -> list[str]:
    spans = SPAN.findall(text)
    return (
        _only_paths(spans)
        or _only_paths(STRONG_SPAN.findall(text))
        or _only_paths([] if spans else TOKEN.findall(text))
    )


def _only_paths(words: Sequence[str]) -> list[str]:
    return [path for word in words if is_path(path := cleaned(word))]


def _after_verb(text: str, paths: Sequence[str]) -> str | None:
    for path in paths:
        at = text.find(path)
        if AFTER_VERB.search(text[:at].rstrip("`*")):
            return path
    return None
