"""Which run a plan belongs to, and what of it is left to do."""

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.engine.worker import is_at_work, this_worker
from sdkbench.errors import InputError, StoreError
from sdkbench.store import Run, RunState

if TYPE_CHECKING:
    from sdkbench.store.database import Store

RESUME = "resume"  # in a run's settings: false where it was to use nothing of the store
PLAN = "plan"  # in a run's settings: the digest of all its keys


class Standing(NamedTuple):
    """A run on its way. `done` are the keys that have a verdict in it."""

    run: Run
    done: frozenset[str]
    taken_over: int  # of those, from other runs
    fresh: bool = False  # it is to use nothing of other runs, now and when it is resumed


def plan_digest(keys: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()


class Wish(NamedTuple):
    """Which run is wanted: of that id, an old one of the same plan, or a new one.

    `take_over`: what other runs have finished is not done again. `again`: a run of the same plan
    that is finished is no reason to do nothing.
    """

    run_id: str | None = None
    resume: bool = True
    take_over: bool = True
    again: bool = False


def stand(
    store: "Store", wish: Wish, keys: frozenset[str], told: dict[str, JsonValue], label: str
) -> Standing:
    """The newest run of the same plan, or a new one."""
    plan, worker = plan_digest(keys), this_worker()
    run = _known(store, wish, plan)
    if run is None:
        settings = {**told, PLAN: plan}
        run = store.start_run(
            run_id=wish.run_id, label=label, planned=len(keys), worker=worker, settings=settings
        )
    else:
        if run.state is RunState.RUNNING and is_at_work(run.worker):
            raise InputError(
                f"Run {run.id} is being worked on by process {run.worker.split()[-2]} of this "
                "machine. Wait for it, or make a run of its own with --fresh."
            )
        run = store.resume_run(run.id, planned=len(keys), worker=worker)
    done = store.finished_keys(run.id) & keys
    fresh = run.settings.get(RESUME) is False
    take_over = wish.take_over and not fresh
    taken = store.reuse(run.id, keys - done) if take_over else frozenset[str]()
    return Standing(run, done | taken, len(taken), fresh)


def _known(store: "Store", wish: Wish, plan: str) -> Run | None:
    runs = store.runs()
    if wish.run_id is None:
        same = [run for run in runs if run.settings.get(PLAN) == plan]
        if wish.again:
            same = [run for run in same if run.state is not RunState.FINISHED]
        return same[0] if same and wish.resume else None
    named = next((run for run in runs if run.id == wish.run_id), None)
    if named is None:
        return None
    if not wish.resume:
        raise StoreError(f"There is a run {named.id!r} already. With --fresh, name a new one.")
    if named.settings.get(PLAN) != plan:
        raise InputError(
            f"Run {named.id} has another plan: its models, samples, tests, settings or the harness "
            "were others. Name a new --run-id; what is the same is taken over."
        )
    return named
