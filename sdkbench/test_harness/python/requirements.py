"""Requirements as strangers write them, as PEP 508 lines: requirements.txt, Poetry, Pipfile.

Names and versions are kept, other sources refused.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

MAX_BYTES = 1024 * 1024
MAX_LINES = 5000  # of one file
MAX_FILES = 100  # that include each other
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
VERSION = re.compile(r"^(\d{1,18})(?:\.(\d{1,18}))?(?:\.(\d{1,18}))?(?:\.\d+)*([-.+]?[A-Za-z].*)?$")


class Parsed(NamedTuple):
    requirements: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()  # one sentence for each line that was
    includes_project: bool = False  # `.` or `-e .`: the project itself
    project_extras: tuple[str, ...] = ()  # `.[test]`


def parse(path: Path, root: Path) -> Parsed:
    """The lines of `path`; included files count only below `root`, and each of them once."""
    return _Reader(root).read(path)


def parse_lines(lines: Sequence[str], root: Path, where: str) -> Parsed:
    """Lines of the same notation that stand in another file of `root`."""
    return _Reader(root).read_lines(lines, where)


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


class _Reader:
    """Follows includes; a file that includes itself, or another twice, is read once."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: set[tuple[bool, Path]] = set()

    def read(self, path: Path, *, as_constraints: bool = False) -> Parsed:
        key = (as_constraints, path.resolve())
        if key in self._seen:
            return Parsed()
        self._seen.add(key)
        name = path.relative_to(self._root).as_posix()
        if len(self._seen) > MAX_FILES:
            return _refuse(f"{name}: more than {MAX_FILES} files include each other")
        text = _decode(path)
        if text is None:
            return _refuse(f"{name} is not text, or larger than 1 MiB")
        lines = _logical_lines(text)
        if len(lines) > MAX_LINES:
            return _refuse(f"{name} has more than {MAX_LINES:,} lines")
        collected = _joined(
            [self._line(line, f"{name} line {number}", path) for number, line in lines]
        )
        if as_constraints:
            return Parsed(constraints=collected.requirements, refused=collected.refused)
        return collected

    def read_lines(self, lines: Sequence[str], where: str) -> Parsed:
        path = self._root / where
        return _joined([self._line(line, where, path) for line in lines[:MAX_LINES] if line])

    def _line(self, line: str, where: str, path: Path) -> Parsed:
        option, _, value = (
            line.replace("=", " ", 1).partition(" ") if line[0] == "-" else ("", "", line)
        )
        if option[:2] in {"-r", "-c", "-e"} and len(option) > 2 and option[2] != "-":  # noqa: PLR2004
            option, value = option[:2], f"{option[2:]} {value}"  # pip reads `-rfile` too
        value = value.strip()
        if option in {"-r", "--requirement", "-c", "--constraint"}:
            return self._included(option, value, where, path)
        if option in {"-e", "--editable"} or (not option and _is_local(value)):
            if _is_project(value):
                extras = value.partition("[")[2].rstrip("] ").split(",")
                return Parsed(
                    includes_project=True,
                    project_extras=tuple(filter(None, (extra.strip() for extra in extras))),
                )
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
        if points_elsewhere(value):
            return _refuse(f"{where}: {value!r} is a URL; only packages of the index are allowed")
        return Parsed((re.sub(r"\s--(hash|config-settings|global-option)[= ].*$", "", value),))

    def _included(self, option: str, value: str, where: str, path: Path) -> Parsed:
        home = self._root.resolve()
        try:
            other = (path.parent / value).resolve()
            fits = other.is_relative_to(home) and other.is_file()
        except (OSError, ValueError, RuntimeError):  # a name without end, a loop of links
            fits = False
        if not fits:
            return _refuse(f"{where}: {value!r} is not a file inside the project")
        constraints = option in {"-c", "--constraint"}
        return self.read(self._root / other.relative_to(home), as_constraints=constraints)


def points_elsewhere(requirement: str) -> bool:
    """Whether code would come from a URL or a path, bare or after a name and `@`."""
    target = requirement.partition("@")[2].strip() if "@" in requirement else requirement
    return ELSEWHERE.search(requirement) is not None or _is_local(target.partition(";")[0].strip())


def _is_local(value: str) -> bool:
    return value.startswith((".", "/", "~")) or value.endswith((".whl", ".tar.gz", ".zip"))


def _is_project(value: str) -> bool:
    return re.fullmatch(r"\.(/)?(\[[\w,\- ]*\])?", value) is not None


def _refuse(sentence: str) -> Parsed:
    return Parsed(refused=(sentence,))


def _joined(parts: Sequence[Parsed]) -> Parsed:
    return Parsed(
        tuple(line for part in parts for line in part.requirements),
        tuple(line for part in parts for line in part.constraints),
        tuple(sentence for part in parts for sentence in part.refused),
        any(part.includes_project for part in parts),
        tuple(extra for part in parts for extra in part.project_extras),
    )


class Unsupported(ValueError):
    """A notation with no PEP 508 form that we may use; the message says which."""


def requirement(name: str, spec: object) -> str | None:
    """One table entry as a requirement; None for an optional one.

    Raises Unsupported for git, path, file and url dependencies: their code comes from elsewhere.
    """
    if isinstance(spec, list):  # poetry: one entry for each marker
        if any(isinstance(part, list) for part in spec):
            raise Unsupported(f"{name}: a list in a list")
        return "\n".join(filter(None, (requirement(name, part) for part in spec)))
    if isinstance(spec, str):
        return name + specifier(spec)
    if not isinstance(spec, Mapping):
        raise Unsupported(f"{name}: expected a version or a table, got {spec!r}")
    for elsewhere in ("git", "hg", "svn", "path", "file", "url", "source", "index"):
        if elsewhere in spec:
            raise Unsupported(f"{name}: {elsewhere} dependencies are refused")
    if spec.get("optional"):
        return None
    extras = spec.get("extras") or []
    if not isinstance(extras, list):
        raise Unsupported(f"{name}: extras must be a list")
    text = name + (f"[{','.join(map(str, extras))}]" if extras else "")
    text += specifier(str(spec.get("version", "*")))
    markers = spec.get("markers")
    return f"{text} ; {markers}" if markers else text


def specifier(constraint: str) -> str:
    """`^1.2` → `>=1.2,<2.0.0`; `*` → nothing; PEP 440 passes through."""
    if "||" in constraint or " or " in constraint:
        raise Unsupported(f"alternatives are not supported: {constraint!r}")
    parts = [part.strip() for part in constraint.split(",")]
    return ",".join(filter(None, (_part(part) for part in parts)))


def _part(part: str) -> str:
    if part in {"", "*"}:
        return ""
    if part.startswith("^"):
        return _range(part[1:].strip(), caret=True)
    if part.startswith("~") and not part.startswith("~="):
        return _range(part[1:].strip(), caret=False)
    if part[0].isdigit():
        return f"=={part}"
    return ",".join(re.sub(r"([<>=!~]=?=?)\s+", r"\1", part).split())


def _range(version: str, *, caret: bool) -> str:
    match = VERSION.match(version)
    if not match:
        raise Unsupported(f"not a version: {version!r}")
    numbers = [int(n) for n in match.groups()[:3] if n is not None]
    if caret:
        # The left-most number that isn't zero may not change.
        index = next((i for i, n in enumerate(numbers) if n), len(numbers) - 1)
    else:
        index = min(1, len(numbers) - 1)
    upper = [*numbers[:index], numbers[index] + 1]
    return f">={version},<{'.'.join(map(str, upper))}"
