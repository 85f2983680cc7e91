import pytest


def answer(value):
    pytest.skip("not on this machine")
