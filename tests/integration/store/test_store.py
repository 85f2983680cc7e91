"""The store on real databases: what is put in comes out, once, whoever else is writing."""

import os
import signal
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.errors import StoreError, StoreFault
from sdkbench.store import Artefact, RunState, open_store
from sdkbench.store.artefacts import pack
from tests.support.places import ROOT
from tests.support.store.builder import FILES, attempt, key


def writer(url: str, run_id: str, first: int, count: int) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-m", "tests.support.store.writer", url, run_id, str(first),
         str(count)],
        stdout=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip


def test_an_attempt_comes_back_as_it_was(store_url: str) -> None:
    made = attempt(1, error="odd \0 text �", cost_usd=0.25, fault="test", outcome=Outcome.FAILED)
    with open_store(store_url) as store:
        run = store.start_run(label="first", settings={"mode": "strict"}, planned=1)
        assert store.save_attempt(run.id, made, FILES)
    with open_store(store_url, write=False) as store:
        assert store.runs() == [run]
        assert list(store.attempts(run.id)) == [made]
        assert store.artefacts(run.id, made.key) == list(FILES)
        assert store.artefacts(run.id, made.key, "output") == [FILES[2]]
        assert store.artefact_names(run.id, made.key)[0] == ("solution", "app.py", 600)


