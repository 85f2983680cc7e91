"""Tests that read a solution's text: they say how it is written, and nothing of what it does."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from sdkbench.datasets import Sample
from sdkbench.validation.syntax import Source, sources
from sdkbench.validation.values import Check, CheckName, Gap

READING = re.compile(
    r"\b(?:open|read_text|read_bytes|readFile|readFileSync|readdirSync|createReadStream|ReadFile"
    r"|ReadDir|WalkDir|read_to_string|read_dir|readString|readAllLines|readAllBytes|newBufferedReader"
    r"|rglob|iterdir|glob|listdir|FileReader)\s*\(|\binclude_str!"
)
SOURCE_OF = re.compile(
    r"\binspect\.(?:getsource|getsourcelines|getsourcefile)\b|\b(?:__code__|co_names|co_consts)\b"
    r"|\bast\.parse\s*\("
)
# The solution's folder as tests see it: beside them, or where Java's tests begin.
PLACE = re.compile(r"""["'`/\\]expected(?:["'`/\\]|$)|["'`]src/main\b|\bexpected\w*\.__file__""")
ASSIGNED = re.compile(
    r"^\s*(?:export\s+)?(?:const|let|var|static|final|private|val)?\s*(?:\w+\s+)?([A-Za-z_]\w*)"
    r"(?:\s*:\s*[^=]+)?\s*:?=\s*(?![=])(.+)$"
)
SOLUTION = re.compile(
    r"\bfrom\s+expected(?:\.\w+)*\s+import\s+(.+)|\bimport\s+expected(?:\.\w+)*\s+as\s+(\w+)"
)
DEEP = 4  # names that stand for other names


class Found(NamedTuple):
    path: str
    line: int
    text: str


def readings(sample: Sample) -> Iterator[Found]:
    """Every line of the tests that reads the solution's files, or asks for its source."""
    for source in sources(sample.tests_dir):
        yield from _readings(source._replace(path=f"tests/{source.path}"))


def _readings(source: Source) -> Iterator[Found]:
    lines = source.text.splitlines()
    places = _names_of_places(lines)
    own = rf"\b(?:{'|'.join(map(re.escape, places))})\b" if places else r"(?!)"
    for number, line in enumerate(lines, start=1):
        code = line.partition("#" if source.path.endswith(".py") else "//")[0] or line
        leads = PLACE.search(code) or re.search(own, code)
        if (READING.search(code) and leads) or SOURCE_OF.search(code):
            yield Found(source.path, number, line.strip())


def _names_of_places(lines: list[str]) -> set[str]:
    """Variables that hold a path of the solution, also by way of others."""
    places: set[str] = set()
    modules = _solution_modules(lines)
    for _ in range(DEEP):
        known = rf"\b(?:{'|'.join(map(re.escape, places))})\b" if places else r"(?!)"
        for line in lines:
            assigned = ASSIGNED.match(line)
            if assigned is None:
                continue
            value = assigned[2]
            of_module = re.search(r"\b(\w+)\.__file__", value)
            if (
                PLACE.search(value)
                or re.search(known, value)
                or (of_module and of_module[1] in modules)
            ) and not _is_import(value):
                places.add(assigned[1])
    return places


def _solution_modules(lines: list[str]) -> set[str]:
    names: set[str] = set()
    for line in lines:
        match = SOLUTION.search(line)
        if match:
            names |= {name.strip().rpartition(" ")[2] for name in (match[1] or match[2]).split(",")}
    return names


def _is_import(value: str) -> bool:
    """Loading a module runs it: that is no reading."""
    return bool(
        re.match(r"\s*(?:await\s+)?(?:import|require|importlib\.\w+|vi\.\w+|jest\.\w+)\b", value)
    )


def check_behaviour(sample: Sample, home: str) -> Check:
    gaps = [
        Gap(
            path=f"{home}/{reading.path}",
            line=reading.line,
            what=f"this test reads the solution's text: {reading.text[:120]}",
            todo="call the solution and look at what it does: another right solution has other "
            "text, and a wrong one may have the same",
        )
        for reading in readings(sample)
    ]
    return Check(name=CheckName.BEHAVIOUR, gaps=tuple(gaps))
