from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import create_engine, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.pool import NullPool


class Base(DeclarativeBase):
    pass


class Stock(Base):
    __tablename__ = "stock"
    place: Mapped[str] = mapped_column(primary_key=True)
    sku: Mapped[str] = mapped_column(primary_key=True)
    quantity: Mapped[int]


def opened(path):
    engine = create_engine(f"sqlite:///{path}", poolclass=NullPool)
    Base.metadata.create_all(engine)
    return Session(engine)


def put(session, place, sku, quantity):
    row = session.get(Stock, (place, sku))
    if row is None:
        session.add(Stock(place=place, sku=sku, quantity=quantity))
    else:
        row.quantity += quantity


def receive(path: Path, deliveries: Sequence[tuple[str, str, int]]) -> int:
    sums: Counter[tuple[str, str]] = Counter()
    with opened(path) as session, session.begin():
        for place, sku, quantity in deliveries:
            if quantity <= 0:
                raise ValueError(f"{quantity} of {sku}")
            sums[place, sku] += quantity
        for (place, sku), quantity in sums.items():
            put(session, place, sku, quantity)
    return sums.total()


def transfer(path: Path, sku: str, quantity: int, source: str, target: str) -> None:
    if quantity <= 0:
        raise ValueError("nothing to move")
    if source == target:
        raise ValueError("nowhere to go")
    with opened(path) as session, session.begin():
        row = session.get(Stock, (source, sku))
        if row is None or row.quantity < quantity:
            raise KeyError(sku)
        row.quantity -= quantity
        if row.quantity == 0:
            session.delete(row)
        put(session, target, sku, quantity)


def quantities(path: Path, sku: str) -> dict[str, int]:
    with opened(path) as session:
        found = session.scalars(select(Stock).filter_by(sku=sku).order_by(Stock.place))
        return {row.place: row.quantity for row in found}


def forget(path: Path, place: str) -> dict[str, int]:
    with opened(path) as session, session.begin():
        found = session.scalars(select(Stock).filter_by(place=place).order_by(Stock.sku)).all()
        had = {row.sku: row.quantity for row in found}
        for row in found:
            session.delete(row)
    return had
