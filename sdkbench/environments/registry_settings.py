"""The user's registry settings, handed to installers by name; nothing else is."""

import os
from pathlib import Path

from sdkbench.sandbox import Mount

# Where packages come from and how to reach it. Credentials may be part of an index URL: they reach
# the installer, which runs no package's code unless a sample allows source builds.
PASSED_ON = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR",
    "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_NATIVE_TLS",
    "UV_SYSTEM_CERTS", "UV_HTTP_TIMEOUT", "UV_INSECURE_HOST",
)  # fmt: skip
# pip's names for the same things; many machines set only these.
TRANSLATED = {"PIP_INDEX_URL": "UV_DEFAULT_INDEX", "PIP_CERT": "SSL_CERT_FILE"}


def registry_environment() -> dict[str, str]:
    env = {ours: os.environ[theirs] for theirs, ours in TRANSLATED.items() if theirs in os.environ}
    env |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    config = _uv_config()
    return env | ({"UV_CONFIG_FILE": str(config)} if config else {})


def registry_mounts() -> tuple[Mount, ...]:
    """Certificate and configuration files that the settings point to."""
    env = registry_environment()
    named = [env.get(name) for name in ("SSL_CERT_FILE", "SSL_CERT_DIR", "UV_CONFIG_FILE")]
    paths = [Path(name) for name in named if name]
    return tuple(Mount(path=path) for path in paths if path.exists())


def _uv_config() -> Path | None:
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    for path in (Path(base).expanduser() / "uv" / "uv.toml", Path("/etc/uv/uv.toml")):
        if path.is_file():
            return path
    return None
