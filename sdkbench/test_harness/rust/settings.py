"""The user's own cargo settings that say where crates come from; nothing else of them is used."""

import os
import tomllib
from pathlib import Path

from sdkbench.test_harness.rust.toml_text import toml_document

TABLES = ("source", "registries", "registry", "http", "net")
# The same by environment variables. Tokens have names of their own and stay behind.
PREFIXES = ("CARGO_HTTP_", "CARGO_NET_", "CARGO_REGISTRIES_", "CARGO_SOURCE_")


def cargo_config() -> str:
    """The text of a config.toml with just those tables; empty where the user has none."""
    home = Path(os.environ.get("CARGO_HOME") or "~/.cargo").expanduser()
    for name in ("config.toml", "config"):
        try:
            data = tomllib.loads((home / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        return toml_document({table: data[table] for table in TABLES if table in data})
    return ""


def cargo_environment() -> dict[str, str]:
    return {
        name: value
        for name, value in os.environ.items()
        if name.startswith(PREFIXES) and not name.endswith("_TOKEN")
    }
