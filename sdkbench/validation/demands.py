"""Stated demands: whatever tests ask of a solution stands in the description or the starter.

A demand is what tests expect and the reference had to hold: a name, a number or a text that is
written in both. What tests hand in themselves, and what is computed from it, is none.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.datasets import Sample
from sdkbench.test_harness.recognition import text_of
from sdkbench.validation.expectations import (
    Literal,
    declared_names,
    literals_of,
    read_tests,
    used_names,
)
from sdkbench.validation.explanations import Explanations
from sdkbench.validation.syntax import SUFFIXES, Source, parsed, sources
from sdkbench.validation.values import Check, CheckName, Gap

SMALL = 2  # numbers up to here are indices and counts more often than demands
SHORT_TEXT = 3  # characters: a separator, an id, a unit
FRAGMENT = 4  # characters of a longer text that say something
META = re.compile(r"\\[bBdDsSwWnt]|[\\^$|?*+()\[\]{}]|\.(?=[*+?])")
WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen",
    "nineteen", "twenty",
)  # fmt: skip
SPANS = {"60": "minute", "3600": "hour", "86400": "day", "604800": "week", "1000": "second",
         "60000": "minute", "3600000": "hour", "86400000": "day"}  # fmt: skip


class Stated(NamedTuple):
    """What a solution's author can read: the description, and every file of the starter."""

    text: str
    numbers: frozenset[str]

    @classmethod
    def of(cls, texts: Iterable[str]) -> "Stated":
        text = _plain("\n".join(texts))
        numbers = set(re.findall(r"\d+(?:\.\d+)?", re.sub(r"(?<=\d)[,_](?=\d{3})", "", text)))
        lower = text.lower()
        numbers |= {str(n) for n, word in enumerate(WORDS) if re.search(rf"\b{word}\b", lower)}
        numbers |= {number for number, span in SPANS.items() if span in lower}
        return cls(text, frozenset(numbers))

    def says(self, literal: Literal) -> bool:
        if literal.kind == "number":
            return literal.value in self.numbers
        text, value = self.text, _plain(literal.value)
        if literal.is_header:
            text, value = text.lower(), value.lower()
        if literal.kind == "name":
            return bool(re.search(rf"\b{re.escape(value)}\b", text))
        return value in text


def _plain(text: str) -> str:
    """Without marks around words and differences of blanks."""
    return " ".join(re.sub(r"[`\"'\\]", "", text).split())


class Held(NamedTuple):
    """What the reference is written with."""

    texts: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    declared: frozenset[str]

    @classmethod
    def of(cls, written: Sequence[Source]) -> "Held":
        literals = [literal for source in written for literal in literals_of(source)]
        code = "\n".join(source.text for source in written)
        # A name behind a point is somebody else's, unless it is given to the object itself.
        own = re.findall(r"(?<![.\w])[A-Za-z_]\w*|(?<=self\.)\w+|(?<=this\.)\w+", code)
        return cls(
            frozenset(one.value for one in literals if one.kind == "text"),
            frozenset(one.value for one in literals if one.kind == "number"),
            frozenset(own),
            frozenset(name for source in written for name in declared_names(source)),
        )

    def demanded(self, expected: Literal) -> Iterator[Literal]:
        """The parts of what is expected that the reference has in writing."""
        value = expected.value
        if expected.is_header and expected.kind == "text":
            yield from [expected] if any(value.lower() == t.lower() for t in self.texts) else []
        elif expected.kind == "name":
            yield from [expected] if value in self.names else []
        elif expected.kind == "number":
            yield from [expected] if value in self.numbers else []
        elif len(value) >= SHORT_TEXT:
            yield from (expected._replace(value=part) for part in self._shared(value))

    def _shared(self, value: str) -> Iterator[str]:
        if value in self.texts:
            yield value
            return
        parts = [part.strip() for part in META.split(value)]
        for part in parts:
            if len(part) >= FRAGMENT and any(part in text for text in self.texts):
                yield part
                return
        for text in self.texts:
            fragment = text.strip()
            if len(fragment) >= FRAGMENT and fragment in value:
                yield fragment


def unstated(sample: Sample, explanations: Explanations) -> list[Literal]:
    """What tests expect, the reference knows and no text says; each once."""
    stated = Stated.of([sample.ground_truth.metadata.description, *_texts(sample.starter_dir)])
    held = Held.of(list(sources(sample.reference_dir)))
    tests = list(_test_sources(sample))
    reading = read_tests(tests)
    handed = {literal.value for literal in reading.given}
    own = {name for source in tests for name in declared_names(source)}
    # Names of a program that is only started from outside are its own affair.
    inside = [] if sample.ground_truth.metadata.black_box else tests
    called = (name for source in inside for name in used_names(source))
    asked = [name for name in called if name.value in held.declared - own]
    missing: dict[str, Literal] = {}
    for expected in (*reading.expected, *asked):
        if expected.value in handed and expected.kind != "name":
            continue
        if expected.kind == "number" and float(expected.value) <= SMALL:
            continue
        for demand in held.demanded(expected):
            known = stated.says(demand) or demand.value in handed or demand.value in missing
            if not known and not explanations.is_implied(demand.value):
                missing[demand.value] = demand
    return list(missing.values())


def _test_sources(sample: Sample) -> Iterator[Source]:
    for source in sources(sample.tests_dir):
        yield source._replace(path=f"tests/{source.path}")
    for path in sample.shared:
        if path.is_dir():
            yield from sources(path)
        elif path.suffix in SUFFIXES:
            yield parsed(text_of(path), path.name)


def _texts(folder: Path) -> Iterator[str]:
    if folder.is_dir():
        for path in tree.files(folder):
            yield path.relative_to(folder).as_posix()
            yield text_of(path)


def check_demands(sample: Sample, explanations: Explanations, home: str) -> Check:
    """`home` is the sample's folder as people are told of it."""
    gaps = [
        Gap(
            path=f"{home}/{literal.path}",
            line=literal.line,
            what=f"the tests expect the {literal.kind} {literal.value!r}, which no text states",
            todo="state it in the description or the starter, or give the reason why anybody "
            "would know it in metadata.json, validation.implied",
        )
        for literal in unstated(sample, explanations)
    ]
    return Check(name=CheckName.DEMANDS, gaps=tuple(gaps))
