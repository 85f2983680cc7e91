"""A dataset of prompts and the commands they ask for, read from TOML, and a selection of it."""

import re
import tomllib
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from sdkbench.core.arguments import AnyPath, PublicModel, public
from sdkbench.errors import InputError

MAX_DATASET_BYTES = 16 * 1024 * 1024
# More than this help nobody; the rest is only counted.
MAX_SHOWN_PROBLEMS = 50

# These locate cases and keys in the text: the TOML reader does not report lines.
_HEADER = re.compile(r"\s*\[\[\s*([A-Za-z0-9_-]+)\s*\]\]")
_TABLE = re.compile(r"\s*\[")
_KEY = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*=""")
_STRINGS = re.compile(r'"""|\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'|\#.*')

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Category(StrEnum):
    CORRECTNESS = "correctness"
    SAFETY = "safety"
    POSIX = "posix"


class Shell(StrEnum):
    SH = "sh"
    BASH = "bash"
    ZSH = "zsh"


class PosixScope(StrEnum):
    """What `posix_compliant` speaks of: the shell language only, or utilities and options too."""

    SHELL = "shell"
    FULL = "full"


@dataclass(slots=True)
class Lines:
    """Line numbers of cases and keys, from 1; a key that isn't known is at the line of its case."""

    known: dict[tuple[int | str, ...], int] = field(default_factory=dict)

    def of(self, *location: int | str) -> int:
        for length in range(len(location), 0, -1):
            if location[:length] in self.known:
                return self.known[location[:length]]
        return 1


class TestCase(PublicModel):
    """One prompt. `expected_command` may be empty only where declining is accepted."""

    __test__: ClassVar[bool] = False
    model_config = ConfigDict(frozen=True, extra="forbid")

    id: Text
    prompt: Text
    expected_command: Annotated[str, StringConstraints(strip_whitespace=True)]
    category: Category
    safe: Annotated[bool, Field(strict=True)]
    posix_compliant: Annotated[bool, Field(strict=True)]
    notes: str = ""
    accepted_commands: tuple[Text, ...] = ()
    shell: Shell = Shell.BASH
    tags: tuple[Text, ...] = ()
    fixture: str | None = None
    refusal: Annotated[bool, Field(strict=True)] = False

    @model_validator(mode="after")
    def _something_is_right(self) -> Self:
        if not self.expected_command and not self.refusal:
            raise ValueError("expected_command is empty, and refusal is not true")
        return self

    @property
    def right_commands(self) -> tuple[str, ...]:
        """Every command that answers the prompt, the expected one first."""
        return tuple(filter(None, (self.expected_command, *self.accepted_commands)))


class TestDataset(PublicModel):
    __test__: ClassVar[bool] = False
    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Text
    test_cases: Annotated[tuple[TestCase, ...], Field(min_length=1)]
    name: str = ""
    description: str = ""
    posix: PosixScope = PosixScope.SHELL

    @property
    def title(self) -> str:
        """Its name in records, where each dataset has one."""
        return self.name or "unnamed"

    @classmethod
    @public
    def from_toml(cls, path: AnyPath) -> Self:
        """The dataset; InputError lists every problem with its line."""
        source = Path(path)
        text = _read(source)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{source} is not TOML: {error}.") from error
        except RecursionError as error:
            raise InputError(f"{source} is nested too deeply.") from error
        lines = locate(text)
        problems = [*_duplicates(data, lines)]
        dataset: Self | None = None
        try:
            dataset = cls.model_validate(_with_text_version(data))
        except ValidationError as error:
            problems += _problems(error, data, lines)
        if dataset is None or problems:
            raise InputError(_message(source, sorted(problems)))
        return dataset

    @public
    def of(
        self, category: Category | Literal["correctness", "safety", "posix"]
    ) -> tuple[TestCase, ...]:
        return tuple(case for case in self.test_cases if case.category == category)


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_DATASET_BYTES:
            raise InputError(f"{path} is larger than {MAX_DATASET_BYTES // 2**20} MiB.")
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise InputError(f"{path} not found. Name a dataset in TOML.") from error
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from error


def _with_text_version(data: dict[str, Any]) -> dict[str, Any]:
    """`version = 1` and `version = 1.0` are as good as `version = "1"`."""
    version = data.get("version")
    number = isinstance(version, int | float) and not isinstance(version, bool)
    return {**data, "version": str(version)} if number else data


