"""RunSettings: what a run is to do; the same whether it comes from flags, a file or a program."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from sdkbench.core import Integrity, ScoreMode, Value
from sdkbench.generation import AgentSettings, RetryPolicy, Settings
from sdkbench.metrics.overall import usable_weights
from sdkbench.store import LATEST, RUN_ID


def _as_flag(value: object) -> object:
    """A word with hyphens, as flags have it, is the same as one with underscores."""
    return value.replace("-", "_") if isinstance(value, str) else value


def _no_word(run_id: str) -> str:
    if run_id == LATEST:
        raise ValueError(f"{LATEST!r} stands for the newest run, and can't be the name of one")
    return run_id


class EngineKind(StrEnum):
    LOCAL = "local"
    RAY = "ray"


class SandboxLevel(StrEnum):
    AUTO = "auto"
    BUBBLEWRAP = "bubblewrap"
    PLAIN = "plain"


class RunSettings(Value):
    """Each field is a flag of `sdkbench run` and a key of its configuration file."""

    model: tuple[str, ...] = ()
    sdk: tuple[str, ...] = ()
    dataset: tuple[str, ...] = ()
    samples_dir: Path | None = None
    private_tests: Path | None = None
    trials: Annotated[int, Field(ge=1, le=10_000)] = 1
    limit: Annotated[int, Field(ge=1)] | None = None
    workers: Annotated[int, Field(ge=1, le=4096)] | None = None
    max_requests: Annotated[int, Field(ge=1, le=4096)] = 8
    run_fcorr: bool = True
    metrics: bool = False
    weights: Annotated[str | dict[str, float], AfterValidator(usable_weights)] = "classic"
    mode: Annotated[ScoreMode, BeforeValidator(_as_flag)] = ScoreMode.STRICT
    integrity: Integrity = Integrity.APART
    timeout: Annotated[float, Field(ge=0.1, le=86_400)] = 300.0
    no_install: bool = False
    warm: bool = True
    sandbox: SandboxLevel = SandboxLevel.AUTO
    skip_generation: bool = False
    skip_evaluation: bool = False
    docs: Path | None = None
    template: str | None = None
    max_tokens: Annotated[int, Field(ge=1)] = Settings().max_tokens
    request_seconds: Annotated[float, Field(gt=0, le=86_400)] = RetryPolicy().total_seconds
    run_id: Annotated[str, Field(pattern=RUN_ID), AfterValidator(_no_word)] | None = None
    label: str = ""
    resume: bool = True
    store: str | None = None
    engine: EngineKind = EngineKind.LOCAL
    address: str | None = None
    agent: AgentSettings = AgentSettings()

    @model_validator(mode="after")
    def _makes_sense(self) -> Self:
        if self.skip_generation and not self.resume:
            raise ValueError("--skip-generation uses what is stored, --fresh nothing of it")
        if self.private_tests and self.engine is EngineKind.RAY:
            raise ValueError("--private-tests stay on this machine, and go with --engine local")
        return self
