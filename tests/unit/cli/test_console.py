"""What all tables have in common: they fit, and say nothing to the terminal."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from sdkbench.cli.console import harmless, one_line, print_reason, print_rows, warm_sentence

ROWS = st.lists(st.lists(st.text(max_size=60), min_size=3, max_size=3), min_size=1, max_size=6)


def console(width: int) -> Console:
    return Console(width=width, file=io.StringIO(), force_terminal=True, color_system=None)


def shown(width: int, columns: tuple[str, ...], rows: list[list[str]], **more: object) -> list[str]:
    out = console(width)
    print_rows(out, columns, rows, **more)  # type: ignore[arg-type]
    assert isinstance(out.file, io.StringIO)
    return out.file.getvalue().splitlines()


def test_control_characters_are_replaced() -> None:
    assert harmless("a\x1b[2Jb\x07\nc") == "a\ufffd[2Jb\ufffd\nc"
    assert one_line(" a\n\n b\tc\x00 ") == "a b c\ufffd"


def test_the_last_column_is_cut_first() -> None:
    lines = shown(30, ("name", "n", "reason"), [["a" * 12, "1", "word " * 20]], right={"n"})
    assert lines == ["name          n  reason", f"{'a' * 12}  1  word word wo…"]


def test_columns_without_content_are_left_out() -> None:
    assert shown(40, ("a", "b", "c"), [["1", "", "3"]]) == ["a  c", "1  3"]
    assert shown(40, ("a", "b"), []) == []


def test_a_heading_is_as_long_as_it_likes() -> None:
    lines = shown(20, ("a", "b"), [["x" * 50], ["1", "2"]])
    assert "".join(lines[1:-1]) == "x" * 50
    assert lines[-1] == "1  2"


def test_a_reason_is_a_line_below_its_row() -> None:
    reason = "it\nbroke " + "x" * 50
    lines = shown(30, ("a", "b"), [["1", "2"], ["3", "4"]], below=["", reason])
    assert lines == ["a  b", "1  2", "3  4", f"         it broke {'x' * 11}…"]
    whole = shown(30, ("a", "b"), [["3", "4"]], below=["it\nbroke"], whole=True)
    assert whole[2:] == ["         it", "         broke"]


@given(ROWS, st.integers(min_value=20, max_value=100))
def test_every_row_is_one_line_that_fits(rows: list[list[str]], width: int) -> None:
    lines = shown(width, ("first", "second", "third"), rows)
    filled = any(one_line(cell) for row in rows for cell in row)
    assert len(lines) == (1 + len(rows) if filled else 0)
    assert all(cell_len(line) <= width for line in lines)


@pytest.mark.parametrize("width", [30, 80, 120])
def test_a_reason_fits(width: int) -> None:
    out = console(width)
    print_reason(out, "漢字 " * 100, 9, whole=False)
    assert isinstance(out.file, io.StringIO)
    (line,) = out.file.getvalue().splitlines()
    assert cell_len(line) <= width
    assert line.endswith("…")


def test_a_log_has_more_room_for_a_reason() -> None:
    out = Console(width=80, file=io.StringIO())
    print_reason(out, "x" * 1000, 9, whole=False)
    assert isinstance(out.file, io.StringIO)
    assert out.file.getvalue().strip() == "x" * 299 + "…"


def test_how_many_runs_started_warm() -> None:
    assert warm_sentence({}) == ""
    assert warm_sentence({"refused": 3}) == ""
    assert warm_sentence({"warm": 1}) == "1 run started warm"
    again = warm_sentence({"warm": 409, "again cold": 3, "refused": 1})
    assert again == "412 runs started warm, 3 of them judged again cold"
