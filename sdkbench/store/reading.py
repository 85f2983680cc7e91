"""Reading runs and attempts; by pages, so that no transaction stays open while others work."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from sqlalchemy import Connection, Select, func, select

from sdkbench.core import Outcome
from sdkbench.errors import StoreError
from sdkbench.store import tables
from sdkbench.store.artefacts import Blob, unpack
from sdkbench.store.tables import attempt_value, run_value
from sdkbench.store.values import LATEST, UNFINISHED, Artefact, Attempt, Run, Stored, TestRow

PAGE = 200
# What an answer leaves behind; where there is neither, nothing was answered.
ANSWERED = ("solution", "answer")


def all_runs(connection: Connection) -> list[Run]:
    """The newest first."""
    order = (tables.runs.c.started_at.desc(), tables.runs.c.id.desc())
    return [run_value(row) for row in connection.execute(select(tables.runs).order_by(*order))]


def find_run(connection: Connection, named: str) -> Run:
    """By id, by the beginning of one, or `latest`; StoreError where that is none or several."""
    runs = all_runs(connection)
    if not runs:
        raise StoreError("There are no runs in this store yet.")
    if named == LATEST:
        return runs[0]
    exact = [run for run in runs if run.id == named]
    matches = exact or [run for run in runs if named and run.id.startswith(named)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = ", ".join(run.id for run in matches[:5])
        raise StoreError(f"Several runs begin with {named!r}: {listed}. Give more of the id.")
    raise StoreError(f"There is no run {named!r} in this store. `sdkbench runs` lists them.")


def outcome_counts(connection: Connection) -> dict[str, Counter[Outcome]]:
    """Of every run that has attempts."""
    table = tables.attempts
    counts: dict[str, Counter[Outcome]] = defaultdict(Counter)
    rows = connection.execute(
        select(table.c.run_id, table.c.outcome, func.count()).group_by(
            table.c.run_id, table.c.outcome
        )
    )
    for run_id, outcome, count in rows:
        counts[run_id][Outcome(outcome)] = count
    return dict(counts)


def finished_keys(connection: Connection, run_id: str | None) -> frozenset[str]:
    table = tables.attempts
    wanted = select(table.c.key).where(table.c.outcome.not_in(UNFINISHED)).distinct()
    if run_id is not None:
        wanted = wanted.where(table.c.run_id == run_id)
    return frozenset(connection.execute(wanted).scalars())


def page_of_attempts(
    connection: Connection, run_id: str, sample: str | None, after: int
) -> list[tuple[int, Attempt]]:
    """Up to PAGE attempts with ids above `after`, in the order they were stored."""
    table = tables.attempts
    wanted = select(table).where(table.c.run_id == run_id, table.c.id > after)
    if sample is not None:
        wanted = wanted.where(table.c.sample == sample)
    rows = connection.execute(wanted.order_by(table.c.id).limit(PAGE)).all()
    tests = _tests(connection, [row.id for row in rows])
    return [(row.id, attempt_value(row, tests.get(row.id, []))) for row in rows]


def find_attempt(connection: Connection, run_id: str, key: str) -> Attempt:
    table = tables.attempts
    wanted = select(table).where(table.c.run_id == run_id, table.c.key == key)
    row = connection.execute(wanted).first()
    if row is None:
        raise StoreError(f"Run {run_id} has no attempt {key[:12]}.")
    return attempt_value(row, _tests(connection, [row.id]).get(row.id, []))


def artefact_names(connection: Connection, run_id: str, key: str) -> list[tuple[str, str, int]]:
    """Kind, name and size of each, in the order they were given."""
    sizes = _artefacts(run_id, key).add_columns(tables.blobs.c.size)
    return [(row.kind, row.name, row.size) for row in connection.execute(sizes)]


def artefact_digests(
    connection: Connection, run_id: str, key: str, kind: str
) -> list[tuple[str, str]]:
    wanted = _artefacts(run_id, key).where(tables.artefacts.c.kind == kind)
    rows = connection.execute(wanted.add_columns(tables.artefacts.c.digest))
    return sorted((row.name, row.digest) for row in rows)


def read_artefacts(
    connection: Connection, run_id: str, key: str, kind: str | None
) -> Iterator[Artefact]:
    wanted = _artefacts(run_id, key).add_columns(tables.blobs)
    if kind is not None:
        wanted = wanted.where(tables.artefacts.c.kind == kind)
    for row in connection.execute(wanted):
        blob = Blob(row.digest, row.codec, row.size, bytes(row.data))
        yield Artefact(kind=row.kind, name=row.name, data=unpack(blob))


def find_generated(
    connection: Connection, generation_key: str, run_id: str | None
) -> Stored | None:
    attempts, artefacts = tables.attempts, tables.artefacts
    answered = (
        select(artefacts.c.attempt_id)
        .where(artefacts.c.attempt_id == attempts.c.id, artefacts.c.kind.in_(ANSWERED))
        .exists()
    )
    wanted = select(attempts).where(attempts.c.generation_key == generation_key, answered)
    if run_id is not None:
        wanted = wanted.where(attempts.c.run_id == run_id)
    row = connection.execute(wanted.order_by(attempts.c.id.desc()).limit(1)).first()
    if row is None:
        return None
    found = tuple(read_artefacts(connection, row.run_id, row.key, None))
    return Stored(attempt_value(row, ()), found)


def _artefacts(run_id: str, key: str) -> Select[tuple[str, str]]:
    attempts, artefacts, blobs = tables.attempts, tables.artefacts, tables.blobs
    return (
        select(artefacts.c.kind, artefacts.c.name)
        .join_from(artefacts, attempts, artefacts.c.attempt_id == attempts.c.id)
        .join(blobs, artefacts.c.digest == blobs.c.digest)
        .where(attempts.c.run_id == run_id, attempts.c.key == key)
        .order_by(artefacts.c.position)
    )


def _tests(connection: Connection, attempt_ids: Sequence[int]) -> dict[int, list[TestRow]]:
    table = tables.tests
    found: dict[int, list[TestRow]] = defaultdict(list)
    rows = connection.execute(
        select(table)
        .where(table.c.attempt_id.in_(attempt_ids))
        .order_by(table.c.attempt_id, table.c.position)
    )
    for row in rows:
        test = TestRow(test_id=row.test_id, status=row.status, message=row.message)
        found[row.attempt_id].append(test)
    return found
