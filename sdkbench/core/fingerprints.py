"""Fingerprints of texts, of folders and of our own code: the one place that makes them."""

import functools
import hashlib
import os
from pathlib import Path

from sdkbench.core.tree import files

PACKAGE = Path(__file__).parent.parent


def digest(*parts: str) -> str:
    """Of these texts in this order; whatever a model wrote can be a text."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def of_texts(*parts: str) -> str:
    """A short name for these texts in this order; for keys of what is kept."""
    return digest(*parts)[:32]


def of_path(path: Path, without: frozenset[str] = frozenset()) -> str:
    """Of a file's bytes, or of a folder's names and bytes; the same on every machine.

    A folder counts as `tree.files` reads it: without vendored folders and escaping links.
    What is below a folder in it that is named in `without` doesn't count.
    """
    digest = hashlib.sha256()
    for file in files(path) if path.is_dir() else (path,):
        place = file.relative_to(path)
        if place.parts[:-1] and place.parts[0] in without:
            continue
        name = os.fsencode(place)
        digest.update(len(name).to_bytes(8, "big") + name)
        with file.open("rb") as stream:
            digest.update(hashlib.file_digest(stream, "sha256").digest())
    return digest.hexdigest()


@functools.cache
def of_rooms(*rooms: str, without: frozenset[str] = frozenset()) -> str:
    """Of our own code in these folders of the package, which stays the same while we run.

    `without` names folders in them whose code doesn't count.
    """
    return of_texts(*(of_path(PACKAGE / room, without) for room in rooms))
