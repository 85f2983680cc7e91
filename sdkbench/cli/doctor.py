"""`sdkbench doctor`: what this machine has, what it lacks, and what to do about each gap."""

import platform
import sys
from collections.abc import Callable

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench import __version__
from sdkbench.environments import Cache
from sdkbench.errors import EnvironmentFault, ExitCode, MissingTool
from sdkbench.sandbox import choose
from sdkbench.sandbox.inspection import TOOLS, Item, limits, tools
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.go.environment import toolchain as go_toolchain
from sdkbench.test_harness.java.maven import jdk
from sdkbench.test_harness.rust.environment import toolchain as rust_toolchain


def doctor() -> int:
    """Look at tools, sandbox, limits, cache and runners; exit 3 if judging can't work at all:
    without a cache, or with a broken plugin.
    """
    console = Console(highlight=False)
    console.print(
        f"sdkbench {__version__}, Python {platform.python_version()}, {platform.platform()}"
    )
    console.print(f"interpreter for judged code: {sys.base_prefix}", soft_wrap=True, markup=False)
    runners = _runners()
    sound = all(runner.ok for runner in runners)
    _section(console, "Tools", tools(TOOLS | (_tools_of_runners() if sound else {})))
    _section(console, "Toolchains", _toolchains())
    _section(console, "Sandbox", limits())
    cache = _tried("cache folder", lambda: str(Cache().root))
    _section(console, "Cache", [cache])
    _section(console, "Runners", runners)
    return ExitCode.OK if cache.ok and sound else ExitCode.HARNESS_FAULT


def _runners() -> list[Item]:
    """Built-ins and plugins alike, each with its distribution; a broken one with the reason."""
    return [
        Item(name, ok=fault is None, found=origin, advice=fault or "", lack="broken")
        for name, origin, fault in TestRunnerRegistry.installed()
    ]


def _tools_of_runners() -> dict[str, str]:
    runners = TestRunnerRegistry.get_all_runners()
    return {name: advice for runner in runners for name, advice in runner.tools.items()}


def _toolchains() -> list[Item]:
    """Those that must have an age, tried as judging would."""
    sandbox = choose()
    asked: dict[str, Callable[[], str]] = {
        "Go": lambda: go_toolchain(sandbox),
        "Rust": lambda: rust_toolchain().version,
        "Java": lambda: jdk(sandbox).description,
    }
    return [_tried(language, ask) for language, ask in asked.items()]


def _tried(name: str, ask: Callable[[], str]) -> Item:
    try:
        return Item(name, ok=True, found=ask().splitlines()[0])
    except (MissingTool, EnvironmentFault) as error:
        return Item(name, ok=False, found="", advice=str(error))


def _section(console: Console, title: str, items: list[Item]) -> None:
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(no_wrap=True, min_width=22)
    table.add_column(no_wrap=True, min_width=8)
    table.add_column(overflow="fold")
    for item in items:
        mark = Text("ok", "green") if item.ok else Text(item.lack, "yellow")
        table.add_row(Text(item.name), mark, Text(item.found if item.ok else item.advice))
    console.print(f"\n[bold]{title}[/]")
    console.print(table)
