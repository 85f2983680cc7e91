"""Answers as models write them, each with the files that must come out, to the letter."""

import pytest

from sdkbench.generation.answers import read_answer
from sdkbench.generation.answers.languages import family_of_path, is_whole
from tests.support.recorded_answers import Recorded, recorded

ALL = recorded()


def test_there_are_many() -> None:
    assert len(ALL) >= 190


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_the_files_of_an_answer(case: Recorded) -> None:
    proposed = read_answer(case.text, case.starter)
    assert proposed.files == case.files
    assert proposed.cut_off is case.cut_off
    assert [part.path for part in proposed.left_out] == case.problems


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_every_file_is_whole(case: Recorded) -> None:
    for path, text in read_answer(case.text, case.starter).files.items():
        assert text is None or is_whole(family_of_path(path), text), path
