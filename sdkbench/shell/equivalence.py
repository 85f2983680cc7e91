"""Whether two commands do the same: equal, different, or not to be decided by rules.

*equal*: the canonical forms are the same. *different*: something differs that is known to change
the effect. *unknown*: two spellings that could still mean the same. The words are read as
bash and the GNU utilities read them; what a shell function, an alias or a file in the way could
change is not considered.
"""

from enum import StrEnum
from typing import NamedTuple

from sdkbench.core.arguments import AnyText, public
from sdkbench.shell.canonical import Form, canonical_script, render
from sdkbench.shell.differences import first_difference
from sdkbench.shell.syntax import parse


class Verdict(StrEnum):
    EQUAL = "equal"
    DIFFERENT = "different"
    UNKNOWN = "unknown"


class Ruling(NamedTuple):
    """`difference` describes the first difference, and is empty if there is none.

    `command` is the right command that an answer is equal to.
    """

    verdict: Verdict
    difference: str = ""
    command: str | None = None


@public
def compare(first: AnyText, second: AnyText) -> Ruling:
    """A command that doesn't parse is never equal to anything, not even to itself."""
    forms: list[Form] = []
    for text in (first, second):
        form = canonical_form(text)
        if form is None:
            return Ruling(Verdict.UNKNOWN, f"not a complete command: {_displayed(text)}")
        if form == Form("script"):
            return Ruling(Verdict.UNKNOWN, "one side holds no command")
        forms.append(form)
    return compare_forms(*forms)


def compare_forms(first: Form, second: Form) -> Ruling:
    """As `compare`, for forms made once and compared many times."""
    if first == second:
        return Ruling(Verdict.EQUAL)
    difference = first_difference(first, second)
    return Ruling(Verdict.DIFFERENT if difference.sure else Verdict.UNKNOWN, difference.text)


@public
def normalize_command(text: AnyText) -> str:
    """The canonical spelling; text that doesn't parse comes back without its outer blanks."""
    form = canonical_form(text)
    return text.strip() if form is None else render(form)


@public
def commands_match(first: AnyText, second: AnyText) -> bool:
    return compare(first, second).verdict == Verdict.EQUAL


def canonical_form(text: str) -> Form | None:
    """What `compare_forms` compares; None for text that doesn't parse."""
    script = parse(text).script
    return None if script is None else canonical_script(script)


def _displayed(text: str) -> str:
    limit = 60
    return text if len(text) <= limit else text[:limit] + "…"
