"""What every command's output has in common: width, colours, and text made fit for a terminal."""

from collections.abc import Collection, Mapping, Sequence

from rich.console import Console, JustifyMethod, OverflowMethod
from rich.table import Table
from rich.text import Text

from sdkbench.core import Outcome
from sdkbench.sandbox import Level

STYLES = {
    Outcome.PASSED: "green",
    Outcome.FAILED: "red",
    Outcome.INVALID: "magenta",
    Outcome.ERROR: "yellow",
    Outcome.NOT_EXECUTED: "dim",
}
PIPED_WIDTH = 150  # a file or a log has no width of its own
PIPED_REASON = 300  # nor a line that is too long; this much tells what to do


def stdout_console() -> Console:
    """Without markup: names of samples and models may hold brackets."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = PIPED_WIDTH
    return console


def plain_table(
    *columns: str, right: Collection[str] = (), overflow: OverflowMethod = "ellipsis"
) -> Table:
    """With `columns`, of which those in `right` hold figures."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        justify: JustifyMethod = "right" if column in right else "left"
        table.add_column(column, justify=justify, overflow=overflow)
    return table


NARROWEST = 12  # of the last column: less says nothing
GAP = 2
REASON_INDENT = 9  # behind the longest outcome
Cell = str | Text


def print_rows(
    out: Console,
    columns: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    right: Collection[str] = (),
    below: Sequence[str] = (),
    *,
    whole: bool = False,
) -> None:
    """A line for each row, however narrow the console is: the last column is cut first, then the
    widest ones, each with an ellipsis. Columns in `right` hold figures; those that hold nothing at
    all are left out. A row of one cell is a heading, as long as it likes.

    `below` has a reason for each row: a line of its own, or all of its lines with `whole`.
    """
    table = [[_cell(cell) for cell in row] for row in rows]
    full = [row for row in table if len(row) > 1]
    places = [place for place in range(len(columns)) if any(row[place].plain for row in full)]
    if not places:
        return
    head = [Text(column, style="bold") for column in columns]
    widths = [max(row[place].cell_len for row in (head, *full)) for place in places]
    _shrink(widths, out.width - GAP * (len(places) - 1))

    def print_row(row: Sequence[Text]) -> None:
        line = Text()
        for place, width in zip(places, widths, strict=True):
            row[place].truncate(width, overflow="ellipsis")
            blank = " " * (width - row[place].cell_len)
            is_right = columns[place] in right
            line.append(blank if is_right else "").append_text(row[place])
            line.append("" if is_right else blank).append(" " * GAP)
        line.rstrip()
        out.print(line, no_wrap=True, crop=False, overflow="ignore")

    print_row(head)
    for row, reason in zip(table, below or [""] * len(table), strict=True):
        if len(row) == 1:
            out.print(row[0], soft_wrap=True)
        else:
            print_row(row)
        print_reason(out, reason, REASON_INDENT, whole=whole)


def _cell(cell: Cell) -> Text:
    """A copy in one line, as cutting changes it."""
    return cell.copy() if isinstance(cell, Text) else Text(one_line(cell))


def _shrink(widths: list[int], room: int) -> None:
    """Until they fit: the last to its least, then one after the other the widest."""
    widths[-1] = max(min(widths[-1], room - sum(widths[:-1])), min(widths[-1], NARROWEST))
    while sum(widths) > room and max(widths) > 1:
        widths[widths.index(max(widths))] -= 1


def one_line(text: str) -> str:
    return harmless(" ".join(text.split()))


def print_reason(out: Console, reason: str, indent: int, *, whole: bool) -> None:
    """Below what it is the reason of: one line, cut where the console ends; or all of it."""
    if not reason.strip():
        return
    blank = " " * indent
    if whole:
        for line in harmless(reason).strip().splitlines():
            out.print(f"{blank}{line.rstrip()}", soft_wrap=True)
        return
    text = Text(one_line(reason))
    room = max(out.width - indent, NARROWEST) if out.is_terminal else PIPED_REASON
    text.truncate(room, overflow="ellipsis")
    out.print(Text(blank).append_text(text), no_wrap=True, crop=False, overflow="ignore")


def warm_sentence(counts: Mapping[str, int]) -> str:
    """How many runs were forked, by `WarmStarts.counts`; empty where none was."""
    again = counts.get("again cold", 0)
    started = counts.get("warm", 0) + again
    if not started:
        return ""
    runs = "1 run" if started == 1 else f"{started} runs"
    return f"{runs} started warm" + (f", {again} of them judged again cold" if again else "")


def harmless(text: str) -> str:
    """Without the characters by which judged code could speak to the terminal."""
    return "".join(c if c.isprintable() or c in "\n\t" else "\ufffd" for c in text)


def warn_if_plain(console: Console, level: Level) -> None:
    if level is Level.PLAIN:
        console.print(
            "WARNING: no isolation (sandbox level plain): the judged code can read your files "
            "and use the network. `sdkbench doctor` tells how to get bubblewrap.",
            style="bold yellow",
        )
