"""The command line of the ledger. Started with `python -m`, in the folder of the ledger."""

import csv
import sys
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from .ledger import Ledger, LedgerError, parse_month

app = typer.Typer(add_completion=False)
PATH = Path("ledger.json")
COLUMNS = ["date", "amount", "category", "note"]


def fail(message: object) -> NoReturn:
    typer.echo(str(message), err=True)
    raise typer.Exit(1)


def load() -> Ledger:
    try:
        return Ledger.load(PATH)
    except LedgerError as error:
        fail(error)


@app.command()
def add(
    amount: str,
    category: str,
    date: Annotated[str, typer.Option()],
    note: Annotated[str, typer.Option()] = "",
) -> None:
    """Store one expense and print its id."""
    ledger = load()
    try:
        entry = ledger.add(date, amount, category, note)
    except LedgerError as error:
        fail(error)
    ledger.save(PATH)
    typer.echo(entry.id)


@app.command("list")
def list_entries(category: Annotated[str | None, typer.Option()] = None) -> None:
    """Print the expenses."""
    for entry in load().ordered():
        if category is None or entry.category == category:
            fields = [entry.id, entry.date, f"{entry.amount:.2f}", entry.category, entry.note]
            typer.echo("\t".join(map(str, fields)))


@app.command()
def total(month: Annotated[str | None, typer.Option()] = None) -> None:
    """Print the sum of each category, then of all."""
    try:
        wanted = "" if month is None else f"{parse_month(month)}-"
    except LedgerError as error:
        fail(error)
    sums: dict[str, float] = {}
    for entry in load().entries:
        if entry.date.startswith(wanted):
            sums[entry.category] = sums.get(entry.category, 0.0) + entry.amount
    for category in sorted(sums):
        typer.echo(f"{category}\t{sums[category]:.2f}")
    typer.echo(f"total\t{sum(sums.values()):.2f}")


@app.command("import")
def import_entries() -> None:
    """Store the expenses of a CSV text on standard input."""
    ledger = load()
    reader = csv.DictReader(sys.stdin)
    if reader.fieldnames != COLUMNS:
        fail(f"line 1: the columns must be {','.join(COLUMNS)}")
    count = 0
    for row in reader:
        try:
            if None in row or None in row.values():
                raise LedgerError("wrong number of fields")
            ledger.add(row["date"], row["amount"], row["category"], row["note"])
        except LedgerError as error:
            fail(f"line {reader.line_num}: {error}")
        count += 1
    ledger.save(PATH)
    typer.echo(count)


@app.command()
def remove(entry_id: int) -> None:
    """Remove one expense."""
    ledger = load()
    try:
        ledger.remove(entry_id)
    except LedgerError as error:
        fail(error)
    ledger.save(PATH)


if __name__ == "__main__":
    app()
