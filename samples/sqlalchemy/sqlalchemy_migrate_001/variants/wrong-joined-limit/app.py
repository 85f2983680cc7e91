"""A help desk's tickets in a SQLite file."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Column,
    ForeignKey,
    Integer,
    String,
    Table,
    create_engine,
    func,
    select,
    update,
)
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
)


class Base(DeclarativeBase):
    pass


ticket_labels = Table(
    "ticket_labels",
    Base.metadata,
    Column("ticket_id", ForeignKey("tickets.id"), primary_key=True),
    Column("label_id", ForeignKey("labels.id"), primary_key=True),
)


class Label(Base):
    __tablename__ = "labels"

    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)


class Ticket(Base):
    __tablename__ = "tickets"

    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    state: Mapped[str] = mapped_column(default="open")
    labels: Mapped[list[Label]] = relationship(secondary=ticket_labels)


class Note:
    """Mapped the classical way."""

    def __init__(self, ticket_id: int, text: str) -> None:
        self.ticket_id = ticket_id
        self.text = text


notes = Table(
    "notes",
    Base.metadata,
    Column("id", Integer, primary_key=True),
    Column("ticket_id", ForeignKey("tickets.id"), nullable=False),
    Column("text", String, nullable=False),
)
Base.registry.map_imperatively(Note, notes)


@contextmanager
def opened(path: Path) -> Iterator[Session]:
    """A session whose work is committed at the end, or rolled back by an exception."""
    engine = create_engine(URL.create("sqlite", database=str(path)))
    try:
        Base.metadata.create_all(engine)
        with Session(engine) as session, session.begin():
            yield session
    finally:
        engine.dispose()


def shown(ticket: Ticket) -> dict[str, Any]:
    return {
        "id": ticket.id,
        "title": ticket.title,
        "state": ticket.state,
        "labels": sorted(label.name for label in ticket.labels),
    }


def add(path: Path, title: str, labels: Sequence[str] = ()) -> int:
    with opened(path) as session:
        ticket = Ticket(title=title)
        session.add(ticket)
        for name in dict.fromkeys(labels):
            label = session.scalar(select(Label).filter_by(name=name))
            ticket.labels.append(label or Label(name=name))
        session.flush()
        return ticket.id


def get(path: Path, number: int) -> dict[str, Any] | None:
    with opened(path) as session:
        ticket = session.get(Ticket, number)
        return ticket and shown(ticket)


def newest(path: Path, limit: int) -> list[dict[str, Any]]:
    query = select(Ticket).join(Ticket.labels)
    with opened(path) as session:
        found = session.scalars(query.order_by(Ticket.id.desc()).limit(limit))
        return [shown(ticket) for ticket in found.unique()]


def labelled(path: Path, name: str) -> list[dict[str, Any]]:
    query = select(Ticket).join(Ticket.labels).where(Label.name == name).order_by(Ticket.id)
    with opened(path) as session:
        return [shown(ticket) for ticket in session.scalars(query)]


def close(path: Path, label: str) -> int:
    with opened(path) as session:
        done = session.execute(
            update(Ticket)
            .where(Ticket.state == "open", Ticket.labels.any(name=label))
            .values(state="closed")
            .execution_options(synchronize_session=False)
        )
        return done.rowcount


def note(path: Path, number: int, text: str) -> None:
    with opened(path) as session:
        if session.get(Ticket, number) is None:
            raise LookupError(f"no ticket {number}")
        session.add(Note(number, text))


def notes_of(path: Path, number: int) -> list[str]:
    query = select(notes.c.text).where(notes.c.ticket_id == number).order_by(notes.c.id)
    with opened(path) as session:
        return list(session.scalars(query))


def states(path: Path) -> dict[str, int]:
    query = select(Ticket.state, func.count()).group_by(Ticket.state)
    with opened(path) as session:
        return dict(session.execute(query).all())
