"""A list of parcels in a JSON file, as a command line."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.testing import CliRunner

app = typer.Typer(context_settings={"auto_envvar_prefix": "PARCELS"})


class Kind(StrEnum):
    LETTER = "Letter"
    BOX = "Box"


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.parcels: dict[str, dict[str, Any]] = (
            json.loads(path.read_text()) if path.exists() else {}
        )

    def save(self) -> None:
        self.path.write_text(json.dumps(self.parcels))


def refuse(reason: str) -> typer.BadParameter:
    return typer.BadParameter(reason)


def grams(text: str) -> int:
    for unit, factor in (("kg", 1000), ("g", 1)):
        number = text.removesuffix(unit)
        if number != text and number.replace(".", "", 1).isdecimal():
            return round(float(number) * factor)
    raise typer.BadParameter(f"{text} is no weight")


def tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo("parcels 1.4")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def begin(
    context: typer.Context,
    path: Annotated[
        Path, typer.Option("--file", dir_okay=False)
    ] = Path("parcels.json"),
    verbose: Annotated[int, typer.Option("--verbose", "-v", count=True)] = 0,
    version: Annotated[
        bool, typer.Option("--version", "-V", callback=tell_version, is_eager=True)
    ] = False,
) -> None:
    """A list of parcels."""
    context.obj = Store(path)
    if verbose > 1:
        typer.echo(f"file: {path}", err=True)
    if context.invoked_subcommand is None:
        typer.echo(f"{len(context.obj.parcels)} parcels")


@app.command()
def add(
    context: typer.Context,
    names: list[str],
    weight: Annotated[int, typer.Option("--weight", "-w", parser=grams)] = "1kg",
    size: Annotated[tuple[int, int], typer.Option(min=1, max=200)] = (10, 20),
    kind: Annotated[Kind, typer.Option(case_sensitive=False)] = Kind.LETTER,
    tags: Annotated[list[str] | None, typer.Option("--tag", "-t")] = None,
    fragile: Annotated[bool | None, typer.Option("--fragile/--sturdy")] = None,
) -> None:
    """Add parcels of these names."""
    store = context.obj
    for name in names:
        if name in store.parcels:
            raise refuse(f"there is a parcel {name}")
        store.parcels[name] = {
            "weight": weight, "size": size, "kind": kind, "tags": tags or [], "fragile": fragile,
        }
    store.save()


@app.command("list")
@app.command("ls")
def listing(
    context: typer.Context,
    heavier: Annotated[
        int | None, typer.Option(parser=grams, help="Only parcels that weigh more.")
    ] = None,
    tag: Annotated[str | None, typer.Option(help="Only parcels with this tag.")] = None,
    long: Annotated[bool, typer.Option("--long", "-l")] = False,
) -> None:
    """List parcels in the order of their names."""
    for name, parcel in sorted(context.obj.parcels.items()):
        if heavier is not None and parcel["weight"] <= heavier:
            continue
        if tag is not None and tag not in parcel["tags"]:
            continue
        if long:
            said = {None: "", True: " fragile", False: " sturdy"}[parcel["fragile"]]
            width, height = parcel["size"]
            typer.echo(f"{name} {parcel['kind']} {width}x{height} {parcel['weight']}g{said}")
        else:
            typer.echo(name)


@app.command()
def remove(
    context: typer.Context, name: str, yes: Annotated[bool, typer.Option("--yes")] = False
) -> None:
    """Remove a parcel, after a question unless --yes is given."""
    if context.obj.parcels.pop(name, None) is None:
        raise refuse(f"there is no parcel {name}")
    if not yes:
        typer.confirm(f"Remove {name}?", abort=True)
    context.obj.save()


@app.command()
def rename(
    context: typer.Context, name: str, to: Annotated[str, typer.Option(prompt="New name")]
) -> None:
    """Give a parcel another name, which is asked for unless --to is given."""
    parcels = context.obj.parcels
    if name not in parcels or to in parcels:
        raise refuse(f"{name} cannot become {to}")
    parcels[to] = parcels.pop(name)
    context.obj.save()


def run(arguments: list[str], typed: str = "") -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments, input=typed)
    return result.exit_code, result.stdout, result.stderr
