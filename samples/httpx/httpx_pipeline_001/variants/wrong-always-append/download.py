"""One file over HTTP."""

import hashlib
from pathlib import Path

import httpx


class Damaged(Exception):
    """What was fetched is not what was announced."""


def digest(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def download(client: httpx.Client, url: str, target: Path, sha256: str) -> int:
    part = target.with_name(f"{target.name}.part")
    there = part.stat().st_size if part.exists() else 0
    headers = {"range": f"bytes={there}-"} if there else {}
    fetched = 0
    with client.stream("GET", url, headers=headers) as response:
        if response.status_code != 416 or not there:
            response.raise_for_status()
            with part.open("ab" if there else "wb") as stream:
                for piece in response.iter_bytes():
                    stream.write(piece)
                    fetched += len(piece)
    if digest(part) != sha256:
        part.unlink()
        raise Damaged(url)
    part.replace(target)
    return fetched
