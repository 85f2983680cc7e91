# Wrong: only looks for skus already stored, so two products of one call may share a sku.
from pathlib import Path

import lancedb
import pyarrow as pa

TABLE = "products"
DIMENSION = 4
COLUMNS = ["sku", "name", "category", "price"]

schema = pa.schema(
    [
        pa.field("sku", pa.string()),
        pa.field("name", pa.string()),
        pa.field("category", pa.string()),
        pa.field("price", pa.float64()),
        pa.field("vector", pa.list_(pa.float32(), DIMENSION)),
    ]
)


def _table(path):
    db = lancedb.connect(str(path))
    if TABLE in db.list_tables().tables:
        return db.open_table(TABLE)
    return db.create_table(TABLE, schema=schema)


def _escape(value: str) -> str:
    return value.replace("'", "''")


def add_products(path: str | Path, products) -> int:
    """Add the products."""
    table = _table(path)
    if not products:
        return 0
    existing = set(table.to_arrow()["sku"].to_pylist())
    for product in products:
        if product["price"] < 0:
            raise ValueError("Price must not be negative")
        if product["sku"] in existing:
            raise ValueError(f"Duplicate sku: {product['sku']}")
    table.add([dict(product) for product in products])
    return len(products)


def get_product(path: str | Path, sku: str):
    """Get a product."""
    rows = _table(path).search().where(f"sku = '{_escape(sku)}'").select(COLUMNS).to_list()
    return rows[0] if rows else None


def list_products(path: str | Path, category: str | None = None):
    """List products."""
    rows = _table(path).to_arrow().select(COLUMNS).to_pylist()
    if category is not None:
        rows = [row for row in rows if row["category"] == category]
    return sorted(rows, key=lambda row: row["sku"])


def set_price(path: str | Path, sku: str, price: float) -> bool:
    """Set a price."""
    if price < 0:
        raise ValueError("Price must not be negative")
    if get_product(path, sku) is None:
        return False
    _table(path).update(where=f"sku = '{_escape(sku)}'", values={"price": price})
    return True


def remove_category(path: str | Path, category: str) -> int:
    """Remove a category."""
    table = _table(path)
    before = table.count_rows()
    table.delete(f"category = '{_escape(category)}'")
    return before - table.count_rows()
