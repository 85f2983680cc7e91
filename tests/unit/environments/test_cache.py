import json
import multiprocessing
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest

from sdkbench.environments import Cache, default_root
from sdkbench.environments.cache import DESCRIPTION, Environment, disk_usage
from sdkbench.errors import Cancelled, EnvironmentFault
from sdkbench.sandbox import Cancellation

Build = Callable[[Path], tuple[str, ...]]
BIG = 256 * 1024


def filler(log: Path | None = None, size: int = 10, pause_seconds: float = 0.0) -> Build:
    def build(folder: Path) -> tuple[str, ...]:
        if log is not None:
            with log.open("a") as stream:
                stream.write("built\n")
        time.sleep(pause_seconds)
        (folder / "data").write_bytes(b"x" * size)
        return ("httpx==0.27.0",)

    return build


def refuse(_: Path) -> tuple[str, ...]:
    raise AssertionError("built again")


def make_big(cache: Cache, key: str, used_at: float) -> Environment:
    environment = cache.make("python", key, filler(size=BIG))
    os.utime(environment.path, (used_at, used_at))
    return environment


def keys(cache: Cache) -> list[str]:
    return [entry.environment.key for entry in cache.entries()]


def leftovers(cache: Cache) -> list[Path]:
    return list(cache.root.glob("*/building/*"))


