"""A cache's records and environments as one file, for another machine or user.

manifest.json                            what this is, and for which interpreter and platform
records/<kind>/<key>                     as in the cache
environments/<language>/<key>/…          likewise; only files, folders and links within
digests.json                             of each record and environment; the last, so that a file
                                         that was cut short is known by it

A proof (what a reference shows) counts where it was made: on another platform, or with another
interpreter, the reference is run again. Digests guard against accidents. Whoever made the file
decides by its records what a sample's reference shows: it is to be taken over only from somebody
who is trusted with that.
"""

import hashlib
import io
import json
import os
import platform
import re
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sdkbench.environments.cache import Cache, Environment
from sdkbench.errors import DiskFault, InputError
from sdkbench.sandbox.bubblewrap import interpreter

FORMAT = "sdkbench cache 1"
MANIFEST, DIGESTS = "manifest.json", "digests.json"
RECORDS, ENVIRONMENTS = "records", "environments"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,150}")
MOST_OF_A_TEXT = 64 << 20  # bytes; records and lists are far smaller
COMPRESSION = 1  # libraries hardly get smaller, and a second counts more than a megabyte


class Transferred(NamedTuple):
    """What was put in or taken over. `known` were there already; `skipped` says why others stay."""

    records: int
    environments: int
    known: int = 0
    skipped: tuple[str, ...] = ()


def toolchain() -> str:
    """What an environment is made for, as far as all languages share it."""
    parts = [platform.system(), platform.machine(), *platform.libc_ver()]
    return " ".join([*parts, f"Python {platform.python_version()} at {interpreter()}"])


def export_cache(cache: Cache, target: Path, *, records_only: bool = False) -> Transferred:
    """Raises InputError where `target` is there or can't be made."""
    if target.exists():
        raise InputError(f"{target} is there already, and nothing is written over.")
    try:
        with tempfile.TemporaryDirectory(dir=target.absolute().parent, prefix=".export-") as name:
            part = Path(name) / "part"
            with tarfile.open(part, "w:gz", compresslevel=COMPRESSION) as archive:
                done = _Writer(archive).write(cache, records_only=records_only)
            part.rename(target)
    except OSError as error:
        raise InputError(f"{target} cannot be written: {error.strerror or error}.") from error
    return done


def import_cache(cache: Cache, source: Path) -> Transferred:
    """Take over what `source` holds. Everything is read and checked before anything is.

    Raises InputError for a file that is broken, foreign or holds what no cache has.
    """
    building = cache.root / "imported" / "building"
    try:
        building.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=building) as name:
            with tarfile.open(source, "r:gz") as archive:
                reader = _Reader(source, archive, Path(name))
                reader.read()
            return _publish(cache, reader)
    except (tarfile.TarError, EOFError, zlib.error, UnicodeError) as error:
        raise InputError(f"{source} is broken, or no export of a cache: {error}.") from error
    except (FileNotFoundError, IsADirectoryError, PermissionError) as error:
        raise InputError(f"{source} cannot be read: {error.strerror}.") from error
    except OSError as error:
        if "gzip" in str(error):  # how Python says that a file is none
            raise InputError(f"{source} is broken, or no export of a cache: {error}.") from error
        raise DiskFault(f"Cannot take {source} over into {cache.root}: {error}.") from error


class _Writer:
    def __init__(self, archive: tarfile.TarFile) -> None:
        self._archive = archive
        self._digests: dict[str, str] = {}

    def write(self, cache: Cache, *, records_only: bool) -> Transferred:
        self._text(MANIFEST, json.dumps({"format": FORMAT, "toolchain": toolchain()}))
        records = sorted(path for path in (cache.root / RECORDS).glob("*/*") if path.is_file())
        for path in records:
            name = path.relative_to(cache.root).as_posix()
            text = path.read_text(encoding="utf-8")
            self._digests[name] = _digest_of_text(text)
            self._text(name, text)
        kept = [] if records_only else [entry.environment for entry in cache.entries()]
        for environment in kept:
            with cache.in_use(environment):
                self._folder(environment)
        self._text(DIGESTS, json.dumps(self._digests))
        return Transferred(len(records), len(kept))

    def _text(self, name: str, text: str) -> None:
        data = text.encode()
        info = tarfile.TarInfo(name)
        info.size = len(data)
        self._archive.addfile(info, io.BytesIO(data))

    def _folder(self, environment: Environment) -> None:
        base = f"{ENVIRONMENTS}/{environment.language}/{environment.key}"
        for path in sorted(environment.path.rglob("*")):
            name = f"{base}/{path.relative_to(environment.path).as_posix()}"
            info = self._archive.gettarinfo(path, name)
            info.uid = info.gid = 0
            info.uname = info.gname = ""
            if info.islnk():  # a file of its own here
                info.type, info.linkname, info.size = tarfile.REGTYPE, "", path.stat().st_size
            if info.isreg():
                with path.open("rb") as stream:
                    self._archive.addfile(info, stream)
            elif info.isdir() or info.issym():
                self._archive.addfile(info)
        self._digests[base] = _digest_of_folder(environment.path)


