"""StoreReader: runs and attempts out of a database. A method is one short transaction."""

import contextlib
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, Self

from pydantic import JsonValue
from sqlalchemy import ColumnElement, Connection, Engine, Select, func, select

from sdkbench.core import Outcome
from sdkbench.errors import StoreError
from sdkbench.store import judgements, tables
from sdkbench.store.artefacts import Blob, unpack
from sdkbench.store.engines import explained
from sdkbench.store.location import DEFAULT, Location, SqliteFile
from sdkbench.store.tables import attempt_value, run_value
from sdkbench.store.values import (
    LATEST,
    UNFINISHED,
    Artefact,
    Attempt,
    JudgementRecord,
    Run,
    Stored,
    Suite,
    TestRow,
    WebhookState,
)

PAGE = 200
# What an answer leaves behind; where there is neither, nothing was answered.
ANSWERED = ("solution", "answer")


class ModelCount(NamedTuple):
    run_id: str
    suite: Suite
    model: str
    outcome: Outcome
    attempts: int


class SampleCount(NamedTuple):
    run_id: str
    suite: Suite
    sdk: str
    sample: str
    outcome: Outcome
    attempts: int


class StoreReader:
    """Every method raises StoreFault where the database is locked or gone."""

    def __init__(self, engine: Engine, location: Location) -> None:
        self._engine = engine
        self._location = location

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_failure: object) -> None:
        self.close()

    @property
    def shown(self) -> str:
        """The store's path or URL, without a password."""
        return self._location.shown

    @property
    def reports_folder(self) -> Path:
        """Where reports of its runs go: beside a SQLite file, else in the project's data folder."""
        beside = self._location.path if isinstance(self._location, SqliteFile) else DEFAULT
        return beside.parent / "reports"

    def close(self) -> None:
        self._engine.dispose()

    def runs(self) -> list[Run]:
        """The newest first."""
        order = (tables.runs.c.started_at.desc(), tables.runs.c.id.desc())
        with self._reading() as connection:
            rows = connection.execute(select(tables.runs).order_by(*order))
            return [run_value(row) for row in rows]

    def find_run(self, named: str) -> Run:
        """By id, by the beginning of one, or `latest`; StoreError where that is none or several."""
        runs = self.runs()
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

    def outcome_counts(self) -> dict[str, Counter[Outcome]]:
        """By run id; runs without attempts are not in it."""
        group = tables.attempts.c.run_id, tables.attempts.c.outcome
        counts: dict[str, Counter[Outcome]] = defaultdict(Counter)
        with self._reading() as connection:
            rows = connection.execute(select(*group, func.count()).group_by(*group))
            for run_id, outcome, count in rows:
                counts[run_id][Outcome(outcome)] = count
        return dict(counts)

    def finished_keys(self, run_id: str | None = None) -> frozenset[str]:
        """Keys with a verdict, of one run or of all."""
        table = tables.attempts
        wanted = select(table.c.key).where(table.c.outcome.not_in(UNFINISHED)).distinct()
        if run_id is not None:
            wanted = wanted.where(table.c.run_id == run_id)
        with self._reading() as connection:
            return frozenset(connection.execute(wanted).scalars())

    def attempts(self, run_id: str, *, sample: str | None = None) -> Iterator[Attempt]:
        """In the order they were stored, a page at a time, so that no transaction stays open while
        others go on storing.
        """
        table = tables.attempts
        wanted = select(table).where(table.c.run_id == run_id).order_by(table.c.id).limit(PAGE)
        if sample is not None:
            wanted = wanted.where(table.c.sample == sample)
        after = 0
        while True:
            with self._reading() as connection:
                rows = connection.execute(wanted.where(table.c.id > after)).all()
                tests = _tests(connection, [row.id for row in rows])
            if not rows:
                return
            yield from (attempt_value(row, tests.get(row.id, [])) for row in rows)
            after = rows[-1].id

    def find_key(self, run_id: str, beginning: str) -> str:
        """The key of the run's attempt that begins so; StoreError where that is none or several."""
        table = tables.attempts
        wanted = select(table.c.key).where(table.c.run_id == run_id).limit(2)
        with self._reading() as connection:
            begins = table.c.key.startswith(beginning, autoescape=True)
            keys = connection.execute(wanted.where(begins)).scalars().all()
        if len(keys) != 1:
            raise StoreError(f"Run {run_id} has no attempt {beginning[:12]!r}.")
        return str(keys[0])

    def model_counts(self) -> list[ModelCount]:
        """How many attempts of each model ended how, run by run."""
        table = tables.attempts
        group = table.c.run_id, table.c.suite, table.c.model, table.c.outcome
        with self._reading() as connection:
            rows = connection.execute(select(*group, func.count()).group_by(*group))
            return [ModelCount(r[0], Suite(r[1]), r[2], Outcome(r[3]), r[4]) for r in rows]

    def sample_counts(self, model: str) -> list[SampleCount]:
        """How many attempts of one model ended how, run by run and sample by sample."""
        table = tables.attempts
        group = table.c.run_id, table.c.suite, table.c.sdk, table.c.sample, table.c.outcome
        wanted = select(*group, func.count()).where(table.c.model == model).group_by(*group)
        with self._reading() as connection:
            rows = connection.execute(wanted)
            return [SampleCount(r[0], Suite(r[1]), r[2], r[3], Outcome(r[4]), r[5]) for r in rows]

    def stored(self, run_id: str, key: str) -> Stored:
        """StoreError where the run has no attempt of that key."""
        table = tables.attempts
        wanted = select(table).where(table.c.run_id == run_id, table.c.key == key)
        with self._reading() as connection:
            row = connection.execute(wanted).first()
            if row is None:
                raise StoreError(f"Run {run_id} has no attempt {key[:12]}.")
            attempt = attempt_value(row, _tests(connection, [row.id]).get(row.id, []))
            return Stored(attempt, tuple(_read_artefacts(connection, run_id, key)))

    def artefact_names(self, run_id: str, key: str) -> list[tuple[str, str, int]]:
        """Kind, name and size of each, in the order they were given."""
        sizes = _artefacts(run_id, key).add_columns(tables.blobs.c.size)
        with self._reading() as connection:
            return [(row.kind, row.name, row.size) for row in connection.execute(sizes)]

    def digests(self, run_id: str, key: str, kind: str) -> list[tuple[str, str]]:
        """Name and SHA-256 of each artefact of that kind, by name."""
        wanted = _artefacts(run_id, key, kind).add_columns(tables.artefacts.c.digest)
        with self._reading() as connection:
            return sorted((row.name, row.digest) for row in connection.execute(wanted))

    def artefacts(self, run_id: str, key: str, kind: str | None = None) -> list[Artefact]:
        """An attempt's artefacts, of one kind or all. Bytes that changed on disk: StoreFault."""
        with self._reading() as connection:
            return list(_read_artefacts(connection, run_id, key, kind))

    def generated(self, generation_key: str, *, run_id: str | None = None) -> Stored | None:
        """The newest answer to what `generation_key` names, judged or not, of one run or of any."""
        attempts, artefacts = tables.attempts, tables.artefacts
        answered = (
            select(artefacts.c.attempt_id)
            .where(artefacts.c.attempt_id == attempts.c.id, artefacts.c.kind.in_(ANSWERED))
            .exists()
        )
        wanted = select(attempts).where(attempts.c.generation_key == generation_key, answered)
        if run_id is not None:
            wanted = wanted.where(attempts.c.run_id == run_id)
        with self._reading() as connection:
            row = connection.execute(wanted.order_by(attempts.c.id.desc()).limit(1)).first()
            if row is None:
                return None
            files = tuple(_read_artefacts(connection, row.run_id, row.key))
            return Stored(attempt_value(row, ()), files)

    def judgement(self, judgement_id: str) -> JudgementRecord | None:
        return next(iter(self._judgements(tables.judgements.c.id == judgement_id)), None)

    def judgement_of(self, owner: str, idempotency_key: str) -> JudgementRecord | None:
        table = tables.judgements
        same = (table.c.owner == owner) & (table.c.idempotency_key == idempotency_key)
        return next(iter(self._judgements(same)), None)

    def judgements_of_batch(self, owner: str, batch: str) -> list[JudgementRecord]:
        table = tables.judgements
        return self._judgements((table.c.batch == batch) & (table.c.owner == owner))

    def open_judgements(self, run_id: str) -> list[JudgementRecord]:
        """Accepted and not answered, the oldest first."""
        table = tables.judgements
        return self._judgements((table.c.run_id == run_id) & table.c.answered_at.is_(None))

    def waiting_webhooks(self, run_id: str) -> list[JudgementRecord]:
        """Answered, and somebody is still to be told."""
        table = tables.judgements
        waiting = table.c.webhook_state == WebhookState.WAITING
        answered = table.c.answered_at.is_not(None)
        return self._judgements((table.c.run_id == run_id) & waiting & answered)

    def answer(self, record: JudgementRecord) -> dict[str, JsonValue]:
        """The attempt's result as it was when the judgement was answered."""
        wanted = select(tables.blobs).where(tables.blobs.c.digest == record.answer)
        with self._reading() as connection:
            row = connection.execute(wanted).one()
            data = unpack(Blob(row.digest, row.codec, row.size, bytes(row.data)))
        result: dict[str, JsonValue] = json.loads(data)
        return result

    def _judgements(self, where: ColumnElement[bool]) -> list[JudgementRecord]:
        with self._reading() as connection:
            return judgements.found(connection, where=[where])

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Connection]:
        with explained(self._location), self._engine.begin() as connection:
            yield connection


