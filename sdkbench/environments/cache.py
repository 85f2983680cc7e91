"""Cache: folders kept by content key, made once even when several processes want them at once.

<root>/<language>/environments/<key>/   published by rename, never changed afterwards
<root>/<language>/store/                the package manager's own downloads
<root>/<language>/building/             half-made folders; swept when nobody holds them
<root>/records/<kind>/<key>             small texts: resolutions, expected test ids
<root>/locks/                           one file lock for each key
"""

import contextlib
import fcntl
import json
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from sdkbench.errors import DiskFault
from sdkbench.sandbox import Cancellation

DESCRIPTION = "environment.json"
LOCK_POLL_SECONDS = 0.05
BUILDING_MAX_AGE_SECONDS = 6 * 3600  # far longer than any installation may take


class Environment(BaseModel):
    """A read-only folder of installed packages, named by what is in it."""

    model_config = ConfigDict(frozen=True)

    key: str
    language: str
    path: Path
    packages: tuple[str, ...]  # name==version, sorted


class Provision(NamedTuple):
    """An environment, or the reason why the requirements give none (the solution's fault).

    `built` tells whether the environment was installed in this run, rather than found.
    """

    environment: Environment | None = None
    also: Environment | None = None  # what goes with it, where a language has two
    lock: str = ""  # exact versions, as the language's own resolver wrote them
    built: bool = False
    failure: str | None = None
    duration_seconds: float = 0.0


def default_root() -> Path:
    """$SDKBENCH_CACHE, else `sdkbench` in the user's cache folder."""
    named = os.environ.get("SDKBENCH_CACHE")
    if named:
        return Path(named).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser().absolute() / "sdkbench"


class InstallBegan(NamedTuple):
    """An environment is being made. What it takes so far is `bytes_below(folder)`, less `before`;
    None for either where counting would take too long.
    """

    key: str
    language: str
    packages: int | None  # where the lock tells
    folder: Path
    before: int | None
    began: float  # monotonic


class InstallEnded(NamedTuple):
    """`packages` is None where nothing came of it."""

    key: str
    language: str
    packages: int | None
    size_bytes: int
    seconds: float


CacheEvent = InstallBegan | InstallEnded


class Entry(NamedTuple):
    environment: Environment
    size_bytes: int
    used_at: float


