"""No reader of what a stranger writes raises: a solution must not choose an error of ours."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.readers.fuzz import READERS, Reader, fed
from tests.support.readers.seeds import ODD, mutated


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name.replace(" ", "-"))
def test_whatever_is_read_nothing_is_raised(reader: Reader) -> None:
    @settings(max_examples=100)
    @given(st.sampled_from(reader.seeds), st.randoms(use_true_random=False))
    def check(seed: bytes, chance: random.Random) -> None:
        fed(reader, mutated(seed, chance))

    check()


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name.replace(" ", "-"))
def test_each_known_oddity_is_read_alone_and_behind_a_seed(reader: Reader) -> None:
    for odd in ODD:
        for data in (odd, reader.seeds[0] + odd):
            fed(reader, data)
