"""Stores that can't be used: one sentence, the right exit code, and nothing lost."""

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from sdkbench.errors import MissingTool, SdkbenchError, StoreError, StoreFault
from sdkbench.sandbox import probe
from sdkbench.store import open_store
from tests.support.places import ROOT
from tests.support.store.builder import FILES, attempt, key

PROGRAM = Path(sys.executable).parent / "sdkbench"
MIB = 1024 * 1024
# Stores attempts of 64 KiB that don't compress until one is refused; then counts what is there.
FILLING = """
import os, sys
from sdkbench.errors import SdkbenchError
from sdkbench.store import Artefact, Suite, open_store
from tests.support.store.builder import attempt
saved = 0
with open_store(sys.argv[1]) as store:
    run = store.start_run()
    try:
        while True:
            data = os.urandom(65536)
            store.save_attempt(run.id, attempt(saved), [Artefact(kind="x", name="y", data=data)])
            saved += 1
    except SdkbenchError as error:
        print(error.exit_code.value, error)
    read = [store.artefacts(run.id, each.key) for each in store.attempts(run.id)]
print(saved, sum(len(each) for each in read))
with open_store(sys.argv[1], write=False) as store:
    print(len(store.finished_keys(run.id)))
"""


def bubblewrap() -> str:
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")
    return str(shutil.which("bwrap"))


def test_a_full_disk_keeps_what_was_stored(tmp_path: Path) -> None:
    done = subprocess.run(
        [bubblewrap(), "--dev-bind", "/", "/", "--size", str(2 * MIB), "--tmpfs", tmp_path,
         sys.executable, "-c", FILLING, tmp_path / "store.db"],
        capture_output=True, text=True, cwd=ROOT, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    complaint, counts, again = done.stdout.splitlines()
    assert complaint.startswith("3 ")
    assert "the disk is full" in complaint
    saved, read = map(int, counts.split())
    assert 5 < saved == read == int(again)


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "data" / "store.db"
    with open_store(path) as store:
        run = store.start_run(label="kept")
        store.save_attempt(run.id, attempt(1), FILES)
    return path


def test_a_read_only_store_can_be_read_but_not_written(filled: Path, tmp_path: Path) -> None:
    solution = tmp_path / "results" / "demo" / "model" / "solutions" / "one"
    solution.mkdir(parents=True)
    (solution / "app.py").write_text("x = 1\n")
    folder = str(filled.parent)
    frozen = [bubblewrap(), "--dev-bind", "/", "/", "--ro-bind", folder, folder]
    before = filled.read_bytes()

    def run(*words: object) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*frozen, PROGRAM, *map(str, words), "--store", filled],
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip

    shown = run("show", "latest").stdout
    assert "kept" in shown
    assert "1/1" in shown
    refused = run("import", tmp_path / "results")
    assert refused.returncode == 3
    assert refused.stderr.count("\n") == 1
    assert "read-only" in refused.stderr
    assert filled.read_bytes() == before


@pytest.mark.parametrize("size", [1, 15, 300, 5000])
@pytest.mark.parametrize("write", [True, False])
def test_a_file_that_is_no_database_is_left_as_it_is(
    tmp_path: Path, size: int, *, write: bool
) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"n" * size)
    with pytest.raises(StoreError, match="not a SQLite database") as caught:
        open_store(path, write=write)
    assert caught.value.exit_code == 2
    assert path.read_bytes() == b"n" * size
    assert [each.name for each in tmp_path.iterdir()] == ["notes.txt"]


def test_a_header_alone_makes_no_database(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    path.write_bytes(b"SQLite format 3\0" + b"junk" * 1000)
    with pytest.raises(SdkbenchError, match=r"not a SQLite database|damaged"):
        open_store(path)


def test_a_damaged_store_is_reported_and_not_repaired_in_silence(filled: Path) -> None:
    size = filled.stat().st_size
    with filled.open("r+b") as stream:
        stream.seek(4096)
        stream.write(os.urandom(size - 4096))
    before = filled.read_bytes()
    with pytest.raises(StoreFault, match="damaged"), open_store(filled, write=False) as store:
        list(store.attempts(store.find_run("latest").id))
    assert filled.read_bytes() == before


def test_a_folder_a_pipe_and_a_missing_file_are_no_stores(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(StoreError, match="is not a file"):
            open_store(path)
    with pytest.raises(StoreError, match="no store at"):
        open_store(tmp_path / "missing.db", write=False)
    assert not (tmp_path / "missing.db").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreFault, match="can't be"):
        open_store(tmp_path / "file" / "store.db")


@pytest.mark.parametrize("url", ["mysql://host/db", "https://example.com/x", "sqlite://"])
def test_other_urls_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="SQLite file"):
        open_store(url)


def test_an_sqlite_url_is_the_file_s_path(tmp_path: Path) -> None:
    path = tmp_path / "a store 100%.db"
    with open_store(f"sqlite:///{str(path).replace('%', '%25').replace(' ', '%20')}") as store:
        store.start_run()
    assert path.exists()


def test_a_locked_store_is_waited_for_then_reported(filled: Path) -> None:
    other = sqlite3.connect(filled, isolation_level=None)
    with open_store(filled, wait_seconds=0.3) as store:
        run = store.find_run("latest")
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreFault, match="locked by another process") as caught:
            store.save_attempt(run.id, attempt(2))
        assert caught.value.exit_code == 3
        assert store.finished_keys() == {key(1)}
        other.execute("ROLLBACK")
        assert store.save_attempt(run.id, attempt(2))
    other.close()


def test_a_store_that_is_locked_for_readers_too(filled: Path) -> None:
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("PRAGMA locking_mode=EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    for write in (True, False):
        with pytest.raises(StoreFault, match="locked by another process"):
            open_store(filled, write=write, wait_seconds=0.2)
    other.close()


def test_an_unreachable_server_is_reported_without_the_password() -> None:
    with pytest.raises(StoreFault, match="can't be reached") as caught:
        open_store("postgresql://someone:s3cret@127.0.0.1:1/db?password=s3cret")
    assert "s3cret" not in str(caught.value)
    assert "someone@127.0.0.1:1/db" in str(caught.value)


def test_a_missing_database_and_a_url_that_is_none(postgres: str) -> None:
    with pytest.raises(StoreFault, match="does not exist"):
        open_store(f"{postgres}/nothing")
    with pytest.raises(StoreError, match="URL can't be read"):
        open_store("postgresql://host:port/db")


def test_a_postgres_database_that_may_only_be_read(postgres: str) -> None:
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE frozen")
    url = f"{postgres}/frozen"
    with open_store(url) as store:
        run = store.start_run()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER DATABASE frozen SET default_transaction_read_only = on")
    with open_store(url, write=False) as store:
        assert store.runs() == [run]
    with open_store(url) as store, pytest.raises(StoreFault, match="read-only"):
        store.start_run()


def test_a_server_that_was_restarted_costs_no_attempt(postgres: str) -> None:
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE restarted")
        with open_store(f"{postgres}/restarted") as store:
            run = store.start_run()
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'restarted'"
            )
            assert store.save_attempt(run.id, attempt(1))


def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingTool, match=r"sdkbench\[postgres\]"):
        open_store("postgresql://host/db")
