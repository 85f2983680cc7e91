"""Which run a plan belongs to, what of it is left to do, and which process works on it."""

import contextlib
import hashlib
import os
import shutil
import socket
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic import JsonValue

from sdkbench.errors import InputError, StoreError
from sdkbench.store import Run, RunState
from sdkbench.store.values import now

if TYPE_CHECKING:
    from sdkbench.store.database import Store

RESUME = "resume"  # in a run's settings: false where it was to use nothing of the store
PLAN = "plan"  # in a run's settings: the digest of all its keys
SCRATCH_PREFIX = "sdkbench-run-"
MARK = "worker"  # a file in a scratch folder: whose it is
ENDED = frozenset({"Z", "X"})  # zombie, dead


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
    store: "Store | None",
    request: ResumeRequest,
    keys: frozenset[str],
    settings: dict[str, JsonValue],
    label: str,
) -> ResumeState:
    """The newest run of the same plan, or a new one. Without a store it has no name."""
    if store is None:
        return ResumeState(Run(id="unstored", started_at=now()))
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


def _known(store: "Store", request: ResumeRequest, plan: str) -> Run | None:
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


def this_worker() -> str:
    return _named(os.getpid())


def is_at_work(worker: str) -> bool:
    """Whether `worker` is another process of this machine that still runs.

    Of other machines nothing is known: a run that one of them left can be resumed from here.
    """
    host, _, rest = worker.rpartition(" ")[0].rpartition(" ")
    if host != socket.gethostname() or not rest.isdigit() or int(rest) == os.getpid():
        return False
    return _named(int(rest)) == worker


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """A new folder for the solutions of one run. Those that killed processes left go first."""
    for mark in Path(tempfile.gettempdir()).glob(f"{SCRATCH_PREFIX}*/{MARK}"):
        with contextlib.suppress(OSError):  # another user's, or removed at this moment
            if _was_killed(mark.read_text(encoding="utf-8")):
                shutil.rmtree(mark.parent, ignore_errors=True)
    # A thread that nobody waits for any more may still be writing there at the end.
    with tempfile.TemporaryDirectory(prefix=SCRATCH_PREFIX, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / MARK).write_text(this_worker(), encoding="utf-8")
        yield folder


def _was_killed(worker: str) -> bool:
    """Of other machines, which may share the folder, nothing is known."""
    same_host = worker.rpartition(" ")[0].rpartition(" ")[0] == this_worker().rsplit(" ", 2)[0]
    return same_host and worker != this_worker() and not is_at_work(worker)


def _named(pid: int) -> str:
    """With the moment it began: numbers of processes are given again."""
    return f"{socket.gethostname()} {pid} {_start_of(pid)}"


def _start_of(pid: int) -> str:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "gone" if Path("/proc/self").exists() else _state_by_signal(pid)
    fields = stat.rpartition(")")[2].split()
    # One that was killed stays listed until its parent looks, which some never do.
    return "gone" if fields[0] in ENDED else fields[19]  # clock ticks since the machine started


def _state_by_signal(pid: int) -> str:
    """Where there is no /proc: that it runs is all that can be said."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return "gone"
    except PermissionError:
        pass
    return "running"
