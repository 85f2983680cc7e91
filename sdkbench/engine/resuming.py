"""Which run a plan belongs to, and what of it is left to do."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.engine.memory_store import RunStore
from sdkbench.engine.worker import is_at_work, this_worker
from sdkbench.errors import InputError, StoreError
from sdkbench.store import Run, RunState

RESUME = "resume"  # in a run's settings: false where it was to use nothing of the store
PLAN = "plan"  # in a run's settings: the digest of all its keys


class ResumeState(NamedTuple):
    """A run on its way. `done` are the keys that have a verdict in it."""

    run: Run
    done: frozenset[str] = frozenset()
    reused: int = 0  # of those, from other runs
    fresh: bool = False  # it is to use nothing of other runs, now and when it is resumed


def plan_digest(keys: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()


class ResumeRequest(NamedTuple):
    """Which run is wanted: of that id, an old one of the same plan, or a new one.

    `reuse`: what other runs have finished is not done again. `again`: a run of the same plan that
    is finished is no reason to do nothing.
    """

    run_id: str | None = None
    resume: bool = True
    reuse: bool = True
    again: bool = False


def resume_or_start(
    store: RunStore,
    request: ResumeRequest,
    keys: frozenset[str],
    settings: dict[str, JsonValue],
    label: str,
) -> ResumeState:
    """The newest run of the same plan, or a new one."""
    plan, worker = plan_digest(keys), this_worker()
    run = _known(store, request, plan)
    if run is None:
        run = store.start_run(
            run_id=request.run_id,
            label=label,
            planned=len(keys),
            worker=worker,
            settings={**settings, PLAN: plan},
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
    may_reuse = request.reuse and not fresh
    taken = store.reuse(run.id, keys - done) if may_reuse else frozenset[str]()
    return ResumeState(run, done | taken, len(taken), fresh)


def _known(store: RunStore, request: ResumeRequest, plan: str) -> Run | None:
    runs = store.runs()
    if request.run_id is None:
        same = [run for run in runs if run.settings.get(PLAN) == plan]
        if request.again:
            same = [run for run in same if run.state is not RunState.FINISHED]
        return same[0] if same and request.resume else None
    named = next((run for run in runs if run.id == request.run_id), None)
    if named is None:
        return None
    if not request.resume:
        raise StoreError(f"There is a run {named.id!r} already. With --fresh, name a new one.")
    if named.settings.get(PLAN) != plan:
        raise InputError(
            f"Run {named.id} has another plan: its models, samples, tests, settings or the harness "
            "were others. Name a new --run-id; what is the same is taken over."
        )
    return named
