"""Answers from a JSONL file: one object a line, `id` or `prompt`, and `answer` or `command`."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from sdkbench.backends.protocol import Backend, Setting
from sdkbench.backends.reference import KnownAnswers
from sdkbench.errors import InputError

FILE_BYTES = 256 << 20
SHOWN_PROBLEMS = 20


def open_replay(target: str, setting: Setting) -> Backend:
    """Raises InputError for a file that can't be read, or with every bad line and its number."""
    if not target:
        raise InputError("The replay backend needs a file: replay:answers.jsonl.")
    path = Path(target).expanduser()
    return KnownAnswers(f"replay:{target}", read_answers(path, setting.prompts))


class _Record(BaseModel):
    """Other keys may stand beside these: recorders note model, time and cost."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str | None = None
    prompt: str | None = None
    answer: str | None = None
    command: str | None = None

    @model_validator(mode="after")
    def _complete(self) -> "_Record":
        if self.id is None and self.prompt is None:
            raise ValueError("neither id nor prompt")
        if (self.answer is None) == (self.command is None):
            raise ValueError("give one of answer and command")
        return self


class _Line(NamedTuple):
    number: int
    record: _Record | None
    problem: str = ""


def read_answers(path: Path, prompts: Mapping[str, str]) -> dict[str, str]:
    """Prompt → answer. Ids that `prompts` doesn't know are left out: a run may be filtered."""
    answers: dict[str, str] = {}
    first: dict[str, int] = {}  # prompt → the line that answered it
    records = 0
    problems: list[str] = []
    for number, record, problem in _lines(path):
        if record is None:
            problems.append(f"line {number}: {problem}")
            continue
        records += 1
        text = record.answer if record.answer is not None else record.command or ""
        prompt = record.prompt if record.prompt is not None else prompts.get(record.id or "")
        if prompt is None:
            if not prompts:
                problems.append(f"line {number}: an id, where no dataset gives its prompt")
            continue
        if answers.setdefault(prompt, text) != text:
            problems.append(f"line {number}: another answer to the prompt of line {first[prompt]}")
        first.setdefault(prompt, number)
    if problems:
        raise InputError(_message(path, problems))
    if not records:
        raise InputError(f"{path} holds no answers.")
    return answers


def _lines(path: Path) -> Iterator[_Line]:
    try:
        if path.stat().st_size > FILE_BYTES:
            raise InputError(f"{path} is larger than {FILE_BYTES >> 20} MiB.")
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if line.strip():
            yield _read(number, line)


def _read(number: int, line: bytes) -> _Line:
    try:
        return _Line(number, _Record.model_validate_json(line))
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)[0]
        if details["type"] == "json_invalid":
            return _Line(number, None, "not JSON")
        where = ".".join(map(str, details["loc"]))
        said = details["msg"].removeprefix("Value error, ")
        return _Line(number, None, f"{where}: {said}" if where else said)


def _message(path: Path, problems: list[str]) -> str:
    left_out = len(problems) - SHOWN_PROBLEMS
    more = f"; and {left_out} more" if left_out > 0 else ""
    count = f"{len(problems)} bad line" + ("s" if len(problems) > 1 else "")
    return f"{path} has {count}: {'; '.join(problems[:SHOWN_PROBLEMS])}{more}."
