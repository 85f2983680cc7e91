"""A mirror of files (httpx 0.28.1 is installed, nothing else).

Modules of the package import each other relatively (`from .retry import Retry`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx


def client(
    transport: httpx.BaseTransport, sleep: Callable[[float], None], attempts: int = 4
) -> httpx.Client:
    """A client whose requests all go through a Retry."""
    raise NotImplementedError


def mirror(
    url: str,
    folder: Path,
    transport: httpx.BaseTransport,
    sleep: Callable[[float], None],
) -> dict[str, Any]:
    """Mirror the files of a list into `folder`, which is created where missing.

    The list is JSON at {url}/index.json: an array of objects with "name" and "sha256"; a file is at
    {url}/NAME. All requests go through `client`. A file that is in the folder with
    that SHA-256 already is not asked for. Other files of the folder stay.

    Returns {"fetched": [...], "kept": [...], "failed": {...}}: names in the list's order, and for each
    failed one the reason: "status 404" (with its status), "damaged", "unreachable" for broken
    connections, or "bad name" for a name that is not one plain file name (empty, . or .., or
    with a / or \\ in it), which is not asked for. A failed file does not hinder the others. If the
    list itself cannot be had, the exception of httpx comes out.
    """
    raise NotImplementedError
