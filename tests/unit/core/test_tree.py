import os
from pathlib import Path

import pytest

from sdkbench.core import fingerprints, tree
from sdkbench.errors import InputError
from tests.support.projects import ProjectFactory


def names(root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in tree.files(root)]


def test_files_come_in_the_same_order_whatever_the_disk(project: ProjectFactory) -> None:
    root = project({"b.py": "", "a.py": "", "z/x.py": "", "k/deep/y.py": ""})
    assert names(root) == ["a.py", "b.py", "k/deep/y.py", "z/x.py"]


@pytest.mark.parametrize("vendored", sorted(tree.VENDORED))
def test_vendored_folders_are_left_out_at_any_depth(project: ProjectFactory, vendored: str) -> None:
    root = project({"app.py": "", f"{vendored}/x.py": "", f"src/{vendored}/deep/y.py": ""})
    assert names(root) == ["app.py"]


def test_a_file_with_a_vendored_name_is_kept(project: ProjectFactory) -> None:
    assert names(project({"build": "#!/bin/sh", "env": "A=1"})) == ["build", "env"]


def test_links_out_are_left_out_and_reported(project: ProjectFactory, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/inner").write_text("x")
    root = project({"app.py": ""})
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "relative").symlink_to("../secret")
    (root / "out-folder").symlink_to(tmp_path / "folder")
    assert names(root) == ["app.py"]
    assert tree.escaping_links(root) == [Path("out"), Path("out-folder"), Path("relative")]


def test_a_folder_beside_with_the_same_beginning_is_outside(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"app.py": ""})
    (tmp_path / "project-2").mkdir()
    (tmp_path / "project-2/x").write_text("")
    (root / "link").symlink_to("../project-2/x")
    assert names(root) == ["app.py"]


def test_a_link_to_a_file_inside_counts_as_a_file(project: ProjectFactory) -> None:
    root = project({"src/app.py": "x = 1"})
    (root / "link.py").symlink_to("src/app.py")
    assert names(root) == ["link.py", "src/app.py"]
    assert tree.escaping_links(root) == []


def test_folders_behind_links_are_not_entered(project: ProjectFactory) -> None:
    root = project({"src/app.py": ""})
    (root / "src/again").symlink_to("..")
    (root / "other").symlink_to("src")
    assert names(root) == ["src/app.py"]


def test_loops_and_dangling_links_are_left_out_and_reported(project: ProjectFactory) -> None:
    root = project({"app.py": ""})
    (root / "a").symlink_to("b")
    (root / "b").symlink_to("a")
    (root / "self").symlink_to("self")
    (root / "dangling").symlink_to("nowhere")
    assert names(root) == ["app.py"]
    assert tree.escaping_links(root) == [Path("a"), Path("b"), Path("dangling"), Path("self")]


def test_what_is_no_regular_file_is_left_out(project: ProjectFactory) -> None:
    root = project({"app.py": ""})
    os.mkfifo(root / "pipe")
    assert names(root) == ["app.py"]


def test_too_many_files_are_refused(project: ProjectFactory) -> None:
    root = project({f"{number}.py": "" for number in range(4)})
    assert len(list(tree.files(root, max_files=4))) == 4
    with pytest.raises(InputError, match="holds more than 3 files"):
        list(tree.files(root, max_files=3))


def test_an_unreadable_folder_inside_is_refused(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"app.py": "", "closed/x.py": ""})
    scandir = os.scandir

    def closed(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", closed)
    with pytest.raises(InputError, match=r"closed cannot be read \(Permission denied\)"):
        list(tree.files(root))


def test_a_folder_comes_back_resolved(project: ProjectFactory, tmp_path: Path) -> None:
    root = project({"app.py": ""})
    (tmp_path / "link").symlink_to(root)
    assert tree.folder(tmp_path / "link", what="It") == root.resolve()


def test_a_missing_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="It not found"):
        tree.folder(tmp_path / "missing", what="It")


def test_a_file_in_the_place_of_a_folder_is_refused(project: ProjectFactory) -> None:
    with pytest.raises(InputError, match="It is a file, not a folder"):
        tree.folder(project({"app.py": ""}) / "app.py", what="It")


@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, "loop/inner"])
def test_a_path_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(InputError, match="It"):
        tree.folder(tmp_path / name, what="It")


