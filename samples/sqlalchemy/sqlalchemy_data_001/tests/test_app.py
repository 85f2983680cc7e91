"""Stock is received, moved and given up; whatever fails changes nothing."""

import pytest
from expected import app

ALL = "SELECT place, sku, quantity FROM stock ORDER BY place, sku"


@pytest.fixture
def stock(database):
    app.receive(database, [("north", "bolt", 10), ("south", "bolt", 4), ("north", "nut", 7)])
    return database


def test_deliveries_are_stored(database, rows):
    assert app.receive(database, [("north", "bolt", 10), ("east", "nut", 1)]) == 11
    assert rows(ALL) == [("east", "nut", 1), ("north", "bolt", 10)]


def test_deliveries_add_to_what_is_there(stock, rows):
    more = [("north", "bolt", 5), ("west", "bolt", 2), ("north", "bolt", 1), ("west", "bolt", 2)]
    assert app.receive(stock, more) == 10
    assert rows(ALL) == [
        ("north", "bolt", 16), ("north", "nut", 7), ("south", "bolt", 4), ("west", "bolt", 4),
    ]


def test_a_call_with_a_wrong_quantity_adds_nothing(stock, rows):
    for wrong in (0, -3):
        with pytest.raises(ValueError):
            app.receive(stock, [("north", "bolt", 5), ("north", "nut", wrong)])
    assert rows("SELECT sum(quantity) FROM stock") == [(21,)]


def test_an_empty_delivery_is_allowed(database, rows):
    assert app.receive(database, []) == 0
    assert rows(ALL) == []


def test_goods_are_moved(stock, rows):
    app.transfer(stock, "bolt", 4, "north", "south")
    app.transfer(stock, "bolt", 1, "north", "east")
    assert rows(ALL) == [
        ("east", "bolt", 1), ("north", "bolt", 5), ("north", "nut", 7), ("south", "bolt", 8),
    ]


def test_nothing_left_is_no_row(stock, rows):
    app.transfer(stock, "nut", 7, "north", "south")
    assert rows(ALL) == [("north", "bolt", 10), ("south", "bolt", 4), ("south", "nut", 7)]


def test_more_than_there_is_cannot_be_moved(stock, rows):
    for quantity, source in ((11, "north"), (5, "south"), (1, "east")):
        with pytest.raises(LookupError):
            app.transfer(stock, "bolt", quantity, source, "west")
    assert rows(ALL) == [("north", "bolt", 10), ("north", "nut", 7), ("south", "bolt", 4)]


def test_a_move_of_nothing_or_to_the_same_place_is_refused(stock, rows):
    for quantity, target in ((0, "south"), (-1, "south"), (1, "north")):
        with pytest.raises(ValueError):
            app.transfer(stock, "bolt", quantity, "north", target)
    assert rows(ALL) == [("north", "bolt", 10), ("north", "nut", 7), ("south", "bolt", 4)]


def test_a_move_that_the_database_refuses_halfway_changes_nothing(stock, rows, execute):
    execute(
        "CREATE TRIGGER full BEFORE INSERT ON stock WHEN NEW.place = 'attic'"
        " BEGIN SELECT RAISE(ABORT, 'the attic is full'); END;"
    )
    with pytest.raises(Exception, match="the attic is full"):
        app.transfer(stock, "bolt", 3, "north", "attic")
    assert rows(ALL) == [("north", "bolt", 10), ("north", "nut", 7), ("south", "bolt", 4)]


def test_quantities_are_listed_by_place(stock):
    app.receive(stock, [("east", "bolt", 3), ("alps", "nut", 1)])
    assert list(app.quantities(stock, "bolt").items()) == [("east", 3), ("north", 10), ("south", 4)]
    assert app.quantities(stock, "gear") == {}


def test_a_given_up_place_tells_what_it_had(stock, rows):
    app.receive(stock, [("north", "axle", 2)])
    assert list(app.forget(stock, "north").items()) == [("axle", 2), ("bolt", 10), ("nut", 7)]
    assert rows(ALL) == [("south", "bolt", 4)]
    assert app.forget(stock, "north") == {}


def test_what_others_write_is_seen(stock, execute):
    execute("UPDATE stock SET quantity = 2 WHERE place = 'north' AND sku = 'bolt'")
    assert app.quantities(stock, "bolt") == {"north": 2, "south": 4}
    with pytest.raises(LookupError):
        app.transfer(stock, "bolt", 3, "north", "south")
