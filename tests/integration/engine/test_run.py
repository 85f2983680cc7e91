"""`sdkbench run` as a user meets it: both suites, resumed, asked once, stopped, judged again."""

import json
import os
import pty
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.core import Outcome, ScoreMode
from sdkbench.store import RunState, Suite, open_store
from tests.support.projects import write
from tests.support.run_samples import (
    SDK,
    SECONDS,
    STARTER,
    Place,
    sample_id,
    sandboxes_of,
    solution,
)
from tests.support.servers.answering import AnsweringServer, answering

MORE_TESTS = "from expected import app\ndef test_named():\n    assert app.NAME == 'adding'\n"


@pytest.fixture
def server() -> Iterator[AnsweringServer]:
    with answering() as made:
        yield made


def ends(place: Place, run_id: str = "latest") -> dict[str, object]:
    return {each.key: each.ended_at for each in place.attempts(run_id)}


def stricter(place: Place, number: int) -> None:
    """One more test, which the reference passes and older solutions don't."""
    reference = f"NAME = 'adding'\n{solution(number)}"
    files = {"tests/test_more.py": MORE_TESTS, "expected/app.py": reference}
    write(place.sample(number), files)


def test_both_suites_in_one_table_and_nothing_is_judged_twice(place: Place) -> None:
    models = ("--model", "reference", "--model", "starter")
    done = place.both(*models)
    assert done.code == 0, done.err
    lines = [line.split() for line in done.out.splitlines()]
    rows = [(words[0], *words[-2:]) for words in lines if len(words) > 5 and "/" in words[-2]]
    assert [row for row in rows if row[0] != "task"] == [
        ("reference", "2/2", "0"),
        ("starter", "0/2", "2"),
        ("reference", "4/4", "0"),
        ("starter", "0/4", "4"),
    ]
    before, (run,) = ends(place), place.runs()
    assert (run.state, run.planned, len(before)) == (RunState.FINISHED, 12, 12)

    again = place.both(*models, "--workers", "1", "--max-requests", "3", "--label", "other")
    assert (again.code, again.out) == (0, done.out)
    assert "12 of them done before" in again.err
    assert ends(place) == before
    assert [each.id for each in place.runs()] == [run.id]

    fresh = place.both(*models, "--fresh")
    assert fresh.code == 0
    newest, oldest = place.runs()
    assert oldest.id == run.id != newest.id
    assert ends(place, oldest.id) == before
    assert set(ends(place)) == set(before)
    assert not set(ends(place).values()) & set(before.values())
    assert all(each.reused_from is None for each in place.attempts())


def test_a_named_run_is_resumed_and_refused_where_the_plan_is_another(place: Place) -> None:
    assert place.run("--run-id", "mine", "--limit", "1").code == 0
    before = ends(place)
    assert len(before) == 1
    assert place.run("--run-id", "mine", "--limit", "1").code == 0
    assert ends(place) == before
    refused = place.run("--run-id", "mine")
    assert refused.code == 2
    assert "Run mine has another plan" in refused.err
    assert refused.err.count("\n") == 1
    taken = place.run("--run-id", "mine", "--limit", "1", "--fresh")
    assert (taken.code, taken.err.count("\n")) == (2, 1)
    assert "There is a run 'mine' already" in taken.err
    assert ends(place, "mine") == before


def test_another_plan_takes_over_what_is_the_same(place: Place) -> None:
    assert place.run("--run-id", "first").code == 0
    done = place.run("--run-id", "second", "--model", "reference", "--model", "starter")
    assert done.code == 0
    assert "2 of them done before (2 in other runs)" in done.err
    by_model = {each.model: each.reused_from for each in place.attempts("second")}
    assert by_model == {"reference": "first", "starter": None}
    first = ends(place, "first")
    assert {key: at for key, at in ends(place, "second").items() if key in first} == first
    third = place.run("--run-id", "third", "--limit", "1")
    assert third.code == 0
    assert [each.reused_from for each in place.attempts("third")] == ["first"]


def test_trials_give_pass_at_k(place: Place) -> None:
    done = place.both("--model", "reference", "--trials", "2")
    assert done.code == 0
    assert done.out.count("pass@2") == 2
    assert Counter(each.trial for each in place.attempts()) == {0: 6, 1: 6}
    shown = json.loads(place.program("show", "latest", "--json", "--k", "2").out)
    at_two = shown["suites"]["sdk"]["models"][0]["pass_at_k"]
    assert [each["mean"]["value"] for each in at_two if each["k"] == 2] == [1.0]


