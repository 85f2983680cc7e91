"""Search, sums, ranks and pages over a small order book with plain answers."""

from datetime import date

import pytest
from expected import app

SCRIPT = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL);
CREATE TABLE products (
    id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, category VARCHAR NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, day DATE NOT NULL, cancelled BOOLEAN);
CREATE TABLE lines (
    order_id INTEGER, product_id INTEGER, quantity INTEGER, price INTEGER,
    PRIMARY KEY (order_id, product_id));
INSERT INTO customers VALUES
    (1, 'Ida'), (2, 'Ben'), (3, 'Zoe'), (4, '100% Cotton'), (5, '1000 Coins'), (6, 'a_b'),
    (7, 'AXB'), (8, 'back\\slash');
INSERT INTO products VALUES
    (1, 'pear', 'fruit'), (2, 'fig', 'fruit'), (3, 'kiwi', 'fruit'), (4, 'lime', 'fruit'),
    (5, 'saw', 'tools'), (6, 'axe', 'tools');
INSERT INTO orders VALUES
    (1, 1, '2025-03-01', 0), (2, 1, '2025-03-02', 0), (3, 2, '2025-03-02', 0),
    (4, 2, '2025-03-02', 1), (5, 1, '2025-02-28', 0), (6, 7, '2025-03-03', 0),
    (7, 6, '2025-03-01', 1);
INSERT INTO lines VALUES
    (1, 1, 2, 50), (1, 2, 3, 10), (2, 5, 1, 870), (3, 3, 3, 100), (3, 1, 1, 40), (3, 5, 1, 660),
    (4, 6, 9, 999), (5, 4, 1, 5);
"""


@pytest.fixture
def book(database, execute):
    execute(SCRIPT)
    return database


def test_customers_are_found_by_a_part_of_their_name(book):
    assert app.find_customers(book, "b") == ["AXB", "Ben", "a_b", "back\\slash"]
    assert app.find_customers(book, "CO") == ["100% Cotton", "1000 Coins"]
    assert app.find_customers(book, "nobody") == []


def test_what_somebody_types_is_no_pattern(book):
    assert app.find_customers(book, "100%") == ["100% Cotton"]
    assert app.find_customers(book, "a_B") == ["a_b"]
    assert app.find_customers(book, "k\\s") == ["back\\slash"]
    assert app.find_customers(book, "' OR '1'='1") == []


def test_every_customer_has_a_sum(book):
    assert app.spending(book) == [
        ("Ida", 3, 1005), ("Ben", 1, 1000), ("100% Cotton", 0, 0), ("1000 Coins", 0, 0),
        ("AXB", 1, 0), ("Zoe", 0, 0), ("a_b", 0, 0), ("back\\slash", 0, 0),
    ]


def test_customers_of_one_name_stay_apart(book, execute):
    execute(
        "INSERT INTO customers VALUES (9, 'Ida');"
        "INSERT INTO orders VALUES (9, 9, '2025-04-01', 0);"
        "INSERT INTO lines VALUES (9, 1, 1, 1005);"
    )
    assert app.spending(book)[:3] == [("Ida", 3, 1005), ("Ida", 1, 1005), ("Ben", 1, 1000)]


def test_equal_products_share_a_rank(book):
    assert app.best_sellers(book, 1) == [
        ("fruit", 1, "fig", 3), ("fruit", 1, "kiwi", 3), ("fruit", 1, "pear", 3),
        ("tools", 1, "saw", 2),
    ]
    assert app.best_sellers(book, 3) == app.best_sellers(book, 1)


def test_the_next_rank_counts_those_before(book):
    assert app.best_sellers(book, 4)[3] == ("fruit", 4, "lime", 1)
    assert len(app.best_sellers(book, 9)) == 5


def test_orders_come_newest_first(book):
    assert app.page_of_orders(book, 3) == [
        (date(2025, 3, 3), 6, "AXB"), (date(2025, 3, 2), 3, "Ben"), (date(2025, 3, 2), 2, "Ida"),
    ]
    assert len(app.page_of_orders(book, 100)) == 5


def test_the_next_page_goes_on_behind_the_last_order(book):
    assert app.page_of_orders(book, 2, (date(2025, 3, 2), 3)) == [
        (date(2025, 3, 2), 2, "Ida"), (date(2025, 3, 1), 1, "Ida"),
    ]
    assert app.page_of_orders(book, 2, (date(2025, 3, 1), 1)) == [(date(2025, 2, 28), 5, "Ida")]
    assert app.page_of_orders(book, 2, (date(2025, 2, 28), 5)) == []


def test_new_orders_do_not_shift_the_pages(book, execute):
    (_, last) = app.page_of_orders(book, 2)
    execute("INSERT INTO orders VALUES (10, 3, '2025-03-09', 0), (11, 3, '2025-03-01', 0)")
    assert [order for _, order, _ in app.page_of_orders(book, 9, last[:2])] == [2, 11, 1, 5]


def test_an_order_book_without_orders(book, execute):
    execute("DELETE FROM orders; DELETE FROM lines; DELETE FROM customers WHERE id > 2;")
    assert app.spending(book) == [("Ben", 0, 0), ("Ida", 0, 0)]
    assert app.best_sellers(book, 3) == []
    assert app.page_of_orders(book, 5) == []
