"""Folders laid one over the other: what many solutions share, then what is each one's own."""

import shutil
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sdkbench.errors import SampleError


class Layers(NamedTuple):
    """A solution in parts: each folder is laid over those before it, then files are removed."""

    folders: tuple[Path, ...]
    removed: tuple[str, ...] = ()

    def check(self) -> None:
        """SampleError if a file is to be removed that none of the shared folders has."""
        for name in self.removed:
            path = PurePosixPath(name)
            inside = not path.is_absolute() and ".." not in path.parts
            if not (inside and any((base / path).is_file() for base in self.folders[:-1])):
                raise SampleError(
                    f"{self.folders[-1]} is to be without the file {name!r}, but it starts from "
                    "none of that name. Name a file of its base, relative to the top."
                )

    def lay_out(self, into: Path) -> Path:
        """Copy the whole solution into the new folder `into`; modes and links are kept."""
        into.mkdir(parents=True)
        for folder in self.folders:
            for source in sorted(folder.rglob("*")):
                target = into / source.relative_to(folder)
                if source.is_dir() and not source.is_symlink():
                    target.mkdir(exist_ok=True)
                else:
                    target.unlink(missing_ok=True)  # a link there must not be written through
                    shutil.copy2(source, target, follow_symlinks=False)
        for name in self.removed:
            (into / name).unlink()
            _remove_empty((into / name).parent, into)
        return into


def _remove_empty(folder: Path, root: Path) -> None:
    """A folder whose only file was removed is no part of the solution."""
    while folder != root and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent
