"""OtherValues: what a test could expect instead, drawn from what its file has, and by chance.

Another value is different for certain. It should not stand out: it looks like the one before, and
like others of the file. Nobody who has the file alone can tell what will be drawn.
"""

import random
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")
TOKEN = re.compile(r"[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
WORD = re.compile(r"[A-Za-z]+")
PART_LETTERS = 5  # of a word that is looked for: a shorter one may be anywhere
PHRASE_LETTERS = 8
WORD_LETTERS = 3
VOWELS, CONSONANTS = "aeiou", "bcdfghlmnprstvw"
LETTERS = VOWELS + CONSONANTS
# What integer types hold at most: another number fits wherever the first one does.
LARGEST = (127, 255, 32767, 65535, 2**31 - 1, 2**32 - 1, 2**63 - 1, 2**64 - 1)
FROM_FILE = 0.7  # how often a number is one that the file has, where there is one
PLAIN_TEXT = re.compile(r"[^\\\n\r\"'`$%{}]*")  # needs no escape in any language
TRIES = 40
SMALL, SPAN = 10, 4  # numbers of one digit: others are near
STEMS = ("Quota", "Ledger", "Channel", "Snapshot", "Session", "Cursor", "Replica", "Payload")


class OtherValues:
    """`texts` and `numbers` are the file's own; those of the test itself come first.

    `typed`: numbers have types, and another one must fit into those that the first one fits into.
    `source`: the file's text, which has no room for a second thing of one name.
    """

    def __init__(
        self,
        texts: Iterable[str] = (),
        numbers: Iterable[int] = (),
        chance: random.Random | None = None,
        *,
        sizes: Collection[int] = (),
        typed: bool = False,
        source: str = "",
    ) -> None:
        self.texts = list(dict.fromkeys(t for t in texts if t and PLAIN_TEXT.fullmatch(t)))
        self.numbers = list(dict.fromkeys(numbers))
        self.words: list[str] = list(dict.fromkeys(w for t in self.texts for w in WORD.findall(t)))
        self.chance: random.Random = chance or random.SystemRandom()
        self.sizes = frozenset(size for size in sizes if size > 1)
        self.typed = typed
        self.source = source
        self._names: set[str] = set()

    def near(
        self, texts: Iterable[str], numbers: Iterable[int], sizes: Collection[int] = ()
    ) -> "OtherValues":
        """The same, with these before all others; `sizes` are those of the test's own lists."""
        texts, numbers = [*texts, *self.texts], [*numbers, *self.numbers]
        other = OtherValues(
            texts, numbers, self.chance, sizes=sizes, typed=self.typed, source=self.source
        )
        other._names = self._names  # drawn once for a file
        return other

    def beside(self, texts: Iterable[str]) -> "OtherValues":
        """The same, for one value of a list that has these already: seldom has a list one twice."""
        other = self.near((), (), self.sizes)
        there = set(texts)
        other.texts = [text for text in self.texts if text not in there]
        other.words = [word for word in self.words if word not in there]
        return other

    @property
    def with_sizes(self) -> "OtherValues":
        """The same, where sizes of lists may be others too."""
        return self.near((), ())

    def integer(self, value: int) -> int | None:
        """Not negative, as `value` is not; of the same length, and with its trailing zeros.

        None for what may be the size of a list beside it, which would tell that it is another.
        """
        if value in self.sizes:
            return None
        digits = str(value)
        most = int("9" * len(digits))
        if self.typed:
            fitting = next((m for m in LARGEST if value <= m + 1), value)
            most = min(most, max(fitting, value))  # -128 has the type of 127
        alike = [n for n in self.numbers if n != value and _digits(n) == _digits(value) and n >= 0]
        alike = [n for n in alike if n <= most]
        if alike and self.chance.random() < FROM_FILE:
            return self._early(alike)
        if value < SMALL:
            near = range(max(0, value - SPAN), value + SPAN + 1)
            return self.chance.choice([n for n in near if n != value])
        low = int("1" + "0" * (len(digits) - 1))
        unit = int("1" + "0" * (len(digits) - len(digits.rstrip("0"))))
        while unit > 1 and (most - low) // unit < SPAN:
            unit //= SMALL
        drawn = [self.chance.randint(-(-low // unit), most // unit) * unit for _ in range(TRIES)]
        others = [n for n in drawn if n != value] or [value - unit]
        # The nearest of a few: a size or a sum is seldom ten times another.
        return min(others[:SPAN], key=lambda n: abs(n - value))

    def text(self, text: str) -> str:
        """A text that is not equal to this one, whatever its case; numbers in it stay numbers."""
        alike = [other for other in self.texts if _shape(other) == _shape(text)]
        return self._differing(text, lambda: self._like(text, alike))

    def _like(self, text: str, alike: Sequence[str]) -> str:
        """One of the file's that is written alike; or this one, with other words or digits."""
        alike = [other for other in alike if not _same(other, text)]
        if alike and self.chance.random() < FROM_FILE:
            return self._early(alike)
        tokens = TOKEN.findall(text)
        places = [i for i, token in enumerate(tokens) if token.isalnum()]
        if not places:
            return text + self.chance.choice(self.words or ["x"])
        if len(places) > 1 and " " not in text:
            places = places[1:]  # how an identifier begins says what it is of
        place = self.chance.choice([i for i in places if len(tokens[i]) > 1] or places)
        tokens[place] = self._token(tokens[place])
        return "".join(tokens)

    def part(self, text: str) -> str | None:
        """A text for one that is looked for in longer ones: whoever has the one has not the other.

        None if no word of it is long enough to say so. A word becomes one that begins like it and
        ends like another of the file's, which no honest text holds.
        """
        words = list(WORD.finditer(text))
        # A phrase tells by all of its words together.
        phrase = len(words) > 1 and sum(len(m.group()) for m in words) >= PHRASE_LETTERS
        least = WORD_LETTERS if phrase else PART_LETTERS
        words = [m for m in words if len(m.group()) >= least]
        if not words:
            return None
        chosen = self.chance.choice(words)
        known = {word.casefold() for word in self.words}
        for _ in range(TRIES):
            other = self._blend(chosen.group())
            if other.casefold() not in known and _letters_apart(other, chosen.group()) > 1:
                return text[: chosen.start()] + other + text[chosen.end() :]
        return None

    def class_name(self, like: str) -> str:
        """A name for a class of this test's own, of the same kind as `like`."""
        kind = next((k for k in ("Exception", "Error", "Warning") if like.endswith(k)), "Error")
        plain = [w for w in self.words if len(w) >= PART_LETTERS and not w.isupper()]
        words = [word.capitalize() for word in plain]
        stems = [word for word in [*words, *STEMS] if not word.startswith("Test")]
        names = [
            self.chance.choice(stems) + self.chance.choice(["", *STEMS]) + kind
            for _ in range(TRIES)
        ]
        free = [n for n in names if n not in self._names and n not in self.source and n != like]
        name = free[0] if free else f"{names[0]}{len(self._names)}"
        self._names.add(name)
        return name

    def _token(self, token: str) -> str:
        if token.isdigit():
            return self._number_in_text(token)
        fitting = [w for w in self.words if abs(len(w) - len(token)) < SPAN and not _same(w, token)]
        if len(token) >= WORD_LETTERS and fitting and self.chance.random() < FROM_FILE:
            return _cased(self._early(fitting), token)
        return self._blend(token)

    def _number_in_text(self, digits: str) -> str:
        """The last digits are others: months, days and leading zeros stay what they are."""
        if len(digits) == 1:
            return self.chance.choice([d for d in "123456789" if d != digits])
        last = self.chance.choice([d for d in "0123456789" if d != digits[-1]])
        if len(digits) > len("2024"):
            middle = "".join(self.chance.choice("0123456789") for _ in digits[1:-1])
            return digits[0] + middle + last
        return digits[:-1] + last

    def _blend(self, word: str) -> str:
        """How this word begins and how another one ends; of the same length."""
        if len(word) == 1:
            return _cased(self.chance.choice([c for c in LETTERS if c != word.lower()]), word)
        keep = len(word) // 2
        tails = [w[-(len(word) - keep) :] for w in self.words if len(w) > len(word) - keep]
        if tails and self.chance.random() < FROM_FILE:
            return _cased(word[:keep] + self.chance.choice(tails), word)
        return _cased(word[:keep] + "".join(map(self._letter, word[keep:])), word)

    def _letter(self, letter: str) -> str:
        kind = VOWELS if letter.lower() in VOWELS else CONSONANTS
        return self.chance.choice([other for other in kind if other != letter.lower()])

    def _differing(self, text: str, draw: Callable[[], str]) -> str:
        for _ in range(TRIES):
            other = draw()
            if not _same(other, text):
                return other
        return f"{text}{self.chance.choice(VOWELS)}"

    def _early(self, items: Sequence[T]) -> T:
        """One of them, and rather one of the first."""
        place = min(self.chance.randrange(len(items)) for _ in range(2))
        return items[place]


def _digits(value: int) -> int:
    return len(str(abs(value)))


def _shape(text: str) -> str:
    """How a text is written: `user_12` as `a_0`. A capital counts where it comes first."""
    plain = re.sub(r"[0-9]+", "0", re.sub(r"[A-Z]+(?![a-z])", "B", text))
    return re.sub(r"[a-z]+", "a", re.sub(r"[A-Z][a-z]+", "Aa", plain))


def _same(one: str, other: str) -> bool:
    """Equal but for case, blanks or the way to write a number."""
    plain = ["".join(text.casefold().split()) for text in (one, other)]
    try:
        return plain[0] == plain[1] or float(one) == float(other)
    except ValueError:
        return False


def _cased(word: str, like: str) -> str:
    if like.isupper():
        return word.upper()
    return word.capitalize() if like[:1].isupper() else word.lower()


def _letters_apart(one: str, other: str) -> int:
    apart = sum(a != b for a, b in zip(one.lower(), other.lower(), strict=False))
    return apart + abs(len(one) - len(other))
