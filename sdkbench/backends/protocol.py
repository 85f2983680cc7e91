"""Backend: what a model, a server or a program must offer to be measured; Opener: what a plugin
provides (group `sdkbench.backends`); `open_backend("name:target")`: one of them, opened.
"""

import difflib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, ClassVar, Protocol, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict

from sdkbench.errors import InputError, SdkbenchError
from sdkbench.plugins import Registry

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


def _check_opener(_name: str, loaded: object) -> Opener:
    if not callable(loaded):
        raise TypeError(f"{loaded!r} is not a function (target, setting) -> Backend.")
    return cast("Opener", loaded)


class BackendRegistry:
    """All backends by name. `register` adds one from code."""

    _registry: ClassVar[Registry[Opener]] = Registry("sdkbench.backends", _check_opener)

    @classmethod
    def register(cls, name: str, opener: Opener) -> None:
        cls._registry.items()  # installed ones first, so that a clash names the newcomer
        cls._registry.register(name, _check_opener(name, opener))

    @classmethod
    def names(cls) -> list[str]:
        return sorted(cls._registry.items())

    @classmethod
    def opener(cls, name: str) -> Opener:
        """Raises InputError for an unknown name, with the nearest one there is."""
        openers = cls._registry.items()
        if name in openers:
            return openers[name]
        raise unknown("backend", name, openers)


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """The error for a name that is not among the `known` ones, with the nearest that is."""
    names = sorted(known)
    near = difflib.get_close_matches(name.lower(), names, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"There is no {kind} {name[:80]!r}.{hint} There are: {', '.join(names)}.")


def open_backend(
    spec: str,
    *,
    prompts: Mapping[str, str] | None = None,
    references: Mapping[str, str] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Backend:
    """The backend that `spec` names, ready to be asked; the caller closes it.

    `prompts` (case id → prompt) is what `replay` finds ids by, `references` (prompt → answer) what
    `reference` answers with. Raises InputError for an unknown name, a target that the backend
    can't open or a model that can't be loaded, MissingTool for an extra that is
    not installed. No server is contacted yet.
    """
    name, _, target = spec.strip().partition(":")
    setting = Setting(
        environment=dict(os.environ if environment is None else environment),
        prompts=prompts or {},
        references=references or {},
    )
    return BackendRegistry.opener(name.strip())(target.strip(), setting)
