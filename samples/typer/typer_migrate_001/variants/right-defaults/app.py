import contextlib
import io
import json
import os
import re
import sys
from typing import List, Optional, Tuple

import typer

program = typer.Typer(
    context_settings=dict(auto_envvar_prefix="PARCELS"), pretty_exceptions_enable=False
)


class Refused(Exception):
    pass


def weigh(text: str):
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)(k?)g", text)
    if match is None:
        raise typer.BadParameter(text)
    return round(float(match[1]) * (1000 if match[2] else 1))


def version(value: bool):
    if value:
        print("parcels 1.4")
        raise typer.Exit(code=0)


def load(path):
    if not os.path.exists(path):
        return {}
    with open(path) as stream:
        return json.load(stream)


def save(context, parcels):
    with open(context.obj, "w") as stream:
        json.dump(parcels, stream)


@program.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    path: str = typer.Option("parcels.json", "--file"),
    verbose: int = typer.Option(0, "-v", "--verbose", count=True),
    _version: bool = typer.Option(False, "-V", "--version", callback=version, is_eager=True),
):
    if os.path.isdir(path):
        raise typer.BadParameter("a folder")
    context.obj = path
    if verbose >= 2:
        print(f"file: {path}", file=sys.stderr)
    if not context.invoked_subcommand:
        print(len(load(path)), "parcels")


@program.command()
def add(
    context: typer.Context,
    names: List[str] = typer.Argument(...),
    weight: str = typer.Option("1kg", "-w", "--weight"),
    size: Tuple[int, int] = typer.Option((10, 20)),
    kind: str = typer.Option("letter"),
    tags: List[str] = typer.Option([], "-t", "--tag"),
    fragile: Optional[bool] = typer.Option(None, "--fragile/--sturdy"),
):
    if kind.lower() not in ("letter", "box") or min(size) < 1 or max(size) > 200:
        raise typer.BadParameter(f"{kind} {size}")
    weight = weigh(weight)
    parcels = load(context.obj)
    for name in names:
        if name in parcels:
            raise Refused(f"there is a parcel {name}")
        parcels[name] = dict(
            weight=weight, size=size, kind=kind.capitalize(), tags=tags, fragile=fragile
        )
    save(context, parcels)


def listed(
    context: typer.Context,
    heavier: str = typer.Option(None),
    tag: str = typer.Option(None),
    long: bool = typer.Option(False, "-l", "--long"),
):
    least = -1 if heavier is None else weigh(heavier)
    for name, p in sorted(load(context.obj).items()):
        if p["weight"] > least and (tag is None or tag in p["tags"]):
            line = name
            if long:
                line += " {} {}x{} {}g".format(p["kind"], *p["size"], p["weight"])
                if p["fragile"] is not None:
                    line += " fragile" if p["fragile"] else " sturdy"
            print(line)


program.command("list")(listed)
program.command("ls")(listed)


@program.command()
def remove(context: typer.Context, name: str, yes: bool = typer.Option(False, "--yes")):
    parcels = load(context.obj)
    if name not in parcels:
        raise Refused(f"there is no parcel {name}")
    del parcels[name]
    if not yes and not typer.confirm(f"Remove {name}?"):
        raise typer.Abort
    save(context, parcels)


@program.command()
def rename(context: typer.Context, name: str, to: str = typer.Option(..., prompt="New name")):
    parcels = load(context.obj)
    if name not in parcels or to in parcels:
        raise Refused(f"{name} cannot become {to}")
    parcels[to] = parcels.pop(name)
    save(context, parcels)


def run(arguments, typed=""):
    told, errors, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    code = 0
    try:
        with contextlib.redirect_stdout(told), contextlib.redirect_stderr(errors):
            try:
                program(arguments, prog_name="parcels")
            except Refused as refused:
                print(f"Error: {refused}", file=sys.stderr)
                code = 1
            except SystemExit as end:
                code = end.code or 0
    finally:
        sys.stdin = before
    return code, told.getvalue(), errors.getvalue()
