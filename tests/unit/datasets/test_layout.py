"""Tests are laid out so that nothing but their texts tells altered ones from others."""

import os
from pathlib import Path

import pytest

from sdkbench.core import Placement, Project
from sdkbench.datasets import with_tests
from tests.support.projects import contents, write

FILES = {
    "tests/test_a.py": "a = 1\n",
    "tests/test_b.py": "b = 1\n",
    "tests/sub/test_c.py": "c = 1\n",
    "tests/__pycache__/test_a.cpython-311.pyc": "a = 1 as it was",
    "conftest.py": "shared = 1\n",
}


def laid_out(tmp_path: Path, texts: dict[str, str]) -> Path:
    root = write(tmp_path / "sample", FILES)
    (root / "tests" / "link.py").symlink_to("test_a.py")
    os.utime(root / "tests" / "test_b.py", (1, 1))
    placements = [
        Placement(source=root / name, target=name, read_only=True)
        for name in ("tests", "conftest.py")
    ]
    project = Project(
        solution=Placement(source=tmp_path, target="expected"), trusted=tuple(placements)
    )
    into = tmp_path / "into"
    into.mkdir()
    laid = with_tests(project, texts, into)
    assert [p.source for p in laid.trusted] == [into / "tests", into / "conftest.py"]
    return into


def test_only_the_texts_differ(tmp_path: Path) -> None:
    into = laid_out(tmp_path, {"tests/test_a.py": "a = 2\n", "tests/sub/test_c.py": "c = 2\n"})
    assert contents(into) == {
        "tests/test_a.py": "a = 2\n",
        "tests/link.py": "a = 2\n",
        "tests/test_b.py": "b = 1\n",
        "tests/sub/test_c.py": "c = 2\n",
        "conftest.py": "shared = 1\n",
    }
    assert (into / "tests" / "link.py").is_symlink()


def test_times_and_modes_tell_nothing(tmp_path: Path) -> None:
    into = laid_out(tmp_path, {"tests/test_a.py": "a = 2\n"})
    status = [path.lstat() for path in [into, *into.rglob("*")]]
    assert {s.st_mtime for s in status} == {0}
    files = [path.stat() for path in into.rglob("*.py")]
    assert len({(s.st_mode, s.st_blocks, s.st_nlink) for s in files}) == 1


def test_every_file_is_written_once_and_in_one_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that is copied and then written over has blocks on the disk before the others."""
    written: list[Path] = []
    kept = Path.write_bytes

    def write_bytes(path: Path, data: bytes) -> int:
        written.append(path)
        return kept(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    into = laid_out(tmp_path, {"tests/test_a.py": "a = 2\n"})
    made = [path for path in into.rglob("*") if path.is_file() and not path.is_symlink()]
    assert sorted(path for path in written if path.is_relative_to(into)) == sorted(made)
