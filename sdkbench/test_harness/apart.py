"""ApartRun: tests and solution in two sandboxes, and what passed between them."""

from typing import Literal, NamedTuple

from sdkbench.core import Project
from sdkbench.sandbox import Completed
from sdkbench.sandbox.pair import PairCompleted
from sdkbench.test_harness.evidence import Examination, ToEvidence, examined
from sdkbench.test_harness.session import Record, Records

SOLUTION_ENDED = "the solution's process ended"  # how the note about it begins


class Crossing(Record):
    """What the tests' side saw of the solution; sent before the end of a run.

    `profile` is its own record of it, by which other solutions are held to what this one did.
    """

    kind: Literal["crossing"]
    profile: str
    departures: tuple[str, ...]
    changes: tuple[str, ...]
    obstacles: dict[str, str]
    met: tuple[str, ...] = ()  # a mark of each departure: it stands in the error that told of it


class ApartRun(NamedTuple):
    """`departures`: where the solution gave something live that the profile doesn't know.

    `changes`: where it changed what its tests hold, and the reference does not.
    `obstacles`: test id → what could not cross there, and what would help.
    """

    examination: Examination
    profile: str = ""
    departures: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    obstacles: dict[str, str] = {}  # noqa: RUF012 - never changed

    @property
    def is_clean(self) -> bool:
        """Whether every test could be decided, and none failed."""
        evidence = self.examination.evidence
        return bool(evidence and not evidence.failures and not self.obstacles)


def apart_run(
    project: Project, done: PairCompleted, records: Records, to_evidence: ToEvidence
) -> ApartRun:
    """Both sides' end as one: what ended the solution is told with the tests' own."""
    completed = _with_solution(done)
    others = Records(
        tuple(record for record in records.items if not isinstance(record, Crossing)),
        records.faults,
    )
    examination = examined(project, completed, others, to_evidence, run_tests=True)
    for crossing in records.of(Crossing):
        return ApartRun(
            examination,
            crossing.profile,
            crossing.departures,
            crossing.changes,
            crossing.obstacles or _departing_tests(examination, crossing),
        )
    return ApartRun(examination)


def _departing_tests(examination: Examination, crossing: Crossing) -> dict[str, str]:
    """The tests that failed by a departure, where each is in the report of one. Nothing otherwise:
    a test that caught one says nothing of it.
    """
    failures = examination.evidence.failures if examination.evidence else ()
    told = {
        mark: [failure.test_name for failure in failures if mark in failure.error_message]
        for mark in crossing.met
    }
    if not all(told.values()):
        return {}
    return {name: crossing.departures[0] for names in told.values() for name in names}


def _with_solution(done: PairCompleted) -> Completed:
    tests, solution = done
    if solution is None or solution.ok:
        return tests
    said = f": {solution.output[-2000:]}" if solution.output else ""
    note = f"{SOLUTION_ENDED}: {solution.ending()}{said}"
    return tests.model_copy(update={"notes": (*tests.notes, *solution.notes, note)})
