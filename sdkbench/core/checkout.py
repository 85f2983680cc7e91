"""What a git checkout tells of itself, read from its files: git is not run on a stranger's folder,
whose configuration could name programs.
"""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

MAX_INDEX_BYTES = 64 * 1024 * 1024
MAX_IGNORE_BYTES = 256 * 1024
MAX_REFS_BYTES = 16 * 1024 * 1024
MAX_TAGS = 10_000
# Of an entry of the index: times, ids, size, the object's name and the flags.
FIXED_BYTES, FLAGS_AT = 62, 60
EXTENDED = 0x4000
VERSION = re.compile(
    r"^(?:[A-Za-z][\w.]*?[-_/])?v?(\d{1,9}(?:\.\d{1,9}){1,3})((?:\.?post\d{1,3})?)$"
)


def holds_sources(root: Path, name: str) -> bool:
    """Whether git tracks files in the folder `name` at the top of `root`.

    Where there is no index, a .gitignore that doesn't name the folder says so. Without either it
    is taken for something that a tool has made.
    """
    tracked = tracked_tops(root)
    if tracked is not None:
        return name in tracked
    ignored = _read(root / ".gitignore", MAX_IGNORE_BYTES)
    if ignored is None:
        return False
    lines = {line.strip() for line in ignored.decode("utf-8", "replace").splitlines()}
    spelled = (
        f"{prefix}{name}{end}" for prefix in ("", "/", "**/") for end in ("", "/", "/*", "/**")
    )
    return lines.isdisjoint(spelled)


def tracked_tops(root: Path) -> frozenset[str] | None:
    """The first parts of the paths that the checkout at `root` tracks; None where it is none."""
    index = _read(root / ".git" / "index", MAX_INDEX_BYTES)
    try:
        return frozenset(name.partition("/")[0] for name in _entries(index or b""))
    except (struct.error, IndexError, ValueError):
        return None


def _read(path: Path, most: int) -> bytes | None:
    try:
        return path.read_bytes() if path.stat().st_size <= most else None
    except OSError:
        return None


def _entries(data: bytes) -> Iterator[str]:
    """The paths of an index, of versions 2 to 4."""
    magic, version, count = struct.unpack_from(">4sII", data)
    if magic != b"DIRC" or version not in {2, 3, 4}:
        raise ValueError("no index that we know")
    at, previous = 12, b""
    for _ in range(count):
        (flags,) = struct.unpack_from(">H", data, at + FLAGS_AT)
        start = at + FIXED_BYTES + (2 if flags & EXTENDED else 0)
        kept = 0
        if version == 4:  # noqa: PLR2004 - names as differences to the one before
            shorter, start = _number(data, start)
            kept = len(previous) - shorter
        end = data.index(b"\0", start)
        previous = previous[:kept] + data[start:end]
        yield previous.decode("utf-8", "replace")
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8  # noqa: PLR2004


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number as packs write it, and where it ends."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1


def newest_tag(root: Path) -> str | None:
    """The tag of the highest version, "" where no tag names one, None where there is no history."""
    if not (root / ".git").exists():
        return None
    versions = {}
    for name in _tags(root / ".git"):
        match = VERSION.match(name)
        if match:
            versions[tuple(map(int, match[1].split(".")))] = name
    return versions[max(versions)] if versions else ""


def version_of(tag: str) -> str | None:
    match = VERSION.match(tag)
    return match[1] + match[2] if match else None


def _tags(folder: Path) -> Iterator[str]:
    try:
        packed = folder / "packed-refs"
        if packed.is_file() and packed.stat().st_size <= MAX_REFS_BYTES:
            for line in packed.read_text("utf-8", "replace").splitlines()[:MAX_TAGS]:
                _, _, name = line.partition(" refs/tags/")
                if name:
                    yield name
        loose = folder / "refs" / "tags"
        for path in list(loose.iterdir())[:MAX_TAGS] if loose.is_dir() else []:
            yield path.name
    except OSError:
        return
