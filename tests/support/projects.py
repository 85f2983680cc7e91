"""Folders written from a table of files, and the types of the fixtures that make them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from sdkbench.datasets import Sample
from sdkbench.test_harness import FCorrResult

Files = dict[str, str]
ProjectFactory = Callable[[Mapping[str, str | bytes]], Path]
MakeSample = Callable[..., Sample]
Judge = Callable[..., FCorrResult]


def write(root: Path, files: Mapping[str, str] | Mapping[str, str | bytes]) -> Path:
    """Write the files into `root`, and return it."""
    root.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return root


def contents(root: Path) -> dict[str, str]:
    """The text of every file below `root`, by relative path."""
    files = (path for path in root.rglob("*") if path.is_file())
    return {path.relative_to(root).as_posix(): path.read_text() for path in files}
