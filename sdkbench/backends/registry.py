"""`open_backend("name:target")`: built-ins and installed plugins (group `sdkbench.backends`)."""

import difflib
import os
from collections.abc import Iterable, Mapping
from typing import ClassVar, cast

from sdkbench.backends.protocol import Backend, Opener, Setting
from sdkbench.errors import InputError
from sdkbench.plugins import Registry


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
