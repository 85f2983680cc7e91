"""Which paths a model may write: below its folder, and nothing that judges it."""

import re
from pathlib import PurePosixPath

from sdkbench.core import tree

LONGEST_NAME = 255  # bytes; what file systems take
LONGEST_PATH = 1024
TEST_FOLDERS = frozenset({"tests", "test", "__tests__"})  # at the top; `__tests__` anywhere
TEST_NAMES = re.compile(
    r"(?:test_.*\.py|.*_test\.py|conftest\.py|.*\.(?:test|spec)\.[cm]?[jt]sx?|.*_test\.go|"
    r".*(?:Test|Tests|IT)\.java)"
)
DRIVE = re.compile(r"[A-Za-z]:")


def why_refused(path: str) -> str | None:
    """The reason why nothing is written to `path`; None where it may be."""
    return _shape(path) or _place(path) or _subject(PurePosixPath(path))


def normal(path: str) -> str:
    """The one spelling of a path that is not refused."""
    return str(PurePosixPath(path))


def _shape(path: str) -> str | None:
    if not path.strip() or path.endswith("/") or path in {".", "./"}:
        return "not a file's path"
    if any(ord(character) < 32 or ord(character) == 127 for character in path):  # noqa: PLR2004
        return "holds control characters"
    try:
        encoded = path.encode()
    except UnicodeEncodeError:
        return "holds characters that no path can have"
    too_long = any(len(part.encode()) > LONGEST_NAME for part in path.split("/"))
    return "too long" if too_long or len(encoded) > LONGEST_PATH else None


def _place(path: str) -> str | None:
    if path.startswith(("/", "~", "\\")) or DRIVE.match(path):
        return "an absolute path"
    if ".." in re.split(r"[/\\]", path):
        return "leads out of the folder"
    return "holds a backslash" if "\\" in path else None


def _subject(path: PurePosixPath) -> str | None:
    parts = path.parts
    if path.as_posix().lower() == "metadata.json":
        return "the sample's metadata"
    folders = parts[:-1]
    if (folders and folders[0].lower() in TEST_FOLDERS) or "__tests__" in folders:
        return "a test: the sample brings its own"
    if "/".join(folders).startswith("src/test") and folders[:2] == ("src", "test"):
        return "a test: the sample brings its own"
    if TEST_NAMES.fullmatch(path.name):
        return "a test: the sample brings its own"
    if any(part in tree.VENDORED for part in parts):
        return "in a folder that is never judged"
    return None
