"""A help desk's tickets. Written for SQLAlchemy 1.3; has to run on SQLAlchemy 2.1.8.

Every function opens the SQLite file `path`, which is created where missing, and closes it again.
Results are plain data: dicts of exactly id, title, state and labels (sorted), unless said otherwise.
"""

from sqlalchemy import Column, ForeignKey, Integer, String, Table, create_engine, select
from sqlalchemy.ext.declarative import declarative_base
from sqlalchemy.orm import joinedload, mapper, relation, sessionmaker

Base = declarative_base()

ticket_labels = Table(
    "ticket_labels",
    Base.metadata,
    Column("ticket_id", ForeignKey("tickets.id"), primary_key=True),
    Column("label_id", ForeignKey("labels.id"), primary_key=True),
)


class Label(Base):
    __tablename__ = "labels"
    id = Column(Integer, primary_key=True)
    name = Column(String, nullable=False, unique=True)


class Ticket(Base):
    __tablename__ = "tickets"
    id = Column(Integer, primary_key=True)
    title = Column(String, nullable=False)
    state = Column(String, nullable=False, default="open")
    labels = relation("Label", secondary=ticket_labels)


class Note:
    """Mapped the classical way."""

    def __init__(self, ticket_id, text):
        self.ticket_id = ticket_id
        self.text = text


notes = Table(
    "notes",
    Base.metadata,
    Column("id", Integer, primary_key=True),
    Column("ticket_id", ForeignKey("tickets.id"), nullable=False),
    Column("text", String, nullable=False),
)
mapper(Note, notes)


def _open(path):
    engine = create_engine("sqlite:///%s" % path)
    Base.metadata.create_all(engine)
    return engine, sessionmaker(bind=engine, autocommit=True)()


def _shown(ticket):
    return {
        "id": ticket.id,
        "title": ticket.title,
        "state": ticket.state,
        "labels": sorted(label.name for label in ticket.labels),
    }


def add(path, title, labels=()):
    """Store an open ticket with its labels (unknown ones are created) and return its id."""
    engine, session = _open(path)
    with session.begin():
        ticket = Ticket(title=title)
        session.add(ticket)
        for name in labels:
            label = session.query(Label).filter_by(name=name).first()
            if label is None:
                label = Label(name=name)
            if label not in ticket.labels:
                ticket.labels.append(label)
    number = ticket.id
    engine.dispose()
    return number


def get(path, number):
    """The ticket with that id, or None."""
    engine, session = _open(path)
    ticket = session.query(Ticket).get(number)
    shown = ticket and _shown(ticket)
    engine.dispose()
    return shown


def newest(path, limit):
    """The `limit` newest tickets, the newest first; each once, however many labels it has."""
    engine, session = _open(path)
    query = session.query(Ticket).options(joinedload("labels"))
    shown = [_shown(t) for t in query.order_by(Ticket.id.desc()).limit(limit)]
    engine.dispose()
    return shown


def labelled(path, name):
    """The tickets with that label, by id."""
    engine, session = _open(path)
    query = session.query(Ticket).join("labels").filter(Label.name == name).order_by(Ticket.id)
    shown = [_shown(ticket) for ticket in query]
    engine.dispose()
    return shown


def close(path, label):
    """Close all open tickets that have the label; returns how many were closed."""
    engine, session = _open(path)
    query = session.query(Ticket).filter(Ticket.state == "open")
    count = query.filter(Ticket.labels.any(name=label)).update(
        {"state": "closed"}, synchronize_session=False
    )
    engine.dispose()
    return count


def note(path, number, text):
    """Store a note to a ticket; LookupError if there is no such ticket."""
    engine, session = _open(path)
    with session.begin():
        if not session.query(Ticket).filter_by(id=number).count():
            raise LookupError("no ticket %s" % number)
        session.add(Note(number, text))
    engine.dispose()


def notes_of(path, number):
    """The texts of a ticket's notes, in the order in which they were stored."""
    engine, _ = _open(path)
    query = select([notes.c.text]).where(notes.c.ticket_id == number).order_by(notes.c.id)
    texts = [row["text"] for row in engine.execute(query)]
    engine.dispose()
    return texts


def states(path):
    """How many tickets there are in each state that occurs: a dict."""
    engine, _ = _open(path)
    counts = dict(engine.execute("SELECT state, count(*) FROM tickets GROUP BY state").fetchall())
    engine.dispose()
    return counts
