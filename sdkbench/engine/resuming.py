"""Which run a plan belongs to, and what of it is left to do."""

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.engine.settings import RunSettings
from sdkbench.errors import InputError, StoreError
from sdkbench.store import Run

if TYPE_CHECKING:
    from sdkbench.store.database import Store

PLAN = "plan"  # in a run's settings: the digest of all its keys


class Standing(NamedTuple):
    """A run on its way. `done` are the keys that have a verdict in it."""

    run: Run
    done: frozenset[str]
    taken_over: int  # of those, from other runs


def plan_digest(keys: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()


def stand(
    store: "Store",
    settings: RunSettings,
    keys: frozenset[str],
    told: dict[str, JsonValue],
    label: str,
) -> Standing:
    """The newest run of the same plan, or a new one that takes over what others have finished.

    With `resume` off always a new one, which takes over nothing.
    """
    plan = plan_digest(keys)
    run = _known(store, settings, plan)
    if run is None:
        run = store.start_run(
            run_id=settings.run_id, label=label, planned=len(keys), settings={**told, PLAN: plan}
        )
    else:
        run = store.resume_run(run.id, planned=len(keys))
    done = store.finished_keys(run.id) & keys
    taken = store.reuse(run.id, keys - done) if settings.resume else frozenset[str]()
    return Standing(run, done | taken, len(taken))


def _known(store: "Store", settings: RunSettings, plan: str) -> Run | None:
    runs = store.runs()
    if settings.run_id is None:
        same = (run for run in runs if run.settings.get(PLAN) == plan)
        return next(same, None) if settings.resume else None
    named = next((run for run in runs if run.id == settings.run_id), None)
    if named is None:
        return None
    if not settings.resume:
        raise StoreError(f"There is a run {named.id!r} already. With --fresh, name a new one.")
    if named.settings.get(PLAN) != plan:
        raise InputError(
            f"Run {named.id} has another plan: its models, samples, tests, settings or the harness "
            "were others. Name a new --run-id; what is the same is taken over."
        )
    return named
