"""The JDK and Maven of this machine, and what of them a sandbox must see."""

import functools
import os
import platform
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from sdkbench.errors import MissingTool
from sdkbench.sandbox import Command, Limits, Mount, Sandbox

OLDEST = 11  # modules, and single JUnit 5 jars that need no more
FEATURE = re.compile(r'version "(?:1\.)?(\d+)')
ADVICE = "Install a JDK and Maven (Debian and Ubuntu: apt-get install default-jdk-headless maven)."


class Jdk(NamedTuple):
    """A Java development kit: its home, its feature version (17), and all it says of itself."""

    home: Path
    feature: int
    description: str

    @property
    def java(self) -> str:
        return str(self.home / "bin" / "java")

    @property
    def identity(self) -> str:
        """What besides packages decides whether compiled classes fit."""
        return f"{self.description} {platform.system()} {platform.machine()}"


def _home() -> Path:
    """The kit whose javac is on the PATH, else $JAVA_HOME; MissingTool says how to get one."""
    found = shutil.which("javac")
    named = os.environ.get("JAVA_HOME")
    if found is None and named and (Path(named) / "bin" / "javac").is_file():
        found = str(Path(named) / "bin" / "javac")
    if found is None:
        raise MissingTool(f"javac was not found, and Java projects need it. {ADVICE}")
    return Path(found).resolve().parent.parent


def jdk(sandbox: Sandbox) -> Jdk:
    """The kit in use, tried in the sandbox; MissingTool where it is absent or too old."""
    return _tried(_home(), sandbox)


@functools.cache
def _tried(home: Path, sandbox: Sandbox) -> Jdk:
    command = Command(
        argv=(str(home / "bin" / "java"), "-version"),
        mounts=_mounts_of(home),
        limits=Limits(wall_seconds=60),
    )
    done = sandbox.run(command)
    feature = FEATURE.search(done.stderr)
    if not done.ok or feature is None:
        raise MissingTool(f"java does not run in the sandbox: {done.ending()}. {done.output}")
    if int(feature[1]) < OLDEST:
        raise MissingTool(f"Java {feature[1]} is too old: {OLDEST} is the oldest that works here.")
    return Jdk(home, int(feature[1]), done.stderr.strip())


def maven_program() -> str:
    found = shutil.which("mvn")
    if found is None:
        raise MissingTool(f"mvn was not found, and Java projects need it. {ADVICE}")
    return found


def jdk_mounts() -> tuple[Mount, ...]:
    return _mounts_of(_home())


def maven_mounts() -> tuple[Mount, ...]:
    return _mounts_of(Path(maven_program()).resolve().parent.parent)


@functools.cache
def _mounts_of(home: Path) -> tuple[Mount, ...]:
    """The folder itself, and where its configuration's links lead (Debian keeps it in /etc)."""
    folders = set() if home.is_relative_to("/usr") else {home}
    for part in ("conf", "lib/security"):
        for path in [home / part, *(home / part).rglob("*")]:
            target = path.resolve()
            if path.is_symlink() and target.exists() and target.is_relative_to("/etc"):
                folders.add(Path("/etc", target.relative_to("/etc").parts[0]))
    folders -= {Path("/etc/ssl"), Path("/etc/pki")}  # the sandbox shows certificates, not keys
    return tuple(Mount(path=folder) for folder in sorted(folders))