def test_an_environment_is_built_once_and_reused(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    assert cache.find("python", "k") is None
    made = cache.make("python", "k", filler())
    assert (made.key, made.language, made.packages) == ("k", "python", ("httpx==0.27.0",))
    assert (made.path / "data").read_bytes() == b"x" * 10
    assert cache.built == {"k"}
    other = Cache(tmp_path / "cache")
    assert other.make("python", "k", refuse) == made == other.find("python", "k")
    assert other.built == set()
    assert leftovers(cache) == []


def test_languages_do_not_share_keys(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    cache.make("python", "k", filler())
    assert cache.find("typescript", "k") is None


def test_threads_that_want_the_same_key_build_it_once(tmp_path: Path) -> None:
    cache, log = Cache(tmp_path / "cache"), tmp_path / "log"
    with ThreadPoolExecutor(8) as pool:
        jobs = [
            pool.submit(cache.make, "python", "k", filler(log, pause_seconds=0.05))
            for _ in range(8)
        ]
    assert len({job.result().path for job in jobs}) == 1
    assert log.read_text() == "built\n"


def make_in_a_process(root: str, log: str, ready: Barrier) -> None:
    cache = Cache(Path(root))
    ready.wait(timeout=30)
    cache.make("python", "k", filler(Path(log), pause_seconds=0.1))
    cache.record("kind", "key", lambda: _computed(Path(log)))


def _computed(log: Path) -> str:
    with log.open("a") as stream:
        stream.write("computed\n")
    return "text"


def test_processes_that_want_the_same_key_build_it_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready, log = context.Barrier(3), tmp_path / "log"
    arguments = (str(tmp_path / "cache"), str(log), ready)
    workers = [context.Process(target=make_in_a_process, args=arguments) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(timeout=60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert sorted(log.read_text().split()) == ["built", "computed"]
    assert keys(Cache(tmp_path / "cache")) == ["k"]


def test_a_failing_build_publishes_nothing_and_the_next_one_may_succeed(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    def fail(folder: Path) -> tuple[str, ...]:
        (folder / "half").write_text("")
        raise RuntimeError("broken wheel")

    with pytest.raises(RuntimeError, match="broken wheel"):
        cache.make("python", "k", fail)
    assert cache.find("python", "k") is None
    assert (keys(cache), leftovers(cache), cache.built) == ([], [], set())
    assert cache.make("python", "k", filler()).key == "k"


def test_a_full_disk_is_an_environment_fault(tmp_path: Path) -> None:
    def full(_: Path) -> tuple[str, ...]:
        raise OSError(28, "No space left on device")

    with pytest.raises(EnvironmentFault, match="No space left on device"):
        Cache(tmp_path).make("python", "k", full)


@pytest.mark.parametrize("text", [None, "", "{", "{}", "[]", '{"key": 5}'])
def test_a_ruin_is_built_anew(tmp_path: Path, text: str | None) -> None:
    cache = Cache(tmp_path)
    ruin = cache.make("python", "k", filler()).path
    (ruin / "old").write_text("")
    (ruin / DESCRIPTION).unlink()
    if text is not None:
        (ruin / DESCRIPTION).write_text(text)
    assert keys(cache) == []
    made = cache.make("python", "k", filler())
    assert not (made.path / "old").exists()
    assert json.loads((made.path / DESCRIPTION).read_text())["key"] == "k"


def test_a_cancelled_run_stops_waiting_for_a_lock(tmp_path: Path) -> None:
    cancellation = Cancellation()
    cache, other = Cache(tmp_path), Cache(tmp_path, cancellation)
    with cache.lock("python-k"):
        threading.Timer(0.1, cancellation.cancel).start()
        with pytest.raises(Cancelled):
            other.make("python", "k", refuse)


def test_a_record_is_computed_once(tmp_path: Path) -> None:
    cache, calls = Cache(tmp_path), []

    def compute() -> str:
        calls.append(1)
        return "é\n"

    assert cache.read_record("resolutions", "k") is None
    assert cache.record("resolutions", "k", compute) == "é\n"
    assert Cache(tmp_path).record("resolutions", "k", compute) == "é\n"
    assert cache.read_record("resolutions", "k") == "é\n"
    assert cache.read_record("other", "k") is None
    assert calls == [1]


def test_threads_that_want_the_same_record_compute_it_once(tmp_path: Path) -> None:
    cache, calls = Cache(tmp_path), []

    def compute() -> str:
        calls.append(1)
        time.sleep(0.05)
        return "text"

    with ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(cache.record, "kind", "k", compute) for _ in range(6)]
    assert {job.result() for job in jobs} == {"text"}
    assert calls == [1]


def test_a_record_that_cannot_be_computed_is_not_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)

    def fail() -> str:
        raise RuntimeError("no index")

    with pytest.raises(RuntimeError, match="no index"):
        cache.record("kind", "k", fail)
    assert cache.record("kind", "k", lambda: "later") == "later"


def test_gc_removes_what_was_used_longest_ago(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    for key, used_at in (("new", 3000.0), ("old", 1000.0), ("middle", 2000.0)):
        make_big(cache, key, used_at)
    assert keys(cache) == ["old", "middle", "new"]
    removed = cache.gc(max_bytes=2 * BIG + BIG // 2)
    assert removed == ["python old"]
    assert keys(cache) == ["middle", "new"]
    assert leftovers(cache) == []


def test_finding_an_environment_counts_as_using_it(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    make_big(cache, "first", 1000.0)
    make_big(cache, "second", 2000.0)
    cache.find("python", "first")
    assert keys(cache) == ["second", "first"]


def test_listing_environments_does_not_count_as_using_them(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    make_big(cache, "k", 1000.0)
    assert [entry.used_at for entry in cache.entries() + cache.entries()] == [1000.0, 1000.0]


def test_gc_keeps_a_cache_that_fits(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    make_big(cache, "k", 1000.0)
    assert cache.gc(max_bytes=10 * BIG) == []
    assert keys(cache) == ["k"]


def test_gc_keeps_an_environment_in_use(tmp_path: Path) -> None:
    cache, other = Cache(tmp_path), Cache(tmp_path)
    used = make_big(cache, "used", 1000.0)
    make_big(cache, "idle", 2000.0)
    with cache.in_use(used), cache.in_use(used):
        assert other.gc(max_bytes=0) == ["python idle"]
        assert (used.path / "data").exists()
    assert other.gc(max_bytes=0) == ["python used"]


def test_gc_takes_downloads_last(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    make_big(cache, "k", 1000.0)
    (cache.store("python") / "wheel").write_bytes(b"x" * BIG)
    assert cache.gc(max_bytes=BIG + BIG // 2) == ["python k"]
    assert (cache.store("python") / "wheel").exists()
    assert cache.gc(max_bytes=0) == ["python downloads"]


def test_gc_beside_another_gc_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, other = Cache(tmp_path), Cache(tmp_path)
    make_big(cache, "k", 1000.0)
    seen_before = cache.entries()
    assert other.gc(max_bytes=0) == ["python k"]
    monkeypatch.setattr(cache, "entries", lambda: seen_before)
    assert cache.gc(max_bytes=-1) == []


def test_old_half_made_folders_are_swept_and_young_ones_kept(tmp_path: Path) -> None:
    cache = Cache(tmp_path)
    old, young = tmp_path / "python/building/old", tmp_path / "python/building/young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    os.utime(old, (1000.0, 1000.0))
    cache.gc(max_bytes=10 * BIG)
    assert leftovers(cache) == [young]


def test_files_with_several_names_count_once(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"x" * BIG)
    alone = disk_usage(tmp_path)
    os.link(tmp_path / "a", tmp_path / "b")
    (tmp_path / "dangling").symlink_to("nowhere")
    assert BIG <= alone <= 2 * BIG
    assert disk_usage(tmp_path) - alone < BIG


def test_a_folder_that_cannot_be_written_is_an_environment_fault(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match="Set SDKBENCH_CACHE to a folder of yours"):
        Cache(tmp_path / "file" / "cache")


USES: dict[str, Callable[[Cache], object]] = {
    "make": lambda cache: cache.make("python", "k", filler()),
    "store": lambda cache: cache.store("python"),
    "record": lambda cache: cache.record("kind", "k", lambda: "text"),
}


@pytest.mark.parametrize("use", USES)
def test_a_cache_that_stops_being_writable_is_an_environment_fault(
    tmp_path: Path, use: str
) -> None:
    cache = Cache(tmp_path)
    (tmp_path / "python").write_text("a file where a folder must be")
    (tmp_path / "records/kind").write_text("likewise")
    with pytest.raises(EnvironmentFault):
        USES[use](cache)


@pytest.mark.parametrize("use", ["make", "record"])
def test_locks_that_cannot_be_written_are_an_environment_fault(tmp_path: Path, use: str) -> None:
    cache = Cache(tmp_path)
    (tmp_path / "locks").rmdir()
    (tmp_path / "locks").write_text("a file where a folder must be")
    with pytest.raises(EnvironmentFault):
        USES[use](cache)


def test_the_root_follows_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("SDKBENCH_CACHE", raising=False)
    assert default_root() == tmp_path / "xdg/sdkbench"
    monkeypatch.setenv("SDKBENCH_CACHE", str(tmp_path / "own"))
    assert default_root() == tmp_path / "own"
    assert Cache().root == tmp_path / "own"
