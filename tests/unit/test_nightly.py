"""What waits for the night is named by tests that there are."""

import pytest

from tests.support.nightly import REPETITIONS, is_repetition
from tests.support.places import ROOT


@pytest.mark.parametrize("start", REPETITIONS)
def test_each_line_names_a_test(start: str) -> None:
    place, _, name = start.partition("::")
    source = (ROOT / "tests" / place).read_text(encoding="utf-8")
    assert f"\ndef {name.partition('[')[0]}" in source
    assert is_repetition(f"tests/{start}")
