import pytest


@pytest.mark.parametrize("case", ["90s-90", "1h30m-5400", "2d 5s-172805"])
def test_duration_is_read(case):
    pass


def test_slug_is_plain():
    pass
