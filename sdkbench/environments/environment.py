"""Environment: a finished dependency set. Provision: one attempt to have one."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Fault


class Environment(BaseModel):
    """A read-only folder of installed packages, named by what is in it."""

    model_config = ConfigDict(frozen=True)

    key: str
    language: str
    path: Path
    packages: tuple[str, ...]  # name==version, sorted


class Provision(BaseModel):
    """An environment, or the reason why the requirements give none (the solution's fault).

    `built` tells whether the environment was installed in this run, rather than found.
    """

    model_config = ConfigDict(frozen=True)

    environment: Environment | None = None
    lock: str = ""  # exact versions, as the language's own resolver wrote them
    built: bool = False
    failure: str | None = None
    fault: Fault | None = None
    output: str = ""
    duration_seconds: float = 0.0
