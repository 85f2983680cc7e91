"""Edits in an answer: diffs, patches, SEARCH/REPLACE blocks, shell commands; and `apply`."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from sdkbench.generation.answers.languages import NOT_CODE, family_of_path
from sdkbench.generation.answers.paths import LONGEST_MARK, cleaned, is_path
from sdkbench.generation.answers.proposed_files import (
    Action,
    Change,
    FileEdit,
    Remove,
    Write,
    join_lines,
    split_lines,
)

# What begins a file: a diff's two lines, or that of a patch, whose hunks carry no line numbers.
HEADER = re.compile(
    r"^(?:--- (?P<old>\S+).*\n\+\+\+ (?P<new>\S+).*|"
    r"\*\*\* (?P<kind>Add|Update|Delete) File: (?P<path>.+))$",
    re.MULTILINE,
)
HUNK = re.compile(r"^@@(?:\s*-([0-9]{1,9})(?:,\d+)?\s+\+\d+(?:,\d+)?\s*@@)?")
NOT_IN_HUNKS = re.compile(
    r"^(?:diff --git |index [0-9a-f]|new file mode|deleted file|similarity|"
    r"\*\*\* (?:End Patch|End of File|Begin Patch|Move to))"
)
NOWHERE = "/dev/null"
SEARCH = re.compile(r"^<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)?\b.*$|^<{5,9}$")
DIVIDE, REPLACE = re.compile(r"^={5,9}\s*$"), re.compile(r"^>{5,9}.*$")
HEREDOC = re.compile(
    r"""^(?:.*[\s;&(])?(?P<tool>cat|tee)\b(?P<words>[^<]*)<<(?P<dash>-?)\s*
    (?P<quote>['"\\]?)(?P<end>\w+)['"]?(?P<more>.*)$""",
    re.VERBOSE,
)
WORD = re.compile(r"""\s*(?:"([^"]+)"|'([^']+)'|([^\s;&|>]+))""")
TARGET = re.compile(f">{{1,2}}{WORD.pattern}")
ESCAPED = re.compile(r"\\([$`\\])")
COMMAND = re.compile(
    r"""^\s*(?:[$%]\s+)?(?:sudo\s+)?(?:npm|npx|pnpm|yarn|bunx?|node|deno|tsc|next|vercel|pip3?|pipx|
    uvx?|poetry|python3?|pytest|cargo|rustup|go|mvn|gradle|\./\S+|make|docker(?:-compose)?|git|cd|
    mkdir|touch|cp|mv|rm|ls|cat|echo|chmod|source|curl|wget|brew|apt(?:-get)?|stripe|ngrok|openssl|
    bash|sh|psql)(?:\s+[^\s=<>~!:].*)?$""",
    re.VERBOSE,
)


def is_patch(text: str) -> bool:
    return any(header["kind"] for header in HEADER.finditer(text))


def is_diff(text: str) -> bool:
    text = f"\n{text}"
    return any(h["old"] for h in HEADER.finditer(text)) or ("\n@@" in text and "\n+" in text)


def read_patch(text: str, path: str | None = None) -> Iterator[Action]:
    """The files of a diff or a patch; hunks without a header belong to `path`."""
    headers = list(HEADER.finditer(text))
    ends = [*(header.start() for header in headers), len(text)]
    changes = tuple(_hunks(text[: ends[0]]))
    if path is not None and changes:
        yield FileEdit(path, changes)
    for header, end in zip(headers, ends[1:], strict=True):
        body = text[header.end() + 1 : end]
        removed = header["kind"] == "Delete" or header["new"] == NOWHERE
        name = cleaned(header["path"] or header["old" if removed else "new"])
        if not header["kind"]:
            name = re.sub(r"^[ab]/", "", name)
        if removed:
            yield Remove(name)
        elif header["kind"] == "Add":
            added = (line[1:] for line in body.split("\n") if line.startswith("+"))
            yield Write(name, join_lines(added))
        elif (changes := tuple(_hunks(body))) or header["kind"]:
            yield FileEdit(name, changes)


def _hunks(body: str) -> Iterator[Change]:
    lines = [line for line in body.split("\n") if not NOT_IN_HUNKS.match(line)]
    while lines and not lines[-1].strip():
        lines.pop()
    old: list[str] = []
    new: list[str] = []
    place: int | None = None
    for line in [*lines, "@@"]:
        hunk = HUNK.match(line)
        if hunk:
            if old != new:
                yield Change(tuple(old), tuple(new), place)
            old, new = [], []
            place = max(0, int(hunk[1]) - 1) if hunk[1] else None
        elif line.startswith("+"):
            new.append(line[1:])
        elif line.startswith("-"):
            old.append(line[1:])
        elif not line.startswith("\\"):
            # Context; models forget the space before an empty line.
            old.append(line.removeprefix(" "))
            new.append(old[-1])


def read_search(text: str, path: str | None) -> Iterator[Action]:
    """SEARCH/REPLACE pairs; the path is on the last line of words above, else it is `path`."""
    above, old, new = "", list[str](), list[str]()
    inside: list[str] | None = None
    for line in text.split("\n"):
        if inside is None and SEARCH.match(line):
            old, new = [], []
            inside = old
        elif inside is old and DIVIDE.match(line):
            inside = new
        elif inside is new and REPLACE.match(line):
            name = cleaned(above.strip().lstrip("#/ "))
            path = name if is_path(name) else path
            if path is not None and any(line.strip() for line in old):
                yield FileEdit(path, (Change(tuple(old), tuple(new)),))
            elif path is not None:
                yield Write(path, join_lines(new))
            above, inside = "", None
        elif inside is not None:
            inside.append(line)
        elif line.strip() and not line.lstrip().startswith("```"):
            above = line[:LONGEST_MARK]


def are_commands_about(path: str, family: str | None, text: str) -> bool:
    """Whether a block is commands to type, though the words above it name `path`."""
    joined = re.sub(r"\\\n\s*", " ", text)  # a continued line is one with the next
    lines = [line for line in joined.split("\n") if line.strip() and line.lstrip()[:1] != "#"]
    if family not in {None, *NOT_CODE} or not lines or not all(map(COMMAND.match, lines)):
        return False
    # A script holds commands too, but none that call or change the script itself.
    name = PurePosixPath(path).name
    return family_of_path(path) != "shell" or any(name in line for line in lines)


def files_written(text: str, *, closed: bool) -> Iterator[Write | FileEdit]:
    """The files of `cat > path <<'EOF'` and the like, with the text that they would hold."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        heredoc = HEREDOC.match(lines[at]) if len(lines[at]) <= LONGEST_MARK else None
        at += 1
        path = _target(heredoc) if heredoc else None
        if heredoc is None or path is None:
            continue
        tabs = "\t" if heredoc["dash"] else ""
        body: list[str] = []
        for line in (line.lstrip(tabs) for line in lines[at:]):
            if line.rstrip() == heredoc["end"]:
                break
            body.append(line if heredoc["quote"] else ESCAPED.sub(r"\1", line))
        at += len(body) + 1
        words = heredoc["words"]
        if ">>" in words or ">>" in heredoc["more"] or " -a" in words:
            yield FileEdit(cleaned(path), (Change((), tuple(body)),))
        else:
            yield Write(cleaned(path), join_lines(body), closed=closed or at <= len(lines))


def _target(heredoc: re.Match[str]) -> str | None:
    if heredoc["tool"] == "tee":
        target = WORD.match(re.sub(r"(?:^|\s)-\w+", " ", heredoc["words"]))
    else:
        target = TARGET.search(heredoc["words"]) or TARGET.search(heredoc["more"])
    return None if target is None else next(filter(None, target.groups()), None)


def apply(changes: Sequence[Change], text: str | None) -> str | None:
    """The text after all changes; None if one of them does not fit."""
    if text is None:
        if all(not any(change.old) for change in changes):
            return join_lines(line for change in changes for line in change.new)
        return None
    lines = split_lines(text)
    for change in changes:
        place = _place(lines, change)
        if place is not None:
            there = slice(place, place + len(change.old))
            lines[there] = _indented(change, lines[there])
            continue
        # An editing tool's old text may begin and end within a line.
        whole, old = "\n".join(lines), "\n".join(change.old)
        if not old.strip() or old not in whole:
            return None
        lines = whole.replace(old, "\n".join(change.new), 1).split("\n")
    return join_lines(lines)


def _place(lines: Sequence[str], change: Change) -> int | None:
    """Where the old lines are: exactly, else without trailing spaces, else without indentation."""
    if not change.old:
        return min(len(lines) if change.line is None else change.line, len(lines))
    size = len(change.old)
    for shape in (str, str.rstrip, str.strip):
        old, shaped = ([shape(line) for line in each] for each in (change.old, lines))
        places = [at for at in range(len(lines) - size + 1) if shaped[at : at + size] == old]
        if places:
            return min(places, key=lambda at: abs(at - (change.line or 0)))
    return None


def _indented(change: Change, there: Sequence[str]) -> Sequence[str]:
    """The new lines, indented as the old ones are in the file."""
    for old, line in zip(change.old, there, strict=True):
        if line.strip():
            lead, given = (text[: len(text) - len(text.lstrip())] for text in (line, old))
            if lead == given:
                break
            shifted = (
                lead + new[len(given) :] if new.startswith(given) else new for new in change.new
            )
            return [new if new.strip() else "" for new in shifted]
    return change.new
