"""Go modules for a project: resolved once, downloaded once, compiled once.

Three folders of the cache belong to a set of modules: the module cache (`go`), and build caches of
the standard library (`go-std`) and of the modules on top of it (`go-build`). The last is made when
the modules stand at their final place, because compiled packages carry the paths of their sources.
"""

import contextlib
import functools
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar

from sdkbench.environments import Cache, Environment, installation
from sdkbench.environments.installation import (
    go_environment,
    registry_environment,
    registry_mounts,
)
from sdkbench.errors import EnvironmentFault, MissingTool
from sdkbench.sandbox import Command, Completed, Mount, Sandbox
from sdkbench.test_harness.go.manifest import GoMod, parse_go_mod
from sdkbench.test_harness.programs import find_program

STANDARD = "go-std"
COMPILED = "go-build"
RECIPE = "2"  # another one when environments are made in another way: old ones must not be found
# Packages are initialised in the order of their paths since 1.21; verdicts lean on that.
OLDEST = (1, 21)
ADVICE = (
    "Install Go 1.21 or newer (https://go.dev/dl, or on Debian and Ubuntu: apt-get install golang) "
    "and see that `go` is on PATH."
)
WELL_KNOWN = ("github.com/google/uuid", "v1.6.0")  # small, and needs nothing else
# Nothing from the user's configuration, and no other toolchain.
ENVIRONMENT = {"GOENV": "off", "GO111MODULE": "on", "GOTOOLCHAIN": "local"}
# Nor from a solution's; and no C compiler, whose code could do anything.
SEALED = {"GOWORK": "off", "CGO_ENABLED": "0"}
# Compiles and checks packages and their tests, as `go test` does before it runs any, and runs none.
COMPILE = ("test", "-exec=true")
GO_SIGNS = installation.InstallerSigns(
    network=re.compile(
        r"dial tcp|no such host|i/o timeout|TLS handshake|connection (?:refused|reset)|"
        r"network is unreachable|x509: |proxyconnect|"
        r"\b(?:401 Unauthorized|403 Forbidden|407 Proxy|429 Too Many|50[0-9] [A-Z])"
    ),
    disk=re.compile(r"no space left on device|read-only file system|disk quota", re.IGNORECASE),
    noise=("go: downloading",),
)
R = TypeVar("R")


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

    @classmethod
    def read(cls, text: str) -> "Lock":
        return cls(*json.loads(text))

    @property
    def parsed(self) -> GoMod:
        return parse_go_mod(self.go_mod)


def module_cache(environment: Environment) -> Path:
    return environment.path / "modules"


def build_cache(environment: Environment) -> Path:
    return environment.path / "compiled"


class GoRecipe(installation.Recipe[GoRequest]):
    """How modules are had: `go list` resolves and downloads what `imports` needs, and no more."""

    language = "go"

    def question(self) -> tuple[str, ...]:
        return RECIPE, toolchain(self.sandbox), json.dumps(self.request)

    def contents(self, lock: str) -> tuple[str, ...]:
        return RECIPE, toolchain(self.sandbox), *json.loads(lock), self.request.source()

    def well_known(self) -> GoRequest:
        return GoRequest(".".join(map(str, OLDEST)), (WELL_KNOWN,), (WELL_KNOWN[0],))

    def resolve(self) -> str:
        if not self.request.imports:
            return json.dumps(Lock(self.request._replace(requires=(), replaces=()).go_mod(), ""))
        with self.resolving() as folder:
            self._write(folder, Lock(self.request.go_mod(), ""))
            # One at a time: two processes that unpack the same module would be in each other's way.
            with self.cache.lock("go-store"):
                self._list("mod", folder, self.store / "modules", "resolve")
            sums = folder / "go.sum"
            lock = Lock(
                (folder / "go.mod").read_text(encoding="utf-8"),
                sums.read_text(encoding="utf-8") if sums.is_file() else "",
            )
        return json.dumps(lock)

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        target, locked = folder / "modules", Lock.read(lock)
        target.mkdir()
        if self.request.imports:
            self._write(folder / "request", locked)
            self._list("readonly", folder / "request", target, "download")
        return tuple(f"{path}=={version}" for path, version in sorted(locked.parsed.requires))

    def also(self, environment: Environment, lock: str, *, install: bool) -> Environment:
        """The build cache of these modules, on top of that of the standard library."""
        compiler = Compiler(self.cache, self.sandbox, SEALED)
        if not self.request.imports:
            return compiler.standard(install=install)

        def jobs(folder: Path) -> list[Job]:
            self._write(folder, Lock.read(lock))
            return [Job(folder, (*COMPILE, "-mod=readonly", "./..."))]

        return compiler.modules(environment, jobs, install=install)

    def _list(self, mode: str, folder: Path, target: Path, verb: str) -> None:
        """Have what the module in `folder` imports in the module cache `target`."""
        words = ("list", f"-mod={mode}", "-modcacherw", "-deps", "./...")

        def fetch(*, offline: bool) -> Completed:
            return fetching(self, words, folder, target, SEALED, offline=offline)

        done = installation.offline_first(fetch)
        if not done.ok:
            raise explain(done, verb, folder)

    def _write(self, folder: Path, lock: Lock) -> None:
        folder.mkdir(exist_ok=True)
        (folder / "go.mod").write_text(lock.go_mod, encoding="utf-8")
        (folder / "request.go").write_text(self.request.source(), encoding="utf-8")
        if lock.go_sum:
            (folder / "go.sum").write_text(lock.go_sum, encoding="utf-8")


