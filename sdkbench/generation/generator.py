"""Generator: whatever makes a solution folder for a sample. And its settings."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, NamedTuple, Protocol

from pydantic import Field

from sdkbench.backends.retry import RetryPolicy
from sdkbench.core import Value
from sdkbench.datasets import Sample
from sdkbench.generation.solution import GeneratedSolution

MAX_TOKENS = 16_384  # a dozen source files; most models of today allow this much
AGENT_SECONDS = 900.0


class AgentSettings(Value):
    """What an agent may use beyond the careful default."""

    seconds: Annotated[float, Field(gt=0, le=86_400)] = AGENT_SECONDS
    network: bool = False
    variables: tuple[str, ...] = ()  # names from the user's environment that are handed on
    visible: tuple[Path, ...] = ()  # files and folders that it can read, under their own names


class Settings(NamedTuple):
    docs: str | None = None  # the SDK's documentation, as text
    template: str | None = None  # None: the newest for the kind of generator
    max_tokens: int = MAX_TOKENS
    retry: RetryPolicy = RetryPolicy()
    agent: AgentSettings = AgentSettings()
    sandbox: str = "auto"
    environment: Mapping[str, str] | None = None  # None: this process's


class Source(NamedTuple):
    """Where a solution comes from, as digests: one that is at hand, or a question to be asked.

    Both are None where there is nothing for this sample; `generate` says why.
    """

    answer: str | None = None
    prompt: str | None = None


class Generator(Protocol):
    """`generate` fills the new folder `into` with a solution of `sample`; `source` asks nobody.

    It raises BackendFailure where a model gave no answer, InputError where `into` is not empty.
    A refusal, a cut-off answer or an agent that ran out of time is an outcome: it is in what
    comes back, and the folder holds whatever there is. `close` ends processes and connections.
    """

    name: str
    at_once: int | None  # how many may be asked for at a time; None where that is no matter

    def source(self, sample: Sample) -> Source: ...

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution: ...

    async def close(self) -> None: ...
