"""`sdkbench doctor`: what this machine has, what it lacks, and what to do about each gap."""

import platform
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench import __version__
from sdkbench.environments import Cache
from sdkbench.errors import EnvironmentFault, ExitCode
from sdkbench.sandbox.inspection import Item, limits, tools
from sdkbench.test_harness import TestRunnerRegistry

MARKS = {True: "[green]ok[/]", False: "[yellow]missing[/]"}


def doctor() -> int:
    """Look at tools, sandbox, limits, cache and runners; exit 3 if judging can't work at all."""
    console = Console(highlight=False)
    console.print(
        f"sdkbench {__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    console.print(f"interpreter for judged code: {sys.base_prefix}", soft_wrap=True, markup=False)
    _section(console, "Tools", tools())
    _section(console, "Sandbox", limits())
    cache = _cache()
    _section(console, "Cache", [cache])
    runners = [
        Item(runner.name, ok=True, found=TestRunnerRegistry.origin(runner.name))
        for runner in TestRunnerRegistry.get_all_runners()
    ]
    _section(console, "Runners", runners)
    return ExitCode.OK if cache.ok else ExitCode.HARNESS_FAULT


def _cache() -> Item:
    try:
        cache = Cache()
    except EnvironmentFault as error:
        return Item("cache folder", ok=False, found="", advice=str(error))
    return Item("cache folder", ok=True, found=str(cache.root))


def _section(console: Console, title: str, items: list[Item]) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column(no_wrap=True, min_width=8)
    table.add_column(overflow="fold")
    for item in items:
        table.add_row(item.name, MARKS[item.ok], Text(item.found if item.ok else item.advice))
    console.print(f"\n[bold]{title}[/]")
    console.print(table)
