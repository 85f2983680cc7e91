"""`sdkbench`: the commands, and the one place where exceptions become words and exit codes."""

import asyncio
import sys
import traceback
from typing import Annotated, Protocol, runtime_checkable

import typer
from rich.console import Console

from sdkbench import __version__
from sdkbench.cli import (
    cache,
    detect,
    doctor,
    fcorr,
    metrics,
    new,
    run,
    selftest,
    serve,
    shell,
    tasks,
    validate,
)
from sdkbench.cli.console import harmless
from sdkbench.cli.results import (
    compare,
    export,
    gate,
    import_results,
    report,
    show,
    view,
)
from sdkbench.core.collector import collect_seldom
from sdkbench.errors import ExitCode, SdkbenchError

app = typer.Typer(
    name="sdkbench",
    help="Decides whether code written by a language model really works.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("fcorr")(fcorr.fcorr)
app.command("detect")(detect.detect)
app.command("doctor")(doctor.doctor)
app.command("selftest")(selftest.selftest)
app.command("metrics")(metrics.metrics)
app.command("validate")(validate.validate)
app.command("run")(run.run)
app.command("runs")(show.runs)
app.command("regrade")(run.regrade)
app.command("show")(show.show)
app.command("report")(report.report)
app.command("view")(view.view)
app.command("compare")(compare.compare)
app.command("gate")(gate.gate)
app.command("export")(export.export)
app.command("import")(import_results.import_results)
app.command("export-tasks")(tasks.export_tasks)
app.command("import-tasks")(tasks.import_tasks)
app.command("init")(new.init)
app.add_typer(new.app, name="new")
app.add_typer(cache.app, name="cache")
app.add_typer(shell.app, name="shell")
app.add_typer(serve.app, name="serve")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sdkbench {__version__}")
        raise typer.Exit


@app.callback()
def root(
    _version_wanted: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def main(argv: list[str] | None = None) -> None:
    """Run and exit: 0 done, 1 gate not met, 2 bad input, 3 our fault, 130 interrupted."""
    collect_seldom()
    sys.exit(exit_code(argv))


@runtime_checkable
class _UsageComplaint(Protocol):
    """What Typer raises for a flag it can't read; its base class has moved between versions."""

    def format_message(self) -> str: ...

    def show(self) -> None: ...


def _printable(error: SdkbenchError) -> str:
    """Paths in a message need not be valid UTF-8, and judged code may have written some of it."""
    return harmless(str(error).encode("utf-8", "replace").decode())


def exit_code(argv: list[str] | None = None) -> int:
    complain = Console(stderr=True, highlight=False, soft_wrap=True)
    try:
        code = app(argv, standalone_mode=False)
    except (typer.Abort, KeyboardInterrupt, asyncio.CancelledError):
        return ExitCode.INTERRUPTED
    except SdkbenchError as error:
        complain.print(f"Error: {_printable(error)}", markup=False)
        return error.exit_code
    except (BrokenPipeError, SystemExit):
        return ExitCode.OK  # the reader has had enough; Rich ends the program for that
    except Exception as error:  # noqa: BLE001 - the last boundary: say so, with what a report needs
        if isinstance(error, _UsageComplaint):
            error.show()
            return ExitCode.BAD_INPUT
        complain.print(
            "This is a fault of SDKBench, not of the code it judged. Please report it with:",
            markup=False,
        )
        complain.print(traceback.format_exc(), markup=False)
        return ExitCode.HARNESS_FAULT
    return code if isinstance(code, int) else ExitCode.OK
