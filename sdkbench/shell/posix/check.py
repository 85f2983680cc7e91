"""Both parts of the POSIX judge over many commands: the shell language, and the utilities.

The language is judged by ShellCheck's portability and syntax codes and by shfmt's POSIX grammar.
Neither is enough alone: ShellCheck has no SC3xxx code for `function f {…}`, shfmt's POSIX mode
takes `[[ a ]]` for a command of that name.
"""

import re
from collections.abc import Sequence
from typing import Annotated, NamedTuple

from sdkbench.core.arguments import FUNCTION, AnyText, public
from sdkbench.shell.posix.kept import kept_tools
from sdkbench.shell.posix.report import Edition, PosixFinding, PosixOutcome, PosixReport
from sdkbench.shell.posix.tools import BatchTools, Remark, Remarks, Run, Tools
from sdkbench.shell.posix.utilities import judge_utilities
from sdkbench.shell.reader.tree import Span

# Findings of the utilities' judge that are about the shell, not about a program.
LANGUAGE_RULES = frozenset({"test", "builtin", "array"})

# ShellCheck's time grows faster than the text; nobody hands in a command of this length.
MAX_CHARACTERS = 20_000

# Error-level advice on text whose grammar POSIX defines ("$10", "$a[1]", "a==b", "If", a shebang
# further down): the tree stands, so the language is not in question.
ADVICE = frozenset({"SC1037", "SC1066", "SC1068", "SC1081", "SC1087", "SC1097", "SC1128"})

# A command must not switch findings off: directives lose their keyword, at the same length.
DIRECTIVE = re.compile(r"shellcheck(?=\s+\w[\w-]*=)")

# The case fall-through of 2024. Outside of `case` it is a syntax error with either spelling.
FALL_THROUGH = re.compile(r"(?<!;);&(?!&)")

ADDED_2024 = (
    re.compile(r"SC3003 "),  # $'…'
    re.compile(r"SC3012 .*lexicographical"),  # test a \< b
    re.compile(r"SC3013 .*-(nt|ot|ef)\b"),
    re.compile(r"SC3040 .*pipefail"),
    re.compile(r"SC3045 .*read -d\b"),
    re.compile(r"SC3045 .*ulimit -[HSacdfnstv]\b"),
)


Starter = Annotated[Run, FUNCTION]


class _Language(NamedTuple):
    outcome: PosixOutcome
    findings: tuple[PosixFinding, ...]


@public
def check_posix(
    commands: Sequence[AnyText],
    *,
    run: Starter | None = None,
    edition: Edition = Edition.POSIX_2017,
) -> list[PosixReport]:
    """One report per command, in order. Many commands share each start of a tool.

    `run` starts the tools, for every text; by default they run in the sandbox, and nothing is
    asked about a command that is surely plain or was asked about before.
    """
    tools = kept_tools() if run is None else BatchTools(run)
    outcomes = _judge_language(commands, edition, tools)
    return [
        _report(command, edition, outcome, judge_utilities(command, edition))
        for command, outcome in zip(commands, outcomes, strict=True)
    ]


@public
def is_posix_compliant(
    command: AnyText,
    *,
    run: Starter | None = None,
    edition: Edition = Edition.POSIX_2017,
) -> bool:
    """Whether one command's shell language is POSIX: `check_posix` without the findings.

    The first arm that objects decides, so the later ones, which take longer, are not asked.
    """
    if run is not None:
        return check_posix([command], run=run, edition=edition)[0].compliant
    if _unreadable(command) or _objects(judge_utilities(command, edition)):
        return False
    tools = kept_tools()
    text = _prepared(command, edition)
    if tools.shfmt([text], "posix")[text] != ():
        return False
    remarks = tools.shellcheck([text])[text]
    return remarks is not None and not any(_counts(remark, edition) for remark in remarks)


def _objects(utilities: tuple[PosixFinding, ...]) -> bool:
    return any(finding.rule in LANGUAGE_RULES for finding in utilities)


