"""One attempt in full: what is known of it, and what had to be left out."""

from pathlib import Path

from sdkbench.core import Outcome
from sdkbench.report.pages.details import AttemptDetails, Room, details_of
from sdkbench.report.pages.diffs import FileChange
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.store import Artefact, Attempt, Run, Stored, TestRow
from sdkbench.store.values import now
from tests.support.places import SAMPLES
from tests.support.store.builder import attempt
from tests.support.store.invented import hostile, invented

ROOM = Room(text=1000, lines=20, files=2, tests=3)
RUN = Run(id="run", settings={"timeout": 60.0, "integrity": "apart"}, started_at=now())


def details(made: Attempt, *files: Artefact, room: Room = ROOM) -> AttemptDetails:
    return details_of(Stored(made, files), RUN, SampleLibrary(SAMPLES), room)


def test_failures_come_first_and_the_rest_is_counted() -> None:
    rows = [TestRow(test_id=f"t{n}", status="passed") for n in range(5)]
    made = attempt(1, tests=(*rows, TestRow(test_id="bad", status="failed", message="no")))
    shown = details(made)
    assert [test.id for test in shown.tests] == ["bad", "t0", "t1"]
    assert shown.tests_left_out == 3


def test_a_failure_has_its_place_trace_and_output() -> None:
    made = next(each for each in invented(40) if each.attempt.outcome is Outcome.FAILED)
    (test, *_) = details(made.attempt).tests
    assert test.place.startswith("tests/test_app.py:")
    assert "assert client" in test.trace


def test_files_are_told_against_the_starter() -> None:
    made = attempt(1, sdk="lancedb", sample="lancedb_init_001")
    starter = (SAMPLES / "lancedb/lancedb_init_001/input/requirements.txt").read_bytes()
    files = {"app.py": b"x = 1\n", "requirements.txt": starter, "new.py": b"", "z.py": b"z"}
    artefacts = [Artefact(kind="solution", name=n, data=data) for n, data in files.items()]
    shown = details(made, *artefacts)
    assert shown.has_starter
    assert shown.same_files == ("requirements.txt",)
    changes = {file.name: file.change for file in shown.files}
    assert changes == {"app.py": FileChange.CHANGED, "new.py": FileChange.ADDED}
    assert shown.files_left_out == 1
    assert "LanceDB" in shown.description


def test_without_the_sample_files_are_shown_whole() -> None:
    shown = details(attempt(1), Artefact(kind="solution", name="app.py", data=b"x = 1\n"))
    assert not shown.has_starter
    assert [file.change for file in shown.files] == [FileChange.WHOLE]


def test_what_is_not_known_is_not_invented() -> None:
    made = attempt(1, outcome=Outcome.ERROR, score=0, result={}, tests=(), input_tokens=None)
    facts = dict(details(made).facts)
    assert facts["Time limit"] == "60 s"
    assert {"Language", "Sandbox", "Input tokens", "Cost"} & facts.keys() == set()


def test_a_shell_answer_is_shown_beside_what_was_expected() -> None:
    made = next(each.attempt for each in invented(1_000) if each.attempt.suite == "shell")
    noted = made.result | {"noted_by_another_version": {"a": 1}}
    shown = details(made.model_copy(update={"result": noted}))
    assert shown.shell is not None
    assert shown.shell.prompt
    assert shown.shell.actual is not None
    assert "Assurance" not in dict(shown.facts)


def test_nothing_hostile_is_left_in_any_text(tmp_path: Path) -> None:
    made = hostile()
    document = details_of(Stored(*made), RUN, SampleLibrary(tmp_path), ROOM).model_dump_json()
    for unseen in ("\\u0000", "\\u001b", "\u202e", "\\u0007"):
        assert unseen not in document
    assert len(document) < 60_000
