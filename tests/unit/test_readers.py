"""No reader of what a stranger writes raises: a solution must not choose an error of ours."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.readers.fuzz import READERS, Reader, fed
from tests.support.readers.seeds import ODD, mutated


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name.replace(" ", "-"))
@pytest.mark.parametrize("examples", [20, pytest.param(200, marks=pytest.mark.nightly)])
def test_whatever_is_read_nothing_is_raised(reader: Reader, examples: int) -> None:
    @settings(max_examples=examples)
    @given(st.sampled_from(reader.seeds), st.randoms(use_true_random=False))
    def check(seed: bytes, chance: random.Random) -> None:
        fed(reader, mutated(seed, chance))

    check()


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name.replace(" ", "-"))
@pytest.mark.parametrize("behind", ["a seed", pytest.param("nothing", marks=pytest.mark.nightly)])
def test_each_known_oddity_is_read(reader: Reader, behind: str) -> None:
    seed = reader.seeds[0] if behind == "a seed" else b""
    for odd in ODD:
        fed(reader, seed + odd)
