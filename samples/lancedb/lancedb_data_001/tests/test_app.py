"""Products are added, read, repriced and removed, whatever text their keys hold."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
import pytest
from expected import app
from lancedb.table import Table

Rows = Callable[[str], list[dict[str, Any]]]
OpenTable = Callable[[str], Table]

ALWAYS_TRUE = "x' OR '1'='1"


def product(sku: str, category: str = "tools", price: float = 2.5) -> dict[str, Any]:
    return {
        "sku": sku,
        "name": f"the {sku}",
        "category": category,
        "price": price,
        "vector": [0.25, 0.5, 0.75, 1.0],
    }


def shown(full: dict[str, Any]) -> dict[str, Any]:
    return {key: full[key] for key in ("sku", "name", "category", "price")}


def by_sku(products: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(products, key=lambda row: row["sku"])


def test_added_products_are_stored_with_the_stated_columns(
    db_path: Path, open_table: OpenTable, rows: Rows
) -> None:
    assert app.add_products(db_path, [product("saw"), product("axe", price=9)]) == 2
    assert app.add_products(str(db_path), [product("bun", "food", 0.75)]) == 1
    assert by_sku(rows("products")) == [
        product("axe", price=9.0),
        product("bun", "food", 0.75),
        product("saw"),
    ]
    types = {field.name: field.type for field in open_table("products").schema}
    assert sorted(types) == ["category", "name", "price", "sku", "vector"]
    assert types["price"] == pa.float64()
    assert types["vector"] == pa.list_(pa.float32(), 4)


def test_empty_database_is_an_empty_list(db_path: Path, rows: Rows) -> None:
    assert app.list_products(db_path) == []
    assert app.get_product(db_path, "saw") is None
    assert app.set_price(db_path, "saw", 1.0) is False
    assert app.remove_category(db_path, "tools") == 0
    assert app.add_products(db_path, []) == 0
    assert rows("products") == []


def test_repeated_sku_or_negative_price_adds_nothing(db_path: Path, rows: Rows) -> None:
    app.add_products(db_path, [product("saw")])
    for batch in (
        [product("new"), product("saw", "food")],
        [product("twin"), product("other"), product("twin")],
        [product("good"), product("bad", price=-0.5)],
    ):
        with pytest.raises(ValueError):
            app.add_products(db_path, batch)
    assert rows("products") == [product("saw")]


def test_products_are_read_back_without_their_vector(db_path: Path) -> None:
    odd = [product("O'Brien"), product('5" nail'), product("back\\slash'"), product(ALWAYS_TRUE)]
    app.add_products(db_path, odd)
    for item in odd:
        assert app.get_product(db_path, item["sku"]) == shown(item)
    assert app.get_product(db_path, "y' OR '1'='1") is None


def test_listing_is_sorted_complete_and_by_category(db_path: Path) -> None:
    tools = [product(f"t{number:02}") for number in range(30)]
    toys = [product("zebra", "kids' toys"), product("ball", "kids' toys")]
    app.add_products(db_path, [*reversed(tools), *toys])
    assert app.list_products(db_path, "tools") == [shown(item) for item in tools]
    assert app.list_products(db_path, "kids' toys") == [shown(item) for item in by_sku(toys)]
    assert app.list_products(db_path) == [shown(item) for item in by_sku([*tools, *toys])]
    assert app.list_products(db_path, ALWAYS_TRUE) == []


def test_repricing_touches_one_product_only(db_path: Path, rows: Rows) -> None:
    app.add_products(db_path, [product("O'Brien"), product("saw")])
    assert app.set_price(db_path, "O'Brien", 7.125) is True
    assert app.set_price(db_path, ALWAYS_TRUE, 0.0) is False
    assert by_sku(rows("products")) == [product("O'Brien", price=7.125), product("saw")]


def test_negative_price_is_refused(db_path: Path, rows: Rows) -> None:
    app.add_products(db_path, [product("saw")])
    with pytest.raises(ValueError):
        app.set_price(db_path, "saw", -1)
    assert app.set_price(db_path, "saw", 0) is True
    assert rows("products") == [product("saw", price=0.0)]


def test_removing_a_category_removes_exactly_that_one(db_path: Path, rows: Rows) -> None:
    app.add_products(
        db_path,
        [
            product("a", "kids' toys"),
            product("b", "kids' toys"),
            product("c", "kids"),
            product("d"),
        ],
    )
    assert app.remove_category(db_path, ALWAYS_TRUE) == 0
    assert len(rows("products")) == 4
    assert app.remove_category(db_path, "kids' toys") == 2
    assert app.remove_category(db_path, "kids' toys") == 0
    assert by_sku(rows("products")) == [product("c", "kids"), product("d")]


def test_rows_written_by_others_are_seen(db_path: Path, open_table: OpenTable) -> None:
    app.add_products(db_path, [product("saw")])
    open_table("products").add([product("axe")])
    assert [item["sku"] for item in app.list_products(db_path)] == ["axe", "saw"]
    with pytest.raises(ValueError):
        app.add_products(db_path, [product("axe")])
    assert lancedb.connect(str(db_path)).open_table("products").count_rows() == 2
