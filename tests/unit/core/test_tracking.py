"""A folder called build may be its author's: Git knows."""

import subprocess
from pathlib import Path

import pytest

from sdkbench.core import tree
from tests.support.projects import ProjectFactory

FILES = {"package.json": "{}", "build/index.js": "", "dist/a.js": "", "src/build/b.js": ""}


def names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in tree.files(root)]


def git(root: Path, *words: str) -> None:
    subprocess.run(["git", "-C", root, *words], check=True, capture_output=True)  # noqa: S607


@pytest.mark.parametrize("version", [2, 3, 4])
def test_a_tracked_folder_is_read(project: ProjectFactory, version: int) -> None:
    root = project(FILES)
    git(root, "init", "-q")
    git(root, "config", "index.version", str(version))
    git(root, "add", "package.json", "build", "src")
    if version == 3:
        (root / "later.js").touch()
        git(root, "add", "--intent-to-add", "later.js")  # what makes an index of version 3
    assert "build/index.js" in names(root)
    assert "dist/a.js" not in names(root)


@pytest.mark.parametrize("ignored", ["build", "/build/", "build/*", "**/build"])
def test_what_is_ignored_is_not_read(project: ProjectFactory, ignored: str) -> None:
    root = project({**FILES, ".gitignore": f"node_modules\n{ignored}\n"})
    assert "build/index.js" not in names(root)
    assert {"dist/a.js", "src/build/b.js"} <= {*names(root)}


def test_without_git_it_is_taken_for_made(project: ProjectFactory) -> None:
    assert names(project(FILES)) == ["package.json", "src/build/b.js"]


@pytest.mark.parametrize("index", [b"", b"DIRC", b"DIRC\0\0\0\2\xff\xff\xff\xff", b"\0" * 99])
def test_a_broken_index_says_nothing(project: ProjectFactory, index: bytes) -> None:
    root = project({**FILES, ".git/index": index})
    assert "build/index.js" not in names(root)
