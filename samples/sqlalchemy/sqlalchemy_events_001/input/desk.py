"""What the people at the desk do. Complete: leave it as it is."""

from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.orm import aliased

from .models import Change, Customer, Note, Visit
from .sessions import opened


def add(path: Path, who: str, name: str, email: str | None = None, notes: tuple[str, ...] = ()) -> int:
    with opened(path, who) as session:
        customer = Customer(name=name, email=email, notes=[Note(text=text) for text in notes])
        session.add(customer)
        session.commit()
        return customer.id


def edit(path: Path, who: str, number: int, **fields: Any) -> None:
    with opened(path, who) as session, session.begin():
        customer = session.get(Customer, number)
        for name, value in fields.items():
            setattr(customer, name, value)


def edit_twice(path: Path, who: str, number: int, first: str, second: str) -> None:
    with opened(path, who) as session:
        customer = session.get(Customer, number)
        customer.name = first
        session.commit()
        customer.name = second
        session.commit()


def write(path: Path, who: str, number: int, text: str) -> None:
    with opened(path, who) as session, session.begin():
        customer = session.get(Customer, number)
        customer.notes.append(Note(text=text))


def strike(path: Path, who: str, number: int, place: int) -> None:
    with opened(path, who) as session, session.begin():
        customer = session.get(Customer, number)
        del customer.notes[place]


def remove(path: Path, who: str, number: int) -> tuple[str, bool]:
    with opened(path, who) as session:
        customer = session.get(Customer, number)
        session.delete(customer)
        session.commit()
        return customer.name, customer.deleted


def visit(path: Path, number: int, minutes: int) -> int:
    with opened(path, "door") as session, session.begin():
        seen = Visit(customer_id=number, minutes=minutes)
        session.add(seen)
        session.flush()
        return seen.id


def end_visit(path: Path, number: int) -> None:
    with opened(path, "door") as session, session.begin():
        session.delete(session.get(Visit, number))


def give_up(path: Path, who: str, number: int, name: str) -> None:
    with opened(path, who) as session:
        customer = session.get(Customer, number)
        customer.name = name
        customer.notes.append(Note(text=name))
        session.flush()
        session.rollback()


def hand_over(path: Path, first: str, second: str, number: int) -> None:
    with opened(path, first) as mine, opened(path, second) as theirs:
        customer = mine.get(Customer, number)
        customer.name = first
        mine.commit()
        customer = theirs.get(Customer, number)
        customer.name = second
        theirs.commit()


def statement(path: Path, who: str, which: str) -> int:
    statements = {
        "update notes": update(Note).values(text="-"),
        "update customers": update(Customer).where(Customer.id == 1).values(name="-"),
        "delete notes": delete(Note),
        "insert notes": insert(Note).values(customer_id=1, text="-"),
        "update visits": update(Visit).values(minutes=Visit.minutes + 1),
        "delete visits": delete(Visit),
    }
    with opened(path, who) as session, session.begin():
        return session.execute(statements[which]).rowcount


def found(path: Path, which: str, deleted: bool = False) -> list[tuple[Any, ...]]:
    other = aliased(Customer)
    selects = {
        "names": select(Customer.name).order_by(Customer.id),
        "other names": select(other.name).order_by(other.id),
        "objects": select(Customer).order_by(Customer.id),
        "count": select(func.count()).select_from(Customer),
        "visits": select(Customer.name, Visit.minutes).join(Customer).order_by(Visit.id),
        "all visits": select(Visit).order_by(Visit.id),
    }
    with opened(path, "somebody") as session:
        query = selects[which].execution_options(deleted=True) if deleted else selects[which]
        rows = session.execute(query).all()
        if which == "objects":
            return [(each.name, each.email, [note.text for note in each.notes]) for (each,) in rows]
        if which == "all visits":
            return [(each.minutes, each.customer and each.customer.name) for (each,) in rows]
        return [tuple(row) for row in rows]


def known(path: Path, number: int) -> bool:
    with opened(path, "somebody") as session:
        return session.get(Customer, number) is not None


def history(path: Path) -> list[tuple[str, str, str, int, dict[str, Any]]]:
    with opened(path, "somebody") as session:
        changes = session.scalars(select(Change).order_by(Change.id))
        return [(each.who, each.action, each.table, each.key, each.fields) for each in changes]
