import os
import sys
import tomllib
from typing import Optional

import typer

program = typer.Typer(pretty_exceptions_enable=False)
TRUTHS = {"yes": True, "true": True, "1": True, "on": True}
LIES = {"no": False, "false": False, "0": False, "off": False}


def region_of(value):
    if isinstance(value, str) and value.lower() in ("eu", "us", "asia"):
        return value.lower()
    raise typer.BadParameter(f"{value!r} is no region")


def retries_of(value):
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise typer.BadParameter(f"{value!r} is no number") from None
    if number not in range(11):
        raise typer.BadParameter(f"{number} is not from 0 to 10")
    return number


def tags_of(value):
    return value.split() if isinstance(value, str) else list(value)


def verbose_of(value):
    known = {**TRUTHS, **LIES, True: True, False: False}
    value = value.lower() if isinstance(value, str) else value
    if value not in known:
        raise typer.BadParameter(f"{value!r} is neither yes nor no")
    return known[value]


READERS = {"region": region_of, "retries": retries_of, "tags": tags_of, "verbose": verbose_of}
DEFAULTS = {"region": "eu", "retries": 3, "tags": [], "verbose": False}


def from_file(path):
    if not path:
        return {}
    if not os.path.isfile(path):
        raise typer.BadParameter(f"there is no file {path}")
    try:
        with open(path, "rb") as stream:
            values = tomllib.load(stream)
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        print(error, file=sys.stderr)
        raise typer.Exit(code=3)
    for key in values:
        if key not in READERS:
            print(f"{key}?", file=sys.stderr)
            raise typer.Exit(code=3)
    return values


def version(value: bool):
    if value:
        print("deploy 2.5")
        raise typer.Exit()


@program.command()
def show(
    config: Optional[str] = typer.Option(None),
    region: Optional[str] = typer.Option(None, "-r", "--region"),
    retries: Optional[str] = typer.Option(None),
    tag: Optional[list[str]] = typer.Option(None),
    verbose: Optional[bool] = typer.Option(None, "--verbose/--quiet"),
    _version: bool = typer.Option(False, "--version", callback=version, is_eager=True),
):
    given = {"region": region, "retries": retries, "tags": tag or None, "verbose": verbose}
    values = from_file(config or os.environ.get("DEPLOY_CONFIG"))
    found = {}
    for name, read in READERS.items():
        for value in (given[name], os.environ.get(f"DEPLOY_{name.upper()}") or None,
                      values.get(name), DEFAULTS[name]):
            if value is not None:
                found[name] = read(value)
                break
    print(f"region={found['region']}\nretries={found['retries']}")
    print("tags=" + ",".join(found["tags"]))
    print("verbose=" + ("yes" if found["verbose"] else "no"))


def main(arguments):
    try:
        program(arguments)
    except SystemExit as error:
        return error.code or 0
    return 0
