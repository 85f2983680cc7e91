"""Goods come and go."""

from decimal import Decimal

import pytest
from expected import app


@pytest.fixture
def warehouse():
    made = app.Warehouse()
    made.add("nuts", 12, "0.25")
    made.add("bolts", 4, "0.50")
    return made


def test_counts(warehouse):
    assert warehouse.count("nuts") == 12
    assert warehouse.count("screws") == 0


def test_item_is_what_was_added(warehouse):
    item = warehouse.add("pins", 7, "0.10")
    assert item == app.Item("pins", 7, Decimal("0.10"))
    assert item.count == 7
    assert item.worth() == Decimal("0.70")


def test_default_price():
    assert app.Item("pins", 2).worth() == Decimal("2.00")


def test_taking(warehouse):
    assert warehouse.take("nuts", 5) == ("nuts", -5)
    assert warehouse.take("nuts", 1).by == -1
    assert warehouse.count("nuts") == 6


def test_too_many(warehouse):
    with pytest.raises(app.OutOfStock, match="3 of bolts are missing") as caught:
        warehouse.take("bolts", 7)
    assert caught.value.missing == 3
    assert isinstance(caught.value, ValueError)
    assert warehouse.count("bolts") == 4


@pytest.mark.parametrize(("count", "level"), [(0, "EMPTY"), (9, "LOW"), (10, "ENOUGH")])
def test_level(count, level):
    warehouse = app.Warehouse()
    warehouse.add("x", count)
    assert warehouse.level("x") is app.Level[level]
    assert warehouse.level("x").value == level.lower()


def test_worth(warehouse):
    assert warehouse.worth == Decimal("5.00")


def test_as_a_container(warehouse):
    assert len(warehouse) == 2
    assert "nuts" in warehouse
    assert "screws" not in warehouse
    assert list(warehouse) == ["bolts", "nuts"]
    assert warehouse["bolts"].count == 4
    with pytest.raises(KeyError):
        warehouse["screws"]


def test_find(warehouse):
    assert warehouse.find("screws") is None
    assert warehouse.find("nuts") is warehouse.find("nuts")


def test_report(warehouse):
    assert app.report(warehouse) == {
        "names": ["bolts", "nuts"], "worth": Decimal("5.00"), "levels": ["low", "enough"],
    }
    assert app.report(warehouse, most=1)["names"] == ["bolts"]


def test_moves(warehouse):
    warehouse.take("nuts", 2)
    moves = list(warehouse.moves())
    assert moves[-1] == ("nuts", -2)
    assert [move.by for move in moves] == [12, 4, -2]


def test_even_numbers():
    assert all(app.is_even(number) for number in (0, 2, 4))
    assert not app.is_even(3)
    for number in map(app.is_even, (1, 3, 5)):
        assert number is False
