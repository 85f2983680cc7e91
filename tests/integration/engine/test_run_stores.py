"""The same run in SQLite and in PostgreSQL is the same record; and two runs in one store."""

import signal

import psycopg

from sdkbench.store import RunState, open_store
from tests.support.run_samples import SDK, SECONDS, Place, records

BOTH = ("--model", "reference", "--model", "starter")


def test_either_store_holds_the_same_records(place: Place, postgres: str) -> None:
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("CREATE DATABASE same_run")
    other = Place(place.root, f"{postgres}/same_run")
    for each in (place, other):
        assert each.both(*BOTH, "--run-id", "mine").code == 0
    assert len(records(place.store)) == 13
    assert records(place.store) == records(other.store)


def test_two_runs_at_once_in_one_store(place: Place, store_url: str) -> None:
    there = Place(place.root, store_url)
    with open_store(store_url) as store:
        store.start_run(run_id="before")
    common = ("run", "--sdk", SDK, "--dataset", "tiny.toml", "--integrity", "checked")
    with (
        there.started(*common, "--run-id", "one", "--model", "reference") as one,
        there.started(*common, "--run-id", "two", "--model", "starter") as two,
    ):
        for process in (one, two):
            _, err = process.communicate(timeout=SECONDS)
            assert process.returncode == 0, err
    for run_id, share in (("one", "passed"), ("two", "failed")):
        assert [each[-1] for each in there.outcomes(run_id)] == [share] * 6
    states = {run.id: run.state for run in there.runs()}
    assert states.pop("before") is RunState.RUNNING
    assert states == {"one": RunState.FINISHED, "two": RunState.FINISHED}


def test_a_run_that_a_process_is_at_work_on_is_left_to_it(place: Place) -> None:
    slow = place.sample(1) / "tests" / "test_app.py"
    slow.write_text("import time\ndef test_slow():\n    time.sleep(100)\n")
    words = ("--run-id", "mine", "--workers", "1", "--max-requests", "1")
    with place.started("run", "--sdk", SDK, "--integrity", "checked", *words) as process:
        place.wait_for(1, process)
        refused = place.run(*words)
        (run,) = place.runs()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=SECONDS)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert f"being worked on by process {process.pid}" in refused.err
    assert run.state is RunState.RUNNING
    assert str(process.pid) in run.worker.split()
    assert len(place.attempts("mine")) == 1
