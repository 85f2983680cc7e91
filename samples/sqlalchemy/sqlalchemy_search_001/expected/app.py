"""Questions to an order book."""

import datetime
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Row, Select, create_engine, func, select, tuple_

from .models import Customer, Line, Order, Product


def fetch(path: Path, query: Select[Any]) -> Sequence[Row[Any]]:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    try:
        with engine.connect() as connection:
            return connection.execute(query).all()
    finally:
        engine.dispose()


def find_customers(path: Path, text: str) -> list[str]:
    query = select(Customer.name).where(Customer.name.icontains(text, autoescape=True))
    return [name for (name,) in fetch(path, query.order_by(Customer.name))]


def spending(path: Path) -> list[tuple[str, int, int]]:
    spent = func.coalesce(func.sum(Line.quantity * Line.price), 0)
    query = (
        select(Customer.name, func.count(Order.id.distinct()), spent)
        .select_from(Customer)
        .outerjoin(Order, (Order.customer_id == Customer.id) & ~Order.cancelled)
        .outerjoin(Line, Line.order_id == Order.id)
        .group_by(Customer.id)
        .order_by(spent.desc(), Customer.name, Customer.id)
    )
    return [tuple(row) for row in fetch(path, query)]


def best_sellers(path: Path, top: int) -> list[tuple[str, int, str, int]]:
    sold = func.sum(Line.quantity)
    rank = func.rank().over(partition_by=Product.category, order_by=sold.desc())
    ranked = (
        select(Product.category, rank.label("rank"), Product.name, sold.label("sold"))
        .join(Line, Line.product_id == Product.id)
        .join(Order, Order.id == Line.order_id)
        .where(~Order.cancelled)
        .group_by(Product.id)
        .subquery()
    )
    query = select(ranked).where(ranked.c.rank <= top)
    ordered = query.order_by(ranked.c.category, ranked.c.rank, ranked.c.name)
    return [tuple(row) for row in fetch(path, ordered)]


def page_of_orders(
    path: Path, size: int, after: tuple[datetime.date, int] | None = None
) -> list[tuple[datetime.date, int, str]]:
    query = (
        select(Order.day, Order.id, Customer.name)
        .join(Customer, Customer.id == Order.customer_id)
        .where(~Order.cancelled)
        .order_by(Order.day.desc(), Order.id.desc())
        .limit(size)
    )
    if after is not None:
        query = query.where(tuple_(Order.day, Order.id) < after)
    return [tuple(row) for row in fetch(path, query)]
