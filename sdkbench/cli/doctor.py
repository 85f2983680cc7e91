"""`sdkbench doctor`: what this machine has, what it lacks, and what to do about each gap."""

from collections.abc import Callable, Mapping

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.options import JsonOption
from sdkbench.environments import Cache
from sdkbench.errors import EnvironmentFault, ExitCode, MissingTool
from sdkbench.report import json_text, machine_report
from sdkbench.report.machine import MachineReport
from sdkbench.sandbox import choose
from sdkbench.sandbox.inspection import TOOLS, Item, limits, tools
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.go.environment import toolchain as go_toolchain
from sdkbench.test_harness.java.maven import jdk
from sdkbench.test_harness.rust.environment import toolchain as rust_toolchain


def doctor(json_output: JsonOption = False) -> int:
    """Look at tools, sandbox, limits, cache and runners; exit 3 if judging can't work at all:
    without a cache, or with a broken plugin.
    """
    runners = _runners()
    sound = all(runner.ok for runner in runners)
    cache = _tried("cache folder", lambda: str(Cache().root))
    sections = {
        "Tools": tools(TOOLS | (_tools_of_runners() if sound else {})),
        "Toolchains": _toolchains(),
        "Sandbox": limits(),
        "Cache": [cache],
        "Runners": runners,
    }
    report = machine_report(sections, usable=cache.ok and sound)
    if json_output:
        typer.echo(json_text(report, indent=2))
    else:
        _show(report, sections)
    return ExitCode.OK if report.usable else ExitCode.HARNESS_FAULT


def _show(report: MachineReport, sections: Mapping[str, list[Item]]) -> None:
    console = Console(highlight=False)
    console.print(
        f"sdkbench {report.sdkbench_version}, Python {report.python_version}, {report.platform}"
    )
    console.print(
        f"interpreter for judged code: {report.interpreter}", soft_wrap=True, markup=False
    )
    for title, items in sections.items():
        _section(console, title, items)


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
