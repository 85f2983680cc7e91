"""provide(request): fetch once with the network, compile once without; afterwards only look it up.

An environment holds the sources of its crates (cargo-home/), their compiled form (target/) and the
lock they were resolved to. Crates run code when they are compiled: that happens without network,
in a sandbox that sees nothing but this environment.
"""

import json
import platform
import re
import shutil
import tempfile
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from sdkbench.core import fingerprints
from sdkbench.core.project import Placement
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.providing import Unresolvable, blame, not_installed, provided
from sdkbench.environments.registry_settings import registry_environment, registry_mounts
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.rust.settings import cargo_config, cargo_environment
from sdkbench.test_harness.rust.toolchain import Toolchain, toolchain

LANGUAGE = "rust"
RECIPE = "1"  # another one when environments are made in another way: old ones must not be found
GIB = 1024**3
LIMITS = Limits(
    wall_seconds=1800,
    cpu_seconds=7200,
    file_bytes=2 * GIB,
    disk_bytes=6 * GIB,
    memory_bytes=8 * GIB,
    output_bytes=256 * 1024,
)
# Folders below TMPDIR: cargo keeps to what it compiled only where these paths stay the same.
CARGO_HOME = "cargo-home"
TARGET = "target"
BUILD = """
set -e
export CARGO_HOME="$TMPDIR/cargo-home" CARGO_TARGET_DIR="$TMPDIR/target"
cp -a "$1/cargo-home" "$TMPDIR/cargo-home"
cd skeleton
cp "$1/Cargo.lock" Cargo.lock
"$2" build --workspace --all-targets --offline --locked --quiet
rm -rf "$1/target"
cp -a "$TMPDIR/target" "$1/target"
rm -rf "$1/cargo-home"
cp -a "$TMPDIR/cargo-home" "$1/cargo-home"
"""


class RustRequest(NamedTuple):
    """What to compile: a project without code, and the lock it should keep to."""

    skeleton: Mapping[str, str]
    lock: str = ""


def cargo_settings(tools: Toolchain) -> dict[str, str]:
    """What every offline call of cargo is told, besides CARGO_HOME and CARGO_TARGET_DIR."""
    return {
        **tools.environment,
        "CARGO_INCREMENTAL": "0",
        "CARGO_PROFILE_DEV_DEBUG": "0",
        "CARGO_PROFILE_TEST_DEBUG": "0",
        "CARGO_TERM_COLOR": "never",
    }


