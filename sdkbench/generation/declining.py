"""Whether a text without files is a model's way of saying no."""

import re

DECLINING = re.compile(
    r"""^\W*(?:(?:i['’]?m|i\ am)\ (?:really\ |very\ |so\ )?sorry\b|sorry,|i\ apologi[sz]e\b|
    (?:unfortunately,?\ )?i\ (?:can['’]?t|cannot|can\ not|won['’]?t|am\ (?:not\ able|unable)\ to|
    must\ decline|decline\ to|(?:do\ not|don['’]?t)\ feel\ comfortable)\b|
    i['’]m\ (?:unable|not\ able)\ to\b|as\ an\ ai\b|this\ request\ (?:violates|can(?:no|['’])t))""",
    re.IGNORECASE | re.VERBOSE,
)


def declines(text: str) -> bool:
    """Only for texts in which no file was found: many an answer begins with an apology."""
    return DECLINING.match(text) is not None
