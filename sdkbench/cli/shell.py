"""`sdkbench shell`: shell commands measured, checked, compared; datasets validated."""

import typer

from sdkbench.cli import shell_check, shell_eval, shell_validate
from sdkbench.errors import ExitCode
from sdkbench.report import shell_schema

app = typer.Typer(
    help="Judge shell commands: right, safe, POSIX.", no_args_is_help=True, rich_markup_mode=None
)
app.command("eval")(shell_eval.evaluate)
app.command("check")(shell_check.check)
app.command("diff")(shell_check.diff)
app.command("validate")(shell_validate.validate)


@app.command("schema")
def schema() -> int:
    """Print the JSON Schema of what `eval --json` prints."""
    typer.echo(shell_schema(), nl=False)
    return ExitCode.OK
