"""requirements.txt as a stranger wrote it: names and versions are kept, other sources refused."""

import re
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 1024 * 1024
MAX_DEPTH = 5
# Options that change where packages come from or how they are built: not the solution's to say.
REFUSED_OPTIONS = (
    "-i", "--index-url", "--extra-index-url", "--find-links", "-f", "--trusted-host",
    "--no-binary", "--no-index", "--config-settings", "--global-option", "--install-option",
)  # fmt: skip
HARMLESS_OPTIONS = (
    "--only-binary",
    "--prefer-binary",
    "--require-hashes",
    "--use-feature",
    "--pre",
)
ELSEWHERE = re.compile(r"(?:^|@\s*)(?:[a-z+]+://|git\+|hg\+|svn\+|bzr\+|file:)", re.IGNORECASE)


class Parsed(NamedTuple):
    requirements: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()  # one sentence for each line that was
    includes_project: bool = False  # `.` or `-e .`: the project itself


def parse(path: Path, root: Path, depth: int = 0) -> Parsed:
    """The lines of `path`; included files count only below `root`."""
    name = path.relative_to(root).as_posix()
    text = _decode(path)
    if text is None:
        return _refuse(f"{name} is not text, or larger than 1 MiB")
    collected = Parsed()
    for number, line in _logical_lines(text):
        collected = _join(collected, _line(line, f"{name} line {number}", path, root, depth))
    return collected


def _decode(path: Path) -> str | None:
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        data = path.read_bytes()
        # PowerShell's `pip freeze > requirements.txt` writes UTF-16 with a mark.
        encoding = "utf-16" if data[:2] in {b"\xff\xfe", b"\xfe\xff"} else "utf-8-sig"
        text = data.decode(encoding)
    except (OSError, UnicodeDecodeError):
        return None
    return None if "\0" in text else text


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """Lines with continuations joined and comments dropped, each with its first line's number."""
    lines: list[tuple[int, str]] = []
    pending, start = "", 0
    for number, raw in enumerate(text.splitlines(), 1):
        start = start if pending else number
        pending += raw
        if pending.endswith("\\"):
            pending = pending[:-1] + " "
            continue
        stripped = re.sub(r"(^|\s)#.*$", "", pending).strip()
        if stripped:
            lines.append((start, stripped))
        pending = ""
    if pending.strip():
        lines.append((start, pending.strip()))
    return lines


def _line(line: str, where: str, path: Path, root: Path, depth: int) -> Parsed:
    option, _, value = (
        line.replace("=", " ", 1).partition(" ") if line[0] == "-" else ("", "", line)
    )
    value = value.strip()
    if option in {"-r", "--requirement", "-c", "--constraint"}:
        return _included(option, value, where, path, root, depth)
    if option in {"-e", "--editable"} or (not option and _is_local(value)):
        if _is_project(value):
            return Parsed(includes_project=True)
        return _refuse(
            f"{where}: {value!r} is a local path; only packages of the index are allowed"
        )
    if option in REFUSED_OPTIONS:
        return _refuse(
            f"{where}: {option} is refused; packages come from the configured index only"
        )
    if option in HARMLESS_OPTIONS:
        return Parsed()
    if option:
        return _refuse(f"{where}: unknown option {option}")
    if ELSEWHERE.search(value):
        return _refuse(f"{where}: {value!r} is a URL; only packages of the index are allowed")
    return Parsed((re.sub(r"\s--(hash|config-settings|global-option)[= ].*$", "", value),))


def _included(option: str, value: str, where: str, path: Path, root: Path, depth: int) -> Parsed:
    other = (path.parent / value).resolve()
    if not other.is_relative_to(root.resolve()) or not other.is_file() or depth >= MAX_DEPTH:
        return _refuse(f"{where}: {value!r} is not a file inside the project")
    parsed = parse(root / other.relative_to(root.resolve()), root, depth + 1)
    if option in {"-c", "--constraint"}:
        return Parsed(constraints=parsed.requirements, refused=parsed.refused)
    return parsed


def _is_local(value: str) -> bool:
    return value.startswith((".", "/", "~")) or value.endswith((".whl", ".tar.gz", ".zip"))


def _is_project(value: str) -> bool:
    return re.fullmatch(r"\.(/)?(\[[\w,\- ]*\])?", value) is not None


def _refuse(sentence: str) -> Parsed:
    return Parsed(refused=(sentence,))


def _join(a: Parsed, b: Parsed) -> Parsed:
    return Parsed(
        a.requirements + b.requirements,
        a.constraints + b.constraints,
        a.refused + b.refused,
        a.includes_project or b.includes_project,
    )
