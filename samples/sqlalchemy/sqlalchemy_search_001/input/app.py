"""Questions to an order book, a SQLite file that other programs fill (SQLAlchemy 2.1.8).

`path` is the file; it exists, with the tables of models.py. No function writes to it or leaves a
connection open. An order with `cancelled` counts nowhere. Results are plain lists, tuples, numbers,
texts and dates.

This file is imported as part of a package: import models.py relatively (`from .models import ...`).
"""

import datetime
from pathlib import Path


def find_customers(path: Path, text: str) -> list[str]:
    """The names that contain `text` somewhere, upper and lower case being the same; sorted.

    `text` is what somebody typed, never a pattern: a % or _ in it stands for itself.
    """
    raise NotImplementedError


def spending(path: Path) -> list[tuple[str, int, int]]:
    """For every customer the name, the number of orders and the sum of quantity * price in cents.

    Customers without orders are there too, with 0 and 0; an order without lines counts as an
    order. The largest sum comes first, equal sums by name, equal names by id.
    """
    raise NotImplementedError


def best_sellers(path: Path, top: int) -> list[tuple[str, int, str, int]]:
    """The products that sold most in each category: category, rank, product's name, how many.

    A product's rank is 1 + the number of products of its category that sold more, so equal ones
    share a rank. Listed are ranks up to `top`; products that never sold are not. Sorted by
    category, rank, name.
    """
    raise NotImplementedError


def page_of_orders(
    path: Path, size: int, after: tuple[datetime.date, int] | None = None
) -> list[tuple[datetime.date, int, str]]:
    """At most `size` orders as day, id and the customer's name: the newest day first, of one day
    the highest id first.

    `after` is the day and id of the last order of the page before; the list goes on behind it.
    New orders may come in between, so never skip rows by their number.
    """
    raise NotImplementedError
