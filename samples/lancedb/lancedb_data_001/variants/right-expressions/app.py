"""Product list; each function opens the store anew."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lancedb.expr import col, lit

from .store import ProductStore


def add_products(path: str | Path, products: Sequence[Mapping[str, Any]]) -> int:
    """Add products, all or none."""
    return ProductStore(path).insert(products)


def get_product(path: str | Path, sku: str) -> dict[str, Any] | None:
    """Return one product or None."""
    return next((p.shown() for p in ProductStore(path).find(col("sku") == lit(sku))), None)


def list_products(path: str | Path, category: str | None = None) -> list[dict[str, Any]]:
    """Return products sorted by sku."""
    wanted = None if category is None else col("category") == lit(category)
    found = ProductStore(path).find(wanted)
    return [product.shown() for product in sorted(found, key=lambda product: product.sku)]


def set_price(path: str | Path, sku: str, price: float) -> bool:
    """Set one product's price."""
    return ProductStore(path).reprice(sku, price)


def remove_category(path: str | Path, category: str) -> int:
    """Remove a category."""
    return ProductStore(path).drop_category(category)
