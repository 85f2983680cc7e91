"""Sessions that keep a record and remove nothing for good."""

from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, NullPool, create_engine, event, insert, select
from sqlalchemy.orm import Mapper, ORMExecuteState, Session, object_session, with_loader_criteria

from .models import Audited, Base, Change, Soft


class NotOnRecord(Exception):
    """A statement would change audited rows without leaving a record."""


def opened(path: Path, who: str) -> Session:
    # Without a pool, closing the session closes the connection.
    engine = create_engine(URL.create("sqlite", database=str(path)), poolclass=NullPool)
    Base.metadata.create_all(engine)
    session = Session(engine, info={"who": who, "changes": []})
    event.listen(session, "after_commit", keep)
    event.listen(session, "after_rollback", keep)
    event.listen(session, "before_flush", soften)
    event.listen(session, "do_orm_execute", watch)
    return session


def soften(session: Session, _context: Any, _instances: Any) -> None:
    for each in list(session.deleted):
        if isinstance(each, Soft):
            session.add(each)
            each.deleted = True


def watch(state: ORMExecuteState) -> None:
    if state.is_select:
        if not state.execution_options.get("deleted"):
            only = with_loader_criteria(
                Soft, lambda model: model.deleted.is_(False), include_aliases=True
            )
            state.statement = state.statement.options(only)
    elif state.bind_mapper is not None and issubclass(state.bind_mapper.class_, Audited):
        raise NotOnRecord(f"{state.bind_mapper.class_.__name__} is changed by its objects only")


# A mapper tells of every row, also of orphans, which no session lists as deleted.


@event.listens_for(Audited, "after_insert", propagate=True)
def inserted(mapper: Mapper, connection: Connection, target: Any) -> None:
    fields = {name: [None, new] for name, (_, new) in compared(mapper, {}, target).items()}
    record(connection, target, "insert", fields)


@event.listens_for(Audited, "before_update", propagate=True)
def updated(mapper: Mapper, connection: Connection, target: Any) -> None:
    fields = compared(mapper, stored(mapper, connection, target), target)
    if fields:
        record(connection, target, "update", fields)


@event.listens_for(Audited, "before_delete", propagate=True)
def deleted(mapper: Mapper, connection: Connection, target: Any) -> None:
    row = stored(mapper, connection, target)
    fields = {name: [old, None] for name, old in row.items() if old is not None and name != "id"}
    record(connection, target, "delete", fields)


def stored(mapper: Mapper, connection: Connection, target: Any) -> dict[str, Any]:
    """The row as it is in the file: the session may not have loaded what it replaces."""
    table = mapper.local_table
    return dict(connection.execute(select(table).where(table.c.id == target.id)).mappings().one())


def compared(mapper: Mapper, row: dict[str, Any], target: Any) -> dict[str, list[Any]]:
    changed = {}
    for attribute in mapper.column_attrs:
        name = attribute.columns[0].name
        # What is not loaded has not been changed.
        new = target.__dict__.get(attribute.key, row.get(name))
        if name != "id" and new != row.get(name):
            changed[name] = [row.get(name), new]
    return changed


def record(connection: Connection, target: Any, action: str, fields: dict[str, Any]) -> None:
    change = {
        "who": object_session(target).info["who"], "action": action,
        "table": target.__tablename__, "key": target.id, "fields": fields,
    }
    object_session(target).info["changes"].append(change)


def keep(session: Session) -> None:
    changes, session.info["changes"] = session.info["changes"], []
    if changes:
        with session.get_bind().begin() as own:
            own.execute(insert(Change), changes)
