"""What Maven downloads to build and test a project that is judged on its own tests.

To learn what the project's plugins want, Maven runs once with the network, over the project without
its code. Where a later build without the network still lacks something, it runs once more, over the
project itself. The repository is private to the project: plugins run in it, and nothing is shared
that they could spoil.
"""

import functools
import json
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments import Environment, installation
from sdkbench.sandbox import Completed
from sdkbench.test_harness.java.maven import errors, explain, jdk, maven_program, run
from sdkbench.test_harness.missing_tools import refuse_lacks

RECIPE = "2"  # another one when repositories are made in another way: old ones must not be found
GOALS = "goals.json"
REPOSITORY = "repository"
TEST: tuple[str, ...] = ("test",)
SUREFIRE = "3.5.2"  # where Maven's own choice is older than JUnit 5
SUREFIRE_GOALS = (
    "test-compile", f"org.apache.maven.plugins:maven-surefire-plugin:{SUREFIRE}:test@default-test",
)  # fmt: skip
# The first that knows JUnit 5.
MODERN = (2, 22)
RAN_SUREFIRE = re.compile(r"^\[INFO\] --- (?:maven-)?surefire(?:-plugin)?:(\d+)\.(\d+)\S*:test \(",
                          re.MULTILINE)  # fmt: skip
# No test of the project runs with the network, and that there is none to run is no failure.
# Nor do those plugins look at the sources that would mind ours; they are downloaded all the same.
QUIETLY = (
    "-fae", "-DfailIfNoTests=false", "-Dsurefire.failIfNoSpecifiedTests=false",
    "-Drat.skip", "-Dlicense.skip", "-Dcheckstyle.skip",
)  # fmt: skip
WARM_UP = "SdkbenchWarmUpTest"
# Maven's words for what no later offline build could do without.
UNRESOLVED = re.compile(
    r"Could not (?:resolve|find|transfer)|Non-resolvable|non-parseable|Failed to collect|"
    r"could not be resolved|Non-readable POM|is missing|Malformed POM|in offline mode",
    re.IGNORECASE,
)
# Programs of other versions than the project asks for: the machine's lack, not the project's fault.
OTHER_VERSIONS = (
    re.compile(
        r"Detected (Maven) Version: \S+ is not in the allowed range (\S.*?)\.?$", re.MULTILINE
    ),
    re.compile(r"Detected (JDK) .*? is not in the allowed range (\S.*?)\.?$", re.MULTILINE),
    re.compile(r"requires (Maven) version (\S+)"),
    re.compile(r"(?:error: )?(?:release version|invalid (?:target|source) release:) ()(\d+)"),
)


class RepositoryRequest(NamedTuple):
    """A project without code, and whether its tests are for JUnit 5. If Maven has to see all of
    it: where it is itself, and what was downloaded before.
    """

    files: Mapping[str, str]
    jupiter: bool
    project: Path | None = None
    downloaded: Path | None = None


class RepositoryRecipe(installation.Recipe[RepositoryRequest]):
    language = "maven"

    def question(self) -> tuple[str, ...]:
        return self.contents("")

    def contents(self, lock: str) -> tuple[str, ...]:
        del lock
        request = self.request
        asked = json.dumps([sorted(request.files.items()), request.jupiter])
        whole = fingerprints.of_path(request.project) if request.project else ""
        return RECIPE, jdk(self.sandbox).identity, maven_program(), asked, whole

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        del lock
        project, repository = folder / "project", folder / REPOSITORY
        if self.request.downloaded is not None:
            shutil.copytree(self.request.downloaded, repository)
        else:
            repository.mkdir()
        words = self._lay_out(project)
        call = functools.partial(run, folder=project, repository=repository, sandbox=self.sandbox)
        done = call((*TEST, *words), offline=False)
        goals = TEST
        if self.request.jupiter and _is_old(done):
            goals = SUREFIRE_GOALS
            done = call((*goals, *words), offline=False)
        if not done.ok and not RAN_SUREFIRE.search(done.stdout):  # nothing could be tested
            refuse_lacks([errors(done)], lack_of_version)
        # A plugin that misses the project's sources will find them later; a package won't come.
        if not done.ok and (done.stopped_by or UNRESOLVED.search(errors(done))):
            raise explain(done, "install")
        shutil.rmtree(project)
        for marker in repository.rglob("_remote.repositories"):
            marker.unlink()  # which would bind each file to the mirror it came from
        (folder / GOALS).write_text(json.dumps(goals), encoding="utf-8")
        return tuple(sorted(_package(path, repository) for path in repository.rglob("*.jar")))

    def _lay_out(self, project: Path) -> tuple[str, ...]:
        if self.request.project is None:
            for name, text in self.request.files.items():
                path = project / name
                if name.endswith("/"):
                    path.mkdir(parents=True, exist_ok=True)
                else:
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(text, encoding="utf-8")
            return QUIETLY
        shutil.copytree(self.request.project, project, symlinks=True)
        for tests in project.rglob("src/test/java"):
            source = f"public class {WARM_UP} {{}}\n"
            (tests / f"{WARM_UP}.java").write_text(source, encoding="utf-8")
        return (*QUIETLY, f"-Dtest={WARM_UP}")


def goals_of(environment: Environment) -> tuple[str, ...]:
    """What Maven is asked for to run the tests."""
    return tuple(json.loads((environment.path / GOALS).read_text(encoding="utf-8")))


def _is_old(done: Completed) -> bool:
    versions = [(int(major), int(minor)) for major, minor in RAN_SUREFIRE.findall(done.stdout)]
    return bool(versions) and min(versions) < MODERN


def lacks_something(texts: list[str]) -> bool:
    """Whether a build without the network missed what a build with it would have downloaded."""
    return any("in offline mode" in text or "--offline" in text for text in texts)


def lack_of_version(text: str) -> str | None:
    """A sentence where a build asks for another Maven or JDK than there is."""
    for sign in OTHER_VERSIONS:
        match = sign.search(f"{text}\n")
        if match:
            return (
                f"The project's build needs {match[1] or 'Java'} {match[2]}, and this machine "
                f"has another: {match[0].strip()}. Install it, and run again."
            )
    return None


def _package(path: Path, repository: Path) -> str:
    *group, artifact, version, _ = path.relative_to(repository).parts
    return f"{'.'.join(group)}:{artifact}=={version}"
