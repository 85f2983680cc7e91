"""Keep a product list in a local LanceDB database: add, read, reprice, remove.

All functions take the database folder as `path` and work on its table `products`, whose columns
are sku, name and category (string), price (float64) and vector (fixed-size list of DIMENSION
float32). Folder and table are created where missing, so a missing database counts as an empty
product list. Other programs may write to the same table between two calls.

Any text may stand in a sku or a category, quotes included; it is a value, never part of a filter's
syntax.

Installed: the packages of requirements.txt and what they bring along (numpy, pydantic). pandas,
polars and pylance are not. This file is imported as part of a package: import further modules of
your own relatively (`from .store import ...`).
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

TABLE = "products"
DIMENSION = 4


def add_products(path: str | Path, products: Sequence[Mapping[str, Any]]) -> int:
    """Store the products and return how many were added; 0 for an empty sequence.

    Each product has the keys sku, name, category, price and vector. Raises ValueError, and adds
    none of them, if a price is negative, if two of the products share a sku, or if a sku is already
    stored.
    """
    raise NotImplementedError


def get_product(path: str | Path, sku: str) -> dict[str, Any] | None:
    """Return the product as a dict of exactly sku, name, category and price; None if unknown."""
    raise NotImplementedError


def list_products(path: str | Path, category: str | None = None) -> list[dict[str, Any]]:
    """Return all products, or those of one category, sorted by sku, as dicts like get_product's.

    None means every category. There may be hundreds of products.
    """
    raise NotImplementedError


def set_price(path: str | Path, sku: str, price: float) -> bool:
    """Change one product's price, nothing else; return False if the sku is unknown.

    Raises ValueError if the price is negative.
    """
    raise NotImplementedError


def remove_category(path: str | Path, category: str) -> int:
    """Remove all products of exactly this category and return how many were removed."""
    raise NotImplementedError
