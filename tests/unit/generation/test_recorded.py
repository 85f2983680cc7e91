"""Recorded answers → files over the sample's starter."""

import json
from pathlib import Path

import pytest

from sdkbench.errors import InputError
from sdkbench.generation.recorded import RecordedAnswers
from tests.support.projects import write


@pytest.fixture
def reader(tmp_path: Path) -> RecordedAnswers:
    metadata = json.dumps({"sample_id": "task_001", "task_type": 1})
    files = {"input/app.py": "old\n", "input/keep.txt": "kept\n", "expected/app.py": "",
             "expected/metadata.json": metadata, "tests/test_app.py": ""}  # fmt: skip
    write(tmp_path / "demo" / "task_001", files)
    return RecordedAnswers(tmp_path)


def test_the_answer_lies_over_the_starter(reader: RecordedAnswers) -> None:
    taken = reader("demo", "task_001", "m", "```python\n# filepath: app.py\nnew = 1\n```\n")
    files = {each.name: each.data for each in taken.solution}
    assert files == {"app.py": b"new = 1\n", "keep.txt": b"kept\n"}
    assert taken.record["written"] == ["app.py"]
    assert {each.kind for each in taken.solution} == {"solution"}


def test_an_answer_without_files_is_the_starter_with_a_note(reader: RecordedAnswers) -> None:
    taken = reader("demo", "task_001", "m", "Sorry, I can't.")
    assert {each.name: each.data for each in taken.solution}["app.py"] == b"old\n"
    assert taken.record["notes"] == ["no file was found in the answer"]


@pytest.mark.parametrize("name", ["nope", "..", ".", "a/b"])
def test_an_unknown_sample_is_refused(reader: RecordedAnswers, name: str) -> None:
    with pytest.raises(InputError, match="only an answer"):
        reader("demo", name, "m", "")
