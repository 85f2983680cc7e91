"""Digests of the code that judges: a verdict of other code is another attempt."""

import functools
import hashlib
from pathlib import Path

from sdkbench import __version__
from sdkbench.core import tree
from sdkbench.test_harness import TestRunnerRegistry

PACKAGE = Path(__file__).parent.parent
SDK_ROOMS = ("core", "sandbox", "environments", "test_harness", "integrity", "metrics")
SHELL_ROOMS = ("shell",)


@functools.cache
def sdk_judges() -> str:
    """Ours, and that of installed runner plugins."""
    digest = hashlib.sha256(_rooms(SDK_ROOMS).encode())
    for path in TestRunnerRegistry.code_of_plugins():
        content = tree.content_hash(path) if path.is_dir() else path.read_bytes().hex()
        digest.update(f"{path.name}\0{content}".encode())
    return digest.hexdigest()


@functools.cache
def shell_judges() -> str:
    return hashlib.sha256(_rooms(SHELL_ROOMS).encode()).hexdigest()


def _rooms(names: tuple[str, ...]) -> str:
    return " ".join([__version__, *(tree.content_hash(PACKAGE / name) for name in names)])
