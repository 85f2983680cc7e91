"""`sdkbench import --judge`: results folders of others, with files or raw answers, get verdicts;
and what a run's thresholds say in the end.
"""

import json
from pathlib import Path

from sdkbench.core import Outcome
from sdkbench.store import JudgedAs, RunState
from tests.support.projects import write
from tests.support.run_samples import SDK, Place, sample_id, solution

WRONG = "def answer(x):\n    return None\n"


def answered(code: str) -> str:
    return f"Here it is.\n\n```python\n# filepath: app.py\n{code}```\n\nRun it.\n"


def folder(place: Place, model: str, number: int) -> Path:
    return place.root / "out" / SDK / model / "solutions" / sample_id(number)


def test_files_and_raw_answers_are_judged(place: Place) -> None:
    write(folder(place, "files", 0), {"app.py": solution(0), "metrics/f_corr.json": "{}"})
    write(folder(place, "files", 1), {"app.py": WRONG})
    beside = {"prompt.md": "Write it.", "generation_metadata.json": '{"files_generated": []}'}
    write(folder(place, "raw", 0), {"llm_response.md": answered(solution(0)), **beside})
    write(folder(place, "raw", 1), {"llm_response.md": "I can't help with that."})
    write(folder(place, "raw", 7), {"llm_response.md": answered(solution(7))})
    done = place.program("import", "out", "--judge", "--integrity", "checked")
    assert done.code == 0, done.err
    assert "4 solutions imported, 2 of them from answers" in done.err
    assert f"{sample_id(7)}: there is only an answer, and no sample of that name" in done.err
    assert place.outcomes() == [
        (sample_id(0), "files", 0, Outcome.PASSED),
        (sample_id(0), "raw", 0, Outcome.PASSED),
        (sample_id(1), "files", 0, Outcome.FAILED),
        (sample_id(1), "raw", 0, Outcome.FAILED),
    ]
    assert "changed:" not in done.out
    judged, imported = place.runs()
    assert judged.settings["regrade_of"] == imported.id
    assert {run.state for run in place.runs()} == {RunState.FINISHED}
    declined = next(a for a in place.attempts() if (a.model, a.sample) == ("raw", sample_id(1)))
    assert "no file was found in the answer" in str(declined.result["notes"])


def test_answers_are_preferred_on_request(place: Place) -> None:
    """Other programs take answers apart otherwise: files that they made may hold prose."""
    files = {"app.py": WRONG, "llm_response.md": answered(solution(0))}
    write(folder(place, "m", 0), files)
    words = ("import", "out", "--judge", "--integrity", "checked")
    assert place.program(*words).code == 0
    assert place.outcomes() == [(sample_id(0), "m", 0, Outcome.FAILED)]
    assert place.program(*words, "--answers").code == 0
    assert place.outcomes() == [(sample_id(0), "m", 0, Outcome.PASSED)]


def test_without_judge_nothing_is_judged(place: Place) -> None:
    write(folder(place, "raw", 0), {"llm_response.md": answered(solution(0))})
    done = place.program("import", "out")
    assert (done.code, "1 solutions imported, 1 of them from answers" in done.out) == (0, True)
    (attempt,) = place.attempts()
    assert attempt.outcome is Outcome.NOT_EXECUTED
    refused = place.program("import", "out", "--json")
    assert (refused.code, "--json goes with --judge" in refused.err) == (2, True)


def test_a_run_below_its_threshold_is_exit_1_after_all_is_stored(place: Place) -> None:
    words = ("--model", "starter", "--limit", "1")
    done = place.run(*words, "--fail-under", "50", "--json")
    assert done.code == 1
    assert json.loads(done.out)["run"]["state"] == "finished"
    assert "F-CORR by starter: 0 % over 1 sample is below 50 %." in done.err
    assert place.run(*words, "--fail-under", f"sdk={SDK}:0").code == 0
    assert place.run(*words, "--fail-under", "lots").code == 2
    (attempt,) = place.attempts()
    noted = JudgedAs.of(attempt.result)
    assert noted is not None
    assert noted.settings["integrity"] == "checked"


def test_fcorr_below_its_threshold_is_exit_1_after_all_is_shown(place: Place) -> None:
    words = ("fcorr", "--sdk", SDK, "--starters", "--integrity", "off", "--limit", "2")
    done = place.program(*words, "--fail-under", "51")
    assert done.code == 1
    assert "mean F-CORR 50" in done.out
    assert "F-CORR: 50 % over 2 samples is below 51 %." in done.err
    assert place.program(*words, "--fail-under", "50").code == 0


def test_other_tests_make_verdicts_incomparable(place: Place) -> None:
    words = ("--model", "reference", "--limit", "1")
    assert place.run(*words, "--run-id", "old").code == 0
    tests = place.sample(0) / "tests" / "test_app.py"
    tests.write_text(tests.read_text() + "def test_more(): assert app.answer(2) == 2\n")
    assert place.run(*words, "--run-id", "new").code == 0
    done = place.program("compare", "old", "new")
    assert (done.code, "its tests are others" in done.out) == (0, True)
