"""provide(recipe): resolve once, install once; afterwards only look it up. For every language.

A language says in a Recipe what its answer depends on and how its package manager is called. Keys,
records, locks, faults, `--no-install` and the user's registry settings are the same for all of
them, and are handled here.
"""

import contextlib
import dataclasses
import os
import re
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache, Environment, Provision
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed, Limits, Mount, Sandbox, StoppedBy

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
# What an installer may use, unless its language needs another measure.
LIMITS = Limits(
    wall_seconds=1800, cpu_seconds=3600, file_bytes=8 * 1024**3, output_bytes=256 * 1024
)
IN_FOLDER = ("sh", "-c", 'cd "$1" && shift && exec "$@"', "sh")  # then the folder and the command
EXACT_VERSION = re.compile(r"^[\w.\[\],-]+==", re.MULTILINE)  # a line of a Python lock
NOT_INSTALLED = (
    "The dependencies are not installed yet, and installing was switched off. "
    "Run once without --no-install."
)
Request = TypeVar("Request")
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


class Unresolvable(Exception):
    """The installer's own explanation of why the requirements give no environment."""


@dataclasses.dataclass(frozen=True)
class Recipe(ABC, Generic[Request]):
    """How one language turns a request into an environment."""

    language: ClassVar[str]  # the cache's folder for environments and downloads of this kind
    request: Request
    cache: Cache
    sandbox: Sandbox

    @abstractmethod
    def question(self) -> tuple[str, ...]:
        """Everything that the resolution depends on: toolchain, platform, the request itself."""

    def resolve(self) -> str:
        """Exact versions, as the text of a lock; none where the request names them already.

        Raises what `InstallerSigns.explain` returns.
        """
        return ""

    @abstractmethod
    def contents(self, lock: str) -> tuple[str, ...]:
        """Everything that decides whether an environment fits: toolchain, platform, the lock."""

    @abstractmethod
    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        """Fill the empty `folder` with what `lock` names; the packages, as name==version."""

    def also(self, environment: Environment, lock: str, *, install: bool) -> Environment | None:
        """A second one that is made from a finished `environment`, where there is such a thing."""
        del environment, lock, install
        return None

    def well_known(self) -> Request | None:
        """A small request that fails only where the registry gives no answer; None: nobody knows
        one.
        """
        return None

    def registry_answers(self) -> bool:
        """Asked now, without any download that is at hand. False for troubles of the disk and the
        installer too.
        """
        request = self.well_known()
        if request is None:
            return False
        with tempfile.TemporaryDirectory(dir=self.store.parent, prefix="resolve-") as name:
            try:
                empty = Cache(Path(name), cancellation=self.sandbox.cancellation)
                dataclasses.replace(self, request=request, cache=empty).resolve()
            except (Unresolvable, EnvironmentFault, OSError):
                return False
            return True

    @property
    def store(self) -> Path:
        """Where the package manager keeps its downloads."""
        return self.cache.store(self.language)

    @contextlib.contextmanager
    def resolving(self) -> Iterator[Path]:
        """A folder to resolve in, on the same disk as the downloads."""
        with tempfile.TemporaryDirectory(dir=self.store.parent, prefix="resolve-") as name:
            yield Path(name)


def provide(recipe: Recipe[Any], *, install: bool = True) -> Provision:
    """The environment of `recipe`, or the reason why the requirements give none.

    The same question gets the same answer tomorrow: its lock is kept. Raises EnvironmentFault where
    the network or the disk failed, not the requirements; or where the environment is not there yet
    and `install` is off.
    """
    began, cache = time.monotonic(), recipe.cache
    question = fingerprints.of_texts(recipe.language, *recipe.question())
    try:
        lock = cache.read_record("resolutions", question)
        if lock is None:
            if not install:
                raise EnvironmentFault(NOT_INSTALLED)
            lock = cache.record("resolutions", question, recipe.resolve)
        environment = kept(
            cache, recipe.language, recipe.contents(lock),
            lambda folder: recipe.install(folder, lock), install=install,
            expected=len(EXACT_VERSION.findall(lock)) or None,
        )  # fmt: skip
        also = recipe.also(environment, lock, install=install)
    except Unresolvable as failure:
        return Provision(failure=str(failure), duration_seconds=time.monotonic() - began)
    return Provision(
        environment=environment,
        also=also,
        lock=lock,
        built=not cache.built.isdisjoint(one.key for one in (environment, also) if one),
        duration_seconds=time.monotonic() - began,
    )


def kept(
    cache: Cache,
    language: str,
    contents: tuple[str, ...],
    build: Callable[[Path], tuple[str, ...]],
    *,
    install: bool = True,
    expected: int | None = None,
) -> Environment:
    """The environment with these `contents`, made by `build` where it isn't there yet.

    Raises EnvironmentFault where it isn't there and `install` is off.
    """
    key = fingerprints.of_texts(language, *contents)
    if install:
        return cache.make(language, key, build, expected=expected)
    environment = cache.find(language, key)
    if environment is None:
        raise EnvironmentFault(NOT_INSTALLED)
    return environment


class Installer(Protocol):
    def __call__(self, *, offline: bool) -> Completed: ...


def offline_first(run: Installer) -> Completed:
    """Asking the registry again is nearly all of a warm installation, so it is asked only where
    earlier downloads do not suffice.
    """
    done = run(offline=True)
    return done if done.ok else run(offline=False)


class InstallerSigns(NamedTuple):
    """How an installer says whose fault it was that it failed."""

    network: re.Pattern[str]
    disk: re.Pattern[str]
    noise: tuple[str, ...] = ()  # lines that start so say nothing
    requirements: tuple[str, ...] = ()  # text that starts so only quotes the requirements

    def explain(
        self, done: Completed, verb: str, text: str | None = None
    ) -> Unresolvable | EnvironmentFault:
        """The machine's fault, or the requirements'; `text` replaces the installer's output."""
        text = self.readable(done.output) if text is None else text
        if done.stopped_by is None and self.requirements and text.startswith(self.requirements):
            return Unresolvable(text)
        if done.stopped_by not in {None, StoppedBy.WALL}:  # nothing that a network does
            return Unresolvable(f"The installer was {done.ending()}.")
        if done.stopped_by is not None or done.signal is not None:
            return EnvironmentFault(
                f"Cannot {verb} dependencies: the installer was {done.ending()}."
            )
        if self.network.search(text):
            return EnvironmentFault(
                f"Cannot {verb} dependencies: the package registry was not reachable.\n{text}\n"
                "Check the network, the proxy and the registry settings, then run again."
            )
        if self.disk.search(text):
            return EnvironmentFault(
                f"Cannot {verb} dependencies: the disk is full or not writable.\n{text}\n"
                "Free some space (`sdkbench cache gc --max-size 5G`), then run again."
            )
        return Unresolvable(text)

    def readable(self, output: str) -> str:
        lines = [line for line in output.splitlines() if not line.strip().startswith(self.noise)]
        return "\n".join(line.rstrip() for line in lines).strip()