def provide(
    request: RustRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one.

    Raises MissingTool without a toolchain, EnvironmentFault where the network or the disk failed,
    or where the environment is not there yet and `install` is off.
    """
    tools = toolchain()
    key = fingerprints.of_texts(
        LANGUAGE, RECIPE, _platform(tools), _said(request), request.lock, cargo_config()
    )
    if not install:
        return Provision(environment=_find(key, request, tools, cache))

    def make() -> Environment:
        lock = cache.record("resolutions", key, lambda: _resolve(request, tools, cache, sandbox))
        return _compile(request, lock, tools, cache, sandbox)

    return provided(cache, make)


def _platform(tools: Toolchain) -> str:
    return f"{tools.version} {platform.system()} {platform.machine()} {platform.libc_ver()}"


def _said(request: RustRequest) -> str:
    return json.dumps(dict(request.skeleton), sort_keys=True)


def _environment_key(request: RustRequest, lock: str, tools: Toolchain) -> str:
    return fingerprints.of_texts(
        LANGUAGE, RECIPE, _platform(tools), _said(request), lock, cargo_config()
    )


def _find(key: str, request: RustRequest, tools: Toolchain, cache: Cache) -> Environment:
    lock = cache.read_record("resolutions", key)
    found = None
    if lock is not None:
        found = cache.find(LANGUAGE, _environment_key(request, lock, tools))
    if found is None:
        raise not_installed()
    return found


def _resolve(request: RustRequest, tools: Toolchain, cache: Cache, sandbox: Sandbox) -> str:
    """The lock; what it names is in the store afterwards."""
    store = cache.store(LANGUAGE)
    done: Completed | None = None
    for offline in (True, False):
        with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
            folder = Path(name)
            _write(folder, request.skeleton)
            if request.lock:
                (folder / "Cargo.lock").write_text(request.lock, encoding="utf-8")
            done = _fetch(folder, tools, cache, sandbox, offline=offline)
            if done.ok:
                return (folder / "Cargo.lock").read_text(encoding="utf-8")
    assert done is not None  # noqa: S101 - the loop ran
    raise _explain(done, "resolve")


def _fetch(
    folder: Path, tools: Toolchain, cache: Cache, sandbox: Sandbox, *, offline: bool
) -> Completed:
    """Download what the manifests in `folder` need; runs no crate's code."""
    store = cache.store(LANGUAGE)
    (store / "config.toml").write_text(cargo_config(), encoding="utf-8")
    words = ["fetch", "--target", tools.host, *(["--offline"] if offline else [])]
    return sandbox.run(
        Command(
            argv=("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", str(folder),
                  str(tools.cargo), *words),
            env={
                **registry_environment(),
                **cargo_environment(),
                **tools.environment,
                "CARGO_HOME": str(store),
                "CARGO_TERM_COLOR": "never",
                "CARGO_TERM_PROGRESS_WHEN": "never",
            },
            mounts=(
                *tools.mounts,
                Mount(path=store, writable=True),
                Mount(path=folder, writable=True),
                *registry_mounts(),
            ),
            network=not offline,
            limits=LIMITS,
        )
    )  # fmt: skip


def _compile(
    request: RustRequest, lock: str, tools: Toolchain, cache: Cache, sandbox: Sandbox
) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        packages = _locked(lock)
        (folder / "Cargo.lock").write_text(lock, encoding="utf-8")
        for name in (CARGO_HOME, TARGET):
            (folder / name).mkdir()
        if not packages:
            return ()
        with tempfile.TemporaryDirectory(prefix="sdkbench-skeleton-") as name:
            skeleton = Path(name)
            _write(skeleton, request.skeleton)
            (skeleton / "Cargo.lock").write_text(lock, encoding="utf-8")
            # Downloads may have been swept since this was resolved.
            fetched = _fetch(skeleton, tools, cache, sandbox, offline=True)
            if not fetched.ok:
                fetched = _fetch(skeleton, tools, cache, sandbox, offline=False)
            if not fetched.ok:
                raise _explain(fetched, "fetch")
            _copy_downloads(cache.store(LANGUAGE), folder / CARGO_HOME, packages)
            done = _build(folder, skeleton, tools, sandbox)
        if not done.ok:
            raise _explain(done, "compile")
        return tuple(sorted(f"{name}=={version}" for name, version in packages))

    return cache.make(LANGUAGE, _environment_key(request, lock, tools), build)


def _build(folder: Path, skeleton: Path, tools: Toolchain, sandbox: Sandbox) -> Completed:
    return sandbox.run(
        Command(
            argv=("sh", "-c", BUILD, "sh", str(folder), str(tools.cargo)),
            env=cargo_settings(tools),
            placements=(Placement(source=skeleton, target="skeleton"),),
            mounts=(*tools.mounts, Mount(path=folder, writable=True)),
            limits=LIMITS,
        )
    )


def _locked(lock: str) -> list[tuple[str, str]]:
    """Name and version of every crate that comes from a registry."""
    try:
        packages = tomllib.loads(lock).get("package", [])
    except tomllib.TOMLDecodeError as error:
        raise Unresolvable(f"Cargo.lock is not readable: {error}") from error
    return [(p["name"], p["version"]) for p in packages if isinstance(p, dict) and p.get("source")]


def _copy_downloads(store: Path, home: Path, packages: list[tuple[str, str]]) -> None:
    """The crates and the index entries of `packages`: copies, for code will run beside them."""
    config = store / "config.toml"
    if config.is_file():
        shutil.copy2(config, home / "config.toml")
    names = {name for name, _ in packages}
    crates = {f"{name}-{version}.crate" for name, version in packages}
    registry = store / "registry"
    for path in sorted(registry.rglob("*")) if registry.is_dir() else []:
        inner = path.relative_to(registry)
        kept = (inner.parts[0] == "cache" and path.name in crates) or (
            inner.parts[0] == "index" and (".cache" not in inner.parts or path.name in names)
        )
        if kept and path.is_file():
            target = home / "registry" / inner
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target)


def _write(folder: Path, files: Mapping[str, Any]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


# Cargo's own words for it, at the start of a cause; a crate's name may hold any of the others.
NETWORK_SIGNS = re.compile(
    r"^\s*(?:error: |warning: spurious network error|\[\d+\] )?"
    r"(?:failed to download from|download of .* failed|Could ?n.t resolve host|"
    r"failed to get successful HTTP response|spurious network error|\[(?:5|6|7|28|35|56|60|77)\] )",
    re.MULTILINE,
)
DISK_SIGNS = re.compile(r"\(os error (?:28|30|122)\)|No space left on device")


def _explain(done: Completed, verb: str) -> Unresolvable | EnvironmentFault:
    noise = ("Updating ", "Downloading ", "Downloaded ", "Locking ", "Compiling ", "Blocking ")
    lines = [line for line in done.output.splitlines() if not line.strip().startswith(noise)]
    text = "\n".join(line.rstrip() for line in lines if line.strip())
    return blame(done, text, verb, network=NETWORK_SIGNS, disk=DISK_SIGNS)