def _artefacts(run_id: str, key: str, kind: str | None = None) -> Select[tuple[str, str]]:
    attempts, artefacts, blobs = tables.attempts, tables.artefacts, tables.blobs
    wanted = (
        select(artefacts.c.kind, artefacts.c.name)
        .join_from(artefacts, attempts, artefacts.c.attempt_id == attempts.c.id)
        .join(blobs, artefacts.c.digest == blobs.c.digest)
        .where(attempts.c.run_id == run_id, attempts.c.key == key)
        .order_by(artefacts.c.position)
    )
    return wanted if kind is None else wanted.where(artefacts.c.kind == kind)


def _read_artefacts(
    connection: Connection, run_id: str, key: str, kind: str | None = None
) -> Iterator[Artefact]:
    for row in connection.execute(_artefacts(run_id, key, kind).add_columns(tables.blobs)):
        blob = Blob(row.digest, row.codec, row.size, bytes(row.data))
        yield Artefact(kind=row.kind, name=row.name, data=unpack(blob))


def _tests(connection: Connection, attempt_ids: Sequence[int]) -> dict[int, list[TestRow]]:
    table = tables.tests
    tests: dict[int, list[TestRow]] = defaultdict(list)
    rows = connection.execute(
        select(table)
        .where(table.c.attempt_id.in_(attempt_ids))
        .order_by(table.c.attempt_id, table.c.position)
    )
    for row in rows:
        test = TestRow(test_id=row.test_id, status=row.status, message=row.message)
        tests[row.attempt_id].append(test)
    return tests
