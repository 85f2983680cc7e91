"""Archives of strangers: what is taken, and what is refused before anything is written."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.serve.judging.archives import read_archive
from sdkbench.serve.judging.limits import MIB, ServiceLimits
from sdkbench.serve.judging.problems import RequestProblem

LIMITS = ServiceLimits(unpacked_bytes=MIB, files=20)
FILES = {"app.py": b"x = 1\n", "pkg/data.bin": bytes(range(256))}


def tar(files: dict[str, bytes], change: Callable[[tarfile.TarInfo], None] | None = None) -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            if change is not None:
                change(member)
            archive.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


def zipped(files: dict[str, bytes], mode: int = 0) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name)
            info.external_attr = mode << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)
    return buffer.getvalue()


def refused(data: bytes, limits: ServiceLimits = LIMITS) -> RequestProblem:
    with pytest.raises(RequestProblem) as caught:
        read_archive(data, limits)
    return caught.value


@pytest.mark.parametrize("pack", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_tar_files_plain_and_compressed(pack: Callable[[bytes], bytes]) -> None:
    read = read_archive(pack(tar(FILES)), LIMITS)
    assert {name: file.data for name, file in read.items()} == FILES


def test_zip_files_and_what_is_executable() -> None:
    read = read_archive(zipped(FILES, stat.S_IFREG | 0o755), LIMITS)
    assert {name: file.data for name, file in read.items()} == FILES
    assert all(file.executable for file in read.values())


@pytest.mark.parametrize(
    "name",
    ["../app.py", "a/../../app.py", "/etc/passwd", "C:\\app.py", "a\\b.py", "~/x", "a\x01b"],
)
def test_names_that_lead_elsewhere(name: str) -> None:
    for data in (tar({name: b"x"}), zipped({name: b"x"})):
        problem = refused(data)
        assert (problem.status, problem.name) == (422, "archive-entry")


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE]
)
def test_links_and_devices(kind: bytes) -> None:
    def change(member: tarfile.TarInfo) -> None:
        member.type, member.linkname, member.size = kind, "app.py", 0

    assert "plain files" in refused(tar({"link": b""}, change)).parts[0].detail


def test_a_link_in_a_zip_file() -> None:
    assert "link" in refused(zipped({"link": b"app.py"}, stat.S_IFLNK | 0o777)).parts[0].detail


def test_the_same_name_twice() -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("app.py", "a")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr("app.py", "b")
    assert "twice" in refused(buffer.getvalue()).parts[0].detail
    assert "twice" in refused(tar({"app.py": b"a", "./app.py": b"b"})).parts[0].detail


def test_a_file_in_a_file() -> None:
    assert "is a file" in refused(tar({"a": b"x", "a/b": b"y"})).parts[0].detail


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_a_tar_bomb_ends_at_the_limit(pack: Callable[[bytes], bytes]) -> None:
    bomb = pack(bytes(64 * MIB))
    assert len(bomb) < MIB
    tracemalloc.start()
    try:
        assert refused(bomb).status == 413
        # A quarter of what it holds: lzma's own dictionary alone has 8 MiB.
        assert tracemalloc.get_traced_memory()[1] < 16 * MIB
    finally:
        tracemalloc.stop()


def test_a_zip_bomb_ends_at_the_limit() -> None:
    assert refused(zipped({"bomb": bytes(64 * MIB)})).status == 413
    many = {f"bomb{number}": bytes(MIB // 2) for number in range(4)}
    assert refused(zipped(many)).status == 413


def test_a_zip_file_that_lies_about_its_size() -> None:
    data = bytearray(zipped({"bomb": bytes(8 * MIB)}))
    small = (10).to_bytes(4, "little")
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(mark) + offset
        data[place : place + 4] = small
    assert refused(bytes(data)).status in {413, 422}


def test_a_tar_header_that_asks_for_gigabytes() -> None:
    def change(member: tarfile.TarInfo) -> None:
        member.size = 8 << 30

    buffer = io.BytesIO()
    member = tarfile.TarInfo("big")
    change(member)
    buffer.write(member.tobuf())
    assert refused(buffer.getvalue()).status == 413
    member.type = tarfile.XHDTYPE  # read into memory by whoever trusts it
    assert refused(member.tobuf()).status == 422


def test_too_many_files() -> None:
    many = {f"f{number}": b"" for number in range(LIMITS.files + 1)}
    assert refused(tar(many)).status == 413
    assert refused(zipped(many)).status == 413
    thousands = {f"f{number}": b"" for number in range(10 * LIMITS.files)}
    assert refused(zipped(thousands)).status == 413


def test_an_encrypted_zip_file() -> None:
    data = bytearray(zipped({"app.py": b"x"}))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    assert "encrypted" in refused(bytes(data)).parts[0].detail


def test_folders_that_are_never_judged_are_left_out() -> None:
    read = read_archive(tar({"app.py": b"x", "node_modules/a/i.js": b"y"}), LIMITS)
    assert list(read) == ["app.py"]
    assert refused(tar({"node_modules/a/i.js": b"y"})).name == "empty"


@pytest.mark.parametrize(
    "data", [b"", b"PK", b"hello", b"\x1f\x8b", gzip.compress(b"hello", mtime=0), bytes(1024)]
)
def test_what_is_no_archive(data: bytes) -> None:
    assert refused(data).status == 422


@pytest.mark.parametrize("make", [tar, zipped, lambda files: gzip.compress(tar(files))])
def test_an_archive_that_was_cut(make: Callable[[dict[str, bytes]], bytes]) -> None:
    whole = make({"app.py": bytes(range(256)) * 40})
    for length in (20, 200, len(whole) // 2):
        assert refused(whole[:length]).status == 422


@given(st.data())
def test_whatever_comes_is_files_or_a_problem(data: st.DataObject) -> None:
    whole = bytearray(
        data.draw(st.sampled_from([tar(FILES), zipped(FILES), gzip.compress(tar(FILES))]))
    )
    for _ in range(data.draw(st.integers(1, 8))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    try:
        read_archive(bytes(whole), LIMITS)
    except RequestProblem as problem:
        assert problem.status in {413, 422}  # noqa: PT017
