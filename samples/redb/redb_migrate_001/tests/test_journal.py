"""Entries are kept by day and number, told in order, and removed."""

import subprocess
from pathlib import Path


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


def test_entries_are_numbered_by_day(tmp_path: Path) -> None:
    adds = ["add 300 a", "add 7 b", "add 300 c", "add 7 d e"]
    assert run(tmp_path, *adds) == ["300/1", "7/1", "300/2", "7/2"]
    assert run(tmp_path, "day 7", "day 300", "day 8", "add 7 f", "count") == [
        "b | d e",
        "a | c",
        "",
        "7/3",
        "5",
    ]


def test_days_are_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    days = [256, 1, 65536, 255, 4294967295, 0]
    run(tmp_path, *(f"add {day} on {day}" for day in days))
    asked = [f"since {day}" for day in (0, 1, 256, 257, 65537)]
    assert run(tmp_path, *asked) == ["6", "5", "3", "2", "1"]


def test_pruning_takes_what_is_before_the_day(tmp_path: Path) -> None:
    run(tmp_path, *(f"add {day} x" for day in (1, 1, 2, 255, 256, 256, 300)))
    assert run(tmp_path, "prune 256", "count", "day 256", "day 255") == ["4", "3", "x | x", ""]
    assert run(tmp_path, "prune 256", "count", "prune 301", "count") == ["0", "3", "3", "0"]


def test_the_oldest_entry_is_taken_out(tmp_path: Path) -> None:
    run(tmp_path, "add 256 c", "add 1 a a", "add 1 b")
    assert run(tmp_path, "oldest", "count") == ["1/1 a a", "2"]
    assert run(tmp_path, "add 1 d", "oldest", "oldest") == ["1/3", "1/2 b", "1/3 d"]
    assert run(tmp_path, "oldest", "oldest", "count", "add 1 e") == ["256/1 c", "-", "0", "1/1"]


def test_many_entries_of_a_day_keep_their_order(tmp_path: Path) -> None:
    assert run(tmp_path, *(f"add 5 {n}" for n in range(300)))[-1] == "5/300"
    assert run(tmp_path, "day 5", "add 4 x", "since 5") == [
        " | ".join(str(n) for n in range(300)),
        "4/1",
        "300",
    ]


def test_the_bytes_in_the_file_stay_as_they_were(tmp_path: Path) -> None:
    run(tmp_path, "add 67305985 the text of this very entry")  # 0x04030201
    kept = (tmp_path / "journal.redb").read_bytes()
    assert b"\x01\x02\x03\x04\x01\x00\x00\x00" in kept
    assert b"the text of this very entry" in kept