def fetching(
    recipe: installation.Recipe[R],
    words: tuple[str, ...],
    folder: Path,
    target: Path,
    settings: Mapping[str, str],
    *,
    offline: bool,
) -> Completed:
    """A go command in `folder` that may download into the module cache `target`."""
    # What go has downloaded once is laid out as a proxy serves it, sums checked.
    downloads = f"file://{recipe.store / 'modules' / 'cache' / 'download'}"
    registry = registry_environment() | go_environment()
    proxy = registry.get("GOPROXY") or default_proxy(recipe.sandbox)
    sources = {"GOPROXY": f"{downloads},{proxy}"}
    if offline:
        sources = {"GOPROXY": downloads, "GOSUMDB": "off"}
    env = {**registry, **sources, **settings, "GOMODCACHE": str(target), "GOFLAGS": ""}
    own = (Mount(path=recipe.store.parent, writable=True), Mount(path=folder, writable=True))
    mounts = (*own, *registry_mounts())
    return run_go(recipe.sandbox, words, folder, env=env, mounts=mounts, network=not offline)


class Job(NamedTuple):
    folder: Path
    words: tuple[str, ...]


class Compiler(NamedTuple):
    """Makes build caches. `settings` decide how packages are compiled: with C or without."""

    cache: Cache
    sandbox: Sandbox
    settings: Mapping[str, str]

    def modules(
        self, environment: Environment, jobs: Callable[[Path], list[Job]], *, install: bool
    ) -> Environment:
        """What `jobs` compile of the modules in `environment`; they are given a folder to work in.

        A package that doesn't compile is reported again where it is used, and counts there.
        """
        self.standard(install=install)  # now, and not in `build`, which runs under a lock

        def build(folder: Path) -> tuple[str, ...]:
            target = folder / "compiled"
            standard = self.standard(install=False)
            with self.cache.in_use(standard):
                shutil.copytree(build_cache(standard), target, copy_function=_link)
            for job in jobs(folder / "request"):
                self._compile(folder, target, job, environment)
            return environment.packages

        # By path too: compiled packages name the files they were made from.
        contents = (*self._contents, environment.key, str(environment.path))
        with self.cache.in_use(environment):
            return installation.kept(self.cache, COMPILED, contents, build, install=install)

    def standard(self, *, install: bool = True) -> Environment:
        def build(folder: Path) -> tuple[str, ...]:
            target, request = folder / "compiled", folder / "request"
            target.mkdir()
            self._compile(folder, target, Job(folder, ("build", "std")))
            # What the checks know of each package, for those that will import it.
            names = _importable(self.sandbox, self.settings)
            every = GoRecipe(GoRequest("", (), names), self.cache, self.sandbox)
            every._write(request, Lock(every.request.go_mod(), ""))  # noqa: SLF001 - of this file
            self._compile(folder, target, Job(request, (*COMPILE, "./...")))
            return (f"std=={toolchain(self.sandbox).split()[0]}",)

        return installation.kept(self.cache, STANDARD, self._contents, build, install=install)

    @property
    def _contents(self) -> tuple[str, ...]:
        return RECIPE, toolchain(self.sandbox), json.dumps(sorted(self.settings.items()))

    def _compile(
        self, folder: Path, target: Path, job: Job, modules: Environment | None = None
    ) -> None:
        """Fill `target`. That the compiler itself was stopped is a fault of ours."""
        env = {**self.settings, "GOCACHE": str(target), "GOPROXY": "off", "GOFLAGS": ""}
        mounts = [Mount(path=folder, writable=True)]
        if modules is not None:
            env["GOMODCACHE"] = str(module_cache(modules))
            mounts.append(Mount(path=modules.path))
        done = run_go(self.sandbox, job.words, job.folder, env=env, mounts=tuple(mounts))
        stopped = done.stopped_by is not None or done.signal is not None
        if stopped or (modules is None and not done.ok):
            raise EnvironmentFault(f"Cannot compile with go: {done.ending()}.\n{done.output}")


