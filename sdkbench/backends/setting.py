"""Setting: what an opener may use besides the words of its spec. Opener: what a plugin provides."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from sdkbench.backends.protocol import Backend


@dataclass(frozen=True, kw_only=True)
class Setting:
    """The environment is left out of the repr: it holds keys."""

    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    prompts: Mapping[str, str] = field(default_factory=dict)  # case id → prompt
    references: Mapping[str, str] = field(default_factory=dict)  # prompt → the dataset's answer


class Opener(Protocol):
    """Makes a backend from what follows the colon of `name:target`; "" where nothing does.

    Raises InputError for a target that can't be meant, MissingTool for a package not installed.
    """

    def __call__(self, target: str, setting: Setting) -> Backend: ...
