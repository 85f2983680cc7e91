"""One sandboxed run of a program of `inside`: its order goes in, its records come out.

The same fields stand in `inside/protocol.py` as TypedDicts, for programs that import nothing of
sdkbench; a test compares the two. docs/reference/inside-protocol.md tells the whole story.
"""

import functools
import json
import operator
import secrets
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from sdkbench.core import Placement
from sdkbench.sandbox import Command, Completed, Counterpart, Limits, Link, Mount, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import CHANNEL, MESSAGE, WORKSPACE

MAX_MISFIT = 200  # characters of the reason why a record does not fit
MOST = 2**31  # of anything that our writers can have counted
INSIDE = Path(__file__).parent.parent / "inside"
N = TypeVar("N", int, float)


def _countable(number: N) -> N:
    if abs(number) >= MOST:
        raise ValueError("too great a number")
    return number


Count = Annotated[int, AfterValidator(_countable)]
Seconds = Annotated[float, AfterValidator(_countable)]


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
    """What is wrong with the solution before its first test; nothing if it was built. Several of
    these add up, where parts of a project are built while others are tested.

    `output` is what the build's programs printed, where that is not the session's own output;
    `seconds` is how long it took from the session's beginning.
    """

    kind: Literal["built"]
    errors: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    output: str = ""
    seconds: Seconds = 0.0


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
    line: Count | None = None
    trace: str = ""
    output: str = ""  # what was printed meanwhile


class Case(Failure):
    """A test has ended."""

    kind: Literal["case"]
    id: str
    status: Literal["passed", "failed", "skipped"]
    expected_failure: bool  # xfail, test.failing and the like: never a clean pass
    seconds: Seconds
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
    files: dict[str, tuple[Count, tuple[Count, ...]]]


class End(Record):
    """The framework's own end of the run, and the status it says it exits with."""

    kind: Literal["end"]
    status: Count


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


class Boot(NamedTuple):
    """How to start a boot script: its interpreter's words, what must be visible, what to set."""

    argv: tuple[str, ...]
    mounts: tuple[Mount, ...]
    env: Mapping[str, str]
    search_path: tuple[Path, ...] = ()
    scratch: tuple[str, ...] = ()
    counterpart: Counterpart | None = None  # a solution that the tests call from outside
    process_files: bool = True
    own_records: tuple[type[Record], ...] = ()  # kinds that only this program sends


def boot_words(program: str | Path) -> tuple[str, ...]:
    """How the base interpreter starts a program of `inside` by its name, or a plugin's own by its
    file, which must be mounted. It sees no installed package.
    """
    return (interpreter(), "-E", "-s", "-S", "-B", str(INSIDE), str(program))


def sandbox_command(
    boot: Boot,
    order: Order,
    limits: Limits,
    *,
    nonce: str = "",
    link: Link = Link(),  # noqa: B008 - immutable
    placements: tuple[Placement, ...] = (),
    archive: Path | None = None,
) -> Command:
    return Command(
        argv=(*boot.argv, MESSAGE),
        env=dict(boot.env),
        placements=placements,
        archive=archive,
        mounts=(*boot.mounts, *link.mounts, Mount(path=INSIDE)),
        search_path=(*link.search_path, *boot.search_path),
        scratch=boot.scratch,
        process_files=boot.process_files,
        channel=True,
        # Escaped as ASCII: a file name that is no UTF-8 must come through as well.
        message=json.dumps(order.model_dump() | {"nonce": nonce}).encode(),
        limits=limits,
    )


def run_session(
    sandbox: Sandbox,
    boot: Boot,
    placements: tuple[Placement, ...],
    order: Order,
    limits: Limits,
    archive: Path | None = None,
) -> tuple[Completed, Records]:
    """Give `order` to the program; read its channel. The order gains a nonce that each record must
    carry.
    """
    nonce = secrets.token_hex(16)
    # The counterpart and all its processes are gone before a word of the record is read.
    with boot.counterpart.serving() if boot.counterpart else nullcontext(Link()) as link:
        completed = sandbox.run(
            sandbox_command(
                boot,
                order,
                limits,
                nonce=nonce,
                link=link,
                placements=placements,
                archive=archive,
            )
        )
    records = read_records(
        completed.channel, nonce, boot.own_records, truncated=completed.channel_truncated
    )
    return completed, records
