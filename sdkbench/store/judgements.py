"""Judgements of a service, within a transaction of the caller's: accepted, answered once, found."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, Select, or_, select, update

from sdkbench.core import Outcome
from sdkbench.store import saving, tables
from sdkbench.store.artefacts import pack
from sdkbench.store.saving import Packed
from sdkbench.store.tables import judgement_row, judgement_value, moment
from sdkbench.store.values import UNFINISHED, Attempt, JudgementRecord, WebhookState, now


class Acceptance(NamedTuple):
    """A judgement with its attempt, which holds the solution and has no verdict yet."""

    record: JudgementRecord
    attempt: Attempt
    artefacts: Sequence[Packed]


def accept(
    connection: Connection, run_id: str, batch: Sequence[Acceptance]
) -> list[JudgementRecord]:
    """The judgements as they are stored now: one whose attempt has a verdict is answered already,
    one whose idempotency key was used is the old one.
    """
    known = _known(connection, batch)
    first: dict[tuple[str, str], Acceptance] = {}
    for each in batch:
        first.setdefault(_place(each.record), each)
    unjudged = {each.record.key: each for place, each in first.items() if place not in known}
    finished = _finished(connection, run_id, unjudged)
    missing = unjudged.keys() - finished.keys()
    if missing and saving.reuse(connection, run_id, missing):
        finished = _finished(connection, run_id, unjudged)
    todo = [each for key, each in unjudged.items() if key not in finished]
    saving.save_all(connection, run_id, [(each.attempt, each.artefacts) for each in todo])
    return [_accept(connection, each.record, known, finished) for each in batch]


def _accept(
    connection: Connection,
    record: JudgementRecord,
    known: dict[tuple[str, str], JudgementRecord],
    finished: dict[str, Row[Any]],
) -> JudgementRecord:
    place = _place(record)
    if place in known:
        return known[place]
    if record.key in finished:
        record = _answered(connection, record, finished[record.key])
    statement = saving.ignoring_conflicts(connection, tables.judgements)
    if not connection.execute(statement, judgement_row(record)).rowcount:
        # Another process was quicker with the same idempotency key.
        table = tables.judgements
        same = (table.c.owner == record.owner) & (table.c.idempotency_key == record.idempotency_key)
        (record,) = found(connection, where=[same])
    known[place] = record
    return record


def answer(
    connection: Connection, run_id: str, batch: Sequence[tuple[Attempt, Sequence[Packed]]]
) -> list[JudgementRecord]:
    """Save the attempts, and answer every open judgement of their keys by what is stored then:
    the first verdict on an attempt stays.
    """
    saving.save_all(connection, run_id, batch)
    table = tables.judgements
    keys = sorted({attempt.key for attempt, _ in batch})
    open_ones = select(table).where(
        table.c.run_id == run_id, table.c.key.in_(keys), table.c.answered_at.is_(None)
    )
    waiting = connection.execute(open_ones.order_by(table.c.id).with_for_update()).all()
    results = {row.key: row for row in connection.execute(_results(run_id, keys))}
    answered = []
    for row in waiting:
        record = _answered(connection, judgement_value(row), results[row.key])
        values = {
            "answered_at": moment(record.answered_at),
            "outcome": record.outcome,
            "answer": record.answer,
        }
        connection.execute(update(table).where(table.c.id == record.id).values(**values))
        answered.append(record)
    return answered


def settle_webhook(connection: Connection, judgement_id: str, state: WebhookState) -> None:
    table = tables.judgements
    chosen = table.c.id == judgement_id
    connection.execute(update(table).where(chosen).values(webhook_state=state))


def found(connection: Connection, *, where: Iterable[Any]) -> list[JudgementRecord]:
    """In the order they were accepted."""
    table = tables.judgements
    wanted = select(table).where(*where).order_by(table.c.accepted_at, table.c.id)
    return [judgement_value(row) for row in connection.execute(wanted)]


def _known(
    connection: Connection, batch: Sequence[Acceptance]
) -> dict[tuple[str, str], JudgementRecord]:
    """Those whose idempotency key was used before, by their place."""
    table = tables.judgements
    places = {
        (each.record.owner, each.record.idempotency_key)
        for each in batch
        if each.record.idempotency_key is not None
    }
    if not places:
        return {}
    same = or_(
        *((table.c.owner == owner) & (table.c.idempotency_key == key) for owner, key in places)
    )
    return {_place(record): record for record in found(connection, where=[same])}


def _place(record: JudgementRecord) -> tuple[str, str]:
    """The same for records that are to be one; without an idempotency key there is no other."""
    if record.idempotency_key is None:
        return record.id, ""
    return record.owner, f"key {record.idempotency_key}"


def _finished(connection: Connection, run_id: str, keys: Iterable[str]) -> dict[str, Row[Any]]:
    rows = connection.execute(_results(run_id, keys))
    return {row.key: row for row in rows if row.outcome not in UNFINISHED}


def _results(run_id: str, keys: Iterable[str]) -> Select[Any]:
    table = tables.attempts
    wanted = select(table.c.key, table.c.outcome, table.c.result)
    return wanted.where(table.c.run_id == run_id, table.c.key.in_(sorted(keys)))


def _answered(connection: Connection, record: JudgementRecord, row: Row[Any]) -> JudgementRecord:
    """With the attempt's result as it is now, kept by its content."""
    blob = pack(json.dumps(json.loads(row.result), separators=(",", ":")).encode())
    connection.execute(saving.ignoring_conflicts(connection, tables.blobs), [blob._asdict()])
    return record.model_copy(
        update={
            "answered_at": now(),
            "outcome": Outcome(row.outcome),
            "answer": blob.digest,
        }
    )
