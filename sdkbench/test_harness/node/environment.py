"""provide(request): resolve once, install once; the rest is looking it up, without network.

Installers look into their downloads first. They may always use the network, though: without it,
bun leaves out optional packages that it lacks (a compiler's native half, say) and says nothing.
"""

import functools
import json
import platform
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.providing import Unresolvable, blame, not_installed, provided
from sdkbench.errors import EnvironmentFault, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Sandbox
from sdkbench.test_harness.node import installers
from sdkbench.test_harness.node.installers import Installer
from sdkbench.test_harness.programs import tool_mounts

LANGUAGE = "node"
RECIPE = "2"  # another one when environments are made in another way: old ones must not be found
# Folders that tools insist on writing to; where the tree is used, something empty stands there.
SCRATCH = (".vite", ".vite-temp", ".cache")


class NodeRequest(NamedTuple):
    """What to install. `manifests` are the package.json files of workspace members, by path."""

    dependencies: dict[str, str]
    overrides: dict[str, Any]
    workspaces: tuple[str, ...] = ()
    manifests: Mapping[str, str] = MappingProxyType({})
    lock_name: str | None = None
    lock_text: str = ""
    install_scripts: bool = False

    def package_json(self) -> str:
        """The manifest we install from: ours, with the solution's dependencies in it."""
        data: dict[str, Any] = {"name": "workspace", "private": True, "version": "0.0.0"}
        data["dependencies"] = dict(sorted(self.dependencies.items()))
        if self.overrides:
            data["overrides"] = self.overrides
        if self.workspaces:
            data["workspaces"] = list(self.workspaces)
        return json.dumps(data, indent=2)


class _Resolution(NamedTuple):
    installer: str
    lock: str


def node_program() -> str:
    """Where node is; MissingTool says how to get it."""
    found = shutil.which("node")
    if found is None:
        raise MissingTool(
            "node was not found, and JavaScript projects need it. "
            "Install Node.js with npm (Debian and Ubuntu: apt-get install nodejs npm)."
        )
    return found


