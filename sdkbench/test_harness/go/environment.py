"""provide(request): resolve once, download once, compile once; the rest is looking it up.

Three folders of the cache belong to a set of modules: the module cache (`go`), and build caches of
the standard library (`go-std`) and of the modules on top of it (`go-build`). The last is made when
the modules stand at their final place, because compiled packages carry the paths of their sources.
"""

import contextlib
import json
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.providing import Unresolvable, blame, not_installed, refused
from sdkbench.environments.registry_settings import (
    go_environment,
    registry_environment,
    registry_mounts,
)
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed, Mount, Sandbox
from sdkbench.test_harness.go.manifest import GoMod, parse_go_mod
from sdkbench.test_harness.go.toolchain import default_proxy, run_go, toolchain

LANGUAGE = "go"
STANDARD = "go-std"
COMPILED = "go-build"
RECIPE = "1"  # another one when environments are made in another way: old ones must not be found


class GoRequest(NamedTuple):
    """Modules to have. Only packages in `imports` are looked for, downloaded and compiled."""

    go: str
    requires: tuple[tuple[str, str], ...]
    imports: tuple[str, ...]
    replaces: tuple[str, ...] = ()  # lines of go.mod
    excludes: tuple[tuple[str, str], ...] = ()

    def go_mod(self) -> str:
        lines = ["module sdkbench.request", *([f"go {self.go}"] if self.go else [])]
        lines += [f"require {path} {version}" for path, version in self.requires]
        lines += [f"exclude {path} {version}" for path, version in self.excludes]
        return "\n".join([*lines, *self.replaces]) + "\n"

    def source(self) -> str:
        imports = "".join(f'import _ "{name}"\n' for name in self.imports)
        return f"package request\n\n{imports}"


class Lock(NamedTuple):
    """Exact versions of everything, as go.mod and go.sum; both empty where nothing is needed."""

    go_mod: str
    go_sum: str

    @property
    def parsed(self) -> GoMod:
        return parse_go_mod(self.go_mod)


class GoProvision(NamedTuple):
    """The module cache (in `provision`), the build cache that goes with it, and the versions."""

    provision: Provision
    compiled: Environment | None = None
    lock: Lock = Lock("", "")


def module_cache(environment: Environment) -> Path:
    return environment.path / "modules"


def build_cache(environment: Environment) -> Path:
    return environment.path / "compiled"


