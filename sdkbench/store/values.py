"""What the store holds, as frozen values; whatever can be made here can be stored and read back."""

import hashlib
import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, ClassVar, NamedTuple, Self

from pydantic import AfterValidator, AwareDatetime, Field, JsonValue, ValidationError

from sdkbench import __version__
from sdkbench.core import Assurance, Outcome, ScoreMode, Value

# Attempts with these outcomes say nothing of the solution: they are tried again on resume.
UNFINISHED = frozenset({Outcome.ERROR, Outcome.NOT_EXECUTED})
LATEST = "latest"  # stands for the newest run, and is the name of none
RUN_ID = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"
MAX_COUNT = 2**53  # exact in JSON as in a database's big integer


def _storable(text: str) -> str:
    """PostgreSQL's text has no NUL; judged code prints what it likes."""
    return text.replace("\0", "\ufffd")


def _in_utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _plain_json(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    json.dumps(value, allow_nan=False)
    return value


def is_safe_name(name: str) -> bool:
    """Whether `name` is a path that stays below the folder it is written to, spelt one way."""
    # A leading slash leaves an empty part; a backslash would be one on other systems.
    return not {"", ".", ".."} & set(name.split("/")) and not {"\0", "\\"} & set(name)


def _safe_name(name: str) -> str:
    if not is_safe_name(name):
        raise ValueError(f"{name!r} is no plain relative path")
    return name


Text = Annotated[str, AfterValidator(_storable)]
Name = Annotated[Text, Field(min_length=1)]
Moment = Annotated[AwareDatetime, AfterValidator(_in_utc)]
Json = Annotated[dict[str, JsonValue], AfterValidator(_plain_json)]
Count = Annotated[int, Field(ge=0, le=MAX_COUNT)]
Finite = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def now() -> datetime:
    return datetime.now(UTC)


class Suite(StrEnum):
    SDK = "sdk"
    SHELL = "shell"


class RunState(StrEnum):
    RUNNING = "running"  # or killed before it could say otherwise; it can be resumed
    STOPPED = "stopped"
    FINISHED = "finished"


class Run(Value):
    """`planned` is how many attempts the run is to have; None where nobody said."""

    id: Annotated[str, Field(pattern=RUN_ID)]
    label: Text = ""
    state: RunState = RunState.RUNNING
    harness: Text = ""
    planned: Count | None = None
    worker: Text = ""  # the process that is at it, or was at last
    settings: Json = Field(default_factory=dict)
    started_at: Moment
    ended_at: Moment | None = None


class TestRow(Value):
    __test__: ClassVar[bool] = False

    test_id: Text
    status: Text
    message: Text = ""


class Artefact(Value):
    """Bytes that belong to an attempt; `name` is a relative path, unique within its kind."""

    kind: Name  # "solution", "output", "answer" and the like
    name: Annotated[str, Field(min_length=1), AfterValidator(_safe_name)]
    data: bytes


class Attempt(Value):
    """One sample × model × trial with its verdict, of either suite.

    `generation_key` names what was asked, whatever it was judged by: an answer to it need not be
    asked for again.
    `sdk` is a shell case's dataset, `task_type` its category, `fault` the class of the reason.
    `result` is the suite's own result as JSON. Tokens and cost are None where nobody reported them.
    """

    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    suite: Suite
    sdk: Text = ""
    sample: Name
    task_type: Text = ""
    model: Text = ""
    trial: Annotated[int, Field(ge=0, lt=2**31)] = 0
    outcome: Outcome
    fault: Text | None = None
    error: Text | None = None
    score: Annotated[float, Field(ge=0, le=100, allow_inf_nan=False)]
    mode: ScoreMode = ScoreMode.STRICT
    assurance: Assurance = Assurance.PLAIN
    duration_seconds: Finite = 0.0
    input_tokens: Count | None = None
    output_tokens: Count | None = None
    cost_usd: Finite | None = None
    environment_key: Text | None = None
    generation_key: Text | None = None
    result: Json = Field(default_factory=dict)
    tests: tuple[TestRow, ...] = ()
    ended_at: Moment = Field(default_factory=now)
    reused_from: str | None = None  # the run that this attempt was taken over from

    @property
    def place(self) -> tuple[str, str, str, str, int]:
        """Which of a run's attempts this is; they are listed in this order."""
        return self.suite, self.sdk, self.sample, self.model, self.trial

    @property
    def finished(self) -> bool:
        """Whether there is a verdict on the solution."""
        return self.outcome not in UNFINISHED


class Stored(NamedTuple):
    """An attempt with all that is kept of it."""

    attempt: Attempt
    artefacts: tuple[Artefact, ...]


class WebhookState(StrEnum):
    NONE = "none"  # nobody is to be told
    WAITING = "waiting"
    DELIVERED = "delivered"
    GIVEN_UP = "given_up"


class JudgementRecord(Value):
    """A judgement that a service has accepted. It is answered once, and the answer stays.

    Several may share an attempt, `key`. `request` is the digest of what was asked for, so that an
    idempotency key that comes again with another request is seen. `answer` is the digest of the
    attempt's result as it was then.
    """

    id: Name
    run_id: Name
    key: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    owner: Text = ""  # the name of the token that asked
    idempotency_key: Name | None = None
    request: Text = ""
    batch: Name | None = None
    sdk: Text = ""
    sample: Name
    model: Text = ""
    notes: tuple[Text, ...] = ()  # how the solution was made from what was sent
    webhook: Text | None = None
    webhook_state: WebhookState = WebhookState.NONE
    accepted_at: Moment = Field(default_factory=now)
    answered_at: Moment | None = None
    outcome: Outcome | None = None
    answer: Text | None = None


class KeyParts(Value):
    """Digests, and the few names that are not content.

    `case` is the digest of the sample without its tests (or of the shell case), `answer` that of
    a solution at hand; where a model is still to be asked, `model`, `prompt` (a digest) and
    `trial` stand for it. `settings` are those that may change a verdict, and no others: the
    number of workers is none of them.
    """

    suite: Suite
    sample: str
    case: str
    tests: str
    harness: str
    answer: str | None = None
    model: str | None = None
    prompt: str | None = None
    trial: int = 0
    environment: str | None = None  # the machine's kind; dependencies follow from the solution
    settings: dict[str, JsonValue] = Field(default_factory=dict)


JUDGED_AS = "judged_as"  # in an attempt's result


class JudgedAs(Value):
    """What a verdict was made by, so that two of them can be compared: digests of the sample, of
    its tests and of our code, the version, the machine's kind and the settings that matter.
    """

    case: str
    tests: str
    harness: str
    version: str
    environment: str | None = None
    settings: dict[str, JsonValue] = Field(default_factory=dict)

    @classmethod
    def by(cls, parts: KeyParts) -> Self:
        names = {"case", "tests", "harness", "environment", "settings"}
        return cls(**parts.model_dump(include=names), version=__version__)

    @classmethod
    def of(cls, result: dict[str, JsonValue]) -> Self | None:
        """What is noted in an attempt's result; None where nobody noted it."""
        try:
            return cls.model_validate(result.get(JUDGED_AS))
        except ValidationError:
            return None


def attempt_key(parts: KeyParts) -> str:
    """64 hexadecimal digits, the same on every machine and for any order of the settings."""
    text = json.dumps(parts.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
