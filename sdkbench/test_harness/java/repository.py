"""provide_repository(request): all that Maven needs to build and test a project without network.

A project that is judged on its own tests is built by Maven as it stands, plugins and all. To learn
what they want, Maven runs once over the manifests alone, with the network and with an empty test
in each module; what it downloads is the environment. Plugins run in that: so the repository is
private to the environment, and nothing is shared that they could spoil.
"""

import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Provision
from sdkbench.environments.providing import not_installed, provided
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness.java import maven
from sdkbench.test_harness.java.toolchain import jdk, maven_program

LANGUAGE = "maven"
RECIPE = "1"
WARM_UP = "public class WarmUpTest {}\n"
# Maven's words for what no later offline build could do without.
UNRESOLVED = re.compile(
    r"Could not (?:resolve|find|transfer)|Non-resolvable|non-parseable|Failed to collect|"
    r"could not be resolved|Non-readable POM|is missing|Malformed POM",
    re.IGNORECASE,
)


class RepositoryRequest(NamedTuple):
    """Manifests and Maven's settings by their paths, and the goals that will be asked for."""

    manifests: Mapping[str, str]
    goals: tuple[str, ...]


def provide_repository(
    request: RepositoryRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The repository for `request`, or the reason why there can't be one; as `provide`."""
    asked = json.dumps([sorted(request.manifests.items()), request.goals])
    key = fingerprints.of_texts(LANGUAGE, RECIPE, jdk(sandbox).identity, maven_program(), asked)
    found = cache.find(LANGUAGE, key)
    if found is None and not install:
        raise not_installed()
    return provided(
        cache,
        lambda: found or cache.make(LANGUAGE, key, lambda folder: _build(request, folder, sandbox)),
    )


def _build(request: RepositoryRequest, folder: Path, sandbox: Sandbox) -> tuple[str, ...]:
    project, repository = folder / "project", folder / "repository"
    repository.mkdir()
    for name, text in request.manifests.items():
        path = project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.name == "pom.xml":
            test = path.parent / "src" / "test" / "java" / "WarmUpTest.java"
            test.parent.mkdir(parents=True, exist_ok=True)
            test.write_text(WARM_UP, encoding="utf-8")
    words = (*request.goals, "-DfailIfNoTests=false", "-fae")
    done = maven.run(words, project, repository, sandbox, offline=False)
    # A plugin that misses the project's sources will find them later; a package won't come.
    if not done.ok and (done.stopped_by or UNRESOLVED.search(maven.errors(done))):
        raise maven.explain(done, "install")
    shutil.rmtree(project)
    return tuple(sorted(_package(path, repository) for path in repository.rglob("*.jar")))


def _package(path: Path, repository: Path) -> str:
    *group, artifact, version, _ = path.relative_to(repository).parts
    return f"{'.'.join(group)}:{artifact}=={version}"
