# Wrong: values go into filters unescaped, so a quote breaks them or widens what they match.

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
import pyarrow as pa
from lancedb.table import Table

TABLE = "products"
DIMENSION = 4

SCHEMA = pa.schema(
    [
        pa.field("sku", pa.string()),
        pa.field("name", pa.string()),
        pa.field("category", pa.string()),
        pa.field("price", pa.float64()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)
SHOWN = ["sku", "name", "category", "price"]


def add_products(path: str | Path, products: Sequence[Mapping[str, Any]]) -> int:
    """Store the products; ValueError, and none stored, for a negative price or a known sku."""
    skus = [product["sku"] for product in products]
    if len(set(skus)) != len(skus):
        raise ValueError("two products share a sku")
    for product in products:
        _check_price(product["price"])
    table = _open(path)
    if not products:
        return 0
    if table.count_rows(f"sku IN ({', '.join(map(_quote, skus))})"):
        raise ValueError("a sku is already stored")
    table.add(pa.Table.from_pylist([dict(product) for product in products], schema=SCHEMA))
    return len(products)


def get_product(path: str | Path, sku: str) -> dict[str, Any] | None:
    """Return the product without its vector; None if unknown."""
    found = _open(path).search().where(f"sku = {_quote(sku)}").select(SHOWN).limit(1).to_list()
    return found[0] if found else None


def list_products(path: str | Path, category: str | None = None) -> list[dict[str, Any]]:
    """Return all products, or one category's, sorted by sku."""
    query = _open(path).search().select(SHOWN)
    if category is not None:
        query = query.where(f"category = {_quote(category)}")
    return sorted(query.to_list(), key=lambda product: product["sku"])


def set_price(path: str | Path, sku: str, price: float) -> bool:
    """Change one product's price; False if unknown, ValueError if negative."""
    _check_price(price)
    result = _open(path).update(where=f"sku = {_quote(sku)}", values={"price": float(price)})
    return result.rows_updated > 0


def remove_category(path: str | Path, category: str) -> int:
    """Remove a category's products and return their number."""
    return _open(path).delete(f"category = {_quote(category)}").num_deleted_rows


def _open(path: str | Path) -> Table:
    return lancedb.connect(str(path)).create_table(TABLE, schema=SCHEMA, exist_ok=True)


def _check_price(price: float) -> None:
    if price < 0:
        raise ValueError(f"price {price} is negative")


def _quote(value: str) -> str:
    """Write a value as a SQL string literal."""
    return f"'{value}'"
