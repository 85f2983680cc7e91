"""Flags and a TOML file → RunSettings. A flag that is given overrides the file."""

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sdkbench.engine import RunSettings
from sdkbench.errors import InputError

MOST_BYTES = 1 << 20


def run_settings(config: Path | None, flags: Mapping[str, object]) -> RunSettings:
    """`flags` that are None or empty were not given. InputError lists everything that is wrong."""
    given = {name: value for name, value in flags.items() if value not in (None, [], ())}
    written = _read(config) if config is not None else {}
    try:
        return RunSettings.model_validate(written | given)
    except ValidationError as error:
        raise InputError(_told(error, config, given)) from None


def _told(error: ValidationError, config: Path | None, flags: Mapping[str, object]) -> str:
    """Each problem with where it was written."""
    found = error.errors(include_url=False, include_input=False)
    ours = [each for each in found if not each["loc"] or each["loc"][0] in flags]
    by_source = {"the flags": ours, f"{config}": [each for each in found if each not in ours]}
    told = [f"{name}: {'; '.join(_problems(each))}" for name, each in by_source.items() if each]
    return f"{'; '.join(told)}."


def _read(path: Path) -> dict[str, object]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path} is larger than {MOST_BYTES >> 20} MiB.")
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise InputError(f"{path} is not TOML: {error}.") from error


def _problems(found: Sequence[ErrorDetails]) -> list[str]:
    """The unknown keys first, all in one sentence."""
    unknown = [_spelt(each["loc"]) for each in found if each["type"] == "extra_forbidden"]
    others = [
        f"{_spelt(each['loc'])}: {_said(each['msg'])}" if each["loc"] else _said(each["msg"])
        for each in found
        if each["type"] != "extra_forbidden"
    ]
    if not unknown:
        return others
    hints = [
        f"{name} (did you mean {near}?)" if (near := _near(name)) else name for name in unknown
    ]
    return [f"unknown keys: {', '.join(hints)}", *others]


def _said(message: str) -> str:
    return message.removeprefix("Value error, ").replace("a valid tuple", "a list")


def _spelt(location: tuple[str | int, ...]) -> str:
    return ".".join(str(part) for part in location if not isinstance(part, int))


def _near(name: str) -> str | None:
    known = [] if "." in name else list(RunSettings.model_fields)
    return next(iter(difflib.get_close_matches(name.replace("-", "_"), known, n=1)), None)
