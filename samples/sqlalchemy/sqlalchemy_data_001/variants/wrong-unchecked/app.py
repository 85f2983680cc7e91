"""The stock of several places in one SQLite file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import (
    URL,
    Column,
    Connection,
    Integer,
    MetaData,
    String,
    Table,
    create_engine,
    delete,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import insert

metadata = MetaData()
stock = Table(
    "stock",
    metadata,
    Column("place", String, primary_key=True),
    Column("sku", String, primary_key=True),
    Column("quantity", Integer, nullable=False),
)


@contextmanager
def transaction(path: Path) -> Iterator[Connection]:
    engine = create_engine(URL.create("sqlite", database=str(path)))
    try:
        with engine.begin() as connection:
            metadata.create_all(connection)
            yield connection
    finally:
        engine.dispose()


def add(connection: Connection, place: str, sku: str, quantity: int) -> None:
    row = insert(stock).values(place=place, sku=sku, quantity=quantity)
    more = {"quantity": stock.c.quantity + row.excluded.quantity}
    connection.execute(row.on_conflict_do_update(index_elements=["place", "sku"], set_=more))


def receive(path: Path, deliveries: Sequence[tuple[str, str, int]]) -> int:
    if any(quantity < 1 for _, _, quantity in deliveries):
        raise ValueError("a delivery has at least one item")
    with transaction(path) as connection:
        for place, sku, quantity in deliveries:
            add(connection, place, sku, quantity)
    return sum(quantity for _, _, quantity in deliveries)


def transfer(path: Path, sku: str, quantity: int, source: str, target: str) -> None:
    if quantity < 1 or source == target:
        raise ValueError(f"cannot move {quantity} from {source} to {target}")
    with transaction(path) as connection:
        here = (stock.c.place == source) & (stock.c.sku == sku)
        connection.execute(
            update(stock)
            .where(here, stock.c.quantity >= quantity)
            .values(quantity=stock.c.quantity - quantity)
        )
        add(connection, target, sku, quantity)
        connection.execute(delete(stock).where(here, stock.c.quantity == 0))


def quantities(path: Path, sku: str) -> dict[str, int]:
    found = select(stock.c.place, stock.c.quantity).where(stock.c.sku == sku)
    with transaction(path) as connection:
        return dict(connection.execute(found.order_by(stock.c.place)).all())


def forget(path: Path, place: str) -> dict[str, int]:
    gone = delete(stock).where(stock.c.place == place).returning(stock.c.sku, stock.c.quantity)
    with transaction(path) as connection:
        return dict(sorted(connection.execute(gone).all()))
