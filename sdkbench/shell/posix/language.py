"""The shell-language arm: ShellCheck's portability and syntax codes, and shfmt's POSIX grammar.

Neither is enough alone: ShellCheck has no SC3xxx code for `function f {…}`, shfmt's POSIX mode
takes `[[ a ]]` for a command of that name.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sdkbench.shell.posix.report import Edition, PosixFinding, PosixOutcome
from sdkbench.shell.posix.tools import Remark, Remarks, Run, shellcheck, shfmt
from sdkbench.shell.syntax import Span

# ShellCheck's time grows faster than the text; nobody hands in a command of this length.
MAX_CHARACTERS = 20_000

# Error-level advice on text whose grammar POSIX defines ("$10", "$a[1]", "a==b", "If", a shebang
# further down): the tree stands, so the language is not in question.
ADVICE = frozenset({"SC1037", "SC1066", "SC1068", "SC1081", "SC1087", "SC1097", "SC1128"})

# A command can't talk the judge out of its findings: directives lose their keyword, same length.
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


class LanguageVerdict(NamedTuple):
    outcome: PosixOutcome
    findings: tuple[PosixFinding, ...]


def judge_language(
    commands: Sequence[str], edition: Edition, run: Run
) -> tuple[LanguageVerdict, ...]:
    """One verdict per command, in order, from three kinds of process."""
    verdicts = {at: found for at, text in enumerate(commands) if (found := _unreadable(text))}
    sources = {
        at: _prepared(text, edition) for at, text in enumerate(commands) if at not in verdicts
    }
    posix = _by_place(sources, shfmt(list(sources.values()), "posix", run))
    elsewhere = _read_elsewhere({at: sources[at] for at, said in posix.items() if said}, run)
    # A command that no grammar takes never reaches ShellCheck, whose parser can take exponential
    # time on one (twenty unclosed "$((" are enough).
    readable = {at: text for at, text in sources.items() if not posix[at] or elsewhere[at]}
    checked = _by_place(readable, shellcheck(list(readable.values()), run))
    for at, text in sources.items():
        if at in checked:
            verdicts[at] = _weigh(text, posix[at], checked[at], edition)
        else:
            findings = _findings(text, posix[at] or ())
            verdicts[at] = LanguageVerdict(PosixOutcome.SYNTAX_ERROR, findings)
    return tuple(verdicts[at] for at in range(len(commands)))


def _unreadable(text: str) -> LanguageVerdict | None:
    if "\0" in text:
        return _alone(text, PosixOutcome.SYNTAX_ERROR, "a NUL byte can't stand in a command")
    if not text.strip():
        return _alone(text, PosixOutcome.SYNTAX_ERROR, "there is no command")
    if len(text) > MAX_CHARACTERS:
        return _alone(text, PosixOutcome.UNJUDGED, f"longer than {MAX_CHARACTERS} characters")
    return None


def _alone(text: str, outcome: PosixOutcome, message: str) -> LanguageVerdict:
    return LanguageVerdict(outcome, (PosixFinding("text", message, Span(0, len(text))),))


def _prepared(text: str, edition: Edition) -> str:
    text = DIRECTIVE.sub("shell_lint", text)
    return FALL_THROUGH.sub(";;", text) if edition is Edition.POSIX_2024 else text


def _by_place(
    sources: Mapping[int, str], remarks: Sequence[Remarks | None]
) -> dict[int, Remarks | None]:
    return dict(zip(sources, remarks, strict=True))


def _read_elsewhere(rejected: Mapping[int, str], run: Run) -> dict[int, bool]:
    """Which commands that POSIX's grammar rejects are read by bash, or known from another shell.

    shfmt says "… is a zsh feature" of what it knows from there. Asking it for zsh's grammar is no
    help: that takes half-written loops and conditions too.
    """
    answers = _by_place(rejected, shfmt(list(rejected.values()), "bash", run))
    return {
        at: said is not None and all(" feature;" in remark.message for remark in said)
        for at, said in answers.items()
    }


def _weigh(
    text: str, shfmt_said: Remarks | None, shellcheck_said: Remarks | None, edition: Edition
) -> LanguageVerdict:
    if shfmt_said is None or shellcheck_said is None:
        return _alone(text, PosixOutcome.UNJUDGED, "the tools gave no answer in time")
    counted = [said for said in shellcheck_said if _counts(said, edition)]
    findings = _findings(text, (*counted, *shfmt_said))
    outcome = PosixOutcome.NOT_POSIX if findings else PosixOutcome.COMPLIANT
    return LanguageVerdict(outcome, findings)


def _counts(said: Remark, edition: Edition) -> bool:
    if said.code.startswith("SC1"):
        return said.error and said.code not in ADVICE
    if edition is Edition.POSIX_2024:
        line = f"{said.code} {said.message}"
        return not any(added.match(line) for added in ADDED_2024)
    return True


def _findings(text: str, remarks: Remarks | Sequence[Remark]) -> tuple[PosixFinding, ...]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return tuple(PosixFinding(said.code, said.message, _span(said, starts)) for said in remarks)


def _span(said: Remark, starts: Sequence[int]) -> Span:
    # ShellCheck may point one line past the end; the last start is the text's length and one.
    at = starts[min(said.line, len(starts)) - 1] + said.column - 1
    at = min(at, starts[-1] - 1)
    return Span(at, at)
