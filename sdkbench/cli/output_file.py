"""A file that a command writes for its user: whole or not at all, and never over another."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdkbench.errors import InputError


@contextmanager
def new_file(output: Path, *, force: bool | None = None) -> Iterator[Path]:
    """A file to fill, which takes the name `output` once it is whole.

    InputError where something has that name, unless `force` replaces it (a file only), or where
    nothing can be written there. None is for commands that have no --force to tell of.
    """
    if (output.exists() or output.is_symlink()) and not (force and output.is_file()):
        offer = ", or replace it with --force" if force is False else ""
        raise InputError(f"{output} exists already. Name a new file{offer}.")
    try:
        handle, name = tempfile.mkstemp(prefix=".making-", dir=output.parent)
        os.close(handle)
        unfinished = Path(name)
        try:
            yield unfinished
            unfinished.chmod(0o644)
            unfinished.rename(output)
        finally:
            unfinished.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"{output} can't be written: {error.strerror or error}. Name another file."
        ) from error
