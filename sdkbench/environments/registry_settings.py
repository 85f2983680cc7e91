"""The user's registry settings, handed to installers by name; nothing else is."""

import os
from pathlib import Path

from sdkbench.sandbox import Mount

# Where packages come from and how to reach it. Credentials may be part of an index URL: they reach
# the installer, which runs no package's code unless a sample allows it.
PASSED_ON = (
    "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
    "http_proxy", "https_proxy", "all_proxy", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
    "UV_DEFAULT_INDEX", "UV_INDEX", "UV_INDEX_URL", "UV_EXTRA_INDEX_URL", "UV_NATIVE_TLS",
    "UV_SYSTEM_CERTS", "UV_HTTP_TIMEOUT", "UV_INSECURE_HOST",
    "npm_config_registry", "NPM_CONFIG_REGISTRY", "npm_config_cafile",
)  # fmt: skip
# pip's names for the same things; many machines set only these.
TRANSLATED = {"PIP_INDEX_URL": "UV_DEFAULT_INDEX", "PIP_CERT": "SSL_CERT_FILE"}
NAMES_A_FILE = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "npm_config_cafile",
                "UV_CONFIG_FILE")  # fmt: skip
# Go's, from the environment or from the file that `go env -w` writes.
GO_NAMES = ("GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB", "GOINSECURE", "GOVCS")
SYSTEM_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")


def registry_environment() -> dict[str, str]:
    """The settings by the names that uv, npm and bun know."""
    env = {ours: os.environ[theirs] for theirs, ours in TRANSLATED.items() if theirs in os.environ}
    env |= {name: os.environ[name] for name in PASSED_ON if name in os.environ}
    bundle = env.get("SSL_CERT_FILE") or (
        str(SYSTEM_CERTIFICATES) if SYSTEM_CERTIFICATES.is_file() else None
    )
    if bundle:
        # Companies bring certificates of their own: trust what the system trusts.
        env = {"UV_SYSTEM_CERTS": "1", "UV_NATIVE_TLS": "1", "NODE_EXTRA_CA_CERTS": bundle} | env
    config = _uv_config()
    return env | ({"UV_CONFIG_FILE": str(config)} if config else {})


def go_environment() -> dict[str, str]:
    """Where Go modules come from; only proxies, unless the user has allowed version control."""
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    path = Path(os.environ.get("GOENV") or Path(base).expanduser() / "go" / "env")
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    written = dict(line.split("=", 1) for line in lines if "=" in line and line[0] != "#")
    return {"GOVCS": "*:off"} | {
        name: value
        for name in GO_NAMES
        for value in [os.environ.get(name) or written.get(name)]
        if value
    }


def registry_mounts() -> tuple[Mount, ...]:
    """Certificate and configuration files that the settings point to."""
    env = registry_environment()
    paths = {Path(env[name]) for name in NAMES_A_FILE if env.get(name)}
    return tuple(Mount(path=path) for path in sorted(paths) if path.exists())


def _uv_config() -> Path | None:
    base = os.environ.get("XDG_CONFIG_HOME") or "~/.config"
    for path in (Path(base).expanduser() / "uv" / "uv.toml", Path("/etc/uv/uv.toml")):
        if path.is_file():
            return path
    return None