def provide(
    request: NodeRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one.

    Raises EnvironmentFault where the network or the disk failed, not the dependencies; or where
    the environment is not there yet and `install` is off.
    """
    if not install:
        return Provision(environment=_find(request, cache, sandbox))
    return provided(
        cache,
        lambda: _install(request, _resolve(request, cache, sandbox), cache, sandbox),
    )


@functools.cache
def _toolchain(sandbox: Sandbox) -> str:
    command = Command(
        argv=(node_program(), "--version"),
        mounts=tool_mounts("node"),
        limits=Limits(wall_seconds=60),
    )
    done = sandbox.run(command)
    if not done.ok:
        raise MissingTool(f"node does not run in the sandbox: {done.ending()}. {done.output}")
    return f"{done.stdout.strip()} {platform.system()} {platform.machine()} {platform.libc_ver()}"


def _resolution_key(request: NodeRequest, sandbox: Sandbox) -> str:
    return fingerprints.of_texts(
        LANGUAGE,
        RECIPE,
        _toolchain(sandbox),
        json.dumps([*request[:3], dict(request.manifests), *request[4:]], sort_keys=True),
    )


def _environment_key(request: NodeRequest, resolution: _Resolution, sandbox: Sandbox) -> str:
    # The manifests besides the lock: members of a workspace become links, and those hang on names.
    members = json.dumps([request.workspaces, dict(request.manifests)], sort_keys=True)
    kind = f"{resolution.installer} {request.install_scripts}"
    return fingerprints.of_texts(
        LANGUAGE, RECIPE, _toolchain(sandbox), kind, members, resolution.lock
    )


def _find(request: NodeRequest, cache: Cache, sandbox: Sandbox) -> Environment:
    kept = cache.read_record("resolutions", _resolution_key(request, sandbox))
    found = None
    if kept is not None:
        resolution = _Resolution(*json.loads(kept))
        found = cache.find(LANGUAGE, _environment_key(request, resolution, sandbox))
    if found is None:
        raise not_installed()
    return found


def _resolve(request: NodeRequest, cache: Cache, sandbox: Sandbox) -> _Resolution:
    """A lock for `request`, kept: the same question gets the same answer tomorrow."""

    def ask() -> str:
        return json.dumps(_resolve_now(request, cache, sandbox))

    key = _resolution_key(request, sandbox)
    return _Resolution(*json.loads(cache.record("resolutions", key, ask)))


def _resolve_now(request: NodeRequest, cache: Cache, sandbox: Sandbox) -> _Resolution:
    """Bun first, offline first; npm where bun can't, because npm's word is what authors know."""
    chosen = [] if request.install_scripts else [installers.bun(cache, sandbox)]
    store = cache.store(LANGUAGE)
    last: Completed | None = None
    for installer in [*filter(None, chosen), installers.npm()]:
        with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
            folder = Path(name)
            _write_manifests(request, folder)
            last = installers.run(
                installer, installer.resolve, folder, cache, sandbox, offline=False
            )
            lock = folder / installer.lock
            if last.ok and lock.is_file() and installer.name == "bun" and request.lock_name:
                # What bun makes of another manager's lock is not always readable to itself.
                check = (*installer.install, "--lockfile-only")
                last = installers.run(installer, check, folder, cache, sandbox, offline=True)
            if last.ok and lock.is_file():
                return _Resolution(installer.name, lock.read_text(encoding="utf-8"))
            if last.ok and not request.dependencies:
                return _Resolution(installer.name, "")
    if last is None:
        raise MissingTool("No package manager for JavaScript was found.")
    raise _explain(last, "resolve")


def _install(
    request: NodeRequest, resolution: _Resolution, cache: Cache, sandbox: Sandbox
) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        _write_manifests(request, folder, with_lock=False)
        for name in SCRATCH:
            (folder / "node_modules" / name).mkdir(parents=True)
        if resolution.lock:
            installer = _named(resolution.installer, cache, sandbox)
            (folder / installer.lock).write_text(resolution.lock, encoding="utf-8")
            words = installer.install
            if installer.name == "npm" and not request.install_scripts:
                words = (*words, "--ignore-scripts")
            private = request.install_scripts
            done = installers.run(
                installer, words, folder, cache, sandbox, offline=False, private=private
            )
            if not done.ok:
                raise _explain(done, "install")
        for name in SCRATCH:
            (folder / "node_modules" / name).mkdir(exist_ok=True)
        return _installed(folder / "node_modules")

    return cache.make(LANGUAGE, _environment_key(request, resolution, sandbox), build)


def _named(name: str, cache: Cache, sandbox: Sandbox) -> Installer:
    chosen = installers.bun(cache, sandbox) if name == "bun" else None
    return chosen or installers.npm()


def _write_manifests(request: NodeRequest, folder: Path, *, with_lock: bool = True) -> None:
    (folder / "package.json").write_text(request.package_json(), encoding="utf-8")
    for name, text in request.manifests.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    if with_lock and request.lock_name:
        (folder / request.lock_name).write_text(request.lock_text, encoding="utf-8")


def _installed(node_modules: Path) -> tuple[str, ...]:
    """name==version of what stands at the top of the tree."""
    found = []
    for path in [*node_modules.glob("*/package.json"), *node_modules.glob("@*/*/package.json")]:
        version = _version(path)
        if version is not None:
            found.append(f"{path.parent.relative_to(node_modules).as_posix()}=={version}")
    return tuple(sorted(found))


def _version(path: Path) -> str | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    version = data.get("version") if isinstance(data, dict) else None
    return version if isinstance(version, str) else None


# npm's own code of the error, not words that may quote a package's name.
NETWORK_SIGNS = re.compile(
    r"^npm error code (?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|"
    r"ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|E401|E403|E429|E50[0-9])$",
    re.MULTILINE,
)
DISK_SIGNS = re.compile(r"^npm error code (?:ENOSPC|EROFS|EDQUOT)$", re.MULTILINE)


def _explain(done: Completed, verb: str) -> Unresolvable | EnvironmentFault:
    text = _without_noise(done.output)
    return blame(done, text, verb, network=NETWORK_SIGNS, disk=DISK_SIGNS)


def _without_noise(output: str) -> str:
    noise = ("npm error A complete log", "npm error     /", "npm notice", "npm warn")
    lines = [line for line in output.splitlines() if not line.startswith(noise)]
    return "\n".join(line.rstrip() for line in lines if line.strip()).strip()
