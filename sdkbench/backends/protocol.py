"""Backend: what a model, a server or a program must offer to be measured."""

from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, ConfigDict, FiniteFloat

from sdkbench.errors import SdkbenchError


class Answer(BaseModel):
    """What came back. Counts and cost are None where the backend doesn't tell."""

    model_config = ConfigDict(frozen=True)

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: FiniteFloat | None = None  # in the currency of the server's bill, as it tells it
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
