import hashlib
from contextlib import contextmanager

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite import insert
from sqlalchemy.pool import NullPool

from .models import Base, Import, Reading, Refusal, Sensor
from .reading import parse

sensors, readings = Sensor.__table__, Reading.__table__
imports, refusals = Import.__table__, Refusal.__table__


class ImportRefused(Exception):
    pass


@contextmanager
def connected(path):
    engine = sa.create_engine(f"sqlite:///{path}", poolclass=NullPool)
    Base.metadata.create_all(engine)
    with engine.begin() as connection:
        yield connection


def import_readings(path, text, strict=False):
    digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
    with connected(path) as connection:
        known = connection.execute(sa.select(imports).where(imports.c.digest == digest)).first()
        if known:
            listed = sa.select(refusals.c.line, refusals.c.reason).order_by(refusals.c.line)
            found = connection.execute(listed.where(refusals.c.import_id == known.id))
            return {"stored": known.stored, "refused": [tuple(row) for row in found]}
        # A statement that writes comes first, so that the driver begins a transaction.
        added = connection.execute(sa.insert(imports).values(digest=digest, stored=0))
        (number,) = added.inserted_primary_key
        stored, refused = 0, []
        for index, line in enumerate(text.splitlines()):
            if line.strip() and line[0] != "#":
                reason = problem(connection, line)
                if reason and strict:
                    raise ImportRefused(f"line {index + 1}: {reason}")
                if reason:
                    refused.append((index + 1, reason))
                else:
                    stored += 1
        connection.execute(sa.update(imports).where(imports.c.id == number).values(stored=stored))
        for line, reason in refused:
            row = {"import_id": number, "line": line, "reason": reason}
            connection.execute(sa.insert(refusals).values(row))
    return {"stored": stored, "refused": refused}


def problem(connection, line):
    try:
        name, minute, value = parse(line)
    except ValueError as error:
        return str(error)
    savepoint = connection.begin_nested()
    connection.execute(insert(sensors).values(name=name).on_conflict_do_nothing())
    number = connection.scalar(sa.select(sensors.c.id).where(sensors.c.name == name))
    row = insert(readings).values(sensor_id=number, minute=minute, value=value)
    try:
        done = connection.execute(row.on_conflict_do_nothing(index_elements=["sensor_id", "minute"]))
    except sa.exc.IntegrityError:
        savepoint.rollback()
        return "out of range"
    if not done.rowcount:
        savepoint.rollback()
        return "repeated"
    savepoint.commit()
    return None


def summary(path):
    joined = sa.select(sensors.c.name, readings.c.value).join_from(sensors, readings)
    values = {}
    with connected(path) as connection:
        for name, value in connection.execute(joined.order_by(sensors.c.name)):
            values.setdefault(name, []).append(value)
    return {name: (len(own), round(sum(own) / len(own), 2)) for name, own in values.items()}
