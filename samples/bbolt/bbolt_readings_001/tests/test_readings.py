"""Readings are added in bulk, asked for in order, and pruned."""

import subprocess
from pathlib import Path

import pytest

DAYS = "a -86400 1\na 86400 4\na 0 3\nb 5 -7\na -1 2\n"


def run(folder: Path, *words: str, given: str = "") -> tuple[int, list[str], str]:
    done = subprocess.run(
        ["solution", "readings.db", *words],
        cwd=folder,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr.strip()


@pytest.fixture
def days(tmp_path: Path) -> Path:
    assert run(tmp_path, "add", given=DAYS) == (0, ["5"], "")
    return tmp_path


def test_a_range_is_in_order_of_time_and_leaves_its_end_out(days: Path) -> None:
    everything = ["-86400 1", "-1 2", "0 3", "86400 4"]
    assert run(days, "range", "a", "-100000", "100000") == (0, everything, "")
    assert run(days, "range", "a", "-1", "86400") == (0, ["-1 2", "0 3"], "")
    assert run(days, "range", "b", "6", "100") == (0, [], "")


def test_the_newest_come_first(days: Path) -> None:
    assert run(days, "latest", "a", "3") == (0, ["86400 4", "0 3", "-1 2"], "")
    assert run(days, "latest", "b", "3") == (0, ["5 -7"], "")


def test_a_sensor_that_nobody_knows_has_no_readings(days: Path) -> None:
    assert run(days, "range", "c", "0", "9") == (0, [], "")
    assert run(days, "latest", "c", "1") == (0, [], "")
    assert run(days, "sensors") == (0, ["a", "b"], "")


def test_a_second_reading_replaces_the_first(days: Path) -> None:
    assert run(days, "add", given="b 5 8\nb 5 9\n") == (0, ["2"], "")
    assert run(days, "latest", "b", "9") == (0, ["5 9"], "")


@pytest.mark.parametrize("bad", ["b 7", "b seven 1", "b 7 1.5", "b 7 1 2", ""])
def test_a_bad_line_stores_nothing_of_the_input(days: Path, bad: str) -> None:
    assert run(days, "add", given=f"b 6 1\n{bad}\nb 8 1\n") == (1, [], "bad line 2")
    assert run(days, "latest", "b", "9") == (0, ["5 -7"], "")


def test_pruning_takes_all_that_is_older_and_forgets_empty_sensors(tmp_path: Path) -> None:
    many = "".join(f"many {n} {n}\n" for n in range(1000))
    assert run(tmp_path, "add", given=many + "old 3 1\nold 4 1\nnew 998 1\n") == (0, ["1003"], "")
    assert run(tmp_path, "prune", "998") == (0, ["1000"], "")
    assert run(tmp_path, "range", "many", "0", "2000") == (0, ["998 998", "999 999"], "")
    assert run(tmp_path, "sensors") == (0, ["many", "new"], "")


def test_only_add_makes_the_file(tmp_path: Path) -> None:
    for words in (["sensors"], ["prune", "1"], ["latest", "a", "1"]):
        assert run(tmp_path, *words) == (1, [], "no file")
    assert not (tmp_path / "readings.db").exists()
    assert run(tmp_path, "add") == (0, ["0"], "")
    assert run(tmp_path, "sensors") == (0, [], "")
