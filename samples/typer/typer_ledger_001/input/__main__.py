"""The command line of the ledger. Started with `python -m`, in the folder of the ledger."""

from typing import Annotated

import typer

app = typer.Typer(add_completion=False)


@app.command()
def add(
    amount: str,
    category: str,
    date: Annotated[str, typer.Option()],
    note: Annotated[str, typer.Option()] = "",
) -> None:
    """Store one expense and print its id."""
    raise NotImplementedError


@app.command("list")
def list_entries(category: Annotated[str | None, typer.Option()] = None) -> None:
    """Print the expenses."""
    raise NotImplementedError


@app.command()
def total(month: Annotated[str | None, typer.Option()] = None) -> None:
    """Print the sum of each category, then of all."""
    raise NotImplementedError


@app.command("import")
def import_entries() -> None:
    """Store the expenses of a CSV text on standard input."""
    raise NotImplementedError


@app.command()
def remove(entry_id: int) -> None:
    """Remove one expense."""
    raise NotImplementedError


if __name__ == "__main__":
    app()
