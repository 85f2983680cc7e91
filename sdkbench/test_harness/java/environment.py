"""provide(request): the jars of a class path, resolved once and kept; Maven is not needed again."""

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.providing import not_installed, provided
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness.java import maven
from sdkbench.test_harness.java.generated_pom import PLUGIN, generated_pom
from sdkbench.test_harness.java.manifest import Coordinates, Dependency
from sdkbench.test_harness.java.toolchain import jdk

LANGUAGE = "java"
RECIPE = "1"  # another one when environments are made in another way: old ones must not be found
INDEX = "jars.json"


class JavaRequest(NamedTuple):
    """What must be on the class path, and which versions others manage."""

    dependencies: tuple[Dependency, ...]
    managed: tuple[Dependency, ...] = ()


class Jar(NamedTuple):
    name: Coordinates
    version: str
    path: str  # below the repository; in an environment, below its `jars` folder
    sha256: str


def jars(environment: Environment) -> list[tuple[Jar, Path]]:
    """The class path in Maven's order, and where each jar is."""
    rows = json.loads((environment.path / INDEX).read_text(encoding="utf-8"))
    return [(jar, environment.path / "jars" / jar.path) for jar in _read(rows)]


def provide(
    request: JavaRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one.

    Raises EnvironmentFault where the network or the disk failed, not the dependencies; or where
    the environment is not there yet and `install` is off.
    """
    if not install:
        return Provision(environment=_find(request, cache, sandbox))

    def make() -> Environment:
        key = _resolution_key(request, sandbox)
        lock = cache.record(
            "resolutions", key, lambda: json.dumps(_resolve(request, cache, sandbox))
        )
        return _install(request, lock, cache, sandbox)

    return provided(cache, make)


def _resolution_key(request: JavaRequest, sandbox: Sandbox) -> str:
    # Profiles of published manifests may look at the JDK and the platform.
    return fingerprints.of_texts(LANGUAGE, RECIPE, jdk(sandbox).identity, json.dumps(request))


def _environment_key(lock: str, sandbox: Sandbox) -> str:
    return fingerprints.of_texts(LANGUAGE, RECIPE, jdk(sandbox).identity, lock)


def _find(request: JavaRequest, cache: Cache, sandbox: Sandbox) -> Environment:
    lock = cache.read_record("resolutions", _resolution_key(request, sandbox))
    found = None if lock is None else cache.find(LANGUAGE, _environment_key(lock, sandbox))
    if found is None:
        raise not_installed()
    return found


def _resolve(request: JavaRequest, cache: Cache, sandbox: Sandbox) -> list[Jar]:
    """Exact jars with their digests: offline from earlier downloads, else from the registry."""
    store = cache.store(LANGUAGE)
    with tempfile.TemporaryDirectory(dir=store.parent, prefix="resolve-") as name:
        folder = Path(name)
        pom = generated_pom(request.dependencies, request.managed)
        (folder / "pom.xml").write_text(pom, encoding="utf-8")
        words = (f"{PLUGIN}:build-classpath", "-Dmdep.outputFile=classpath.txt")
        # Two Mavens that download the same file at once would not wait for each other.
        with cache.lock(f"{LANGUAGE}-store"):
            for offline in (True, False):
                done = maven.run(words, folder, store, sandbox, offline=offline)
                if done.ok:
                    break
            else:
                raise maven.explain(done, "resolve")
        found = (folder / "classpath.txt").read_text(encoding="utf-8").strip()
    return [_jar(Path(path), store) for path in found.split(":") if path.endswith(".jar")]


def _jar(path: Path, store: Path) -> Jar:
    """A jar by its place in the repository: group/parts/artifact/version/file."""
    inside = path.relative_to(store)
    *group, artifact, version, _ = inside.parts
    with path.open("rb") as stream:
        content = hashlib.file_digest(stream, "sha256").hexdigest()
    return Jar(Coordinates(".".join(group), artifact), version, inside.as_posix(), content)


def _install(request: JavaRequest, lock: str, cache: Cache, sandbox: Sandbox) -> Environment:
    def build(folder: Path) -> tuple[str, ...]:
        store = cache.store(LANGUAGE)
        wanted = _read(json.loads(lock))
        if not all((store / jar.path).is_file() for jar in wanted):
            _resolve(request, cache, sandbox)  # the downloads were thrown away; get them again
        for jar in wanted:
            target = folder / "jars" / jar.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(store / jar.path, target)
            if hashlib.sha256(target.read_bytes()).hexdigest() != jar.sha256:
                raise EnvironmentFault(
                    f"{jar.name} {jar.version} is not the file it was when it was resolved. "
                    "Remove the downloads (`sdkbench cache gc --max-size 0`) and run again."
                )
        (folder / INDEX).write_text(lock, encoding="utf-8")
        return tuple(sorted(f"{jar.name}=={jar.version}" for jar in wanted))

    return cache.make(LANGUAGE, _environment_key(lock, sandbox), build)


def _read(rows: list[tuple[list[str], str, str, str]]) -> list[Jar]:
    return [Jar(Coordinates(*name), version, path, sha) for name, version, path, sha in rows]
