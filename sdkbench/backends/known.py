"""Answers that are known beforehand.

reference   the dataset's own: whatever is judged wrong here, is ours
starter     what one starts from, an empty line: the counterpart of a sample's unfinished starter
replay      from a JSONL file: one object a line, `id` or `prompt`, and `answer` or `command`
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Setting
from sdkbench.errors import InputError

SHOWN_PROMPT = 80
FILE_BYTES = 256 << 20
SHOWN_PROBLEMS = 20


def open_reference(target: str, setting: Setting) -> Backend:
    if target:
        raise InputError("The reference backend takes nothing after its name: reference.")
    if not setting.references:
        raise InputError("The reference backend needs a dataset that holds reference answers.")
    return KnownAnswers("reference", setting.references)


class KnownAnswers:
    """Prompt → text from a mapping. A prompt that isn't there is a failure, never an empty text."""

    def __init__(self, name: str, answers: Mapping[str, str]) -> None:
        self.name = name
        self._answers = dict(answers)

    async def generate(
        self,
        prompt: str,
        *,
        system: str | None,  # noqa: ARG002 - the answer is known already
        deadline_seconds: float,  # noqa: ARG002
        max_tokens: int,  # noqa: ARG002
    ) -> Answer:
        if prompt not in self._answers:
            start = prompt if len(prompt) <= SHOWN_PROMPT else prompt[: SHOWN_PROMPT - 1] + "…"
            text = f"{self.name} holds no answer to the prompt {start!r}."
            raise BackendFailure(text, FailureKind.REQUEST)
        return Answer(text=self._answers[prompt])

    def known(self, prompt: str) -> str | None:
        return self._answers.get(prompt)

    async def close(self) -> None:
        pass


def open_starter(target: str, setting: Setting) -> Backend:  # noqa: ARG001 - an opener's signature
    if target:
        raise InputError("The starter backend takes nothing after its name: starter.")
    return Starter()


class Starter:
    """A judge that passes any of its answers passes anything."""

    name = "starter"

    async def generate(
        self,
        prompt: str,  # noqa: ARG002 - the answer is the same to all
        *,
        system: str | None,  # noqa: ARG002
        deadline_seconds: float,  # noqa: ARG002
        max_tokens: int,  # noqa: ARG002
    ) -> Answer:
        return Answer(text="")

    async def close(self) -> None:
        pass


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
