"""A solution's folder ↔ its files by name."""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from sdkbench.core import tree
from sdkbench.errors import InputError
from sdkbench.store.values import Artefact

SOLUTION = "solution"


def read_folder(path: Path) -> dict[str, bytes]:
    """By relative POSIX path, without vendored folders; InputError where that is too much."""
    found = list(tree.files(path))
    if sum(each.stat().st_size for each in found) > tree.MAX_BYTES:
        raise InputError(f"{path} is larger than {tree.MAX_BYTES // 2**20} MiB.")
    return {each.relative_to(path).as_posix(): each.read_bytes() for each in found}


def solution_artefacts(path: Path) -> list[Artefact]:
    """Everything of a solution that is judged, for `Store.save_attempt`.

    ValidationError where a name can't be stored: one that is not UTF-8, or has a backslash.
    """
    return [
        Artefact(kind=SOLUTION, name=name, data=data) for name, data in read_folder(path).items()
    ]


def write_folder(target: Path, files: Mapping[str, bytes]) -> None:
    """A new folder, which appears whole or not at all; InputError where it can't be written."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=".making-", dir=target.parent))
        try:
            for name, data in files.items():
                path = made / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            made.chmod(0o755)
            made.rename(target)
        finally:
            shutil.rmtree(made, ignore_errors=True)  # where it has not got its name
    except OSError as error:
        raise InputError(
            f"{target} can't be written: {error.strerror}. Name another folder."
        ) from error
