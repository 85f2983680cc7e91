"""The tables of a customer desk. Complete: leave it as it is."""

from sqlalchemy import JSON, ForeignKey
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Audited:
    """A model whose changes are on record."""


class Soft:
    """A model whose rows are never removed, only marked."""

    deleted: Mapped[bool] = mapped_column(default=False)


class Customer(Audited, Soft, Base):
    __tablename__ = "customers"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str]
    email: Mapped[str | None]
    notes: Mapped[list["Note"]] = relationship(
        back_populates="customer", cascade="all, delete-orphan", order_by="Note.id"
    )


class Note(Audited, Base):
    __tablename__ = "notes"

    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int] = mapped_column(ForeignKey("customers.id"))
    text: Mapped[str]
    customer: Mapped[Customer] = relationship(back_populates="notes")


class Visit(Base):
    """Neither on record nor kept."""

    __tablename__ = "visits"

    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int] = mapped_column(ForeignKey("customers.id"))
    minutes: Mapped[int]
    customer: Mapped[Customer | None] = relationship()


class Change(Base):
    """What somebody did to a row of an audited model."""

    __tablename__ = "changes"

    id: Mapped[int] = mapped_column(primary_key=True)
    who: Mapped[str]
    action: Mapped[str]  # insert, update, delete
    table: Mapped[str]
    key: Mapped[int]
    fields: Mapped[dict] = mapped_column(JSON)
