"""Another literal in place of one that a test expects: different for certain, and as plausible."""

import re
import secrets
import zlib
from collections.abc import Sequence
from typing import TypeVar

SALT = secrets.randbits(32)
MEMBER_LETTERS = 5  # of a word that is looked for: a shorter one may be anywhere
WORD_LETTERS = 3
LETTERS = "etaoinsrldu"
SMALL = 127  # what every type of integer can hold

T = TypeVar("T")


def turn(text: str) -> int:
    """Which of several ways to take: nobody who knows the text can tell."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"), SALT)


def one_of(ways: Sequence[T], seed: str) -> T:
    return ways[turn(seed) % len(ways)]


def misspelt(text: str, letters: int = MEMBER_LETTERS) -> str | None:
    """The text with one letter of its longest word changed; None if no word is long enough.

    Whoever has the one has not the other: good for texts that are looked for in longer ones.
    """
    words = [m for m in re.finditer(r"[A-Za-z]+", text) if len(m.group()) >= letters]
    if not words:
        return None
    longest = max(words, key=lambda m: len(m.group()))
    place = longest.start() + len(longest.group()) // 2
    return text[:place] + _other_letter(text[place], text) + text[place + 1 :]


def other_text(text: str) -> str:
    """A text that is not equal to this one, whatever its case; numbers in it stay numbers."""
    changed = misspelt(text, WORD_LETTERS)
    if changed is not None:
        return changed
    last = text[-1:]
    if last.isascii() and last.isdigit():
        return text[:-1] + one_of([digit for digit in "123456789" if digit != last], text)
    if last.isascii() and last.isalpha():
        return text[:-1] + _other_letter(last, text)
    return text + _other_letter("", text)


def other_integer(digits: str) -> str:
    """Another number that fits into every type that this one fits into, with a minus too."""
    value = int(digits.replace("_", ""))
    near = [value + 1, value + 2, value + 10, 2 * value + 3, value - 1, value - 2]
    fitting = [other for other in near if 0 <= other <= max(value, SMALL)]
    return str(one_of(fitting, digits))


def _other_letter(letter: str, seed: str) -> str:
    found = one_of([other for other in LETTERS if other != letter.lower()], seed)
    return found.upper() if letter.isupper() else found
