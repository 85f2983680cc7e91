"""Python tests and their solution in two sandboxes: how both are started."""

import contextlib
import json
import secrets
from collections.abc import Callable, Iterator

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Placement, Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Limits, Mount
from sdkbench.sandbox.command import MESSAGE, SHARED, WORKSPACE, Command
from sdkbench.sandbox.levels import KilledFromOutside
from sdkbench.sandbox.pair import End as PairEnd
from sdkbench.sandbox.pair import PairCompleted, Side, run_pair, run_sides
from sdkbench.sandbox.zygote import ForkedCommand, ForkRefused, Zygote
from sdkbench.test_harness.apart import ApartRun, Crossing
from sdkbench.test_harness.python import session, warm
from sdkbench.test_harness.python.records import OWN_RECORDS
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE, End, Records, read_records, sandbox_command
from sdkbench.test_harness.warm_start import WarmStarts

TESTS = "python.boot"
MEETING_PLACE = f"{SHARED}/work"
SOLUTION = "python.solution"


class ApartProfile(BaseModel):
    """What is kept of a reference: where both sides began, and what crossed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    folder: str
    crossed: str

    @classmethod
    def of(cls, folder: str, crossed: str) -> str:
        return cls(folder=folder, crossed=crossed).model_dump_json() if crossed else ""

    def held(
        self, run: Callable[[str, str | None], ApartRun | None], *, copies: bool
    ) -> ApartRun | None:
        """A run that is held to it."""
        crossed = json.dumps(json.loads(self.crossed) | {"copies": True}) if copies else None
        return run(self.folder, crossed or self.crossed)


class Environments:
    """The tests run in the reference's environment, the solution in its own."""

    def __init__(self, tests: Environment, solution: Environment) -> None:
        self.tests = tests
        self.solution = solution


def run_apart(
    project: Project,
    order: session.PythonOrder,
    environments: Environments,
    harness: Harness,
    limits: Limits,
) -> tuple[PairCompleted, Records]:
    """`order` is the tests'; the solution's follows from it."""
    folder = order.apart.folder if order.apart else WORKSPACE
    asked = session.SolutionOrder(
        folder=folder,
        held=order.apart is not None and order.apart.profile is not None,
        solution=order.solution,
        path_last=order.path_last[-1:],
        compile=order.compile,
    )
    told = order.model_copy(update={"path_last": order.path_last[:-1], "compile": False})
    with (
        harness.cache.in_use(environments.tests),
        harness.cache.in_use(environments.solution),
    ):
        if harness.warm is not None and warm.can_fork(project):
            done = _run_warm(project, told, asked, environments, harness, limits)
            if done is not None:
                return done
        return _run_cold(project, told, asked, environments, harness, limits)


def _run_cold(
    project: Project,
    told: session.PythonOrder,
    asked: session.SolutionOrder,
    environments: Environments,
    harness: Harness,
    limits: Limits,
) -> tuple[PairCompleted, Records]:
    nonce = secrets.token_hex(16)
    boot = session.boot(TESTS, environments.tests, trusted=True)
    tests = sandbox_command(boot, told, limits, nonce=nonce, placements=project.trusted)
    other = session.boot(SOLUTION, environments.solution, trusted=True)
    solution = Command(
        argv=(*other.argv, MESSAGE),
        env=dict(other.env),
        placements=(project.solution,),
        mounts=(*other.mounts, Mount(path=INSIDE)),
        search_path=other.search_path,
        message=json.dumps(asked.model_dump()).encode(),
        limits=limits,
    )
    done = run_pair(harness.sandbox, tests, solution)
    return done, _records(done, nonce)


def _run_warm(
    project: Project,
    told: session.PythonOrder,
    asked: session.SolutionOrder,
    environments: Environments,
    harness: Harness,
    limits: Limits,
) -> tuple[PairCompleted, Records] | None:
    """None where it must start cold, or has to be judged again that way."""
    assert harness.warm is not None  # noqa: S101 - the caller has looked
    nonce = secrets.token_hex(16)
    try:
        with _zygotes(project, environments, harness, harness.warm) as (zygote, own):
            order = told.model_copy(update={"nonce": nonce})
            tests = _forked(zygote, environments.tests, own, order, project.trusted, limits)
            solution = _forked(zygote, environments.tests, own, asked, (project.solution,), limits)
            done = run_sides(
                tests,
                solution,
                harness.warm.shared_root,
                harness.sandbox.cancellation,
                disk_bytes=limits.disk_bytes,
            )
    except ForkRefused:
        harness.warm.counts["refused"] += 1
        return None
    except KilledFromOutside:  # the process it was forked from, perhaps; cold it shows
        harness.warm.counts["again cold"] += 1
        return None
    records = _records(done, nonce)
    died = done.solution is not None and not done.solution.ok
    if died or not any(records.of(End)):
        # It hung, crashed or left early. That may come of being forked.
        harness.warm.counts["again cold"] += 1
        return None
    harness.warm.counts["warm"] += 1
    return done, records


@contextlib.contextmanager
def _zygotes(
    project: Project, environments: Environments, harness: Harness, warm_starts: WarmStarts
) -> Iterator[tuple[Zygote, Environment]]:
    """The process that both sides are forked from, and the environment that the solution has."""
    shared = environments.tests
    if not {*shared.packages} <= {*environments.solution.packages}:
        raise ForkRefused("The solution's packages are not those of the reference.")
    with warm.zygote_of(shared, harness, warm_starts) as zygote:
        zygote.load(warm.shared_imports(project))
        yield zygote, environments.solution


def _forked(
    zygote: Zygote,
    shared: Environment,
    solution: Environment,
    order: session.PythonOrder | session.SolutionOrder,
    placements: tuple[Placement, ...],
    limits: Limits,
) -> Side:
    is_solution = isinstance(order, session.SolutionOrder)
    own = solution if is_solution else shared

    def run(end: PairEnd) -> Completed:
        command = ForkedCommand(
            placements=placements,
            program=warm.PythonRun(
                environment=str(shared.path),
                own_environment=str(own.path),
                order=order,
                is_solution=is_solution,
            ),
            limits=limits,
            hidden=(shared.path.parent,),
            shown=tuple({shared.path, own.path}),
            peer=end.peer.fileno(),
            shared=end.shared,
        )
        return zygote.run(command, end.cancellation)

    return run


def _records(done: PairCompleted, nonce: str) -> Records:
    own = (*OWN_RECORDS, Crossing)
    return read_records(done.tests.channel, nonce, own, truncated=done.tests.channel_truncated)
