"""Keeping keys out of messages and results."""

import re
from collections.abc import Iterable, Mapping

HIDDEN = "[hidden]"
SECRET_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$", re.IGNORECASE)
# Shorter values ("EMPTY", "test") are placeholders, and would be found inside ordinary words.
SHORTEST_SECRET = 8
KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|hf|gsk|xai|ghp)[-_][\w*.-]{6,}|(?<=Bearer )\S+", re.IGNORECASE
)
MESSAGE_CHARACTERS = 300


def secrets_in(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Values of the variables whose names say that they are secret."""
    return tuple(value for name, value in environment.items() if SECRET_NAMES.search(name))


def without(secrets: Iterable[str], text: str) -> str:
    """`text` with every one of these values hidden."""
    for secret in sorted(secrets, key=len, reverse=True):
        if len(secret) >= SHORTEST_SECRET:
            text = text.replace(secret, HIDDEN)
    return text


def quoted(secrets: Iterable[str], text: str) -> str:
    """Foreign text made fit for a message: one short line, no key of ours or anyone's in it."""
    # Cut only after hiding: half a key is no longer found.
    line = " ".join(KEY_LIKE.sub(HIDDEN, without(secrets, text[: 1 << 16])).split())
    line = "".join(character for character in line if character.isprintable())
    return line if len(line) <= MESSAGE_CHARACTERS else line[: MESSAGE_CHARACTERS - 1] + "…"
