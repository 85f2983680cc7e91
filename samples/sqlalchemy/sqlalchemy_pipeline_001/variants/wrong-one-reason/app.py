"""Imports of sensor readings into a SQLite file."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, create_engine, event, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from .models import Base, Import, Reading, Refusal, Sensor
from .reading import Measured, parse


class ImportRefused(Exception):
    """A strict import met a line that cannot be stored."""


@contextmanager
def transaction(path: Path) -> Iterator[Session]:
    engine = create_engine(URL.create("sqlite", database=str(path)))

    # Left to itself, sqlite3 begins no transaction at a savepoint, whose release then commits.
    @event.listens_for(engine, "connect")
    def leave_transactions_to_us(connection, _record) -> None:
        connection.isolation_level = None

    @event.listens_for(engine, "begin")
    def begin(connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    try:
        Base.metadata.create_all(engine)
        with Session(engine) as session, session.begin():
            yield session
    finally:
        engine.dispose()


def import_readings(path: Path, text: str, strict: bool = False) -> dict[str, Any]:
    digest = hashlib.sha256(text.encode()).hexdigest()
    with transaction(path) as session:
        done = session.scalar(select(Import).filter_by(digest=digest))
        if done is None:
            done = run(session, text, digest, strict)
        refused = sorted((each.line, each.reason) for each in done.refusals)
        return {"stored": done.stored, "refused": refused}


def run(session: Session, text: str, digest: str, strict: bool) -> Import:
    done = Import(digest=digest, stored=0)
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            store(session, parse(line))
        except ValueError as error:
            if strict:
                raise ImportRefused(f"line {number}: {error}") from error
            done.refusals.append(Refusal(line=number, reason=str(error)))
        else:
            done.stored += 1
    session.add(done)
    session.flush()
    return done


def store(session: Session, measured: Measured) -> None:
    """ValueError if the database has none of it, or doesn't take it; then nothing is changed."""
    try:
        with session.begin_nested():
            sensor = session.scalar(select(Sensor).filter_by(name=measured.sensor))
            if sensor is None:
                sensor = Sensor(name=measured.sensor)
                session.add(sensor)
                session.flush()
            place = {"sensor_id": sensor.id, "minute": measured.minute}
            if session.scalar(select(Reading).filter_by(**place)):
                raise ValueError("repeated")
            session.add(Reading(**place, value=measured.value))
    except IntegrityError as error:
        raise ValueError("repeated") from error


def summary(path: Path) -> dict[str, tuple[int, float]]:
    query = (
        select(Sensor.name, func.count(), func.avg(Reading.value))
        .join(Reading, Reading.sensor_id == Sensor.id)
        .group_by(Sensor.name)
        .order_by(Sensor.name)
    )
    with transaction(path) as session:
        rows = session.execute(query).all()
        return {name: (count, round(mean, 2)) for name, count, mean in rows}
