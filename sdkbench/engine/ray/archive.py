"""Archives: files of a folder as a value that travels to another machine, and a folder again."""

import hashlib
import os
import stat
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.datasets import Sample
from sdkbench.errors import HarnessFault, InputError, SampleError

MIB = 1 << 20


class Packed(NamedTuple):
    """One plain file; executables stay so."""

    path: str  # relative, POSIX; names that are not UTF-8 in Python's own way
    mode: int
    data: bytes


class SampleArchive(NamedTuple):
    """A sample with what stands beside it, as `<sdk>/<id>/…` and `<sdk>/<shared>`."""

    place: str
    folders: tuple[str, ...]  # to be there even where they are empty
    files: tuple[Packed, ...]

    @property
    def digest(self) -> str:
        """Of the names, modes and bytes: the same on every machine."""
        digest = hashlib.sha256(repr((self.place, self.folders)).encode())
        for file in self.files:
            name = os.fsencode(file.path)
            digest.update(f"{len(name)} {file.mode:o} {len(file.data)} ".encode() + name)
            digest.update(file.data)
        return digest.hexdigest()


def pack(root: Path, below: str = "") -> tuple[Packed, ...]:
    """What `tree.files` yields of `root`, with `below` before each path.

    Raises InputError where a file can't be read or all is too big.
    """
    packed, total = [], 0
    for path in tree.files(root):
        file = _packed(path, (PurePosixPath(below) / path.relative_to(root)).as_posix())
        packed.append(file)
        total += len(file.data)
        if total > tree.MAX_BYTES:
            raise InputError(f"{root} is larger than {tree.MAX_BYTES // MIB} MiB.")
    return tuple(packed)


def pack_sample(sample: Sample) -> SampleArchive:
    """Raises SampleError for what can't be read, and where something that the tests can see here
    would not arrive.
    """
    sdk = sample.root.parent.name
    place = f"{sdk}/{sample.root.name}"
    own = (sample.starter_dir, sample.reference_dir, sample.tests_dir)
    folders = {path: f"{place}/{path.name}" for path in own if path.is_dir()}
    folders |= {path: f"{sdk}/{path.name}" for path in sample.shared if path.is_dir()}
    for path in (sample.tests_dir, *sample.shared):
        _refuse_what_stays(sample, path)
    alone = [path for path in sample.shared if path.is_file()]
    try:
        files = [file for path, name in folders.items() for file in pack(path, name)]
        files += [_packed(path, f"{sdk}/{path.name}") for path in alone]
    except InputError as error:  # not the solution's fault
        raise SampleError(f"{sample.id} can't be sent to another machine: {error}") from error
    return SampleArchive(place, tuple(folders.values()), tuple(files))


def unpack(files: Iterable[Packed], into: Path) -> Path:
    """Write `files` below `into`, which is new or empty; HarnessFault for a path out of it."""
    into.mkdir(parents=True, exist_ok=True)
    for file in files:
        path = PurePosixPath(file.path)
        if path.is_absolute() or ".." in path.parts or not path.parts:
            raise HarnessFault(f"A file sent by the driver has no place here: {file.path!r}.")
        # Nothing below `into` is a link, as only plain files are written: paths are what they say.
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)
        target.chmod(file.mode | 0o600)
    return into


def keep_sample(archive: SampleArchive, folder: Path) -> None:
    """Make `folder` hold the sample; it appears whole or not at all, whoever else tries."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".making-", dir=folder.parent) as scratch:
        unpacked = unpack(archive.files, Path(scratch) / "sample")
        for name in archive.folders:
            (unpacked / name).mkdir(parents=True, exist_ok=True)
        try:
            unpacked.rename(folder)
        except OSError:
            if not folder.is_dir():  # else another process was quicker, with the same content
                raise


def _packed(path: Path, name: str) -> Packed:
    try:
        return Packed(name, stat.S_IMODE(path.stat().st_mode) & 0o777, path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read ({error.strerror}).") from error


def _refuse_what_stays(sample: Sample, root: Path) -> None:
    sent = set(tree.files(root)) if root.is_dir() else {root}
    for path in _everything(root):
        if path not in sent:
            raise SampleError(
                f"{tree.shown(path)} of {sample.id} can't be sent to another machine: links out of "
                "the sample and vendored folders stay behind. Remove or rename it, or judge here."
            )


def _everything(root: Path) -> Iterator[Path]:
    for current, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in tree.QUIET]
        links = [name for name in folders if Path(current, name).is_symlink()]
        yield from (Path(current, name) for name in [*names, *links])
