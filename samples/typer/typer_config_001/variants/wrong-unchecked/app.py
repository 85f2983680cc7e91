"""The settings of a deployment tool, and where they come from."""

import tomllib
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


class Region(StrEnum):
    EU = "eu"
    US = "us"
    ASIA = "asia"


def refuse(reason: str) -> typer.Exit:
    typer.echo(f"configuration: {reason}", err=True)
    return typer.Exit(3)


def read(context: typer.Context, path: Path | None) -> Path | None:
    """The file's values become the defaults, which typer checks like all others."""
    if path is None:
        return None
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise refuse(str(error)) from error
    unknown = sorted(values.keys() - {"region", "retries", "tags", "verbose"})
    if unknown:
        raise refuse(f"unknown key {unknown[0]}")
    context.obj = values
    return path


def tell_version(wanted: bool) -> None:
    if wanted:
        typer.echo("deploy 2.5")
        raise typer.Exit


# The file stands first: a parameter that is not given is read in this order.
@app.command()
def show(
    context: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(envvar="DEPLOY_CONFIG", exists=True, dir_okay=False, callback=read),
    ] = None,
    region: Annotated[
        Region, typer.Option("--region", "-r", envvar="DEPLOY_REGION", case_sensitive=False)
    ] = Region.EU,
    retries: Annotated[int, typer.Option(envvar="DEPLOY_RETRIES", min=0, max=10)] = 3,
    tags: Annotated[list[str] | None, typer.Option("--tag", envvar="DEPLOY_TAGS")] = None,
    verbose: Annotated[bool, typer.Option("--verbose/--quiet", envvar="DEPLOY_VERBOSE")] = False,
    version: Annotated[bool, typer.Option("--version", callback=tell_version, is_eager=True)] = False,
) -> None:
    """Print the settings that are in force."""
    for name, value in (context.obj or {}).items():
        if context.get_parameter_source(name).name != "DEFAULT":
            continue
        if name == "region":
            region = value
        elif name == "retries":
            retries = value
        elif name == "tags":
            tags = value
        else:
            verbose = value
    typer.echo(f"region={region}")
    typer.echo(f"retries={retries}")
    typer.echo(f"tags={','.join(tags or [])}")
    typer.echo(f"verbose={'yes' if verbose else 'no'}")


def main(arguments: list[str]) -> int:
    try:
        app(arguments, prog_name="deploy")
    except SystemExit as end:
        return end.code
