"""A mirror of files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from .download import Damaged, digest, download
from .retry import Retry


def client(
    transport: httpx.BaseTransport, sleep: Callable[[float], None], attempts: int = 4
) -> httpx.Client:
    return httpx.Client(transport=Retry(transport, sleep, attempts))


def mirror(
    url: str,
    folder: Path,
    transport: httpx.BaseTransport,
    sleep: Callable[[float], None],
) -> dict[str, Any]:
    folder.mkdir(parents=True, exist_ok=True)
    done: dict[str, Any] = {"fetched": [], "kept": [], "failed": {}}
    with client(transport, sleep) as files:
        listed = files.get(f"{url}/index.json").raise_for_status().json()
        for entry in listed:
            name = entry["name"]
            if name in ("", ".", "..") or "/" in name or "\\" in name:
                done["failed"][name] = "bad name"
                continue
            target = folder / name
            if target.is_file() and digest(target) == entry["sha256"]:
                done["kept"].append(name)
                continue
            try:
                download(files, f"{url}/{name}", target, entry["sha256"])
            except Damaged:
                done["failed"][name] = "damaged"
            else:
                done["fetched"].append(name)
    return done
