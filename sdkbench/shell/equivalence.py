"""Whether two commands do the same: equal, different, or not to be decided by rules.

*equal*: the canonical forms are the same. *different*: something differs that is known to change
the effect. *unknown*: two spellings that could still mean the same. The words are read as
bash and the GNU utilities read them; what a shell function, an alias or a file in the way could
change is not considered.
"""

from enum import StrEnum
from typing import NamedTuple

from sdkbench.shell.canonical import Form, render, script_form
from sdkbench.shell.differences import first_difference
from sdkbench.shell.syntax import parse


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class CommandComparison(NamedTuple):
    """`difference` describes the first difference, and is empty if there is none."""

    verdict: Verdict
    difference: str = ""


def compare(first: str, second: str) -> CommandComparison:
    """A command that doesn't parse is never equal to anything, not even to itself."""
    forms: list[Form] = []
    for text in (first, second):
        form = canonical_form(text)
        if form is None:
            return CommandComparison(Verdict.UNKNOWN, f"not a complete command: {_displayed(text)}")
        if form == Form("script"):
            return CommandComparison(Verdict.UNKNOWN, "one side holds no command")
        forms.append(form)
    return compare_forms(*forms)


def compare_forms(first: Form, second: Form) -> CommandComparison:
    """As `compare`, for forms made once and compared many times."""
    if first == second:
        return CommandComparison(Verdict.EQUAL)
    difference = first_difference(first, second)
    return CommandComparison(
        Verdict.DIFFERENT if difference.sure else Verdict.UNKNOWN, difference.text
    )


def normalize_command(text: str) -> str:
    """The canonical spelling; text that doesn't parse comes back without its outer blanks."""
    form = canonical_form(text)
    return text.strip() if form is None else render(form)


def commands_match(first: str, second: str) -> bool:
    return compare(first, second).verdict == Verdict.EQUAL


def canonical_form(text: str) -> Form | None:
    """What `compare_forms` compares; None for text that doesn't parse."""
    script = parse(text).script
    return None if script is None else script_form(script)


def _displayed(text: str) -> str:
    limit = 60
    return text if len(text) <= limit else text[:limit] + "…"