class Cache:
    """Raises DiskFault where its folder cannot be written."""

    def __init__(
        self,
        root: Path | None = None,
        cancellation: Cancellation | None = None,
        watch: Callable[["CacheEvent"], None] | None = None,
    ) -> None:
        """`watch` is told what is installed, from whichever thread does it."""
        self.watch = watch or (lambda _: None)
        self.root = (root or default_root()).absolute()
        self._cancellation = cancellation or Cancellation()
        self.built: set[str] = set()  # keys of environments that this object had to make
        with self._writing():
            for name in ("locks", "records"):
                (self.root / name).mkdir(parents=True, exist_ok=True)

    def store(self, language: str) -> Path:
        """Where `language`'s package manager keeps its downloads."""
        path = self.root / language / "store"
        with self._writing():
            path.mkdir(parents=True, exist_ok=True)
        return path

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise DiskFault(
                f"The cache folder {self.root} cannot be written ({error}). "
                "Set SDKBENCH_CACHE to a folder of yours."
            ) from error

    def find(self, language: str, key: str) -> Environment | None:
        folder = self._folder(language, key)
        environment = self.described(folder)
        if environment is not None:
            with contextlib.suppress(OSError):
                os.utime(folder)  # last used, for gc; a cache we may only read works all the same
        return environment

    def has(self, key: str) -> bool:
        """Whether there is an environment of this key, of whichever language."""
        return any(self.root.glob(f"*/environments/{key}/{DESCRIPTION}"))

    def make(
        self,
        language: str,
        key: str,
        build: Callable[[Path], tuple[str, ...]],
        *,
        expected: int | None = None,
    ) -> Environment:
        """The environment `key`, built if it isn't there.

        `build` fills an empty folder and returns the packages in it, `expected` is how many; if it
        raises, nothing is published. Another process that wants the same key waits for the first
        one's result.
        """
        environment = self.find(language, key)
        if environment is None:
            with self.lock(f"{language}-{key}"):
                environment = self.find(language, key)
                if environment is None:
                    with self._told(language, key, expected) as made:
                        environment = self._build(language, key, build)
                        made.append(environment)
        return environment

    @contextlib.contextmanager
    def _told(self, language: str, key: str, expected: int | None) -> Iterator[list[Environment]]:
        """Tells the watcher of what is made in the block, which puts it into the list."""
        made: list[Environment] = []
        began, folder = time.monotonic(), self.root / language
        self.watch(InstallBegan(key, language, expected, folder, bytes_below(folder), began))
        try:
            yield made
        finally:
            count = len(made[0].packages) if made else None
            size = disk_usage(made[0].path) if made else 0
            self.watch(InstallEnded(key, language, count, size, time.monotonic() - began))

    def record(self, kind: str, key: str, compute: Callable[[], str]) -> str:
        """The text kept under `key`, computed once across processes."""
        kept = self.read_record(kind, key)
        if kept is None:
            with self.lock(f"{kind}-{key}"):
                kept = self.read_record(kind, key)
                if kept is None:
                    kept = compute()
                    self._write_record(kind, key, kept)
        return kept

    def read_record(self, kind: str, key: str) -> str | None:
        try:
            return (self.root / "records" / kind / key).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None

    def adopt(self, language: str, key: str, folder: Path) -> bool:
        """Publish a finished `folder` as the environment `key`; False where that is there."""
        with self._writing(), self.lock(f"{language}-{key}"):
            if self.find(language, key) is not None:
                return False
            final = self._folder(language, key)
            final.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(final, ignore_errors=True)
            folder.rename(final)
        return True

    def adopt_record(self, kind: str, key: str, text: str) -> bool:
        """Keep `text` under `key`; False where there is one already."""
        with self.lock(f"{kind}-{key}"):
            if self.read_record(kind, key) is not None:
                return False
            self._write_record(kind, key, text)
        return True

    def entries(self) -> list[Entry]:
        """Every environment, the one used longest ago first."""
        folders = sorted(self.root.glob("*/environments/*"))
        entries = [
            Entry(environment, disk_usage(folder), folder.stat().st_mtime)
            for folder in folders
            if (environment := self.described(folder)) is not None
        ]
        return sorted(entries, key=lambda entry: entry.used_at)

    def total_bytes(self) -> int:
        return disk_usage(self.root)

    def gc(self, max_bytes: int) -> list[str]:
        """Remove what was used longest ago until the cache fits; say what went.

        Environments in use are kept. Downloads go last: they make the next installation quick.
        """
        self._sweep_building()
        removed: list[str] = []
        for entry in self.entries():
            if self.total_bytes() <= max_bytes:
                return removed
            if self._remove(entry.environment):
                removed.append(f"{entry.environment.language} {entry.environment.key[:12]}")
        for store in sorted(self.root.glob("*/store")):
            if self.total_bytes() <= max_bytes:
                break
            shutil.rmtree(store, ignore_errors=True)
            removed.append(f"{store.parent.name} downloads")
        return removed

    @contextlib.contextmanager
    def in_use(self, environment: Environment) -> Iterator[None]:
        """Keeps gc in other processes from removing `environment`."""
        with self._open_lock(f"use-{environment.key}") as fd:
            fcntl.flock(fd, fcntl.LOCK_SH)
            yield

    @contextlib.contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Held by one thread of one process at a time; a cancelled run stops waiting for it."""
        with self._open_lock(name) as fd:
            while True:
                try:
                    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    self._cancellation.raise_if_requested()
                    time.sleep(LOCK_POLL_SECONDS)
            yield

    @contextlib.contextmanager
    def _open_lock(self, name: str) -> Iterator[int]:
        with self._writing():
            fd = os.open(self.root / "locks" / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            yield fd
        finally:
            os.close(fd)

    def _folder(self, language: str, key: str) -> Path:
        return self.root / language / "environments" / key

    @staticmethod
    def described(folder: Path) -> Environment | None:
        """What `folder` says that it is; None where it says nothing."""
        try:
            data = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
            return Environment.model_validate({**data, "path": folder})
        except (OSError, ValueError, TypeError):
            return None

    def _build(
        self, language: str, key: str, build: Callable[[Path], tuple[str, ...]]
    ) -> Environment:
        building = self.root / language / "building"
        with self._writing():
            building.mkdir(parents=True, exist_ok=True)
            self._sweep_building()
            temporary = Path(tempfile.mkdtemp(dir=building))
        final = self._folder(language, key)
        try:
            packages = build(temporary)
            description = {"key": key, "language": language, "packages": packages}
            (temporary / DESCRIPTION).write_text(json.dumps(description), encoding="utf-8")
            final.parent.mkdir(parents=True, exist_ok=True)
            shutil.rmtree(final, ignore_errors=True)  # a folder without description is a ruin
            temporary.rename(final)
        except OSError as error:
            raise DiskFault(f"Cannot keep an environment in {self.root}: {error}.") from error
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
        self.built.add(key)
        return Environment(key=key, language=language, path=final, packages=packages)

    def _remove(self, environment: Environment) -> bool:
        with self._open_lock(f"use-{environment.key}") as fd:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return False
            # Moved away first: nobody may find an environment that is half deleted.
            building = self.root / environment.language / "building"
            building.mkdir(parents=True, exist_ok=True)
            ruin = Path(tempfile.mkdtemp(dir=building)) / "ruin"
            try:
                environment.path.rename(ruin)
            except FileNotFoundError:  # another gc was quicker
                return False
            finally:
                shutil.rmtree(ruin.parent, ignore_errors=True)
            return True

    def _sweep_building(self) -> None:
        for folder in self.root.glob("*/building/*"):
            with contextlib.suppress(OSError):
                if time.time() - folder.stat().st_mtime > BUILDING_MAX_AGE_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)

    def _write_record(self, kind: str, key: str, text: str) -> None:
        folder = self.root / "records" / kind
        with self._writing():
            folder.mkdir(parents=True, exist_ok=True)
            fd, temporary = tempfile.mkstemp(dir=folder)
            with os.fdopen(fd, "w", encoding="utf-8") as stream:
                stream.write(text)
            Path(temporary).rename(folder / key)


MOST_COUNTED = 30_000  # files: a tenth of a second


def bytes_below(root: Path) -> int | None:
    """As `disk_usage`; None where there are so many files that it would take long."""
    count = 0
    for _, _, names in os.walk(root):
        count += len(names)
        if count > MOST_COUNTED:
            return None
    return disk_usage(root)


def disk_usage(root: Path) -> int:
    """Bytes on disk below `root`; files with several names (hard links) count once."""
    seen: set[tuple[int, int]] = set()
    total = 0
    for current, _, names in os.walk(root):
        for name in names:
            with contextlib.suppress(OSError):
                status = Path(current, name).lstat()
                if (status.st_dev, status.st_ino) not in seen:
                    seen.add((status.st_dev, status.st_ino))
                    total += status.st_blocks * 512
    return total
