"""Many clients, and a service that is killed in the middle: every judgement is answered once."""

import asyncio
from pathlib import Path

import pytest

from benchmarks.serve_load import run


def test_killed_and_started_again(tmp_path: Path) -> None:
    report = asyncio.run(run(tmp_path, clients=12, judgements=60, integrity="checked"))
    assert report.problems == []
    assert report.answered == 60
    assert report.open_at_kill > 0


@pytest.mark.nightly
def test_as_many_as_there_may_be(tmp_path: Path) -> None:
    report = asyncio.run(run(tmp_path, clients=200, judgements=1000, integrity="checked"))
    assert report.problems == []
    assert report.answered == 1000
