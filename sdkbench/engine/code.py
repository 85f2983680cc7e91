"""Digests of the code that judges: a verdict of other code is another attempt."""

import functools
import hashlib
import platform

from sdkbench import __version__
from sdkbench.core import fingerprints
from sdkbench.test_harness import TestRunnerRegistry

# Answers are among them: how a recorded one is taken apart decides what is judged.
SDK_ROOMS = (
    "core", "sandbox", "environments", "test_harness", "inside", "datasets", "judge",
    "generation/answers",
)  # fmt: skip
SHELL_ROOMS = ("shell", "inside/shell")


@functools.cache
def sdk_judges() -> str:
    """Ours, and that of installed runner plugins."""
    digest = hashlib.sha256(_rooms(SDK_ROOMS).encode())
    for path in TestRunnerRegistry.code_of_plugins():
        content = fingerprints.of_path(path)
        digest.update(f"{path.name}\0{content}".encode())
    return digest.hexdigest()


def machine() -> str:
    """What of the machine may change a verdict; toolchains are the user's to keep the same."""
    python = ".".join(platform.python_version_tuple()[:2])
    return f"{platform.system()} {platform.machine()}, Python {python}"


@functools.cache
def shell_judges() -> str:
    return hashlib.sha256(_rooms(SHELL_ROOMS).encode()).hexdigest()


def _rooms(names: tuple[str, ...]) -> str:
    return f"{__version__} {fingerprints.of_rooms(*names)}"
