"""Store: the typed face of the database. A method that writes is one transaction."""

import contextlib
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping

from pydantic import JsonValue
from sqlalchemy import Connection, Engine, select, update

from sdkbench import __version__
from sdkbench.errors import StoreError
from sdkbench.store import judgements, saving, tables
from sdkbench.store.engines import explained, open_postgres, open_sqlite, use_wal
from sdkbench.store.location import Location, SqliteFile
from sdkbench.store.migrations import (
    MIGRATIONS,
    known_version,
    migrate,
    refuse_newer,
    stored_version,
)
from sdkbench.store.reading import StoreReader
from sdkbench.store.tables import moment, run_row, run_value
from sdkbench.store.values import (
    Artefact,
    Attempt,
    JudgementRecord,
    Run,
    RunState,
    WebhookState,
    now,
)

REUSE_AT_ONCE = 100  # keys in a transaction: long enough to be fast, short enough for others


def connect(location: Location, *, write: bool, wait_seconds: float) -> "Store":
    with explained(location):
        if isinstance(location, SqliteFile):
            engine = open_sqlite(location, write=write, wait_seconds=wait_seconds)
        else:
            engine = open_postgres(location, wait_seconds=wait_seconds)
        store = Store(engine, location)
        with contextlib.ExitStack() as undoing:
            undoing.callback(store.close)
            store.prepare(write=write, wait_seconds=wait_seconds)
            undoing.pop_all()
    return store


class Store(StoreReader):
    """Made by `open_store`; may be used from any thread, and by several processes at once.

    Every method raises StoreFault where the database is locked, full, read-only or gone; nothing
    of the failed transaction is then stored, and everything before it still is.
    """

    def __init__(self, engine: Engine, location: Location) -> None:
        super().__init__(engine, location)
        self._writer = engine.execution_options(write=True)
        # SQLite's own queue is no queue but polling: the threads of one process do better.
        self._turn: contextlib.AbstractContextManager[object] = (
            threading.Lock() if isinstance(location, SqliteFile) else contextlib.nullcontext()
        )

    def prepare(self, *, write: bool, wait_seconds: float) -> None:
        """Bring the schema to today's, or refuse one that is not; for `connect`."""
        with self._engine.begin() as connection:
            stored = stored_version(connection, self.shown)
        refuse_newer(stored, MIGRATIONS, self.shown)
        if not write:
            self._require_current(stored)
            return
        if isinstance(self._location, SqliteFile):
            use_wal(self._engine, wait_seconds)
        if stored < known_version(MIGRATIONS):
            with self._writer.begin() as connection:
                migrate(connection, MIGRATIONS, self.shown)

    def start_run(
        self,
        *,
        run_id: str | None = None,
        label: str = "",
        planned: int | None = None,
        worker: str = "",
        settings: Mapping[str, JsonValue] | None = None,
    ) -> Run:
        """A new run; that it can be stored shows, before any work, that attempts can be.

        StoreError where there is one of that id already.
        """
        started_at = now()
        run = Run(
            id=run_id or f"{started_at:%Y%m%d-%H%M%S}-{secrets.token_hex(3)}",
            label=label,
            planned=planned,
            worker=worker,
            harness=__version__,
            settings=dict(settings or {}),
            started_at=started_at,
        )
        with self._writing() as connection:
            statement = saving.ignoring_conflicts(connection, tables.runs)
            if not connection.execute(statement, run_row(run)).rowcount:
                raise StoreError(f"There is a run {run.id!r} in this store already.")
        return run

    def resume_run(self, run_id: str, *, planned: int | None = None, worker: str = "") -> Run:
        """A run that was stopped or killed, on its way again."""
        values = {"state": RunState.RUNNING, "ended_at": None, "worker": worker}
        known = {} if planned is None else {"planned": planned}
        return self._change_run(run_id, {**values, **known})

    def end_run(self, run_id: str, state: RunState) -> Run:
        if state is RunState.RUNNING:
            raise ValueError("a run ends finished or stopped")
        return self._change_run(run_id, {"state": state, "ended_at": moment(now())})

    def save_attempt(
        self, run_id: str, attempt: Attempt, artefacts: Iterable[Artefact] = ()
    ) -> bool:
        """All of it or nothing, on disk when this returns; whether it was new.

        The first verdict of a key stays; an *error* or *not_executed* gives way to what comes
        after it, unless that has neither a verdict nor the artefacts that were there.
        """
        return self.save_attempts(run_id, [(attempt, artefacts)])[0]

    def save_attempts(
        self, run_id: str, batch: Iterable[tuple[Attempt, Iterable[Artefact]]]
    ) -> list[bool]:
        """As `save_attempt`, all of them or none: the disk is waited for once."""
        packed = [(attempt, saving.packed(artefacts)) for attempt, artefacts in batch]
        with self._writing() as connection:
            saving.require_run(connection, run_id)
            return saving.save_all(connection, run_id, packed)

    def reuse(self, run_id: str, keys: Iterable[str]) -> frozenset[str]:
        """Take over what other runs have finished of `keys`; the keys that were found."""
        left = sorted(set(keys))
        taken: set[str] = set()
        for start in range(0, len(left), REUSE_AT_ONCE):
            with self._writing() as connection:
                saving.require_run(connection, run_id)
                taken |= saving.reuse(connection, run_id, left[start : start + REUSE_AT_ONCE])
        return frozenset(taken)

    def accept_judgements(
        self,
        run_id: str,
        batch: Iterable[tuple[JudgementRecord, Attempt, Iterable[Artefact]]],
    ) -> list[JudgementRecord]:
        """Each with its attempt, which has no verdict yet; all of them or none, on disk when this
        returns.

        One whose attempt has a verdict in this store is answered at once; one whose owner used its
        idempotency key before comes back as that old one, and nothing of it is stored.
        """
        packed = [
            judgements.Acceptance(record, attempt, saving.packed(artefacts))
            for record, attempt, artefacts in batch
        ]
        with self._writing() as connection:
            saving.require_run(connection, run_id)
            return judgements.accept(connection, run_id, packed)

    def answer_judgements(
        self, run_id: str, batch: Iterable[tuple[Attempt, Iterable[Artefact]]]
    ) -> list[JudgementRecord]:
        """Save attempts as `save_attempts` does, and answer the open judgements of their keys;
        those that are answered now.
        """
        packed = [(attempt, saving.packed(artefacts)) for attempt, artefacts in batch]
        with self._writing() as connection:
            saving.require_run(connection, run_id)
            return judgements.answer(connection, run_id, packed)

    def settle_webhook(self, judgement_id: str, state: WebhookState) -> None:
        with self._writing() as connection:
            judgements.settle_webhook(connection, judgement_id, state)

    def _require_current(self, stored: int) -> None:
        if stored == 0:
            raise StoreError(f"{self.shown} is empty: no run was stored there yet.")
        if stored < known_version(MIGRATIONS):
            raise StoreError(
                f"{self.shown} is of an older schema ({stored}). `sdkbench import` or a run "
                "brings it up to date; on a read-only disk, copy it first."
            )

    def _change_run(self, run_id: str, values: Mapping[str, object]) -> Run:
        with self._writing() as connection:
            saving.require_run(connection, run_id)
            chosen = tables.runs.c.id == run_id
            connection.execute(update(tables.runs).where(chosen).values(**values))
            return run_value(connection.execute(select(tables.runs).where(chosen)).one())

    @contextlib.contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self._turn, explained(self._location), self._writer.begin() as connection:
            yield connection
