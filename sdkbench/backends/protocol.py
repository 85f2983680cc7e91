"""Backend: what a model, a server or a program must offer to be measured; Opener: what a plugin
provides.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import BaseModel, BeforeValidator, ConfigDict

from sdkbench.errors import SdkbenchError

# No model counts beyond this: not every reader of JSON distinguishes such neighbours, and no column
# of a store holds 10**20.
MAX_COUNT = 2**53


def _plausible_count(value: object) -> int | None:
    return value if type(value) is int and 0 <= value <= MAX_COUNT else None


def _plausible_cost(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if 0 <= value <= MAX_COUNT else None


# What a server reports of its own work is a courtesy: an impossible value counts as none.
TokenCount = Annotated[int | None, BeforeValidator(_plausible_count)]
Cost = Annotated[float | None, BeforeValidator(_plausible_cost)]


class Answer(BaseModel):
    """What came back. Counts and cost are None where the backend does not report them."""

    model_config = ConfigDict(frozen=True)

    text: str
    input_tokens: TokenCount = None
    output_tokens: TokenCount = None
    cost: Cost = None  # in the currency of the server's bill
    truncated: bool = False  # the model stopped at its length limit
    refused: bool = False  # the server itself says that this is a refusal


class FailureKind(StrEnum):
    """Why there is no answer; only the first three may go away by trying again."""

    RATE_LIMIT = "rate_limit"
    NETWORK = "network"
    SERVER = "server"
    TIMEOUT = "timeout"
    AUTHENTICATION = "authentication"
    REQUEST = "request"
    MALFORMED = "malformed"  # an answer that can't be read: HTML, garbage, too much of it


class BackendFailure(SdkbenchError):
    """One clear sentence about a request that gave no answer."""

    def __init__(
        self, message: str, kind: FailureKind, *, retry_after_seconds: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after_seconds = retry_after_seconds  # what the server asked to wait


class Backend(Protocol):
    """`generate` answers within `deadline_seconds` or raises BackendFailure(TIMEOUT).

    It never retries by itself past the deadline. `close` ends processes and connections.
    """

    name: str

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer: ...

    async def close(self) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Setting:
    """What an opener may use besides the words of its spec.

    The environment is left out of the repr: it holds keys.
    """

    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    prompts: Mapping[str, str] = field(default_factory=dict)  # case id → prompt
    references: Mapping[str, str] = field(default_factory=dict)  # prompt → the dataset's answer


class Opener(Protocol):
    """Makes a backend from what follows the colon of `name:target`; "" where nothing does.

    Raises InputError for a target that it can't open, MissingTool for a package not installed.
    """

    def __call__(self, target: str, setting: Setting) -> Backend: ...
