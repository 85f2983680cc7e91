"""The file of settings is begun, brought up to date, and kept."""

import subprocess
from pathlib import Path

BEGUN = "language=en theme=light zoom=100"


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


def test_a_new_file_has_its_version_and_the_defaults(tmp_path: Path) -> None:
    assert run(tmp_path, "version", "list ", "get theme", "get other") == ["1", BEGUN, "light", "-"]
    assert (tmp_path / "settings.redb").is_file()


def test_values_are_kept_from_run_to_run(tmp_path: Path) -> None:
    assert run(tmp_path, "set theme very dark", "set new 1", "set theme black") == ["ok"] * 3
    assert run(tmp_path, "get theme", "get new") == ["black", "1"]
    assert run(tmp_path, "set a b  c ", "get a") == ["ok", "b  c "]


def test_what_was_unset_stays_unset(tmp_path: Path) -> None:
    assert run(tmp_path, "unset zoom", "unset zoom", "get zoom") == ["ok", "-", "-"]
    assert run(tmp_path, "get zoom", "list ") == ["-", "language=en theme=light"]


def test_a_list_is_of_one_prefix(tmp_path: Path) -> None:
    sets = ["set ui.b 2", "set ui.a 1", "set ui 0", "set uj 9", "set u 8", "set éa 7"]
    run(tmp_path, *sets)
    asked = ["list ui", "list ui.", "list x", "list é", "list th"]
    assert run(tmp_path, *asked) == ["ui=0 ui.a=1 ui.b=2", "ui.a=1 ui.b=2", "", "éa=7", "theme=light"]


def test_a_file_of_version_0_is_brought_up_to_date(tmp_path: Path) -> None:
    run(tmp_path, "set theme dark", "unset zoom", "set own 1", "unstamp")
    assert run(tmp_path, "version", "list ") == ["1", "language=en own=1 theme=dark zoom=100"]


def test_a_file_of_a_later_version_is_not_touched(tmp_path: Path) -> None:
    run(tmp_path, "unset zoom", "stamp 2")
    for _ in range(2):
        done = subprocess.run(["solution"], cwd=tmp_path, input="", capture_output=True, text=True)
        told = "settings.redb is of version 2"
        assert (done.returncode, done.stdout, done.stderr.strip()) == (1, "", told)


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "settings.redb").write_bytes(b"something else entirely" * 1000)
    done = subprocess.run(["solution"], cwd=tmp_path, input="version\n", capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (1, "")
    assert "panicked" not in done.stderr
