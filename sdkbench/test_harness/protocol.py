"""What passes between outside and inside a sandbox: orders go in, records come out.

The same fields stand in `inside/protocol.py` as TypedDicts, for programs that import nothing of
sdkbench; a test compares the two. docs/reference/inside-protocol.md tells the whole story.
"""

import functools
import json
import operator
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sdkbench.sandbox.command import CHANNEL, WORKSPACE


class Order(BaseModel):
    """What a program inside is told to do. Each program has a subclass with fields of its own."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    workspace: str = WORKSPACE
    channel_fd: str = CHANNEL
    nonce: str = ""  # `run_session` gives one; every record must carry it


class Record(BaseModel):
    """One line of the channel. A kind that is not named here is a subclass of its language's."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    nonce: str
    number: int
    kind: str


class Begin(Record):
    """The program has read its order."""

    kind: Literal["begin"]


class Built(Record):
    """What is wrong with the solution before its first test; nothing if it was built."""

    kind: Literal["built"]
    errors: tuple[str, ...]


class Collected(Record):
    """Tests that will run. Several of these add up."""

    kind: Literal["collected"]
    ids: tuple[str, ...]


class Start(Record):
    """A test begins."""

    kind: Literal["start"]
    id: str


class Failure(Record):
    """Where and why something failed, as far as it is known."""

    message: str = ""
    path: str | None = None
    line: int | None = None
    trace: str = ""
    output: str = ""  # what was printed meanwhile


class Case(Failure):
    """A test has ended."""

    kind: Literal["case"]
    id: str
    status: Literal["passed", "failed", "skipped"]
    expected_failure: bool  # xfail, test.failing and the like: never a clean pass
    seconds: float
    reason: str  # why it was skipped


class RunError(Failure):
    """Something failed outside of any test: a file that does not load, the framework itself."""

    kind: Literal["run_error"]
    id: str = ""


class Tampered(Record):
    """The program saw judged code speak in the framework's name."""

    kind: Literal["tampered"]
    message: str


class Coverage(Record):
    """Of each file: how many statements it has, and the lines that did not run."""

    kind: Literal["coverage"]
    files: dict[str, tuple[int, tuple[int, ...]]]


class End(Record):
    """The framework's own end of the run, and the status it says it exits with."""

    kind: Literal["end"]
    status: int


MAX_MISFIT = 200  # characters of the reason why a record does not fit
SHARED: tuple[type[Record], ...] = (
    Begin, Built, Collected, Start, Case, RunError, Tampered, Coverage, End,
)  # fmt: skip
R = TypeVar("R", bound=Record)


class Records(NamedTuple):
    """The records up to the first that does not fit, and what was wrong with it."""

    items: tuple[Record, ...]
    faults: tuple[str, ...]

    def of(self, kind: type[R]) -> Iterator[R]:
        return (record for record in self.items if isinstance(record, kind))


def read_records(
    data: bytes, nonce: str, own: tuple[type[Record], ...] = (), *, truncated: bool = False
) -> Records:
    """Check every line; anything that our own writer cannot have written is a fault.

    `own` are the kinds that only this language has. A last line without its end is a writer that
    died in mid-word: no fault, but no record.
    """
    items: list[Record] = []
    faults = ["the channel overflowed"] if truncated else []
    for number, line in enumerate(data.split(b"\n")[:-1]):
        record = _record(line, own)
        if record is None:
            faults.append(f"record {number} is not of our writing{_misfit(line, own, nonce)}")
        elif record.nonce != nonce:
            faults.append(f"record {number} does not carry the run's nonce")
        elif record.number != number:
            faults.append(f"record {number} is out of order")
        else:
            items.append(record)
            continue
        break
    return Records(tuple(items), tuple(faults))


@functools.cache
def _reader(own: tuple[type[Record], ...]) -> TypeAdapter[Record]:
    union: Any = functools.reduce(operator.or_, (*SHARED, *own))
    return TypeAdapter(Annotated[union, Field(discriminator="kind")])


def _record(line: bytes, own: tuple[type[Record], ...]) -> Record | None:
    try:
        return _reader(own).validate_json(line)
    except ValidationError:
        if b"\\ud" not in line.lower():
            return None
    # Half of a surrogate pair (a byte of a file name, say) could not be stored or shown.
    try:
        text = json.dumps(json.loads(line), ensure_ascii=False)
        return _reader(own).validate_json(text.encode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return None


def _misfit(line: bytes, own: tuple[type[Record], ...], nonce: str) -> str:
    """Which field is wrong, for whoever writes a runner: only where the record has the nonce."""
    if nonce.encode() not in line:
        return ""
    try:
        _reader(own).validate_json(line)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        return f": {'.'.join(map(str, first['loc'])) or 'record'}: {first['msg']}"[:MAX_MISFIT]
    except RecursionError:
        pass
    return ""
