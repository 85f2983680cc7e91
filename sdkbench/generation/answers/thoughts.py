"""What a reasoning model thought aloud before its answer is no part of the answer."""

import re

NAMES = r"(?:seed:)?think(?:ing)?|thoughts?|reasoning|analysis|scratchpad|reflection|planning"
# Opening and closing signs, and what the answer must begin with for them to be those of thoughts.
OPENING = re.compile(rf"\A\s*(?:<(?P<tag>{NAMES})>|\[THINK\]|◁think▷)", re.IGNORECASE)
CLOSING = r"</{tag}>|\[/THINK\]|◁/think▷"
# Without an opening one, the sign stands alone or before any code: else it may be a word of code.
HIDDEN_OPENING = re.compile(
    r"(?:^[^\S\n]*</think(?:ing)?>[^\S\n]*$|\A[^`]*</think(?:ing)?>[^\S\n]*)\n?",
    re.IGNORECASE | re.MULTILINE,
)
# The channels of models that mark each part of their output by its kind.
FINAL = re.compile(r"<\|channel\|>\s?final\b[^<\n]{0,100}(?:<\|constrain\|>\w+\s?)?<\|message\|>")
CONTROL = re.compile(r"<\|(?:end|return|im_end|eot_id|endoftext)\|>\s*\Z")
MOST_THOUGHTS = 20  # one after another; more than any model has


def without_thoughts(text: str) -> str:
    """The answer alone; all of the text where its thoughts have no end."""
    final = list(FINAL.finditer(text))
    if final:
        text = text[final[-1].end() :]
    text = CONTROL.sub("", text)
    for _ in range(MOST_THOUGHTS):
        opening = OPENING.match(text)
        if opening is None:
            break
        shortened = _after(text, CLOSING.format(tag=opening["tag"] or "think"))
        if shortened is None:
            return text
        text = shortened
    hidden = HIDDEN_OPENING.search(text) if "<think" not in text else None
    return text if hidden is None else text[hidden.end() :]


def _after(text: str, closing: str) -> str | None:
    """What follows the closing sign: the first on a line of its own, else the first of all."""
    own_line = re.search(rf"^[^\S\n]*(?:{closing})[^\S\n]*$\n?", text, re.MULTILINE | re.IGNORECASE)
    found = own_line or re.search(closing, text, re.IGNORECASE)
    return None if found is None else text[found.end() :]
