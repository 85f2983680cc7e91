"""Runs of Python solutions that start warm: forked from a process that has the packages loaded."""

import contextlib
import re
import secrets
import sys
from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Limits, Mount
from sdkbench.sandbox.levels import KilledFromOutside
from sdkbench.sandbox.zygote import ForkedCommand, ForkRefused, Zygote
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python import session
from sdkbench.test_harness.python.records import OWN_RECORDS
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import End, Records, read_records, sandbox_command
from sdkbench.test_harness.warm_start import WarmStarts

PROGRAM = "python.zygote"
# Packages read such settings when they are loaded, which is before the solution runs.
VARIABLES = re.compile(r"\benviron\b")
SETS = re.compile(r"\]\s*=[^=]|\.(?:setdefault|update)\b")


class ZygoteOrder(session.Order):
    """For inside/python/zygote.py."""

    control_fd: str = "{control}"


class PythonRun(BaseModel):
    """One forked run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    environment: str  # the zygote's
    own_environment: str  # the solution's: the same packages, and maybe more
    order: session.PythonOrder | session.SolutionOrder
    is_solution: bool = False


def trusted_layer(
    environment: Environment, harness: Harness, key: str | None
) -> Environment | None:
    """The environment of the sample's author, if a solution's own has all of its packages.

    They are loaded once for all solutions; what else a solution asks for is loaded by its own run.
    """
    if key is None or environment.key == key:
        return environment if key else None
    trusted = harness.cache.find(environment.language, key)
    if trusted is None or not {*trusted.packages} <= {*environment.packages}:
        return None
    return trusted


def run_warm(
    project: Project,
    order: session.PythonOrder,
    environments: tuple[Environment, Environment],
    harness: Harness,
    limits: Limits,
) -> tuple[Completed, Records] | None:
    """One forked run; None where it must start cold, or has to be judged again that way.

    `environments`: the one that many runs share, and the solution's own.
    """
    shared, own = environments
    if harness.warm is None or not can_fork(project):
        return None
    nonce = secrets.token_hex(16)
    try:
        with (
            harness.cache.in_use(shared),
            harness.cache.in_use(own),
            zygote_of(shared, harness, harness.warm) as zygote,
        ):
            zygote.load(shared_imports(project))
            command = ForkedCommand(
                placements=project.placements,
                program=PythonRun(
                    environment=str(shared.path),
                    own_environment=str(own.path),
                    order=order.model_copy(update={"nonce": nonce}),
                ),
                limits=limits,
                hidden=(shared.path.parent,),
                shown=tuple({shared.path, own.path}),
            )
            completed = zygote.run(command, harness.sandbox.cancellation)
    except ForkRefused:
        harness.warm.counts["refused"] += 1
        return None
    except KilledFromOutside:  # the process it was forked from, perhaps; cold it shows
        harness.warm.counts["again cold"] += 1
        return None
    truncated = completed.channel_truncated
    records = read_records(completed.channel, nonce, OWN_RECORDS, truncated=truncated)
    if not any(records.of(End)):
        # It hung, crashed or left early. That may come of being forked.
        harness.warm.counts["again cold"] += 1
        return None
    harness.warm.counts["warm"] += 1
    return completed, records


@contextlib.contextmanager
def zygote_of(environment: Environment, harness: Harness, warm: WarmStarts) -> Iterator[Zygote]:
    with warm.zygote(environment.key, lambda: _start(environment, harness, warm)) as zygote:
        yield zygote


def _start(environment: Environment, harness: Harness, warm: WarmStarts) -> Zygote:
    boot = session.boot(PROGRAM, environment, trusted=True)
    boot = boot._replace(mounts=(Mount(path=environment.path.parent),))
    command = sandbox_command(boot, ZygoteOrder(), Limits())
    return Zygote(harness.sandbox, command, warm.shared_root)


def can_fork(project: Project) -> bool:
    if any(placement.packed or placement.bulky for placement in project.placements):
        return False
    sources = python_project.python_files([project.solution.source])
    lines = (line for path in sources for line in python_project.source_of(path).splitlines())
    return not any(map(_sets_variables, lines))


def _sets_variables(line: str) -> bool:
    """In two steps: one pattern for both takes a line's square of time."""
    named = VARIABLES.search(line)
    return "putenv" in line or (named is not None and SETS.search(line, named.end()) is not None)


def shared_imports(project: Project) -> list[str]:
    """Modules that the tests, the starter or the reference import, and that are none of their own.

    Not those that only the solution imports: judged code has no say in what the parent loads.
    """
    trusted = [*project.test_sources, *project.manifest_fallbacks]
    texts = [python_project.source_of(path) for path in python_project.python_files(trusted)]
    own = {placement.target.partition(".")[0] for placement in project.placements}
    for root in [*trusted, project.solution.source]:
        own |= {path.stem for path in (root.iterdir() if root.is_dir() else [root])}
    own |= {*sys.builtin_module_names, "__future__", "__main__"}
    names = python_project.imported_modules(texts)
    return sorted(name for name in names if name.partition(".")[0] not in own)
