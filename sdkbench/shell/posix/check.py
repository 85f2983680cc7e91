"""Both arms of the POSIX judge over many commands."""

from collections.abc import Sequence

from sdkbench.shell.posix.language import LanguageVerdict, judge_language
from sdkbench.shell.posix.report import Edition, PosixFinding, PosixOutcome, PosixReport
from sdkbench.shell.posix.sandboxed import default_tools
from sdkbench.shell.posix.tools import Run
from sdkbench.shell.posix.utilities import judge_utilities

# Findings of the tree that are about the shell, not about a program.
LANGUAGE_RULES = frozenset({"test", "builtin", "array"})


def check_posix(
    commands: Sequence[str], *, run: Run | None = None, edition: Edition = Edition.POSIX_2017
) -> list[PosixReport]:
    """One report per command, in order; each tool is started once per two hundred commands.

    `run` starts the tools; by default the sandbox does.
    """
    verdicts = judge_language(commands, edition, run or default_tools())
    return [
        _joined(command, edition, verdict, judge_utilities(command, edition))
        for command, verdict in zip(commands, verdicts, strict=True)
    ]


def _joined(
    command: str, edition: Edition, verdict: LanguageVerdict, found: tuple[PosixFinding, ...]
) -> PosixReport:
    # `[` is a utility by the letter, but every shell has it built in and ShellCheck counts its
    # other operators to the language; what it passes over is counted there too.
    operators = tuple(finding for finding in found if finding.rule in LANGUAGE_RULES)
    outcome = verdict.outcome
    if operators and outcome is PosixOutcome.COMPLIANT:
        outcome = PosixOutcome.NOT_POSIX
    return PosixReport(
        command=command,
        edition=edition,
        outcome=outcome,
        language=verdict.findings + operators,
        utilities=tuple(finding for finding in found if finding.rule not in LANGUAGE_RULES),
    )


def is_posix_compliant(
    command: str, *, run: Run | None = None, edition: Edition = Edition.POSIX_2017
) -> bool:
    """Whether one command's shell language is POSIX. For many commands use `check_posix`."""
    return check_posix([command], run=run, edition=edition)[0].compliant
