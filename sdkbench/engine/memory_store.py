"""MemoryStore: what the engine asks of a store, for results that nobody keeps."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from pydantic import JsonValue

from sdkbench.store import Artefact, Attempt, Run, RunState, Stored
from sdkbench.store.values import now

if TYPE_CHECKING:
    from sdkbench.store.database import Store

RunStore: TypeAlias = "Store | MemoryStore"


class MemoryStore:
    """One run without a name; of earlier runs nothing is known.

    Results are in the events. So a command that keeps nothing need not load a database either.
    """

    def __init__(self) -> None:
        self._run = Run(id="unstored", started_at=now())

    def runs(self) -> list[Run]:
        return []

    def start_run(
        self,
        *,
        run_id: str | None = None,  # noqa: ARG002 - it is never looked for
        label: str = "",
        planned: int | None = None,
        worker: str = "",
        settings: Mapping[str, JsonValue] | None = None,
    ) -> Run:
        changes = {"label": label, "planned": planned, "worker": worker}
        self._run = self._run.model_copy(update={**changes, "settings": dict(settings or {})})
        return self._run

    def resume_run(self, run_id: str, *, planned: int | None = None, worker: str = "") -> Run:
        raise NotImplementedError(run_id, planned, worker)

    def find_run(self, _named: str) -> Run:
        return self._run

    def end_run(self, _run_id: str, state: RunState) -> Run:
        self._run = self._run.model_copy(update={"state": state, "ended_at": now()})
        return self._run

    def finished_keys(self, _run_id: str | None = None) -> frozenset[str]:
        return frozenset()

    def reuse(self, _run_id: str, _keys: Iterable[str]) -> frozenset[str]:
        return frozenset()

    def generated(self, _generation_key: str, *, run_id: str | None = None) -> Stored | None:  # noqa: ARG002
        return None

    def stored(self, run_id: str, key: str) -> Stored:
        raise NotImplementedError(run_id, key)

    def save_attempts(
        self, _run_id: str, batch: Iterable[tuple[Attempt, Iterable[Artefact]]]
    ) -> list[bool]:
        return [True for _ in batch]
