"""A block's text → the files in it: a path on the first line, or several, one after another.

And which of the paths around and inside a block is its own.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from sdkbench.generation.answers.languages import NOT_CODE, has_code, names_defined
from sdkbench.generation.answers.paths import (
    KEYWORD,
    LONGEST_MARK,
    RULED,
    GivenPath,
    cleaned,
    is_path,
    mark_in_comment,
)
from sdkbench.generation.answers.proposed_files import Strength, join_lines, split_lines

# What must stay the first line of a file; the path may come after it.
PREAMBLE = re.compile(
    r"""^\s*(?:\#!|\#.*coding[:=]|['"]use\ \w+['"];?\s*$|<\?xml|<!doctype)""",
    re.VERBOSE | re.IGNORECASE,
)
COMMENT_START = re.compile(r"^(?://|#|<!--|/\*|--|;|%|\{/\*|=)")
INSIDE_COMMENT = re.compile(
    r"^\s*\*?\s*(?:@file(?:overview)?\s+|file:\s*)?(\S+)\s*$", re.IGNORECASE
)
PLAIN_PATH = re.compile(rf"^({KEYWORD}\s*:\s*)?(\S{{1,300}})\s*$", re.IGNORECASE)
# `// ----` and its like, above and below a path.
RULE = re.compile(r"\s*(?://|#|--|;|/\*|<!--)?\s*[-=*~#]{3,}\s*(?:\*/|-->)?\s*")
END = re.compile(r"^\W*end(?:\s+of)?\s+file\b.*$", re.IGNORECASE)
MANY = 2  # marks in one block: they split it into files
CODE = frozenset({"python", "script", "go", "rust", "java", "style", "markup", "csharp", "c"})
NOT_AT_FIRST = re.compile(r"^\s*(?:/\*\*?|\"{3}|'{3})\s*$")


class Section(NamedTuple):
    mark: GivenPath | None
    text: str


def files_in(text: str, family: str | None, given: GivenPath | None) -> list[Section]:
    """The files that a block holds; one without a mark is the file that the block is `given` as."""
    head, *rest = parts = split(text, family)
    marks = [part.mark for part in parts if part.mark is not None]
    is_other = given is not None and not any(same_file(mark.path, given.path) for mark in marks)
    is_sure = given is not None and given.strength is Strength.NAMED
    many = len(marks) >= MANY or (rest and head.mark is None)
    if is_sure and is_other and many and not any(mark.keyword for mark in marks):
        # The marks are a bundler's, which names the source of each part of its one file.
        return [Section(None, text)]
    is_file = has_code(family, head.text) and (is_other or names_defined(family, head.text))
    if rest and head.mark is None and is_file:
        return parts
    if len(marks) >= MANY:
        return [part for part in parts if part.mark is not None]
    # What is before its path belongs to the file too.
    return [Section(parts[-1].mark, "".join(part.text for part in parts))]


def split(text: str, family: str | None) -> list[Section]:
    """The parts of a block, each with the path on its first line; one part if there is no path."""
    lines = split_lines(text)
    end = (len(lines), GivenPath(""))
    # Marks in a row are a list of files, unless the files are empty ones.
    starts = [
        (at, mark)
        for (at, mark), (stop, _) in pairwise([*_starts(lines, family), end])
        if stop != at + 1 or stop == len(lines) or at == 0 or mark.path.endswith("__init__.py")
    ]
    if not starts:
        return [Section(_mark_within(lines), text)]
    parts = []
    head = lines[: starts[0][0]]
    preamble = [line for line in head if line.strip() and not RULE.fullmatch(line)]
    if not all(PREAMBLE.match(line) for line in preamble):
        parts.append(Section(None, join_lines(head)))
        preamble = []
    for (at, mark), (stop, _) in pairwise([*starts, end]):
        body = lines[at + 1 if mark.alone else at : stop]
        if mark.alone and body and at and RULE.fullmatch(lines[at - 1]) and RULE.fullmatch(body[0]):
            body = body[1:]
        if stop < len(lines) or (body and END.match(body[-1][:LONGEST_MARK])):
            body = _without_trailing_rule(body)
        parts.append(Section(mark, join_lines([*preamble, *body])))
        preamble = []
    return parts


def _starts(lines: Sequence[str], family: str | None) -> Iterator[tuple[int, GivenPath]]:
    first: GivenPath | None = None
    style = ""
    content_before = False
    for at, line in enumerate(lines):
        mark = mark_in_comment(line) if line[:1].strip() or not content_before else None
        outside_code = at == 0 or _after_gap(lines, at) if family is None else family in CODE
        if mark is None and outside_code and (family is None or not content_before):
            mark = _plain_path(line[:LONGEST_MARK], family)
        is_comment = family != "markdown" or line.lstrip().startswith("<!--")
        if mark is not None and (is_comment or mark.keyword):  # else a heading speaks of a file
            opener = COMMENT_START.match(line.lstrip())
            kind = opener[0] if opener else ""
            bare = not mark.keyword and not RULED.match(line)
            repeated = first is not None and first.alone and kind == style and _after_gap(lines, at)
            if not content_before:
                first, style = mark, kind
                yield at, mark
                content_before = True
                continue
            if mark.alone and (not bare or repeated):
                yield at, mark
                continue
        if line.strip() and not PREAMBLE.match(line) and not RULE.fullmatch(line[:LONGEST_MARK]):
            content_before = True


def _plain_path(line: str, family: str | None) -> GivenPath | None:
    """A bare path on the line where the code would begin.

    Without a language, any line may be text: there a path counts only as `File: app.py`.
    """
    match = PLAIN_PATH.match(line)
    path = cleaned(match[2]) if match else ""
    if match is None or not is_path(path) or not (match[1] or (family and "/" in path)):
        return None
    return GivenPath(path, alone=True, keyword=family is None)


def _after_gap(lines: Sequence[str], at: int) -> bool:
    return re.fullmatch(r"\W*", lines[at - 1]) is not None


def _mark_within(lines: Sequence[str]) -> GivenPath | None:
    """A path as the first line of a longer comment: it names the file, and stays in it."""
    content = [line for line in lines[:4] if line.strip() and not PREAMBLE.match(line)]
    if len(content) > 1 and NOT_AT_FIRST.match(content[0]):
        match = INSIDE_COMMENT.match(content[1])
        if match and is_path(cleaned(match[1])):
            return GivenPath(cleaned(match[1]))
    return None


def _without_trailing_rule(lines: list[str]) -> list[str]:
    """Without the blank lines and `# -----` that lead to the next file."""
    stop = len(lines)
    while stop and (RULE.fullmatch(lines[stop - 1]) or END.match(lines[stop - 1][:LONGEST_MARK])):
        stop -= 1
    while stop and not lines[stop - 1].strip():
        stop -= 1
    return lines[:stop]


def path_of_block(
    mark: GivenPath | None, given: GivenPath | None, family: str | None
) -> GivenPath | None:
    """The block's path: its info string's, its own first line's, or that of the words above it."""
    if mark is None or (given is not None and given.in_info):
        return given
    if given is not None and given.path.endswith(f"/{mark.path}"):
        return given._replace(strength=Strength.NAMED)
    if family in NOT_CODE and not mark.alone:
        return given  # `# app.py: start it` above a command
    return GivenPath(mark.path, continued=given is not None and given.continued)


def same_file(mark: str, path: str) -> bool:
    return mark == path or path.endswith(f"/{mark}") or mark.endswith(f"/{path}")
