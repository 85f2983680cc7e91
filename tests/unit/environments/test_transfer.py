"""A cache in a file: taken over whole, or not at all."""

import gzip
import io
import json
import os
import tarfile
from pathlib import Path

import pytest

from sdkbench.environments import Cache, export_cache, import_cache, transfer
from sdkbench.errors import InputError
from sdkbench.sandbox.bubblewrap import interpreter

ENVIRONMENT = "environments/python/k"
MOMENT = 1_600_000_000


def build(folder: Path) -> tuple[str, ...]:
    (folder / "bin").mkdir()
    (folder / "bin" / "tool").write_text("#!/bin/sh\n")
    (folder / "bin" / "tool").chmod(0o755)
    (folder / "bin" / "python").symlink_to(interpreter())
    (folder / "data").write_bytes(b"x" * 1000)
    os.utime(folder / "data", (MOMENT, MOMENT))
    (folder / "again").hardlink_to(folder / "data")
    (folder / "link").symlink_to("bin/tool")
    return ("httpx==0.27.0",)


@pytest.fixture
def full(tmp_path: Path) -> Cache:
    cache = Cache(tmp_path / "full")
    cache.make("python", "k", build)
    cache.record("expectations", "e-1", lambda: '{"must_pass": []}')
    cache.record("resolutions", "r", lambda: "httpx==0.27.0\n")
    return cache


@pytest.fixture
def other(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "other")


def holds(cache: Cache) -> set[str]:
    """Everything in it but locks and empty folders."""
    names = {path.relative_to(cache.root).as_posix() for path in cache.root.rglob("*")}
    return {name for name in names if not name.startswith("locks/") and "." in Path(name).name} | {
        name for name in names if (cache.root / name).is_file() and not name.startswith("locks/")
    }


def test_another_cache_takes_everything_over(full: Cache, other: Cache, tmp_path: Path) -> None:
    file = tmp_path / "cache.tar.gz"
    assert export_cache(full, file)[:2] == (2, 1)
    assert import_cache(other, file) == (2, 1, 0, ())
    assert holds(other) == holds(full)
    environment = other.find("python", "k")
    assert environment is not None
    assert environment.packages == ("httpx==0.27.0",)
    assert (environment.path / "link").resolve() == environment.path / "bin" / "tool"
    assert os.access(environment.path / "bin" / "tool", os.X_OK)
    assert not os.access(environment.path / "data", os.X_OK)
    assert (environment.path / "data").stat().st_mtime == MOMENT
    assert other.read_record("expectations", "e-1") == '{"must_pass": []}'
    assert import_cache(other, file) == (0, 0, 3, ())


def test_records_alone(full: Cache, other: Cache, tmp_path: Path) -> None:
    file = tmp_path / "records.tar.gz"
    export_cache(full, file, records_only=True)
    assert import_cache(other, file)[:2] == (2, 0)


def test_nothing_is_written_over(full: Cache, tmp_path: Path) -> None:
    file = tmp_path / "cache.tar.gz"
    file.write_text("mine")
    with pytest.raises(InputError, match="is there already"):
        export_cache(full, file)
    with pytest.raises(InputError, match="cannot be written"):
        export_cache(full, tmp_path / "no" / "folder.tar.gz")
    assert file.read_text() == "mine"


def test_environments_of_another_machine_are_skipped(
    full: Cache, other: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "cache.tar.gz"
    export_cache(full, file)
    monkeypatch.setattr(transfer, "toolchain", lambda: "Plan9 sparc Python 4.0")
    done = import_cache(other, file)
    assert done[:2] == (1, 0)  # which versions were resolved; that names its machine in its key
    assert "made for another machine" in done.skipped[0]


def test_a_broken_or_foreign_file_is_refused_and_leaves_nothing(
    full: Cache, other: Cache, tmp_path: Path
) -> None:
    file = tmp_path / "cache.tar.gz"
    export_cache(full, file)
    whole, bad = file.read_bytes(), tmp_path / "bad.tar.gz"
    data = bytearray(gzip.decompress(whole))
    place = data.index(b"x" * 1000)
    data[place : place + 1] = b"y"
    contents = {
        "empty": b"",
        "text": b"hello\n",
        "cut short": whole[: len(whole) // 2],
        "its tail cut off": gzip.compress(gzip.decompress(whole)[:-20_000]),
        "changed": gzip.compress(bytes(data)),
        "a gzip of nothing": gzip.compress(b""),
    }
    for name, content in contents.items():
        bad.write_bytes(content)
        with pytest.raises(InputError, match=r"bad\.tar\.gz (is broken|is no export)"):
            import_cache(other, bad)
        assert not holds(other), name
    with pytest.raises(InputError, match="cannot be read: No such file"):
        import_cache(other, tmp_path / "missing.tar.gz")
    with pytest.raises(InputError, match="cannot be read: Is a directory"):
        import_cache(other, tmp_path)


def member(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    return info


HOSTILE = {
    "absolute": [member("/etc/evil")],
    "above": [member("../evil")],
    "above the records": [member("records/../../evil")],
    "above an environment": [member(f"{ENVIRONMENT}/../../../../evil")],
    "elsewhere": [member("python/environments/k/data")],
    "a link to a file": [member(f"{ENVIRONMENT}/a", tarfile.SYMTYPE, "/etc/passwd")],
    "a link that leaves": [member(f"{ENVIRONMENT}/a", tarfile.SYMTYPE, "../../../../..")],
    "a hard link": [member(f"{ENVIRONMENT}/a", tarfile.LNKTYPE, "/etc/passwd")],
    "a device": [member(f"{ENVIRONMENT}/a", tarfile.CHRTYPE)],
    "a pipe": [member(f"{ENVIRONMENT}/a", tarfile.FIFOTYPE)],
    "an environment that is a link": [member(ENVIRONMENT, tarfile.SYMTYPE, "..")],
    "a record that is a link": [member("records/a/b", tarfile.SYMTYPE, "/etc/passwd")],
    "behind a link": [
        member(f"{ENVIRONMENT}/bin", tarfile.DIRTYPE),
        member(f"{ENVIRONMENT}/a", tarfile.SYMTYPE, "bin"),
        member(f"{ENVIRONMENT}/a/evil"),
    ],
    "twice": [member(f"{ENVIRONMENT}/a"), member(f"{ENVIRONMENT}/a")],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused(name: str, other: Cache, tmp_path: Path) -> None:
    file = tmp_path / "bad.tar.gz"
    with tarfile.open(file, "w:gz") as archive:
        for text_name, text in ((transfer.MANIFEST, {"format": transfer.FORMAT}),):
            info = tarfile.TarInfo(text_name)
            data = json.dumps(text).encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
        for info in HOSTILE[name]:
            archive.addfile(info)
    with pytest.raises(InputError, match="is no export of a cache"):
        import_cache(other, file)
    assert not holds(other)
    assert not list(tmp_path.rglob("evil"))