def test_weighted_scores_are_other_attempts(place: Place) -> None:
    half = {f"half/{sample_id(0)}/app.py": "def answer(x):\n    return 1\n"}
    write(place.root, half)
    words = ("--model", "replay:half", "--limit", "1")
    assert place.run(*words).code == 0
    assert [each.score for each in place.attempts()] == [0.0]
    done = place.run(*words, "--mode", "weighted")
    assert done.code == 0
    (attempt,) = place.attempts()
    assert (attempt.mode, attempt.outcome) == (ScoreMode.WEIGHTED, Outcome.FAILED)
    assert 0 < attempt.score < 100
    assert len(place.runs()) == 2


def test_without_fcorr_no_number_is_invented_and_a_later_run_takes_it_up(place: Place) -> None:
    read = place.run("--no-fcorr")
    assert read.code == 0
    assert [each.outcome for each in place.attempts()] == [Outcome.NOT_EXECUTED] * 2
    assert "n/a" in read.out
    assert "100" not in read.out
    (run,) = place.runs()
    judged = place.run()
    assert judged.code == 0
    assert [each.outcome for each in place.attempts()] == [Outcome.PASSED] * 2
    assert [each.id for each in place.runs()] == [run.id]


def test_a_model_is_asked_once_however_often_it_is_judged(
    place: Place, server: AnsweringServer
) -> None:
    words = ("--model", server.spec)
    assert place.both(*words, "--skip-evaluation").code == 0
    once = Counter(dict.fromkeys(server.requests, 1))
    assert (len(once), server.requests) == (6, once)
    stored = {(each.suite, each.outcome) for each in place.attempts()}
    assert stored == {(Suite.SDK, Outcome.NOT_EXECUTED), (Suite.SHELL, Outcome.PASSED)}

    judged = place.both(*words, "--skip-generation")
    assert judged.code == 0, judged.err
    assert {each.outcome for each in place.attempts()} == {Outcome.PASSED}
    assert len(place.runs()) == 1

    before = {each.sample: each.ended_at for each in place.attempts()}
    stricter(place, 1)
    changed = place.both(*words)
    assert changed.code == 0
    assert "5 of them done before (5 in other runs)" in changed.err
    after = {each.sample: each for each in place.attempts()}
    assert after[sample_id(1)].outcome is Outcome.FAILED
    assert [name for name in before if before[name] != after[name].ended_at] == [sample_id(1)]
    assert server.requests == once
    assert sum(each.output_tokens or 0 for each in place.attempts()) == server.output_tokens


def test_where_nothing_is_stored_and_asking_is_off_nothing_is_judged(
    place: Place, server: AnsweringServer
) -> None:
    done = place.both("--model", server.spec, "--skip-generation")
    assert done.code == 3
    assert {each.outcome for each in place.attempts()} == {Outcome.ERROR}
    assert "Run once without --skip-generation" in done.out
    assert not server.requests
    assert place.both("--model", server.spec).code == 0
    assert {each.outcome for each in place.attempts()} == {Outcome.PASSED}


def test_answers_at_hand_that_were_changed_are_judged_anew(place: Place) -> None:
    answers = place.root / "answers.jsonl"
    answers.write_text('{"id": "case-1", "command": "ls"}\n{"id": "case-0", "command": "ls"}\n')
    words = ("run", "--dataset", "tiny.toml", "--limit", "2", "--model", "replay:answers.jsonl")
    assert place.program(*words).code == 0
    assert [each.outcome for each in place.attempts()] == [Outcome.FAILED] * 2
    answers.write_text('{"id": "case-1", "command": "pwd"}\n{"id": "case-0", "command": "ls"}\n')
    assert place.program(*words).code == 0
    by_case = {each.sample: each for each in place.attempts()}
    assert by_case["case-1"].outcome is Outcome.PASSED
    assert by_case["case-0"].reused_from is not None


def test_flags_override_the_file_and_json_is_only_json(place: Place) -> None:
    config = {
        "c.toml": 'sdk = ["demo"]\nmodel = ["starter"]\nintegrity = "checked"\nlimit = 1\n'
        'dataset = ["tiny.toml"]\ntrials = 2\nmode = "pass-rate"\n'
    }
    write(place.root, config)
    done = place.program(
        "run", "--config", "c.toml", "--model", "reference", "--trials", "1", "--json"
    )
    assert (done.code, done.err) == (0, "")
    shown = json.loads(done.out)
    kept = shown["run"]["settings"]
    assert (kept["model"], kept["trials"], kept["mode"]) == (["reference"], 1, "pass_rate")
    assert [each["all"]["attempts"] for each in shown["suites"]["sdk"]["models"]] == [1]
    assert [each["all"]["attempts"] for each in shown["suites"]["shell"]["models"]] == [1]


