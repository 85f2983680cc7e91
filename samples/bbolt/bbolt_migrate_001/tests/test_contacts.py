"""The address book answers as described, with files of the old program as well."""

import base64
import subprocess
import zlib
from pathlib import Path

# family: anna 030-1, ben 030-2; work/berlin: carl 030-3
OLD = (
    "eNrt3LFKw0AYB/A0bXURzNqtk4MgVDt18R3cXVKp0hojdBEXH8On8E18A19Buio42dC7FIvFqVLl94NwOcgtX6b/d5ckyUIrjLOXvVla3WSLeTv5aieMuyvrXidPnYOH548EAAAA2DqNH/J/uvJ8c6UPEOf7549vh++DUxUFAACA7ZPWY6PuB2Qh35/Nr8v8Zlzcr1+97A90QxchnhjohO5ANc/LMu/1e0fHw1FZjScKDwAAAL8o7t9nIcnHcwBtpQEAAIB/I+b97/b/B/NrOJoW43Ld6rT+fmCxKu7/X+TTotrn7yswAAAAbIF2neTTOv93k+X5/2p+FZJ9lfA39D3A3e30uuVtAAAAwGbE//jF8/8xvzeVBgAAAAAAAAD+jE/t2CXg"
)


def run(folder: Path, *commands: str) -> list[str]:
    done = subprocess.run(
        ["solution"],
        cwd=folder,
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split("\n")[:-1]


def test_files_of_the_old_program_stay_readable(tmp_path: Path) -> None:
    (tmp_path / "contacts.db").write_bytes(zlib.decompress(base64.b64decode(OLD)))
    assert run(tmp_path, "list family", "get family ben", "get work/berlin carl") == [
        "anna ben",
        "030-2",
        "030-3",
    ]
    assert run(tmp_path, "set family ben 7", "get family ben", "get family anna") == [
        "ok",
        "7",
        "030-1",
    ]


def test_what_is_not_there_is_an_error(tmp_path: Path) -> None:
    asked = ["get a x", "list a", "list a/b", "get a/b/c x", "move a b", "move a/b c"]
    assert run(tmp_path, *asked) == ["error: not found"] * 6
    assert run(tmp_path, "set a x 1", "get a y", "get a/b x", "list b") == [
        "ok",
        *["error: not found"] * 3,
    ]


def test_groups_are_no_names(tmp_path: Path) -> None:
    sets = ["set a/b x 1", "set a z 2", "set a y 3"]
    assert run(tmp_path, *sets, "list a", "get a b") == ["ok", "ok", "ok", "y z", "error: not found"]
    assert run(tmp_path, "set c/d x 1", "list c") == ["ok", ""]


def test_a_group_moves_with_everything_in_it(tmp_path: Path) -> None:
    run(tmp_path, "set work/berlin carl 1", "set work/berlin/night dora 2", "set work eve 3")
    assert run(tmp_path, "move work/berlin old/places") == ["ok"]
    assert run(tmp_path, "list work/berlin", "list work", "list old/places/berlin") == [
        "error: not found",
        "eve",
        "carl",
    ]
    assert run(tmp_path, "get old/places/berlin/night dora") == ["2"]
    assert run(tmp_path, "move old/places/berlin .", "list berlin", "move work old") == [
        "ok",
        "carl",
        "ok",
    ]
    assert run(tmp_path, "get old/work eve", "list work", "list old/places") == [
        "3",
        "error: not found",
        "",
    ]


def test_nothing_is_moved_over_something_else(tmp_path: Path) -> None:
    run(tmp_path, "set a/x n 1", "set b/x m 2", "set c x 3")
    moves = ["move a/x b", "move a/x c", "move a/x a", "move a .", "get a/x n", "get c x"]
    assert run(tmp_path, *moves) == ["error: exists"] * 4 + ["1", "3"]


def test_a_refused_move_makes_no_group(tmp_path: Path) -> None:
    assert run(tmp_path, "move a b/c", "list b") == ["error: not found"] * 2


def test_a_group_does_not_go_into_itself(tmp_path: Path) -> None:
    run(tmp_path, "set a/b x 1", "set ab y 2")
    moves = ["move a a", "move a a/b", "move a/b a/b/c", "get a/b x", "list a/b/c", "move a ab"]
    itself = "error: into itself"
    assert run(tmp_path, *moves) == [itself] * 3 + ["1", "error: not found", "ok"]
    assert run(tmp_path, "get ab/a/b x") == ["1"]
