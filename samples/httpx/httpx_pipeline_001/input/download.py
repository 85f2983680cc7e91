"""One file over HTTP."""

from pathlib import Path

import httpx


class Damaged(Exception):
    """What was fetched is not what was announced."""


def download(client: httpx.Client, url: str, target: Path, sha256: str) -> int:
    """Fetch the file at `url` into `target`; returns the number of bytes fetched by this call.

    What arrives is written at once to the file of the same name with ".part" added, beside the
    target, whose folder exists. If that file is there already and not empty, only the rest is
    asked for, by the header Range: bytes=N- (N is its size). An answer of 206 is added to it; one
    of 200 is the whole file from the beginning; one of 416 means that there is no more to come.

    In the end the .part file becomes the target, whatever was there before, if its SHA-256 (in
    hexadecimal digits) is `sha256`; else it is removed, and Damaged is raised. Other statuses raise
    httpx.HTTPStatusError, broken connections httpx.TransportError; then the .part file stays as far
    as it got, and the target as it was.
    """
    raise NotImplementedError