def test_the_first_verdict_of_a_key_stays(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        assert store.save_attempt(run.id, attempt(1))
        assert not store.save_attempt(run.id, attempt(1, outcome=Outcome.FAILED, score=0), FILES)
        assert not store.save_attempt(run.id, attempt(1, outcome=Outcome.ERROR, score=0))
        (kept,) = store.attempts(run.id)
        assert kept.outcome is Outcome.PASSED
        assert store.artefacts(run.id, kept.key) == []


@pytest.mark.parametrize("before", [Outcome.ERROR, Outcome.NOT_EXECUTED])
def test_a_verdict_replaces_what_was_none(store_url: str, before: Outcome) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        assert store.save_attempt(run.id, attempt(1, outcome=before, score=0), FILES[:1])
        assert store.finished_keys(run.id) == frozenset()
        assert store.save_attempt(run.id, attempt(1), FILES[1:])
        assert store.finished_keys(run.id) == {key(1)}
        assert [each.outcome for each in store.attempts(run.id)] == [Outcome.PASSED]
        assert store.artefacts(run.id, key(1)) == list(FILES[1:])


def test_two_runs_share_a_store_and_keep_apart(store_url: str) -> None:
    with open_store(store_url) as store:
        first, second = store.start_run(), store.start_run()
        store.save_attempt(first.id, attempt(1))
        store.save_attempt(second.id, attempt(1, outcome=Outcome.FAILED, score=0))
        store.save_attempt(second.id, attempt(2))
        assert store.finished_keys(first.id) == {key(1)}
        assert store.finished_keys() == {key(1), key(2)}
        assert store.outcome_counts()[second.id] == Counter(passed=1, failed=1)


def test_finished_attempts_of_other_runs_are_taken_over_whole(store_url: str) -> None:
    with open_store(store_url) as store:
        first, second, third = (store.start_run() for _ in range(3))
        store.save_attempt(first.id, attempt(1), FILES)
        store.save_attempt(first.id, attempt(2, outcome=Outcome.ERROR, score=0))
        assert store.reuse(second.id, [key(1), key(2), key(3)]) == {key(1)}
        assert store.reuse(second.id, [key(1)]) == frozenset()
        assert store.reuse(third.id, [key(1)]) == {key(1)}
        for run in (second, third):
            (copy,) = store.attempts(run.id)
            assert copy.reused_from == first.id
            assert copy.tests == attempt(1).tests
            assert store.artefacts(run.id, key(1)) == list(FILES)


def test_a_run_s_life(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run(planned=5)
        assert (run.state, run.ended_at) == (RunState.RUNNING, None)
        stopped = store.end_run(run.id, RunState.STOPPED)
        assert stopped.state is RunState.STOPPED
        assert stopped.ended_at is not None
        assert stopped.ended_at >= run.started_at
        assert store.resume_run(run.id, planned=7) == run.model_copy(update={"planned": 7})
        assert store.end_run(run.id, RunState.FINISHED).state is RunState.FINISHED


def test_runs_are_found_by_id_beginning_or_as_the_latest(store_url: str) -> None:
    with open_store(store_url) as store:
        with pytest.raises(StoreError, match="no runs"):
            store.find_run("latest")
        older, newer = store.start_run(), store.start_run()
        assert store.find_run("latest") == newer
        assert store.find_run(older.id[:-1]) == older
        assert store.find_run(older.id) == older
        with pytest.raises(StoreError, match="Several runs"):
            store.find_run("2")
        with pytest.raises(StoreError, match="no run 'nope'"):
            store.find_run("nope")
        with pytest.raises(StoreError, match="no run 'nope'"):
            store.save_attempt("nope", attempt(1))


def test_many_attempts_are_read_in_order_and_by_pages(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        for number in range(450):
            store.save_attempt(run.id, attempt(number))
        assert [each.key for each in store.attempts(run.id)] == [key(n) for n in range(450)]
        assert [each.key for each in store.attempts(run.id, sample="demo_007")] == [key(7)]


def test_names_longer_than_an_index_takes(store_url: str) -> None:
    long = "x" * 9000
    tests = ({"test_id": long, "status": "passed"}, {"test_id": long, "status": "failed"})
    with open_store(store_url) as store:
        run = store.start_run()
        store.save_attempt(
            run.id,
            attempt(1, tests=tests, sample=long, model=long),
            [Artefact(kind="solution", name=long, data=b"1")],
        )
        assert [test.test_id for test in next(store.attempts(run.id)).tests] == [long, long]
        assert store.artefacts(run.id, key(1))[0].name == long


def test_threads_write_through_one_store(store_url: str) -> None:
    with open_store(store_url) as store, ThreadPoolExecutor(8) as pool:
        run = store.start_run()
        saved = list(
            pool.map(lambda n: store.save_attempt(run.id, attempt(n % 60), FILES), range(120))
        )
        assert sum(saved) == 60
        assert store.finished_keys(run.id) == {key(n) for n in range(60)}


def test_two_processes_write_at_once_and_no_key_twice(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        both = [writer(store_url, run.id, 0, 40), writer(store_url, run.id, 20, 40)]
        said = [process.communicate(timeout=300)[0].splitlines() for process in both]
        assert [process.returncode for process in both] == [0, 0]
        saved = [line for lines in said for line in lines if line.startswith("saved")]
        assert sorted(saved) == sorted(f"saved {key(n)}" for n in range(60))
        assert [len(each.tests) for each in store.attempts(run.id)] == [2] * 60


def test_two_processes_may_make_the_store_at_once(store_url: str) -> None:
    script = (
        "import sys; from sdkbench.store import open_store, Suite\n"
        "sys.stdin.readline()\n"
        "with open_store(sys.argv[1]) as store: store.start_run()\n"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, store_url],
            stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
        )
        for _ in range(2)
    ]  # fmt: skip
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate(timeout=300)[1] for process in started] == [""] * 2
    with open_store(store_url, write=False) as store:
        assert len(store.runs()) == 2


def test_kill_9_loses_only_what_was_in_flight(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
    process = writer(store_url, run.id, 0, 100_000)
    assert process.stdout
    told = [process.stdout.readline() for _ in range(25)]
    os.kill(process.pid, signal.SIGKILL)
    told += process.stdout.readlines()
    process.wait()
    process.stdout.close()
    saved = {line.split()[1] for line in told if line.endswith("\n")}
    with open_store(store_url) as store:
        found = {each.key: each for each in store.attempts(run.id)}
        assert saved <= found.keys()
        assert len(found) <= len(saved) + 1
        for each in found.values():
            assert len(each.tests) == 2
            assert store.artefacts(run.id, each.key) == list(FILES)
        assert store.save_attempt(run.id, attempt(10**6))


def test_a_power_cut_can_t_take_what_was_said_to_be_stored(tmp_path: Path) -> None:
    with open_store(tmp_path / "store.db") as store, store._writing() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL
        assert connection.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_bytes_are_kept_once_and_compressed(store_url: str) -> None:
    data = b"the same line again\n" * 5000
    assert len(pack(data).data) < len(data) // 50
    with open_store(store_url) as store:
        run = store.start_run()
        for number in range(3):
            store.save_attempt(
                run.id, attempt(number), [Artefact(kind="output", name="log", data=data)]
            )
        with store._reading() as connection:
            (count,) = connection.exec_driver_sql("SELECT count(*) FROM blobs").one()
        assert count == 1
        assert store.artefacts(run.id, key(2))[0].data == data


def test_damaged_bytes_are_not_handed_out(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        store.save_attempt(run.id, attempt(1), FILES)
        with store._writing() as connection:
            connection.exec_driver_sql("UPDATE blobs SET codec = 'raw' WHERE codec = 'zlib'")
        with pytest.raises(StoreFault, match="damaged"):
            store.artefacts(run.id, key(1))


def test_a_failed_save_leaves_nothing_behind(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        with pytest.raises(ValueError, match="same kind and name"):
            store.save_attempt(run.id, attempt(1), [FILES[0], FILES[0]])
        assert list(store.attempts(run.id)) == []


def test_counts_by_model_and_sample_and_keys_by_their_beginning(store_url: str) -> None:
    with open_store(store_url) as store:
        run = store.start_run()
        for number in range(4):
            outcome = Outcome.PASSED if number else Outcome.FAILED
            made = attempt(number, sample="one", model="50%_a", trial=number, outcome=outcome)
            store.save_attempt(run.id, made)
        store.save_attempt(run.id, attempt(9, model="b"))
        counts = {(c.model, c.outcome): c.attempts for c in store.model_counts()}
        assert counts == {
            ("50%_a", Outcome.PASSED): 3, ("50%_a", Outcome.FAILED): 1, ("b", Outcome.PASSED): 1,
        }  # fmt: skip
        sample_counts = store.sample_counts("50%_a")
        assert {(c.sdk, c.sample, c.outcome, c.attempts) for c in sample_counts} == {
            ("demo", "one", Outcome.PASSED, 3), ("demo", "one", Outcome.FAILED, 1),
        }  # fmt: skip
        assert store.find_key(run.id, key(9)[:16]) == key(9)
        for beginning in ("", "%", "nothing"):
            with pytest.raises(StoreError):
                store.find_key(run.id, beginning)
