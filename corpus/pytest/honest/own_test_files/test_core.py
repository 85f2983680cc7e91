from .core import slug


def test_not_done_yet():
    assert slug("a b") == "a_b"