def test_regrade_asks_nobody_and_tells_what_changed(place: Place, server: AnsweringServer) -> None:
    assert place.both("--model", server.spec, "--run-id", "old").code == 0
    asked = server.requests.copy()
    words = ("regrade", "old", "--integrity", "checked")
    same = place.program(*words)
    assert same.code == 0, same.err
    assert "6 of 6 outcomes are as they were." in same.out
    stricter(place, 0)
    changed = place.program(*words)
    assert f"changed: {sample_id(0)} by {server.spec}, trial 0: passed → failed" in changed.out
    assert "5 of 6 outcomes are as they were." in changed.out
    assert server.requests == asked
    assert len(place.runs()) == 3
    old, new = place.attempts("old"), place.attempts()
    assert {each.input_tokens for each in old} == {each.input_tokens for each in new}


def test_solutions_go_out_come_in_and_are_judged_the_same(place: Place) -> None:
    write(place.root, {f"mine/{sample_id(0)}/app.py": solution(0)})
    write(place.root, {f"mine/{sample_id(1)}/app.py": STARTER})
    assert place.run("--model", "replay:mine", "--run-id", "old").code == 0
    outcomes = place.outcomes()
    assert [each[-1] for each in outcomes] == [Outcome.PASSED, Outcome.FAILED]
    out = ("export", "old", "--format", "results", "-o", "out")
    assert place.program(*out).code == 0
    assert place.program("import", "out").code == 0
    assert {each[-1] for each in place.outcomes()} == {Outcome.NOT_EXECUTED}
    done = place.program("regrade", "latest", "--integrity", "checked")
    assert done.code == 0, done.err
    assert place.outcomes() == outcomes


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_in_the_middle_and_resumed(place: Place, number: signal.Signals) -> None:
    for index in (0, 1):  # whichever comes first, the other one is still to be judged then
        slow = place.sample(index) / "tests" / "test_app.py"
        slow.write_text(f"import time\ndef test_slow_{index}():\n    time.sleep(3)\n")
    words = ("--workers", "1", "--max-requests", "1", "--run-id", "mine", "--model", "reference")
    started = place.started("run", "--sdk", SDK, "--integrity", "checked", *words)
    with started as process:
        place.wait_for(1, process)
        time.sleep(0.5)
        process.send_signal(number)
        out, err = process.communicate(timeout=SECONDS)
        assert not sandboxes_of(place)
    assert (process.returncode, out) == (130, "")
    told = "Stopped: 1 of 2 attempts are stored, 1 are left. The same command goes on with run mine"
    assert told in err
    assert "Traceback" not in err
    (run,) = place.runs()
    assert run.state is RunState.STOPPED
    before = ends(place)
    assert place.run(*words).code == 0
    assert before.items() < ends(place).items()
    assert [each.outcome for each in place.attempts()] == [Outcome.PASSED] * 2
    (run,) = place.runs()
    assert run.state is RunState.FINISHED


def test_without_a_model_it_is_the_reference(place: Place) -> None:
    assert place.run("--limit", "1").code == 0
    assert [each.model for each in place.attempts()] == ["reference"]


@pytest.mark.parametrize(("typed", "models"), [("starter, reference", 2), (" , ", 1)])
def test_on_a_terminal_it_asks(place: Place, typed: str, models: int) -> None:
    master, slave = pty.openpty()
    words = place.words("run", "--dataset", "tiny.toml", "--limit", "1")
    process = subprocess.Popen(
        words, cwd=place.root, env=place.environment(), stdin=slave, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    os.close(slave)
    os.write(master, f"{typed}\n".encode())
    out, err = process.communicate(timeout=SECONDS)
    os.close(master)
    assert process.returncode == 0, err
    assert "Which (several: separated by commas) [reference]" in err
    assert "CSR" in out
    assert len({each.model for each in place.attempts()}) == models


def test_a_secret_in_a_spec_is_not_stored(place: Place) -> None:
    write(place.root, {"agent.sh": "#!/bin/sh\ntrue\n"})
    (place.root / "agent.sh").chmod(0o755)
    secret = "hunter2hunter2"
    done = place.run(
        "--model", f"agent:./agent.sh --key {secret}", "--limit", "1", MY_API_TOKEN=secret
    )
    assert done.code == 0, done.err
    with open_store(place.store, write=False) as store:
        assert secret not in store.find_run("latest").model_dump_json()
    assert secret.encode() not in Path(place.store).read_bytes()
