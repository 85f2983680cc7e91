"""Taxes by the kind of things."""

from expected import app


def test_rates() -> None:
    for kind, percent in [("books", 7), ("food", 7), ("rent", 0), ("tools", 19)]:
        assert app.rate(kind) == percent


def test_rates_of_things_to_read() -> None:
    assert app.rate("books") == 7
    assert app.rate("comics") == 19
    assert app.rate("letters") == 19
    assert app.rate("maps") == 19


def test_rates_of_things_at_home() -> None:
    assert app.rate("rent") == 0
    assert app.rate("lamps") == 19
    assert app.rate("chairs") == 19
    assert app.rate("food") == 7
