"""Values as TOML text: enough for the manifests we write ourselves."""

import json
from collections.abc import Mapping
from typing import Any


def toml_document(tables: Mapping[str, Any]) -> str:
    """One line for each key at the top; tables below it are written inline."""
    return "".join(f"{_key(name)} = {toml_value(value)}\n" for name, value in tables.items())


def toml_value(value: object) -> str:
    """Raises TypeError for what TOML cannot hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        pairs = [f"{_key(name)} = {toml_value(item)}" for name, item in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "_").isidentifier() else _text(name)


def _text(value: str) -> str:
    # JSON's strings are TOML's, but for one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
