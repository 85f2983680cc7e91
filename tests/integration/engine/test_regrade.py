"""`sdkbench regrade`: judged as the run was, what it cost kept, ended whatever happens."""

import json
from importlib.util import find_spec

import pytest

from sdkbench.core import Assurance, Outcome, ScoreMode
from sdkbench.store import RunState
from tests.support.projects import write
from tests.support.run_samples import SDK, Place, sample_id, solution


def test_settings_are_those_of_the_run_unless_flags_say_otherwise(place: Place) -> None:
    (place.root / "samples").rename(place.root / "mine")
    words = ("--samples-dir", "mine", "--mode", "pass-rate", "--timeout", "77", "--limit", "1")
    assert place.run("--model", "reference", "--run-id", "old", *words).code == 0
    for flags, integrity in (((), "checked"), (("--integrity", "off"), "off"), ((), "off")):
        done = place.program("regrade", "latest", *flags)
        assert done.code == 0, done.err
        run = place.runs()[0]
        kept = {name: run.settings[name] for name in ("samples_dir", "timeout", "integrity")}
        assert kept == {"samples_dir": "mine", "timeout": 77, "integrity": integrity}
        (attempt,) = place.attempts()
        assert (attempt.outcome, attempt.mode) == (Outcome.PASSED, ScoreMode.PASS_RATE)
        assert (attempt.assurance is Assurance.CHECKED) == (integrity == "checked")


def test_what_an_imported_solution_took_is_kept(place: Place) -> None:
    told = {"input_tokens": 12, "output_tokens": 34, "tokens_used": 46, "cost": 0.5}
    folder = f"out/{SDK}/some-model/solutions/{sample_id(0)}"
    files = {"app.py": solution(0), "generation_metadata.json": json.dumps(told)}
    write(place.root / folder, files)
    assert place.program("import", "out").code == 0
    done = place.program("regrade", "latest", "--integrity", "checked")
    assert done.code == 0, done.err
    (attempt,) = place.attempts()
    assert attempt.outcome is Outcome.PASSED
    assert (attempt.input_tokens, attempt.output_tokens, attempt.cost_usd) == (12, 34, 0.5)


@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_a_regrade_whose_judge_can_t_be_opened_is_stopped(place: Place) -> None:
    assert place.run("--model", "starter", "--limit", "1", "--run-id", "old").code == 0
    done = place.program("regrade", "old", "--engine", "ray", "--address", "127.0.0.1:1")
    assert (done.code, done.out) == (3, "")
    assert "can't be joined" in done.err
    assert [run.state for run in place.runs()] == [RunState.STOPPED, RunState.FINISHED]
