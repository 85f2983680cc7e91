"""Filters for JSON Lines, started with `python -m`."""

import itertools
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

from .conditions import Condition, parse
from .reading import Damaged, Record, records
from .writing import write

app = typer.Typer()


class Run:
    """What the options before the command say, and how many lines were skipped."""

    def __init__(self, places: list[str], target: str, strict: bool) -> None:
        self.places = places
        self.target = target
        self.strict = strict
        self.skipped = 0

    def skip(self, reason: str) -> None:
        typer.echo(reason, err=True)
        if self.strict:
            raise Damaged
        self.skipped += 1

    def records(self) -> Iterable[Record]:
        return records(self.places, self.skip)

    def finish(self, found: Iterable[Record]) -> None:
        try:
            write(found, self.target)
        except Damaged:
            raise typer.Exit(3) from None
        if self.skipped:
            raise typer.Exit(1)


@app.callback()
def begin(
    context: typer.Context,
    places: Annotated[list[str] | None, typer.Option("--from")] = None,
    target: Annotated[str, typer.Option("--to")] = "-",
    strict: Annotated[bool, typer.Option("--strict")] = False,
) -> None:
    """Filters for JSON Lines."""
    for place in places or []:
        if place != "-" and not Path(place).is_file():
            raise typer.BadParameter(f"there is no file {place}")
    context.obj = Run(places or ["-"], target, strict)


def condition(text: str) -> Condition:
    try:
        return parse(text)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error


@app.command()
def where(
    context: typer.Context,
    conditions: Annotated[list[str], typer.Argument()],
    any_of_them: Annotated[bool, typer.Option("--any")] = False,
    limit: Annotated[int | None, typer.Option(min=1)] = None,
) -> None:
    """Records for which the conditions hold."""
    holding = any if any_of_them else all
    parsed = [condition(text) for text in conditions]
    found = (
        record for record in context.obj.records() if holding(each(record) for each in parsed)
    )
    context.obj.finish(itertools.islice(found, limit))


@app.command()
def cut(
    context: typer.Context,
    fields: list[str],
    rename: Annotated[list[str] | None, typer.Option()] = None,
) -> None:
    """Some fields of each record."""
    names = {field: field for field in fields}
    for pair in rename or []:
        old, _, new = pair.partition("=")
        if old not in names or not new:
            raise typer.BadParameter(f"cannot rename {pair!r}")
        names[old] = new
    context.obj.finish(
        {new: record[old] for old, new in names.items() if old in record}
        for record in context.obj.records()
    )


@app.command()
def tally(context: typer.Context, field: str) -> None:
    """How often each value occurs."""
    context.obj.finish(counted(context.obj.records(), field))


def counted(found: Iterable[Record], field: str) -> Iterable[Record]:
    counts: dict[str, dict[str, Any]] = {}
    for record in found:
        if field in record:
            # By its JSON, since lists are not hashable, and 1 and true are equal.
            key = json.dumps(record[field], sort_keys=True)
            counts.setdefault(key, {"value": record[field], "count": 0})["count"] += 1
    yield from sorted(counts.values(), key=lambda each: each["count"], reverse=True)


if __name__ == "__main__":
    app()
