"""Watcher: what the store holds now, looked up at most once a second however many ask; and the
figures of runs, made anew when something of them has changed.
"""

import hashlib
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sdkbench.core import Outcome
from sdkbench.errors import StoreError
from sdkbench.report.pages.overview import Collected, collect
from sdkbench.store import Run

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

LOOK_SECONDS = 1.0
KEPT = 8  # figures of runs; those of 10,000 attempts are some megabytes


class Snapshot(NamedTuple):
    runs: tuple[Run, ...]
    counts: dict[str, Counter[Outcome]]

    def run(self, run_id: str) -> Run:
        """StoreError where there is none of exactly that id."""
        for run in self.runs:
            if run.id == run_id:
                return run
        raise StoreError(f"There is no run {run_id!r} in this store.")

    def signature(self, run_ids: Sequence[str] = ()) -> str:
        """Another one when something of these runs has changed, or of all."""
        parts = [
            f"{run.id} {run.state} {run.planned} {run.ended_at} {sorted(self._count(run).items())}"
            for run in self.runs
            if not run_ids or run.id in run_ids
        ]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]

    def _count(self, run: Run) -> Counter[Outcome]:
        return self.counts.get(run.id, Counter())


class Watcher:
    """May be used from any thread. Every look at the store is one short transaction."""

    def __init__(self, store: "StoreReader", samples_dir: Path | None = None) -> None:
        self.store = store
        self.samples_dir = samples_dir
        self._looking = threading.Lock()
        self._collecting = threading.Lock()
        self._seen: tuple[float, Snapshot] | None = None
        self._collected: OrderedDict[tuple[str, ...], tuple[str, Collected]] = OrderedDict()

    def snapshot(self) -> Snapshot:
        with self._looking:
            if self._seen is None or time.monotonic() - self._seen[0] > LOOK_SECONDS:
                snapshot = Snapshot(tuple(self.store.runs()), self.store.outcome_counts())
                self._seen = time.monotonic(), snapshot
            return self._seen[1]

    def collected(self, run_ids: Sequence[str]) -> Collected:
        """StoreError where a run is not there."""
        snapshot = self.snapshot()
        runs = [snapshot.run(run_id) for run_id in run_ids]
        signature = snapshot.signature(run_ids)
        key = tuple(run_ids)
        with self._collecting:
            kept = self._collected.get(key)
            if kept is None or kept[0] != signature:
                kept = signature, collect(self.store, runs, self.samples_dir)
                self._collected[key] = kept
                while len(self._collected) > KEPT:
                    self._collected.popitem(last=False)
            self._collected.move_to_end(key)
            return kept[1]
