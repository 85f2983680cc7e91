"""Writing attempts, within a transaction of the caller's."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import Connection, TableClause, delete, func, insert, literal, select
from sqlalchemy.dialects import postgresql, sqlite

from sdkbench.errors import StoreError
from sdkbench.store import tables
from sdkbench.store.artefacts import Blob, pack
from sdkbench.store.tables import attempt_row, test_rows
from sdkbench.store.values import UNFINISHED, Artefact, Attempt


class Packed(NamedTuple):
    kind: str
    name: str
    blob: Blob


def packed(artefacts: Iterable[Artefact]) -> list[Packed]:
    """Compressed before the transaction begins: others wait for that one."""
    files = [Packed(each.kind, each.name, pack(each.data)) for each in artefacts]
    if len({(each.kind, each.name) for each in files}) < len(files):
        raise ValueError("two artefacts of one attempt have the same kind and name")
    return files


def save_all(
    connection: Connection, run_id: str, batch: Sequence[tuple[Attempt, Sequence[Packed]]]
) -> list[bool]:
    """Whether each was stored, in their order.

    Bytes go in first, by their digests, and attempts by their keys: two transactions that have
    some in common then never wait for each other.
    """
    blobs = {each.blob.digest: each.blob for _, artefacts in batch for each in artefacts}
    if blobs:
        rows = [blobs[digest]._asdict() for digest in sorted(blobs)]
        connection.execute(ignoring_conflicts(connection, tables.blobs), rows)
    stored = [False] * len(batch)
    for place in sorted(range(len(batch)), key=lambda place: batch[place][0].key):
        stored[place] = _save(connection, run_id, *batch[place])
    return stored


def _save(
    connection: Connection, run_id: str, attempt: Attempt, artefacts: Sequence[Packed]
) -> bool:
    """Whether it was stored: the first verdict of a key stays, what was none gives way.

    Only what holds artefacts stays where the new one has neither these nor a verdict: an answer
    that was paid for is not lost to a full disk.
    """
    attempt_id = _insert(connection, run_id, attempt)
    if attempt_id is None and _clear_unfinished(connection, run_id, attempt, bare=not artefacts):
        attempt_id = _insert(connection, run_id, attempt)
    if attempt_id is None:
        return False
    if attempt.tests:
        connection.execute(insert(tables.tests), test_rows(attempt_id, attempt.tests))
    if artefacts:
        rows = [
            {
                "attempt_id": attempt_id,
                "position": position,
                "kind": kind,
                "name": name,
                "digest": blob.digest,
            }
            for position, (kind, name, blob) in enumerate(artefacts)
        ]
        connection.execute(insert(tables.artefacts), rows)
    return True


def reuse(connection: Connection, run_id: str, keys: Iterable[str]) -> set[str]:
    """The keys that another run had finished and that this one has now, too."""
    table = tables.attempts
    newest = (  # of each key, the newest attempt that has a verdict in another run
        select(table.c.key, func.max(table.c.id).label("id"))
        .where(table.c.key.in_(list(keys)), table.c.run_id != run_id)
        .where(table.c.outcome.not_in(UNFINISHED))
        .group_by(table.c.key)
    )
    rows = connection.execute(newest).all()
    return {row.key for row in rows if _copy(connection, row.id, run_id)}


def require_run(connection: Connection, run_id: str) -> None:
    known = connection.execute(select(tables.runs.c.id).where(tables.runs.c.id == run_id)).first()
    if known is None:
        raise StoreError(f"There is no run {run_id!r} in this store. `sdkbench runs` lists them.")


def ignoring_conflicts(connection: Connection, table: TableClause) -> Any:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing()


def _insert(connection: Connection, run_id: str, attempt: Attempt) -> int | None:
    statement = ignoring_conflicts(connection, tables.attempts).returning(tables.attempts.c.id)
    return cast("int | None", connection.execute(statement, attempt_row(run_id, attempt)).scalar())


def _clear_unfinished(connection: Connection, run_id: str, attempt: Attempt, *, bare: bool) -> bool:
    table, artefacts = tables.attempts, tables.artefacts
    kept = connection.execute(
        select(table.c.id, table.c.outcome)
        .where(table.c.run_id == run_id, table.c.key == attempt.key)
        .with_for_update()
    ).first()
    if kept is None or kept.outcome not in UNFINISHED:
        return False
    held = select(artefacts.c.position).where(artefacts.c.attempt_id == kept.id).limit(1)
    if bare and not attempt.finished and connection.execute(held).first() is not None:
        return False
    connection.execute(delete(table).where(table.c.id == kept.id))
    return True


def _copy(connection: Connection, attempt_id: int, run_id: str) -> bool:
    """Whether the copy was made: not where the run has the key already."""
    table = tables.attempts
    changed = {
        "run_id": literal(run_id),
        # Where a copy is copied, the run that did the work is the one to name.
        "reused_from": func.coalesce(table.c.reused_from, table.c.run_id),
    }
    names = [column.name for column in table.c if column.name != "id"]
    source = select(*(changed.get(name, table.c[name]) for name in names)).where(
        table.c.id == attempt_id
    )
    key = select(table.c.key).where(table.c.id == attempt_id).scalar_subquery()
    connection.execute(
        delete(table).where(
            table.c.run_id == run_id, table.c.key == key, table.c.outcome.in_(UNFINISHED)
        )
    )
    statement = ignoring_conflicts(connection, table).from_select(names, source)
    new_id = connection.execute(statement.returning(table.c.id)).scalar()
    if new_id is None:
        return False
    for child in (tables.tests, tables.artefacts):
        columns = [column.name for column in child.c]
        rows = select(
            literal(new_id), *(child.c[name] for name in columns if name != "attempt_id")
        ).where(child.c.attempt_id == attempt_id)
        connection.execute(insert(child).from_select(columns, rows))
    return True