def _report(
    command: str, edition: Edition, language: _Language, utilities: tuple[PosixFinding, ...]
) -> PosixReport:
    # `[` is a utility by the letter, but every shell has it built in and ShellCheck counts its
    # other operators to the language; what it passes over is counted there too.
    operators = tuple(finding for finding in utilities if finding.rule in LANGUAGE_RULES)
    outcome, findings = language
    if operators and outcome is PosixOutcome.COMPLIANT:
        outcome = PosixOutcome.NOT_POSIX
    return PosixReport(
        command=command,
        edition=edition,
        outcome=outcome,
        language=findings + operators,
        utilities=tuple(finding for finding in utilities if finding.rule not in LANGUAGE_RULES),
    )


def _judge_language(commands: Sequence[str], edition: Edition, tools: Tools) -> list[_Language]:
    """One outcome per command, in order, from three kinds of process."""
    unreadable = {command: outcome for command in commands if (outcome := _unreadable(command))}
    sources = {c: _prepared(c, edition) for c in commands if c not in unreadable}
    posix = tools.shfmt(sources.values(), "posix")
    bash = tools.shfmt([text for text, remarks in posix.items() if remarks], "bash")
    # A command that no grammar takes never reaches ShellCheck, whose parser can take exponential
    # time on one (twenty unclosed "$((" are enough).
    rejected = {text for text, remarks in bash.items() if not _other_shell(remarks)}
    checked = tools.shellcheck([text for text in posix if text not in rejected])
    outcomes = dict(unreadable)
    for command, text in sources.items():
        if text in rejected:
            findings = _findings(text, posix[text] or ())
            outcomes[command] = _Language(PosixOutcome.SYNTAX_ERROR, findings)
        else:
            outcomes[command] = _weigh(text, posix[text], checked[text], edition)
    return [outcomes[command] for command in commands]


def _unreadable(text: str) -> _Language | None:
    if "\0" in text:
        return _alone(text, PosixOutcome.SYNTAX_ERROR, "a NUL byte can't be in a command")
    if not text.strip():
        return _alone(text, PosixOutcome.SYNTAX_ERROR, "there is no command")
    if len(text) > MAX_CHARACTERS:
        return _alone(text, PosixOutcome.UNJUDGED, f"longer than {MAX_CHARACTERS} characters")
    return None


def _alone(text: str, outcome: PosixOutcome, message: str) -> _Language:
    return _Language(outcome, (PosixFinding("text", message, Span(0, len(text))),))


def _prepared(text: str, edition: Edition) -> str:
    text = DIRECTIVE.sub("shell_lint", text)
    return FALL_THROUGH.sub(";;", text) if edition is Edition.POSIX_2024 else text


def _other_shell(remarks: Remarks | None) -> bool:
    """Whether a command that POSIX's grammar rejects is bash's, or known from another shell.

    shfmt says "… is a zsh feature" of what it knows from there. Asking it for zsh's grammar is no
    help: that takes half-written loops and conditions too.
    """
    return remarks is not None and all(" feature;" in remark.message for remark in remarks)


def _weigh(
    text: str, shfmt_said: Remarks | None, shellcheck_said: Remarks | None, edition: Edition
) -> _Language:
    if shfmt_said is None or shellcheck_said is None:
        return _alone(text, PosixOutcome.UNJUDGED, "the tools gave no answer in time")
    counted = [remark for remark in shellcheck_said if _counts(remark, edition)]
    findings = _findings(text, (*counted, *shfmt_said))
    return _Language(PosixOutcome.NOT_POSIX if findings else PosixOutcome.COMPLIANT, findings)


def _counts(remark: Remark, edition: Edition) -> bool:
    if remark.code.startswith("SC1"):
        return remark.error and remark.code not in ADVICE
    if edition is Edition.POSIX_2024:
        line = f"{remark.code} {remark.message}"
        return not any(added.match(line) for added in ADDED_2024)
    return True


def _findings(text: str, remarks: Remarks) -> tuple[PosixFinding, ...]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    findings = []
    for code, message, line_number, column, _ in remarks:
        # ShellCheck may point one line past the end; the last start is the text's length and one.
        at = starts[min(line_number, len(starts)) - 1] + column - 1
        at = min(at, starts[-1] - 1)
        findings.append(PosixFinding(code, message, Span(at, at)))
    return tuple(findings)