def provide(
    request: GoRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> GoProvision:
    """The environment for `request`, or the reason why there can't be one.

    Raises EnvironmentFault where the network or the disk failed, not the requirements; or where
    the environment is not there yet and `install` is off.
    """
    began = time.monotonic()
    if not install:
        return _find(request, cache, sandbox)
    try:
        lock = _resolve(request, cache, sandbox)
        modules = _download(request, lock, cache, sandbox)
        compiled = _compile(request, lock, modules, cache, sandbox)
    except Unresolvable as failure:
        return GoProvision(refused(failure, began))
    provision = Provision(
        environment=modules,
        built=bool({modules.key, compiled.key} & cache.built),
        duration_seconds=time.monotonic() - began,
    )
    return GoProvision(provision, compiled, lock)


def _resolution_key(request: GoRequest, sandbox: Sandbox) -> str:
    return fingerprints.of_texts(LANGUAGE, RECIPE, toolchain(sandbox), json.dumps(request))


def _modules_key(request: GoRequest, lock: Lock, sandbox: Sandbox) -> str:
    return fingerprints.of_texts(LANGUAGE, RECIPE, toolchain(sandbox), *lock, request.source())


def _standard_key(sandbox: Sandbox) -> str:
    return fingerprints.of_texts(STANDARD, RECIPE, toolchain(sandbox))


def _compiled_key(modules: Environment, sandbox: Sandbox) -> str:
    # By path too: compiled packages name the files they were made from.
    return fingerprints.of_texts(
        COMPILED, RECIPE, toolchain(sandbox), modules.key, str(modules.path)
    )


def _find(request: GoRequest, cache: Cache, sandbox: Sandbox) -> GoProvision:
    kept = cache.read_record("resolutions", _resolution_key(request, sandbox))
    if kept is not None:
        lock = Lock(*json.loads(kept))
        modules = cache.find(LANGUAGE, _modules_key(request, lock, sandbox))
        compiled = None
        if modules is not None and request.imports:
            compiled = cache.find(COMPILED, _compiled_key(modules, sandbox))
        elif modules is not None:
            compiled = cache.find(STANDARD, _standard_key(sandbox))
        if modules is not None and compiled is not None:
            return GoProvision(Provision(environment=modules), compiled, lock)
    raise not_installed()


def _resolve(request: GoRequest, cache: Cache, sandbox: Sandbox) -> Lock:
    """Exact versions for `request`, kept: the same question gets the same answer tomorrow."""

    def ask() -> str:
        if not request.imports:
            return json.dumps(Lock(request._replace(requires=(), replaces=()).go_mod(), ""))
        store = cache.store(LANGUAGE)
        with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
            folder = Path(name)
            _write(request, folder, request.go_mod())
            # One at a time: two processes that unpack the same module would be in each other's way.
            with cache.lock("go-store"):
                words = ("list", "-mod=mod", "-modcacherw", "-deps", "./...")
                done = _offline_first(words, folder, store / "modules", store, sandbox)
            if not done.ok:
                raise _explain(done, "resolve", folder)
            sums = folder / "go.sum"
            lock = Lock(
                (folder / "go.mod").read_text(encoding="utf-8"),
                sums.read_text(encoding="utf-8") if sums.is_file() else "",
            )
        return json.dumps(lock)

    return Lock(*json.loads(cache.record("resolutions", _resolution_key(request, sandbox), ask)))


def _download(request: GoRequest, lock: Lock, cache: Cache, sandbox: Sandbox) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        target = folder / "modules"
        target.mkdir()
        if request.imports:
            work = folder / "request"
            _write(request, work, lock.go_mod, lock.go_sum)
            words = ("list", "-mod=readonly", "-modcacherw", "-deps", "./...")
            done = _offline_first(words, work, target, cache.store(LANGUAGE), sandbox)
            if not done.ok:
                raise _explain(done, "download", work)
        return tuple(f"{path}=={version}" for path, version in sorted(lock.parsed.requires))

    return cache.make(LANGUAGE, _modules_key(request, lock, sandbox), build)


def _standard(cache: Cache, sandbox: Sandbox) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        target = folder / "compiled"
        target.mkdir()
        _compile_in(folder, target, ("build", "std"), sandbox)
        # What vet knows of each package, for those that will import it.
        everything = GoRequest("", (), _importable(sandbox))
        work = folder / "request"
        _write(everything, work, everything.go_mod())
        _compile_in(work, target, ("vet", "./..."), sandbox)
        return (f"std=={toolchain(sandbox).split()[0]}",)

    return cache.make(STANDARD, _standard_key(sandbox), build)


def _importable(sandbox: Sandbox) -> tuple[str, ...]:
    """The packages of the standard library that any source may import."""
    listed = run_go(sandbox, ("list", "std"), Path("/"), env={"GOPROXY": "off"})
    names = (name for name in listed.stdout.split() if not name.startswith("vendor/"))
    return tuple(name for name in names if "internal" not in name.split("/"))


def _compile(
    request: GoRequest, lock: Lock, modules: Environment, cache: Cache, sandbox: Sandbox
) -> Environment:
    standard = _standard(cache, sandbox)
    if not request.imports:
        return standard

    def build(folder: Path) -> tuple[str, ...]:
        target = folder / "compiled"
        with cache.in_use(standard):
            shutil.copytree(build_cache(standard), target, copy_function=_link)
        work = folder / "request"
        _write(request, work, lock.go_mod, lock.go_sum)
        for verb in ("build", "vet"):
            _compile_in(work, target, (verb, "-mod=readonly", "./..."), sandbox, modules)
        return modules.packages

    with cache.in_use(modules):
        return cache.make(COMPILED, _compiled_key(modules, sandbox), build)


def _compile_in(
    folder: Path,
    target: Path,
    words: tuple[str, ...],
    sandbox: Sandbox,
    modules: Environment | None = None,
) -> None:
    """Fill `target`. A package that doesn't compile is told again where it is used, and counts
    there; that the compiler itself was stopped is a fault of ours.
    """
    env = {"GOCACHE": str(target), "GOPROXY": "off", "GOFLAGS": ""}
    mounts = [Mount(path=folder, writable=True), Mount(path=target, writable=True)]
    if modules is not None:
        env["GOMODCACHE"] = str(module_cache(modules))
        mounts.append(Mount(path=modules.path))
    done = run_go(sandbox, words, folder, env=env, mounts=tuple(mounts))
    if done.stopped_by is not None or done.signal is not None or (modules is None and not done.ok):
        raise EnvironmentFault(f"Cannot compile with go: {done.ending()}.\n{done.output}")


def _offline_first(
    words: tuple[str, ...], folder: Path, target: Path, store: Path, sandbox: Sandbox
) -> Completed:
    """Downloads at hand suffice, or the registry is asked for what is missing."""
    done = _go(words, folder, target, store, sandbox, offline=True)
    if done.ok:
        return done
    return _go(words, folder, target, store, sandbox, offline=False)


def _go(
    words: tuple[str, ...],
    folder: Path,
    target: Path,
    store: Path,
    sandbox: Sandbox,
    *,
    offline: bool,
) -> Completed:
    # What go has downloaded once is laid out as a proxy serves it, sums checked.
    kept = f"file://{store / 'modules' / 'cache' / 'download'}"
    settings = registry_environment() | go_environment()
    proxy = settings.get("GOPROXY") or default_proxy(sandbox)
    sources = {"GOPROXY": kept, "GOSUMDB": "off"} if offline else {"GOPROXY": f"{kept},{proxy}"}
    env = settings | sources | {"GOMODCACHE": str(target), "GOFLAGS": ""}
    mounts = (Mount(path=store.parent, writable=True), Mount(path=folder, writable=True))
    return run_go(
        sandbox, words, folder, env=env, mounts=(*mounts, *registry_mounts()), network=not offline
    )


def _write(request: GoRequest, folder: Path, go_mod: str, go_sum: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "go.mod").write_text(go_mod, encoding="utf-8")
    (folder / "request.go").write_text(request.source(), encoding="utf-8")
    if go_sum:
        (folder / "go.sum").write_text(go_sum, encoding="utf-8")


def _link(source: str, target: str) -> str:
    """A second name for the same file; a copy where the file system has none."""
    with contextlib.suppress(OSError):
        os.link(source, target)
        return target
    return str(shutil.copy2(source, target))


NETWORK_SIGNS = re.compile(
    r"dial tcp|no such host|i/o timeout|TLS handshake|connection (?:refused|reset)|"
    r"network is unreachable|x509: |proxyconnect|"
    r"\b(?:401 Unauthorized|403 Forbidden|407 Proxy|429 Too Many|50[0-9] [A-Z])"
)
DISK_SIGNS = re.compile(r"no space left on device|read-only file system|disk quota", re.IGNORECASE)


def _explain(done: Completed, verb: str, folder: Path) -> Unresolvable | EnvironmentFault:
    lines = [line for line in done.output.splitlines() if not line.startswith("go: downloading")]
    text = "\n".join(lines).replace(f"{folder}/", "").strip()
    return blame(done, text, verb, network=NETWORK_SIGNS, disk=DISK_SIGNS)
