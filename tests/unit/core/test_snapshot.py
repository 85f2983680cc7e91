import stat
from pathlib import Path

import pytest

from sdkbench.core import tree
from sdkbench.core.tree import snapshot
from sdkbench.errors import InputError
from tests.support.projects import ProjectFactory


def test_a_snapshot_holds_the_files_and_not_the_links(
    project: ProjectFactory, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("x")
    root = project({"app.py": "x = 1", "bin/run": "#!/bin/sh", "node_modules/a.js": ""})
    (root / "bin/run").chmod(0o755)
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "inside.py").symlink_to("app.py")
    copy = snapshot(root, tmp_path / "copy")
    found = {p.relative_to(copy).as_posix() for p in copy.rglob("*") if not p.is_dir()}
    assert found == {"app.py", "bin/run", "inside.py"}
    assert not (copy / "inside.py").is_symlink()
    assert (copy / "inside.py").read_text() == "x = 1"
    assert stat.S_IMODE((copy / "bin/run").stat().st_mode) == 0o755


def test_a_snapshot_does_not_change_with_its_source(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"app.py": "before"})
    copy = snapshot(root, tmp_path / "copy")
    (root / "app.py").write_text("after")
    assert (copy / "app.py").read_text() == "before"


def test_a_folder_that_is_too_big_is_refused(
    project: ProjectFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_BYTES", 2**20)
    root = project({"data.bin": b"x" * (2**20 + 1)})
    with pytest.raises(InputError, match="larger than"):
        snapshot(root, tmp_path / "copy")


def test_links_inside_stay_links_where_they_are_wanted(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"lib/a.js": "a", "lib/deep/b.js": "b", "docs/c.md": "c"})
    (root / "lib" / "same.js").symlink_to("a.js")
    (root / "docs" / "code").symlink_to("../lib/deep")
    (root / "absolute").symlink_to(root / "docs")
    (root / "round").symlink_to(Path("..", root.name, "lib"))
    (root / "lib" / "loop").symlink_to("..")
    (root / "out").symlink_to(tmp_path.parent)
    (root / "nowhere").symlink_to("gone")
    copy = snapshot(root, tmp_path / "copy", keep_links=True)
    links = {
        path.relative_to(copy).as_posix(): path.readlink().as_posix()
        for path in copy.rglob("*")
        if path.is_symlink()
    }
    assert links == {
        "lib/same.js": "a.js", "docs/code": "../lib/deep", "absolute": "docs", "round": "lib",
    }  # fmt: skip
    assert (copy / "docs" / "code" / "b.js").read_text() == "b"
    assert (copy / "absolute" / "c.md").resolve() == (copy / "docs" / "c.md").resolve()
