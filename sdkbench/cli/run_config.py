"""Flags and a TOML file → RunSettings. A flag that is given overrides the file."""

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sdkbench.engine import RunSettings
from sdkbench.errors import InputError

MOST_BYTES = 1 << 20


def run_settings(
    config: Path | None,
    flags: Mapping[str, object],
    before: Mapping[str, object] = MappingProxyType({}),
) -> RunSettings:
    """`flags` that are None or empty were not given; then what was set `before` counts.

    InputError lists everything that is wrong.
    """
    given = {name: value for name, value in flags.items() if value not in (None, [], ())}
    given = {**before, **given}
    written = _read(config) if config is not None else {}
    try:
        return RunSettings.model_validate(written | given)
    except ValidationError as error:
        raise InputError(_message(error, config, given)) from None


def _message(error: ValidationError, config: Path | None, flags: Mapping[str, object]) -> str:
    """Each problem with where it was written."""
    problems = error.errors(include_url=False, include_input=False)
    ours = [each for each in problems if not each["loc"] or each["loc"][0] in flags]
    by_source = {"the flags": ours, f"{config}": [each for each in problems if each not in ours]}
    parts = [f"{name}: {'; '.join(_problems(each))}" for name, each in by_source.items() if each]
    return f"{'; '.join(parts)}."


def _read(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MiB.")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}.") from error


def _problems(details: Sequence[ErrorDetails]) -> list[str]:
    """The unknown keys first, all in one sentence."""
    unknown = [_key(each["loc"]) for each in details if each["type"] == "extra_forbidden"]
    others = [
        f"{_key(each['loc'])}: {_sentence(each['msg'])}" if each["loc"] else _sentence(each["msg"])
        for each in details
        if each["type"] != "extra_forbidden"
    ]
    if not unknown:
        return others
    hints = [
        f"{name} (did you mean {near}?)" if (near := _near(name)) else name for name in unknown
    ]
    return [f"unknown keys: {', '.join(hints)}", *others]


def _sentence(message: str) -> str:
    return message.removeprefix("Value error, ").replace("a valid tuple", "a list")


def _key(location: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in location if not isinstance(part, int))


def _near(name: str) -> str | None:
    known = [] if "." in name else list(RunSettings.model_fields)
    return next(iter(difflib.get_close_matches(name.replace("-", "_"), known, n=1)), None)