def explain(
    done: Completed, verb: str, folder: Path
) -> installation.Unresolvable | EnvironmentFault:
    # Paths of the temporary folder mean nothing to a reader.
    text = GO_SIGNS.readable(done.output).replace(f"{folder}/", "")
    return GO_SIGNS.explain(done, verb, text)


def _importable(sandbox: Sandbox, settings: Mapping[str, str]) -> tuple[str, ...]:
    """The packages of the standard library that any source may import."""
    listed = run_go(sandbox, ("list", "std"), Path("/"), env={**settings, "GOPROXY": "off"})
    names = (name for name in listed.stdout.split() if not name.startswith("vendor/"))
    return tuple(name for name in names if "internal" not in name.split("/"))


def _link(source: str, target: str) -> str:
    """A second name for the same file; a copy where the file system has none."""
    with contextlib.suppress(OSError):
        os.link(source, target)
        return target
    return str(shutil.copy2(source, target))


def go_program() -> str:
    return find_program("go", "Go projects", ADVICE)


def go_mounts() -> tuple[Mount, ...]:
    """The toolchain's own folder, where it lives outside the system's."""
    root = Path(go_program()).resolve().parent.parent
    return () if root.is_relative_to("/usr") else (Mount(path=root),)


def go_search_path() -> tuple[Path, ...]:
    return (Path(go_program()).resolve().parent,)


def toolchain(sandbox: Sandbox) -> str:
    """Version and platform, as they decide whether an environment fits."""
    return _described(go_program(), sandbox)


@functools.cache
def _described(program: str, sandbox: Sandbox) -> str:
    done = run_go(sandbox, ("env", "GOVERSION", "GOOS", "GOARCH", "GOROOT"), Path("/"))
    version = re.match(r"go(\d+)\.(\d+)", done.stdout)
    if not done.ok or version is None:
        raise MissingTool(
            f"{program} does not run in the sandbox: {done.ending()}. {done.output} {ADVICE}"
        )
    if (int(version[1]), int(version[2])) < OLDEST:
        raise MissingTool(f"{program} is {done.stdout.split()[0]}, which is too old. {ADVICE}")
    return " ".join(done.stdout.split())


@functools.cache
def default_proxy(sandbox: Sandbox) -> str:
    """Where this toolchain gets modules from when nobody says otherwise."""
    return run_go(sandbox, ("env", "GOPROXY"), Path("/")).stdout.strip()


def run_go(
    sandbox: Sandbox,
    words: tuple[str, ...],
    folder: Path,
    *,
    env: dict[str, str] | None = None,
    mounts: tuple[Mount, ...] = (),
    network: bool = False,
) -> Completed:
    """One call of go in `folder`, which the mounts make visible."""
    return sandbox.run(
        Command(
            argv=(*installation.IN_FOLDER, str(folder), go_program(), *words),
            env=ENVIRONMENT | (env or {}),
            mounts=(*go_mounts(), *mounts),
            search_path=go_search_path(),
            network=network,
            limits=installation.LIMITS,
        )
    )