def _duplicates(data: dict[str, Any], lines: Lines) -> Iterable[tuple[int, str]]:
    lines_of_ids: dict[str, int] = {}
    cases = data.get("test_cases")
    for place, case in enumerate(cases if isinstance(cases, list) else ()):
        name = case.get("id") if isinstance(case, dict) else None
        if not isinstance(name, str):
            continue
        line = lines.of("test_cases", place, "id")
        if name.strip() in lines_of_ids:
            yield line, f"id {name!r} is already used in line {lines_of_ids[name.strip()]}"
        else:
            lines_of_ids[name.strip()] = line


def _problems(
    error: ValidationError, data: dict[str, Any], lines: Lines
) -> Iterable[tuple[int, str]]:
    for problem in error.errors():
        location = problem["loc"]
        if problem["type"] == "too_short" and data.get("test_cases"):
            continue  # not empty as written: its cases are reported one by one
        where = ".".join(str(part) for part in location)
        if len(location) > 1 and location[0] == "test_cases" and isinstance(location[1], int):
            where = ", ".join([_case_name(data, location[1]), *map(str, location[2:])])
        unknown = problem["type"] == "extra_forbidden"
        message = "unknown key" if unknown else problem["msg"].removeprefix("Value error, ")
        yield lines.of(*location), f"{where or 'dataset'}: {message[:1].lower()}{message[1:]}"


def _case_name(data: dict[str, Any], place: int) -> str:
    case = data["test_cases"][place]
    name = case.get("id") if isinstance(case, dict) else None
    return f"case {name!r}" if isinstance(name, str) else f"case number {place + 1}"


def _message(path: Path, problems: list[tuple[int, str]]) -> str:
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    listed = "".join(f"\n  line {line}: {text}" for line, text in problems[:MAX_SHOWN_PROBLEMS])
    more = len(problems) - MAX_SHOWN_PROBLEMS
    return f"{path} has {count}:{listed}" + (f"\n  and {more} more" if more > 0 else "")


def locate(text: str) -> Lines:
    lines = Lines()
    counts: dict[str, int] = {}
    prefix: tuple[int | str, ...] = ()
    inside = ""  # the mark that ends the string we are in
    for number, line in enumerate(text.split("\n"), start=1):
        if not inside:
            header = _HEADER.match(line)
            key = _KEY.match(line)
            if header:
                place = counts.get(header[1], 0)
                counts[header[1]] = place + 1
                prefix = (header[1], place)
                lines.known.setdefault((header[1],), number)
                lines.known[prefix] = number
            elif key:
                name = key[1] or key[2] or key[3] or ""
                lines.known.setdefault((*prefix, name), number)
            elif _TABLE.match(line):
                prefix = ("",)  # some other table: no key of ours
        inside = _string_left_open(line, inside)
    return lines


def _string_left_open(line: str, inside: str) -> str:
    """The mark of the long string that goes on after this line, if one does."""
    place = 0
    while place < len(line):
        if inside:
            end = line.find(inside, place)
            if end < 0:
                return inside
            place, inside = end + len(inside), ""
            continue
        string = _STRINGS.search(line, place)
        if not string:
            return ""
        place = string.end()
        if string[0] in ('"""', "'''"):
            inside = string[0]
    return inside


class Selection(PublicModel):
    """Empty means all. A case must meet each kind of filter, by any one of its values."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    categories: frozenset[Category] = frozenset()
    tags: frozenset[str] = frozenset()
    ids: frozenset[str] = frozenset()
    limit: Annotated[int, Field(ge=1)] | None = None

    def of(self, dataset: TestDataset) -> tuple[TestCase, ...]:
        """The cases, in order; InputError where a filter names nothing or nothing is left."""
        self._check("id", self.ids, {case.id for case in dataset.test_cases})
        self._check("tag", self.tags, {tag for case in dataset.test_cases for tag in case.tags})
        chosen = tuple(case for case in dataset.test_cases if self._fits(case))[: self.limit]
        if not chosen:
            raise InputError("No case is left after the filters. Loosen --category, --tag or --id.")
        return chosen

    def _fits(self, case: TestCase) -> bool:
        return (
            (not self.categories or case.category in self.categories)
            and (not self.tags or bool(self.tags & set(case.tags)))
            and (not self.ids or case.id in self.ids)
        )

    @staticmethod
    def _check(what: str, wanted: Collection[str], known: Collection[str]) -> None:
        unknown = sorted(set(wanted) - set(known))
        if unknown:
            raise InputError(f"No case has the {what} {', '.join(map(repr, unknown))}.")


EVERYTHING = Selection()
