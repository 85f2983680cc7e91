"""The product table behind a class; filters are built as expressions, never as text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import lancedb
from lancedb.expr import Expr, col, lit
from lancedb.pydantic import LanceModel, Vector


class Product(LanceModel):
    """One row of the product table."""

    sku: str
    name: str
    category: str
    price: float
    vector: Vector(4)  # type: ignore[valid-type]

    def shown(self) -> dict[str, Any]:
        """Return the product without its vector."""
        return self.model_dump(exclude={"vector"})


class ProductStore:
    """Access to the products of one database."""

    def __init__(self, path: str | Path) -> None:
        """Open the table, creating it where missing."""
        self.table = lancedb.connect(path).create_table("products", schema=Product, exist_ok=True)

    def find(self, condition: Expr | None = None) -> list[Product]:
        """Return the products that meet the condition, all of them without one."""
        query = self.table.search()
        if condition is not None:
            query = query.where(condition)
        return query.to_pydantic(Product)

    def insert(self, products: Sequence[Mapping[str, Any]]) -> int:
        """Insert all products or none."""
        known = {product.sku for product in self.find()}
        models = []
        for product in products:
            if product["sku"] in known or product["price"] < 0:
                raise ValueError(f"cannot add {product['sku']!r}")
            known.add(product["sku"])
            models.append(Product(**product))
        if models:
            self.table.add(models)
        return len(models)

    def reprice(self, sku: str, price: float) -> bool:
        """Set one product's price."""
        if price < 0:
            raise ValueError(f"{price} is below zero")
        here = col("sku") == lit(sku)
        if not self.find(here):
            return False
        self.table.update(where=here, values={"price": price})
        return True

    def drop_category(self, category: str) -> int:
        """Delete a category."""
        before = self.table.count_rows()
        self.table.delete(col("category") == lit(category))
        return before - self.table.count_rows()
