"""provide(request): resolve once, install once, offline first; the rest is looking it up."""

import functools
import json
import platform
import re
import sys
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import fingerprints
from sdkbench.environments.cache import Cache
from sdkbench.environments.environment import Environment, Provision
from sdkbench.environments.providing import Unresolvable, blame, not_installed, provided
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter as base_interpreter
from sdkbench.test_harness.python import uv

LANGUAGE = "python"


class PythonRequest(NamedTuple):
    """A set of requirements. The sample's author, never the solution, may allow source builds."""

    requirements: tuple[str, ...]
    constraints: tuple[str, ...] = ()
    build_from_source: bool = False


def site_packages(environment: Environment) -> Path:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    return environment.path / "venv" / "lib" / version / "site-packages"


def provide(
    request: PythonRequest, cache: Cache, sandbox: Sandbox, *, install: bool = True
) -> Provision:
    """The environment for `request`, or the reason why there can't be one.

    Raises EnvironmentFault where the network or the disk failed, not the requirements; or where
    the environment is not there yet and `install` is off.
    """
    if not install:
        return Provision(environment=_find(request, cache))
    return provided(
        cache,
        lambda: _install(request, _resolve(request, cache, sandbox), cache, sandbox),
    )


@functools.cache
def _toolchain() -> str:
    """What besides the lock decides whether an environment fits: interpreter and platform."""
    return json.dumps(
        [
            base_interpreter(),
            sys.version,
            platform.system(),
            platform.machine(),
            platform.libc_ver(),
        ]
    )


def _resolution_key(request: PythonRequest) -> str:
    asked = json.dumps([sorted(request.requirements), sorted(request.constraints)])
    return fingerprints.of_texts(LANGUAGE, _toolchain(), asked, str(request.build_from_source))


def _environment_key(request: PythonRequest, lock: str) -> str:
    return fingerprints.of_texts(LANGUAGE, _toolchain(), lock, str(request.build_from_source))


def _find(request: PythonRequest, cache: Cache) -> Environment:
    lock = cache.read_record("resolutions", _resolution_key(request))
    found = None if lock is None else cache.find(LANGUAGE, _environment_key(request, lock))
    if found is None:
        raise not_installed()
    return found


def _resolve(request: PythonRequest, cache: Cache, sandbox: Sandbox) -> str:
    """Exact versions for `request`, kept: the same question gets the same answer tomorrow."""

    def ask() -> str:
        done = uv.compile_lock(request.requirements, request.constraints, cache, sandbox,
                               build_from_source=request.build_from_source)  # fmt: skip
        if done.completed.ok:
            return done.text
        raise _explain(done.completed, "resolve")

    return cache.record("resolutions", _resolution_key(request), ask)


def _install(request: PythonRequest, lock: str, cache: Cache, sandbox: Sandbox) -> Environment:

    def build(folder: Path) -> tuple[str, ...]:
        done = uv.install(lock, folder, cache, sandbox, build_from_source=request.build_from_source)
        if not done.ok:
            raise _explain(done, "install")
        (folder / "lock.txt").write_text(lock, encoding="utf-8")
        return tuple(line for line in lock.splitlines() if "==" in line)

    return cache.make(LANGUAGE, _environment_key(request, lock), build)


NETWORK_SIGNS = re.compile(
    r"error sending request|dns error|failed to lookup address|Connection refused|"
    r"Could not connect|operation timed out|Network is unreachable|tls handshake|"
    r"invalid peer certificate|HTTP status (?:server error|client error \((?:401|403|407|429))",
    re.IGNORECASE,
)
DISK_SIGNS = re.compile(r"No space left on device|Read-only file system|Disk quota", re.IGNORECASE)


# Where uv says so, the rest of its words quotes the requirements and is no sign of anything.
REQUIREMENTS_AT_FAULT = ("error: No solution found", "error: Couldn't parse")


def _explain(done: Completed, verb: str) -> Unresolvable | EnvironmentFault:
    text = _without_noise(done.output)
    if done.stopped_by is None and text.startswith(REQUIREMENTS_AT_FAULT):
        return Unresolvable(text)
    return blame(done, text, verb, network=NETWORK_SIGNS, disk=DISK_SIGNS)


def _without_noise(output: str) -> str:
    noise = ("Using CPython", "Creating virtual environment", "warning: ")
    lines = [line for line in output.splitlines() if not line.strip().startswith(noise)]
    return "\n".join(lines).strip()
