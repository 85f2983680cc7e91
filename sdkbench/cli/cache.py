"""`sdkbench cache ls|gc|export|import`: what is kept, making room, and taking it elsewhere."""

import re
import time
from pathlib import Path
from typing import Annotated

import typer

from sdkbench.cli.console import harmless, print_rows, stdout_console
from sdkbench.cli.options import JsonOption
from sdkbench.environments import Cache, Transferred, export_cache, import_cache
from sdkbench.errors import InputError
from sdkbench.report import cache_report, json_text

app = typer.Typer(help="The environments that are kept for the next run.", no_args_is_help=True)
UNITS = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}


@app.command("ls")
def ls(json_output: JsonOption = False) -> None:
    """Every environment, the one used longest ago first."""
    cache = Cache()
    if json_output:
        typer.echo(json_text(cache_report(cache), indent=2))
        return
    console = stdout_console()
    columns = ("key", "language", "packages", "size", "last used", "holds")
    rows = []
    for environment, size, used_at in cache.entries():
        names = [package.partition("==")[0] for package in environment.packages]
        more = f" … and {len(names) - 6} more" if len(names) > 6 else ""  # noqa: PLR2004
        rows.append(
            (
                environment.key[:12],
                environment.language,
                str(len(names)),
                _size(size),
                time.strftime("%Y-%m-%d %H:%M", time.localtime(used_at)),
                ", ".join(names[:6]) + more,
            )
        )
    print_rows(console, columns, rows, right={"packages", "size"})
    console.print(f"{_size(cache.total_bytes())} in {cache.root}", soft_wrap=True)


@app.command("gc")
def gc(
    max_size: Annotated[
        str, typer.Option(help="How much may stay, e.g. 5G or 800M; 0 for nothing.")
    ],
) -> None:
    """Remove what was used longest ago until the cache fits; what is in use stays."""
    limit = _bytes(max_size)
    cache = Cache()
    for name in cache.gc(limit):
        typer.echo(f"removed {name}")
    typer.echo(f"{_size(cache.total_bytes())} left in {cache.root}")


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A new file, e.g. cache.tar.gz.")],
    records_only: Annotated[
        bool,
        typer.Option(
            "--records-only", help="What references show and which versions; no packages."
        ),
    ] = False,
) -> None:
    """Put records and environments into a file, for another machine or user."""
    done = export_cache(Cache(), file, records_only=records_only)
    typer.echo(f"{_counted(done)} in {file}, {_size(file.stat().st_size)}")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="What `cache export` made.")],
) -> None:
    """Take over what another cache held. Its records decide what samples expect: only import what
    somebody made whom you trust with that.
    """
    cache = Cache()
    done = import_cache(cache, file)
    known = f", {done.known} were there already" if done.known else ""
    typer.echo(f"{_counted(done)} taken over into {cache.root}{known}")
    for sentence in done.skipped:
        typer.echo(f"skipped: {harmless(sentence)}")


def _counted(done: Transferred) -> str:
    records = "1 record" if done.records == 1 else f"{done.records} records"
    count = done.environments
    return f"{records} and {'1 environment' if count == 1 else f'{count} environments'}"


def _bytes(text: str) -> int:
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", text, re.IGNORECASE)
    if not match:
        raise InputError(f"Not a size: {text!r}. Write it like 5G, 800M or 0.")
    return int(float(match.group(1)) * UNITS[match.group(2).upper()])


def _size(number: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if number < 1024:  # noqa: PLR2004
            return f"{number:.0f} {unit}"
        number /= 1024
    return f"{number:.1f} GiB"
