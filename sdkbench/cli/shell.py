"""`sdkbench shell`: commands measured, checked and compared; datasets validated."""

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from sdkbench.cli.console import plain_table, stdout_console
from sdkbench.cli.options import DatasetArgument, JsonOption
from sdkbench.cli.shell_eval import evaluate
from sdkbench.engine import find_dataset
from sdkbench.errors import ExitCode, GateNotMet
from sdkbench.report import command_difference, command_report, json_text, shell_schema
from sdkbench.shell import (
    TestDataset,
    Verdict,
    check_posix,
    check_safety,
    normalize_command,
)
from sdkbench.shell.dataset import Lines, locate
from sdkbench.shell.reader.tree import Span
from sdkbench.shell.syntax import parse
from sdkbench.shell.validation import Concern, concerns

app = typer.Typer(
    help="Judge shell commands: right, safe, POSIX.", no_args_is_help=True, rich_markup_mode=None
)
app.command("eval")(evaluate)
MAX_LINE = 200  # longer commands are shown without marks under them


@app.command("check")
def check(
    command: Annotated[str, typer.Argument(metavar="CMD", help="The command, as one word.")],
    json_output: JsonOption = False,
) -> int:
    """The canonical form of CMD, and what the safety and POSIX judges find. Nothing is run."""
    safety = check_safety(command)
    posix = check_posix([command])[0]
    if json_output:
        typer.echo(json_text(command_report(command, safety, posix), indent=2))
        return ExitCode.OK
    console = Console(highlight=False, soft_wrap=True)
    problem = parse(command).problem
    if problem is None:
        console.print(Text(f"canonical  {normalize_command(command)}"))
    else:
        console.print(Text(f"unreadable {problem.message}", style="red"))
        _point(console, command, Span(problem.position, problem.position))
    console.print(Text(f"safety     {'safe' if safety.safe else 'unsafe'}"))
    for risk in safety.findings:
        console.print(Text(f"  {risk.severity.label} {risk.rule}: {risk.message}"))
        _point(console, command, risk.span)
    console.print(Text(f"POSIX      {posix.outcome.value.replace('_', ' ')}"))
    for about, remarks in (("language", posix.language), ("utilities", posix.utilities)):
        if about == "utilities" and remarks:
            console.print("  of the utilities, which count only where a dataset says so:")
        for remark in remarks:
            console.print(Text(f"  {remark.rule}: {remark.message}"))
            _point(console, command, remark.span)
    return ExitCode.OK


@app.command("diff")
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A command, as one word.")],
    second: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    json_output: JsonOption = False,
) -> int:
    """Whether A and B do the same. Exit 0 if they surely do, 1 if not or if nobody can tell."""
    comparison = command_difference(first, second)
    if json_output:
        typer.echo(json_text(comparison, indent=2))
    else:
        console = Console(highlight=False, soft_wrap=True)
        said = (
            f"{comparison.verdict}: {comparison.difference}"
            if comparison.difference
            else comparison.verdict
        )
        console.print(Text(said))
        console.print(Text("  A  {}\n  B  {}".format(*comparison.canonical)))
    return ExitCode.OK if comparison.verdict is Verdict.EQUAL else ExitCode.GATE_NOT_MET


@app.command("validate")
def validate(
    dataset: DatasetArgument = "core",
    yes: Annotated[
        bool, typer.Option("--yes", help="Confirm every label that the judges contradict.")
    ] = False,
) -> int:
    """Every problem with its line. Labels against the judges need a note in their case, or --yes.

    Exit 2 if the dataset doesn't load, 1 if something is left to confirm.
    """
    source = find_dataset(dataset)
    loaded = TestDataset.from_toml(source)
    remarks = concerns(loaded)
    lines = locate(source.read_text(encoding="utf-8-sig"))
    places = {case.id: place for place, case in enumerate(loaded.test_cases)}
    console = stdout_console()
    if remarks:
        console.print(_concerns_table(remarks, lines, places))
    open_ones = [c for c in remarks if not c.confirmed]
    counts = f"{len(loaded.test_cases)} cases, {len(remarks)} remarks, {len(open_ones)} to confirm"
    console.print(Text(f"{source}: {counts}"))
    if open_ones and not yes:
        raise GateNotMet(
            f"{len(open_ones)} of these remarks need a change, a note in their case that says why "
            "the dataset is right, or --yes."
        )
    return ExitCode.OK


@app.command("schema")
def schema() -> int:
    """Print the JSON Schema of what `eval --json` prints."""
    typer.echo(shell_schema(), nl=False)
    return ExitCode.OK


def _point(console: Console, command: str, span: Span) -> None:
    """The line that the span begins in, and marks below the part that is meant."""
    begin = command.rfind("\n", 0, span.start) + 1
    end = command.find("\n", span.start)
    line = command[begin : end if end >= 0 else len(command)]
    if len(line) > MAX_LINE or not line.isprintable():
        return
    width = max(min(span.end, begin + len(line)) - span.start, 1)
    console.print(Text(f"    {line}\n    {' ' * (span.start - begin)}{'^' * width}"))


def _concerns_table(remarks: tuple[Concern, ...], lines: Lines, places: dict[str, int]) -> Table:
    table = plain_table()
    table.add_column("line", justify="right", no_wrap=True)
    for column in ("case", "about", "command", "remark"):
        table.add_column(column, overflow="fold")
    table.add_column("", no_wrap=True)
    for concern in remarks:
        table.add_row(
            str(lines.of("test_cases", places[concern.test_id])),
            Text(concern.test_id),
            concern.doubt.value,
            Text(concern.command),
            Text(concern.message),
            "" if concern.confirmed else Text("confirm", style="yellow"),
        )
    return table
