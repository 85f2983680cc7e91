"""What every command's output has in common: width, colours, and text made fit for a terminal."""

from collections.abc import Collection, Mapping

from rich.console import Console, JustifyMethod, OverflowMethod
from rich.table import Table

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
