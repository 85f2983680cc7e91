"""Versions: which SDKBench and which Python judge here; a verdict must not hang on the node."""

import functools
import hashlib
import os
import sys
from pathlib import Path
from typing import NamedTuple

import sdkbench
from sdkbench.core import tree
from sdkbench.test_harness import TestRunnerRegistry

# Samples that an installed package brings along are sent by the driver, like any other.
BUNDLED = "bundled"


class Versions(NamedTuple):
    sdkbench: str
    code: str  # digest of the package and of installed runners
    python: str


@functools.cache
def versions() -> Versions:
    """Those of this process."""
    digest = hashlib.sha256()
    for path in (Path(*sdkbench.__path__), *TestRunnerRegistry.code_of_plugins()):
        _add(path, digest)
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Versions(sdkbench.__version__, digest.hexdigest()[:16], python)


def difference(driver: Versions, node: Versions) -> str | None:
    """What is not the same, as part of a sentence; None where all is."""
    if driver.python != node.python:
        return f"it has Python {node.python}, the driver {driver.python}"
    if driver.sdkbench != node.sdkbench:
        return f"it has SDKBench {node.sdkbench}, the driver {driver.sdkbench}"
    if driver.code != node.code:
        return "its SDKBench or its runner plugins have other code than the driver's"
    return None


def _add(root: Path, digest: "hashlib._Hash") -> None:
    for path in tree.files(root) if root.is_dir() else [root]:
        relative = path.relative_to(root)
        if not any(part.startswith(BUNDLED) for part in relative.parts):
            digest.update(os.fsencode(relative) + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