def test_the_content_hash_follows_names_and_bytes_only(tmp_path: Path) -> None:
    def digest(name: str, files: dict[str, str]) -> str:
        for file, text in files.items():
            path = tmp_path / name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return fingerprints.of_path(tmp_path / name)

    first = digest("1", {"a": "x", "b": "y"})
    assert first == digest("2", {"b": "y", "a": "x", "node_modules/z": "vendored"})
    others = [
        digest("3", {"a": "y", "b": "x"}),
        digest("4", {"a": "xy", "b": ""}),
        digest("5", {"a": "x", "c": "y"}),
        digest("6", {"a": "x"}),
        digest("7", {"a": "x", "b": "y", "c": ""}),
    ]
    assert len({first, *others}) == 6


def test_vendored_folders_are_named_but_for_those_that_every_tool_leaves(
    project: ProjectFactory,
) -> None:
    files = {
        "node_modules/a": "",
        "dist/b": "",
        ".git/c": "",
        "env/pyvenv.cfg": "",
        "src/env/e": "",
    }
    root = project(files)
    assert tree.vendored_folders(root) == ["env", "node_modules"]
    (root / "package.json").write_text("{}")  # only beside a manifest is dist/ a build
    assert tree.vendored_folders(root) == ["dist", "env", "node_modules"]
    assert [p.relative_to(root).as_posix() for p in tree.files(root)] == [
        "package.json",
        "src/env/e",
    ]


LONG_NAMES = ["a" * 300, "/".join(["b" * 200] * 30), "c\0d", "\ud800"]


@pytest.mark.parametrize("name", LONG_NAMES, ids=["name", "path", "NUL", "surrogate"])
def test_what_no_file_can_be_called_is_no_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    assert not tree.is_file(path)
    assert not tree.is_folder(path)
    assert list(tree.matching(tmp_path, [name])) in ([(name, None)], [(name, [])])
    tree.is_below(path, tmp_path)


@pytest.mark.parametrize(
    ("name", "fits"),
    [("/".join(["d" * 200] * 4), True), ("/".join(["d" * 200] * 6), False), ("e/" * 99, True),
     ("e/" * 110, False)],
    ids=["long", "too long", "deep", "too deep"],
)  # fmt: skip
def test_paths_leave_room_for_what_is_put_before_them(
    project: ProjectFactory, name: str, fits: bool
) -> None:
    root = project({"app.py": ""})
    (root / name).mkdir(parents=True)
    if fits:
        assert names(root) == ["app.py"]
    else:
        with pytest.raises(InputError, match="holds a path of more than"):
            names(root)


def test_patterns_name_folders_inside_only(project: ProjectFactory, tmp_path: Path) -> None:
    root = project({"packages/a/x": "", "packages/b/x": "", "packages/file": ""})
    (root / "packages" / "out").symlink_to(tmp_path)
    wanted = ["packages/*", "../*", "**/**/*", "p" * 300]
    found = [matches for _, matches in tree.matching(root, wanted)]
    assert found == [[root / "packages" / "a", root / "packages" / "b"], None, None, None]
    assert [found for _, found in tree.matching(root, ["x"] * 200)].count(None) == 100


@pytest.mark.parametrize("form", ["tests", "tests/", "./tests", "a/../tests", "{root}/tests"])
def test_a_place_below_is_named_from_the_root(project: ProjectFactory, form: str) -> None:
    root = project({"tests/test_a.py": "", "a/b.py": ""})
    assert tree.below(root, Path(form.format(root=root)), what="It") == "tests"


def test_a_place_below_may_be_named_from_where_we_are(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project({"tests/test_a.py": ""})
    monkeypatch.chdir(root.parent)
    assert tree.below(root, Path(root.name, "tests"), what="It") == "tests"
    assert tree.below(root, Path(root.name), what="It") == "."


@pytest.mark.parametrize("form", ["nowhere", "..", "/", "link", "tests/test_b.py", "x" * 5000])
def test_what_is_not_below_is_refused(project: ProjectFactory, form: str) -> None:
    root = project({"tests/test_a.py": ""})
    (root / "link").symlink_to(root.parent)
    with pytest.raises(InputError, match=r"^It "):
        tree.below(root, Path(form), what="It")