class _Reader:
    """Reads an archive into `folder`; afterwards its records and environments are whole."""

    def __init__(self, source: Path, archive: tarfile.TarFile, folder: Path) -> None:
        self.source = source
        self.folder = folder
        self.toolchain = ""
        self.names: list[str] = []  # of records and environments
        self._archive = archive

    def read(self) -> None:
        first = self._archive.next()
        if first is None or first.name != MANIFEST:
            raise self._foreign("it does not begin with a manifest")
        manifest = self._json(first)
        if manifest.get("format") != FORMAT:
            raise self._foreign(f"its format is {manifest.get('format')!r}, not {FORMAT!r}")
        self.toolchain = str(manifest.get("toolchain"))
        digests: dict[str, object] | None = None
        while (member := self._archive.next()) is not None:
            if digests is not None:
                raise self._foreign(f"{member.name!r} stands behind its end")
            if member.name == DIGESTS:
                digests = self._json(member)
            else:
                self._extract(member)
        if digests is None:
            raise InputError(f"{self.source} is broken: its end is missing.")
        self._check(digests)

    def _extract(self, member: tarfile.TarInfo) -> None:
        parts = PurePosixPath(member.name).parts
        depth = {RECORDS: 3, ENVIRONMENTS: 3}.get(parts[0] if parts else "")
        inner = parts[depth:] if depth else ()
        plain = all(NAME.fullmatch(part) for part in parts[1:depth])
        if depth is None or len(parts) < depth or not plain or ".." in inner:
            raise self._foreign(f"no cache has {member.name!r}")
        if parts[0] == RECORDS and (inner or not member.isreg()):
            raise self._foreign(f"{member.name!r} is no record")
        if parts[0] == ENVIRONMENTS and not inner and not member.isdir():
            raise self._foreign(f"{member.name!r} is no environment")
        target = self.folder.joinpath(*parts)
        base = self.folder.joinpath(*parts[:depth])
        # A link that was unpacked before must not lead what comes after it away.
        above = [path for path in target.parents if path.is_relative_to(self.folder)]
        if any(path.is_symlink() for path in above):
            raise self._foreign(f"{member.name!r} stands behind a link")
        if target.is_symlink() or (target.exists() and not (target.is_dir() and member.isdir())):
            raise self._foreign(f"{member.name!r} stands there twice")
        target.parent.mkdir(parents=True, exist_ok=True)
        if member.isdir():
            target.mkdir(exist_ok=True)
        elif member.issym():
            self._check_link(member, target, base)
            target.symlink_to(member.linkname)
        elif member.isreg():
            stream = self._archive.extractfile(member)
            assert stream is not None  # noqa: S101 - regular files have one
            with stream, target.open("xb") as written:
                shutil.copyfileobj(stream, written)
            target.chmod(0o755 if member.mode & 0o100 else 0o644)
            # Compiled files name the moment of their sources.
            os.utime(target, (member.mtime, member.mtime))
        else:
            raise self._foreign(f"{member.name!r} is neither file, folder nor link")

    def _check_link(self, member: tarfile.TarInfo, target: Path, base: Path) -> None:
        if member.linkname == interpreter():  # of a virtual environment
            return
        led_to = os.path.normpath(target.parent / member.linkname)
        if Path(member.linkname).is_absolute() or not Path(led_to).is_relative_to(base):
            raise self._foreign(f"the link {member.name!r} leads out of its environment")

    def _check(self, digests: dict[str, object]) -> None:
        entries = [*self.folder.glob(f"{RECORDS}/*/*"), *self.folder.glob(f"{ENVIRONMENTS}/*/*")]
        names = {path.relative_to(self.folder).as_posix(): path for path in entries}
        if names.keys() != digests.keys():
            odd = min(names.keys() ^ digests.keys())
            raise InputError(f"{self.source} is broken: {odd} is missing or was not announced.")
        for name, path in names.items():
            record = path.is_file()
            own = _digest_of_text(_text_of(path)) if record else _digest_of_folder(path)
            if own != digests[name]:
                raise InputError(f"{self.source} is broken: {name} is not what was exported.")
            if not record:
                self._check_description(name, path)
        self.names = sorted(names)

    def _check_description(self, name: str, folder: Path) -> None:
        _, language, key = name.split("/")
        environment = Cache.described(folder)
        if environment is None or (environment.language, environment.key) != (language, key):
            raise self._foreign(f"{name} is described as something else")

    def _json(self, member: tarfile.TarInfo) -> dict[str, object]:
        stream = self._archive.extractfile(member) if member.size <= MOST_OF_A_TEXT else None
        try:
            document = json.loads(stream.read()) if stream else None
        except (ValueError, RecursionError):
            document = None
        if not isinstance(document, dict):
            raise self._foreign(f"its {member.name} can't be read")
        return document

    def _foreign(self, why: str) -> InputError:
        return InputError(f"{self.source} is no export of a cache: {why}.")


def _publish(cache: Cache, reader: _Reader) -> Transferred:
    taken = {RECORDS: 0, ENVIRONMENTS: 0}
    known, left = 0, 0
    here = toolchain()
    fits = reader.toolchain == here
    for name in reader.names:
        what, group, key = name.split("/")
        path = reader.folder / name
        if not fits and (what == ENVIRONMENTS or group != "resolutions"):
            left += 1
        elif (
            cache.adopt_record(group, key, _text_of(path))
            if what == RECORDS
            else cache.adopt(group, key, path)
        ):
            taken[what] += 1
        else:
            known += 1
    skipped = (
        f"{left} environments and proofs were made for another machine ({reader.toolchain}; here: "
        f"{here}), and are made anew when they are needed"
    )
    return Transferred(taken[RECORDS], taken[ENVIRONMENTS], known, (skipped,) if left else ())


def _text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _digest_of_text(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _digest_of_folder(folder: Path) -> str:
    """Of names, kinds, contents and whether files can be run."""
    digest = hashlib.sha256()
    for name, kind, content in _described(folder):
        for part in (os.fsencode(name), kind, content):
            digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()


def _described(folder: Path) -> Iterator[tuple[str, bytes, bytes]]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            yield name, b"link", os.fsencode(path.readlink())
        elif path.is_dir():
            yield name, b"folder", b""
        elif path.is_file():
            runs = path.stat().st_mode & 0o100
            with path.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").digest()
            yield name, b"program" if runs else b"file", content
