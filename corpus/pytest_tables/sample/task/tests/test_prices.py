"""Prices as people read them."""

import pytest
from expected import app


@pytest.mark.parametrize(("cents", "text"), [(1999, "19.99"), (5, "0.05"), (120000, "1200.00")])
def test_price_is_written(cents: int, text: str) -> None:
    assert app.price(cents) == text


@pytest.mark.parametrize(
    ("code", "name"),
    [pytest.param("EUR", "Euro", id="here"), pytest.param("SEK", "Krona", id="there")],
)
def test_currency_has_a_name(code: str, name: str) -> None:
    assert app.currency(code) == name


@pytest.mark.parametrize("code", ["E", "EURO"])
def test_a_code_has_three_letters(code: str) -> None:
    with pytest.raises(ValueError, match="not a code"):
        app.currency(code)


def test_nobody_pays_with_that() -> None:
    with pytest.raises(app.UnknownCurrency):
        app.currency("XYZ")
