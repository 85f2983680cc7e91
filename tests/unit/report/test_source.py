"""Where attempts come from: runs of a store, files of `export`."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.errors import InputError, StoreError
from sdkbench.report import open_sources, write_jsonl
from sdkbench.report.source import read_jsonl
from sdkbench.store import Attempt, RunState, open_store
from tests.support.store.builder import attempt

Written = Callable[..., Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    def write(*attempts: Attempt, run_id: str = "run-1", name: str = "run.jsonl") -> Path:
        stream = io.StringIO()
        write_jsonl(stream, run_id, attempts)
        path = tmp_path / name
        path.write_text(stream.getvalue() + "\n")
        return path

    return write


def test_a_file_needs_no_store(written: Written, tmp_path: Path) -> None:
    path = written(attempt(0), attempt(1))
    with open_sources([str(path)], str(tmp_path / "none.db")) as (source,):
        assert (source.name, source.run, source.stored) == ("run-1", None, 2)
        again = [list(source.attempts()), list(source.attempts())]
    assert [each.sample for each in again[0]] == ["demo_000", "demo_001"]
    assert again[0] == again[1]
    assert source.unfinished is None


def test_what_was_written_is_read_back(written: Written) -> None:
    made = attempt(3)
    (found,) = read_jsonl(written(made))
    assert Attempt.model_validate(found.model_dump(exclude={"run_id"})) == made


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "holds no attempts"),
        ("{}\n", r"line 1: no attempt as `sdkbench export` writes it"),
        ("[1]\n", "line 1"),
        ("\n\nnot json\n", "line 3"),
        ("[" * 100_000, "line 1"),
        ("\xff", "not UTF-8"),
    ],
)
def test_another_file_is_bad_input_with_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(InputError, match=sentence), open_sources([str(path)], None):
        pass


def test_a_file_of_two_runs_is_bad_input(written: Written, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    parts = written(attempt(0)), written(attempt(1), run_id="run-2", name="b.jsonl")
    both.write_text("".join(part.read_text() for part in parts))
    with (
        pytest.raises(InputError, match="several runs: run-1, run-2"),
        open_sources([str(both)], None),
    ):
        pass


def test_runs_of_a_store(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with open_store(path) as store:
        whole = store.start_run(run_id="whole", planned=1)
        store.save_attempt(whole.id, attempt(0))
        store.end_run(whole.id, RunState.FINISHED)
        under_way = store.start_run(run_id="under-way", planned=3)
        store.save_attempt(under_way.id, attempt(1))
        store.start_run(run_id="empty")
    with open_sources(["whole", "under"], str(path)) as (first, second):
        assert first.unfinished is None
        assert second.unfinished == (
            "Run under-way is under way or was killed: 1 of 3 attempts are stored."
        )
    with (
        pytest.raises(InputError, match="Run empty has no attempts"),
        open_sources(["empty"], str(path)),
    ):
        pass
    with pytest.raises(StoreError, match="no run 'nope'"), open_sources(["nope"], str(path)):
        pass
