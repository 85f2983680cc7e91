"""Blocks of shell commands: the files they write, and whether they only mention a file."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from sdkbench.generation.answers.languages import NOT_CODE, family_of_path
from sdkbench.generation.answers.paths import LONGEST_MARK, cleaned
from sdkbench.generation.answers.proposed_files import Change, FileEdit, Write, join_lines

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


def are_about(path: str, family: str | None, text: str) -> bool:
    """Whether a block is commands to type, though the words above it name `path`."""
    if family not in {None, *NOT_CODE}:
        return False
    lines = _command_lines(text)
    if not lines or not all(COMMAND.match(line) for line in lines):
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
        stop = _end(lines, at, heredoc)
        body = [line.lstrip("\t") if heredoc["dash"] else line for line in lines[at:stop]]
        if not heredoc["quote"]:
            body = [ESCAPED.sub(r"\1", line) for line in body]
        if _appends(heredoc):
            yield FileEdit(cleaned(path), (Change((), tuple(body)),))
        else:
            whole = closed or stop < len(lines)
            yield Write(cleaned(path), join_lines(body), closed=whole)
        at = stop + 1


def _target(heredoc: re.Match[str]) -> str | None:
    if heredoc["tool"] == "tee":
        words = re.sub(r"(?:^|\s)-\w+", " ", heredoc["words"])
        target = WORD.match(words)
    else:
        target = TARGET.search(heredoc["words"]) or TARGET.search(heredoc["more"])
    return None if target is None else next(filter(None, target.groups()), None)


def _appends(heredoc: re.Match[str]) -> bool:
    return ">>" in heredoc["words"] or ">>" in heredoc["more"] or " -a" in heredoc["words"]


def _end(lines: Sequence[str], start: int, heredoc: re.Match[str]) -> int:
    for at in range(start, len(lines)):
        line = lines[at].lstrip("\t") if heredoc["dash"] else lines[at]
        if line.rstrip() == heredoc["end"]:
            return at
    return len(lines)


def _command_lines(text: str) -> list[str]:
    """The lines without comments and blank ones; a continued line is joined with the next."""
    joined = re.sub(r"\\\n\s*", " ", text)
    return [line for line in joined.split("\n") if line.strip() and line.lstrip()[:1] != "#"]
