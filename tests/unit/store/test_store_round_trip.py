"""Whatever can be made as a value can be stored, exported and read back the same."""

import csv
import io
import json
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from sdkbench.core import Assurance, Outcome, ScoreMode
from sdkbench.errors import InputError
from sdkbench.report import write_csv, write_jsonl
from sdkbench.store import Artefact, Attempt, Suite, open_store
from sdkbench.store.artefacts import read_folder, solution_artefacts, write_folder
from tests.support.projects import ProjectFactory
from tests.support.store.builder import key

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)  # fmt: skip
COUNT = st.none() | st.integers(0, 2**53)
ATTEMPTS = st.builds(
    Attempt,
    key=st.integers(0, 10**9).map(key),
    suite=st.sampled_from(Suite),
    sdk=TEXT,
    sample=TEXT.filter(bool),
    task_type=TEXT,
    model=TEXT,
    trial=st.integers(0, 1000),
    outcome=st.sampled_from(Outcome),
    fault=st.none() | TEXT,
    error=st.none() | TEXT,
    score=st.floats(0, 100),
    mode=st.sampled_from(ScoreMode),
    assurance=st.sampled_from(Assurance),
    duration_seconds=st.floats(0, 1e9),
    input_tokens=COUNT,
    output_tokens=COUNT,
    cost_usd=st.none() | st.floats(0, 1e6),
    environment_key=st.none() | TEXT,
    result=st.dictionaries(TEXT, JSON, max_size=3),
    tests=st.lists(
        st.fixed_dictionaries({"test_id": TEXT, "status": TEXT, "message": TEXT}), max_size=4
    ),
    ended_at=st.datetimes(
        datetime(1970, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC)  # noqa: DTZ001
    ),
    reused_from=st.none(),
)  # fmt: skip


@settings(max_examples=30)
@given(st.lists(ATTEMPTS, max_size=3, unique_by=lambda each: each.key), st.binary(max_size=300))
def test_attempts_come_back_from_sqlite(attempts: list[Attempt], data: bytes) -> None:
    artefact = Artefact(kind="output", name="log", data=data)
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder, "s.db")) as store:
        run = store.start_run()
        for each in attempts:
            assert store.save_attempt(run.id, each, [artefact])
        assert list(store.attempts(run.id)) == attempts
        for each in attempts:
            assert store.artefacts(run.id, each.key) == [artefact]


@given(st.lists(ATTEMPTS, max_size=3))
def test_json_lines_give_the_same_attempts(attempts: list[Attempt]) -> None:
    stream = io.StringIO()
    write_jsonl(stream, "run", attempts)
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert {line.pop("run_id") for line in lines} <= {"run"}
    assert [Attempt.model_validate(line) for line in lines] == attempts


@given(st.lists(ATTEMPTS, max_size=3))
def test_csv_keeps_every_text_and_number(attempts: list[Attempt]) -> None:
    stream = io.StringIO(newline="")
    write_csv(stream, "run", attempts)
    stream.seek(0)
    rows = list(csv.DictReader(stream))
    for row, each in zip(rows, attempts, strict=True):
        assert (row["model"], row["sample"]) == (each.model, each.sample)
        assert row["error"] == (each.error or "")
        assert float(row["score"]) == each.score
        assert row["input_tokens"] == ("" if each.input_tokens is None else str(each.input_tokens))
        assert int(row["tests_total"]) == len(each.tests)


def test_a_folder_is_read_and_written_without_what_is_vendored(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"app.py": "x", "a/b.bin": b"\0\xff", "node_modules/x/index.js": "y"})
    contents = read_folder(root)
    assert contents == {"app.py": b"x", "a/b.bin": b"\0\xff"}
    assert {e.name: e.data for e in solution_artefacts(root)} == contents
    write_folder(tmp_path / "new" / "place", contents)
    assert read_folder(tmp_path / "new" / "place") == contents


def test_a_folder_that_can_t_be_written_leaves_no_half(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_folder(tmp_path / "place", {"a": b"1", "a/b": b"2"})
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_can_t_be_stored_is_refused(project: ProjectFactory) -> None:
    with pytest.raises(ValidationError):
        solution_artefacts(project({"back\\slash.py": "x"}))
