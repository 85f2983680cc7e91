"""A private copy of a stranger's folder: what is judged can't change while it is judged."""

import shutil
import stat
from pathlib import Path

from sdkbench.core import tree
from sdkbench.errors import InputError


def snapshot(source: Path, target: Path) -> Path:
    """Copy what `tree.files` yields: no vendored folders, no links out, bounded.

    Raises InputError where a file cannot be read or the folder is too big.
    """
    target.mkdir(parents=True, exist_ok=True)
    total = 0
    for path in tree.files(source):
        total += path.stat().st_size
        if total > tree.MAX_BYTES:
            raise InputError(f"{source} is larger than {tree.MAX_BYTES // 2**20} MiB.")
        destination = target / path.relative_to(source)
        destination.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(path, destination)  # a link inside becomes the file it points to
            # Executables stay so; a file its owner can't read would stop the sandbox, not the code.
            destination.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777 | 0o600)
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    return target
