"""GroundTruth: what a sample's metadata.json says of its task."""

import json
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from sdkbench.core.arguments import AnyPath, public_methods
from sdkbench.core.outcome import Value
from sdkbench.errors import SampleError

MAX_METADATA_BYTES = 4 * 1024 * 1024
# Below 1024 nobody but root may listen.
Port = Annotated[int, Field(ge=1024, le=65535)]
Word = Annotated[str, Field(min_length=1, pattern=r"^[^\x00]*$")]  # of a command line


class Permissions(Value):
    """What a sample allows beyond the careful default; only the sample's author can say so."""

    build_from_source: bool = False
    install_scripts: bool = False


class BlackBox(Value):
    """How a solution is started whose tests only talk to it over a process boundary.

    `{solution}` in a word of `command` stands for the solution's folder. With `port` the program
    is a server that listens there; without, each call runs to its end. At `tests_port` the tests
    themselves have a server that the program may reach.
    """

    command: Annotated[tuple[Word, ...], Field(min_length=1)]
    port: Port | None = None
    tests_port: Port | None = None

    @model_validator(mode="after")
    def _ports_differ(self) -> Self:
        if self.port is not None and self.port == self.tests_port:
            raise ValueError("port and tests_port must differ")
        return self


class Metadata(BaseModel):
    """The keys every sample has. Public datasets add their own; those stay readable in `extra`."""

    model_config = ConfigDict(frozen=True, extra="allow")

    sample_id: Annotated[str, Field(min_length=1)]
    sdk: Annotated[str, Field(min_length=1)]
    task_type: Annotated[int, Field(ge=1, le=5)]
    task_name: str = ""
    framework: str = ""
    difficulty: str = ""
    description: str = ""
    ground_truth: dict[str, Any] = Field(default_factory=dict)
    evaluation_targets: dict[str, Any] = Field(default_factory=dict)
    sandbox: Permissions = Permissions()
    black_box: BlackBox | None = None

    @property
    def sdk_version(self) -> str | None:
        version = (self.model_extra or {}).get(f"{self.sdk}_version")
        return None if version is None else str(version)


@public_methods
class GroundTruth:
    """`metadata_path` read and checked; SampleError says which key or line is wrong.

    Where the metadata has no `sdk`, it is the name of the folder that the sample stands in.
    """

    def __init__(self, metadata_path: AnyPath) -> None:
        self.metadata_path = Path(metadata_path)
        self.metadata = _parse(_read(self.metadata_path), self.metadata_path)

    @property
    def sample_dir(self) -> Path:
        """The sample's folder: metadata.json stands in its `expected/`."""
        return self.metadata_path.resolve().parent.parent


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > MAX_METADATA_BYTES:
            raise SampleError(f"{path} is larger than {MAX_METADATA_BYTES // 2**20} MiB.")
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise SampleError(f"{path} not found. Every sample has expected/metadata.json.") from error
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise SampleError(f"{path} cannot be read: {error}.") from error


def _parse(text: str, path: Path) -> Metadata:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise SampleError(
            f"{path} is not JSON: {error.msg} at line {error.lineno}, column {error.colno}."
        ) from error
    except ValueError as error:
        raise SampleError(f"{path} is not JSON we can read: {error}.") from error
    except RecursionError as error:
        raise SampleError(f"{path} is nested too deeply to be metadata.") from error
    if not isinstance(data, dict):
        raise SampleError(f"{path} must hold a JSON object, not {type(data).__name__}.")
    # Public datasets leave it to the folder: samples/<sdk>/<id>/expected/metadata.json.
    folder = path.resolve().parent
    given = {"sdk": folder.parent.parent.name} if folder.name == "expected" else {}
    try:
        return Metadata.model_validate(given | data)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, p['loc'])) or 'metadata'}: {p['msg'].lower()}"
            for p in error.errors()
        )
        raise SampleError(f"{path} is not valid metadata: {problems}.") from error
