"""What a judging service and its clients say to each other, as frozen values."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import AwareDatetime, Field, model_validator

from sdkbench.core import Outcome, Value
from sdkbench.test_harness.models import FCorrResult

MOST_IN_BATCH = 1000
LONGEST_WAIT_SECONDS = 60.0
IDEMPOTENCY_HEADER = "Idempotency-Key"
PROBLEM_TYPE = "application/problem+json"
SIGNATURE_HEADER = "X-SDKBench-Signature"
TIMESTAMP_HEADER = "X-SDKBench-Timestamp"


class EncodedFile(Value):
    """A file that is no text."""

    base64: str
    executable: bool = False


# As a header can hold it.
IdempotencyKey = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[\x21-\x7e]+$")]
SampleName = Annotated[
    str, Field(min_length=1, max_length=200, description="`sdk/id`, or the id where it is unique.")
]


class JudgementRequest(Value):
    """What is to be judged: exactly one of `files`, `answer` and `archive`.

    `files` are laid over the sample's starter, as are those that an `answer`, a model's raw text,
    is taken apart into. An `archive` (zip or tar, base64) is a whole project folder: of a sample
    where one is named, else judged on its own tests.
    """

    sample: SampleName | None = None
    files: dict[str, str | EncodedFile] | None = None
    answer: str | None = None
    truncated: bool = Field(default=False, description="The answer was cut off at a limit.")
    archive: str | None = None
    model: Annotated[str, Field(max_length=200)] = Field(
        default="", description="Whose solution it is, for reports."
    )
    webhook: Annotated[str, Field(max_length=2000)] | None = Field(
        default=None, description="Told by POST once there is an answer."
    )
    idempotency_key: IdempotencyKey | None = Field(
        default=None, description="In a batch; elsewhere the header `Idempotency-Key`."
    )

    @model_validator(mode="after")
    def _names_one_thing(self) -> Self:
        given = [name for name in ("files", "answer", "archive") if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError("give exactly one of files, answer and archive")
        if self.sample is None and self.archive is None:
            raise ValueError("name a sample; only an archive can be judged on its own tests")
        return self


class BatchRequest(Value):
    judgements: Annotated[
        tuple[JudgementRequest, ...], Field(min_length=1, max_length=MOST_IN_BATCH)
    ]


class JudgementState(StrEnum):
    QUEUED = "queued"
    JUDGING = "judging"
    ANSWERED = "answered"


class Judgement(Value):
    """`result` is there once it is answered, and stays as it is then.

    `key` names the attempt: judgements of the same solution by the same judge share one. `outcome`
    *error* is our fault or the machine's: there is no verdict on the solution.
    """

    id: str
    state: JudgementState
    sample: str | None = None
    model: str = ""
    batch: str | None = None
    key: str
    notes: tuple[str, ...] = ()  # how the solution was made from what was sent
    accepted_at: AwareDatetime
    answered_at: AwareDatetime | None = None
    outcome: Outcome | None = None
    score: float | None = None
    result: FCorrResult | None = None

    @property
    def answered(self) -> bool:
        return self.state is JudgementState.ANSWERED


class Batch(Value):
    """The judgements are in the order of the request, without their results."""

    id: str
    answered: int
    judgements: tuple[Judgement, ...]

    @property
    def complete(self) -> bool:
        return self.answered == len(self.judgements)


class ListedSample(Value):
    name: str  # sdk/id
    sdk: str
    id: str
    sdk_version: str | None = None
    task_type: int
    task_name: str = ""
    framework: str = ""
    difficulty: str = ""
    description: str = ""


class SampleList(Value):
    samples: tuple[ListedSample, ...]


class SampleTask(Value):
    """All that a model is given: the prompt, and the files it starts from."""

    name: str
    system: str
    prompt: str
    starter: dict[str, str]


class ServiceState(StrEnum):
    OK = "ok"
    DRAINING = "draining"  # it takes nothing more, and ends soon
    DEGRADED = "degraded"  # the store can't be written


class Health(Value):
    state: ServiceState
    version: str
    queued: int
    judging: int
    workers: int


class InvalidPart(Value):
    pointer: str  # JSON pointer into the request
    detail: str


class ProblemDetails(Value):
    """RFC 9457."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    errors: tuple[InvalidPart, ...] = ()
