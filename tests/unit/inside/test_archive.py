"""What travels between the sides of a black box: files and folders, none outside, bounded."""

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdkbench.inside.black_box import archive, frames
from sdkbench.inside.black_box.archive import Content, FolderFiles, TransferError, Unpacking
from sdkbench.inside.black_box.frames import BYTES, COMPLETE, FILE, FOLDER, Frame, Stream


@pytest.fixture
def streams() -> Iterator[tuple[Stream, socket.socket, Stream]]:
    one, other = socket.socketpair()
    with one, other:
        yield Stream(one), one, Stream(other)


def take_all(sequence: list[Frame]) -> FolderFiles:
    unpacking = Unpacking()
    for frame in sequence:
        unpacking.take(frame)
    return unpacking.archive


def through_frames(sent: FolderFiles) -> FolderFiles:
    one, other = socket.socketpair()
    with one, other:
        for end in (one, other):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        archive.send(Stream(one), sent)
        unpacking, incoming = Unpacking(), Stream(other)
        while not unpacking.complete:
            frame = incoming.receive()
            assert frame is not None
            unpacking.take(frame)
        return unpacking.archive


def test_a_folder_arrives_as_it_was_and_what_was_removed_is_removed(tmp_path: Path) -> None:
    source, target = tmp_path / "source", tmp_path / "target"
    (source / "a" / "empty").mkdir(parents=True)
    (source / "a" / "run.sh").write_text("#!/bin/sh\n")
    (source / "a" / "run.sh").chmod(0o755)
    (source / os.fsdecode(b"\xff odd\n")).write_bytes(bytes(range(256)) * 1000)
    target.mkdir()
    first = through_frames(archive.pack(str(source)))
    archive.lay(first, str(target), FolderFiles())
    assert (target / "a" / "empty").is_dir()
    assert os.access(target / "a" / "run.sh", os.X_OK)
    assert (target / os.fsdecode(b"\xff odd\n")).read_bytes() == bytes(range(256)) * 1000
    second = FolderFiles()
    second.add_folder(b"a")
    second.add_file(b"a/run.sh", Content(b"", executable=False))
    archive.lay(second, str(target), first)
    assert sorted(p.relative_to(target).as_posix() for p in target.rglob("*")) == ["a", "a/run.sh"]
    assert not os.access(target / "a" / "run.sh", os.X_OK)


def test_links_pipes_and_sockets_do_not_travel(tmp_path: Path) -> None:
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("hunter2")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "file").write_text("x")
    (folder / "link").symlink_to(tmp_path / "secret" / "key")
    (folder / "deep").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    packed = archive.pack(str(folder))
    assert (set(packed.files), packed.folders) == ({b"file"}, set())


@pytest.mark.parametrize(
    "name",
    [b"", b"/etc/passwd", b"../up", b"a/../../up", b"a//b", b"./a", b"a/.", b"a\0b", b"x" * 1025,
     b"/".join([b"d"] * 33)],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused(name: bytes) -> None:
    for kind, payload in ((FOLDER, name), (FILE, b"-" + name)):
        with pytest.raises(TransferError):
            take_all([Frame(kind, payload), Frame(COMPLETE, b"")])


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "root"
    for folder in (outside, root):
        folder.mkdir()
    (outside / "test.py").write_text("assert real")
    (root / "file").symlink_to(outside / "test.py")
    (root / "folder").symlink_to(outside)
    for name in (b"file", b"folder/test.py"):
        planted = FolderFiles()
        planted.add_file(name, Content(b"assert True", executable=False))
        with pytest.raises(TransferError, match="written"):
            archive.lay(planted, str(root), FolderFiles())
    assert (outside / "test.py").read_text() == "assert real"


def test_too_much_is_refused_on_both_sides(tmp_path: Path) -> None:
    with (tmp_path / "sparse").open("wb") as stream:
        stream.truncate(archive.MAX_BYTES + 1)
    with pytest.raises(TransferError, match="MiB"):
        archive.pack(str(tmp_path))
    chunks = [Frame(BYTES, bytes(frames.MAX_PAYLOAD))] * 100
    with pytest.raises(TransferError, match="too big"):
        take_all([Frame(FILE, b"-big"), *chunks])
    with pytest.raises(TransferError, match="files and folders"):
        take_all([Frame(FOLDER, b"d%d" % n) for n in range(archive.MAX_ENTRIES + 1)])


def test_a_stream_that_breaks_its_form_is_refused(
    streams: tuple[Stream, socket.socket, Stream],
) -> None:
    _, raw, incoming = streams
    raw.sendall(frames.HEAD.pack(BYTES, frames.MAX_PAYLOAD + 1))
    with pytest.raises(frames.BrokenStream, match="bytes"):
        incoming.receive()


@pytest.mark.parametrize("cut", [b"b", frames.HEAD.pack(BYTES, 5) + b"abc"])
def test_a_stream_that_is_cut_off_is_refused(
    streams: tuple[Stream, socket.socket, Stream], cut: bytes
) -> None:
    _, raw, incoming = streams
    raw.sendall(cut)
    raw.shutdown(socket.SHUT_WR)
    with pytest.raises(frames.BrokenStream, match="cut off"):
        incoming.receive()


@given(st.lists(st.tuples(st.sampled_from([FOLDER, FILE, BYTES, COMPLETE, b"?"]), st.binary())))
@settings(max_examples=300, deadline=None)
def test_no_sequence_of_frames_does_anything_but_fill_the_parcel(
    sequence: list[tuple[bytes, bytes]],
) -> None:
    unpacking = Unpacking()
    try:
        for kind, payload in sequence:
            unpacking.take(Frame(kind, payload))
    except (TransferError, frames.BrokenStream):
        return
    for name in {*unpacking.archive.files, *unpacking.archive.folders}:
        assert not {b"", b".", b".."} & set(name.split(b"/"))
