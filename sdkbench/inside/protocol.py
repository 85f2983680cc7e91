"""What passes between outside and inside: `test_harness/session.py` for programs of this folder.

Records are written here and checked there. A language with an order or a record of its own has a
TypedDict for it beside its program.
"""

from typing import Literal, NotRequired, TypedDict

Status = Literal["passed", "failed", "skipped"]


class Order(TypedDict):
    """What every order says; each program's own adds to it."""

    workspace: str
    channel_fd: str
    nonce: str


class Begin(TypedDict):
    kind: Literal["begin"]


class Built(TypedDict):
    kind: Literal["built"]
    errors: list[str]
    warnings: NotRequired[list[str]]
    output: NotRequired[str]
    seconds: NotRequired[float]


class Collected(TypedDict):
    kind: Literal["collected"]
    ids: list[str]


class Start(TypedDict):
    kind: Literal["start"]
    id: str


class Failure(TypedDict):
    message: NotRequired[str]
    path: NotRequired[str | None]
    line: NotRequired[int | None]
    trace: NotRequired[str]
    output: NotRequired[str]


class Case(Failure):
    kind: Literal["case"]
    id: str
    status: Status
    expected_failure: bool
    seconds: float
    reason: str


class RunError(Failure):
    kind: Literal["run_error"]
    id: NotRequired[str]


class Tampered(TypedDict):
    kind: Literal["tampered"]
    message: str


class Coverage(TypedDict):
    kind: Literal["coverage"]
    files: dict[str, tuple[int, list[int]]]


class Crossing(TypedDict):
    kind: Literal["crossing"]
    profile: str
    departures: list[str]
    changes: list[str]
    obstacles: dict[str, str]
    met: NotRequired[list[str]]


class End(TypedDict):
    kind: Literal["end"]
    status: int
