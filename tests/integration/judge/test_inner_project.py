"""A folder that is no project itself: the only project in it is judged, and a note says so."""

import pytest

from sdkbench.core import Outcome
from tests.support.projects import Files, Judge

INNER: Files = {
    "backend/requirements.txt": "",
    "backend/shop.py": "PRICE = 3\n",
    "backend/tests/conftest.py": "",
    "backend/tests/test_shop.py": "import shop\ndef test_it(): assert shop.PRICE == 3\n",
}
SAID = "backend/ is judged"


def test_the_only_project_below_the_folder_is_judged(judge: Judge) -> None:
    documents = {"README.md": "A shop.\n", "docs/plan.md": "", ".github/workflows/ci.yml": ""}
    result = judge(INNER | documents)
    assert (result.outcome, result.error, result.tests_passed) == (Outcome.PASSED, None, 1)
    assert [note for note in result.notes if SAID in note]


@pytest.mark.parametrize(
    "more",
    [
        {"tests/test_whole.py": "def test_it(): pass\n"},
        {"frontend/package.json": "{}"},
        {"requirements.txt": ""},
    ],
)
def test_a_folder_with_more_in_it_is_judged_as_a_whole(judge: Judge, more: Files) -> None:
    assert not [note for note in judge(INNER | more).notes if SAID in note]


def test_a_folder_of_tests_is_taken_by_its_word(judge: Judge) -> None:
    result = judge(INNER, test_dir="backend/tests")
    assert not [note for note in result.notes if SAID in note]
