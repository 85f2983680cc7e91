"""The tables of the readings. Complete: leave it as it is."""

from decimal import Decimal

from sqlalchemy import CheckConstraint, ForeignKey, Numeric, UniqueConstraint
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    pass


class Sensor(Base):
    __tablename__ = "sensors"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)


class Import(Base):
    """One import that was finished: the SHA-256 of its text, in hexadecimal digits."""

    __tablename__ = "imports"

    id: Mapped[int] = mapped_column(primary_key=True)
    digest: Mapped[str] = mapped_column(unique=True)
    stored: Mapped[int]
    refusals: Mapped[list["Refusal"]] = relationship()


class Refusal(Base):
    """A line that was not stored, by its number, and why."""

    __tablename__ = "refusals"

    import_id: Mapped[int] = mapped_column(ForeignKey("imports.id"), primary_key=True)
    line: Mapped[int] = mapped_column(primary_key=True)
    reason: Mapped[str]


class Reading(Base):
    __tablename__ = "readings"
    __table_args__ = (
        UniqueConstraint("sensor_id", "minute"),
        CheckConstraint("value BETWEEN -90 AND 60"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    sensor_id: Mapped[int] = mapped_column(ForeignKey("sensors.id"))
    minute: Mapped[int]
    value: Mapped[Decimal] = mapped_column(Numeric(6, 2, asdecimal=False))
