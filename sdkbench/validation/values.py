"""SampleProof: what was shown of one sample, check by check, and what is missing."""

from enum import StrEnum

from pydantic import Field, computed_field

from sdkbench.core import Assurance, Value
from sdkbench.test_harness.models import Language

ENOUGH_PERCENT = 85.0  # of the mutants that build; a survivor that is explained counts as found


class Gap(Value):
    """One thing that is missing: where, what, and what to do."""

    path: str  # below the samples folder
    line: int | None = None
    what: str
    todo: str

    @property
    def place(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


class CheckName(StrEnum):
    """The checks in the order in which they are made."""

    PARTS = "parts"  # the folder can be read as a sample
    METADATA = "metadata"
    REFERENCE = "reference"
    STARTER = "starter"
    RIGHT = "right variants"
    WRONG = "wrong variants"
    ORDER = "order"
    CLOCK = "clock"
    BEHAVIOUR = "behaviour"  # tests look at what the solution does, not at its text
    DEMANDS = "demands"
    MUTANTS = "mutants"
    TESTS = "every test"  # each fails for something
    LEVEL = "level"  # where metadata.json claims one
    PRIVATE = "private tests"


class Check(Value):
    """`gaps` say what is missing; `not_tried` says what could not be looked at here, and why."""

    name: CheckName
    gaps: tuple[Gap, ...] = ()
    not_tried: tuple[str, ...] = ()

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ok(self) -> bool:
        return not self.gaps


class Survivor(Value):
    """A change of the reference that no test noticed; `reason` is its author's explanation."""

    path: str
    line: int
    operator: str
    before: str
    after: str
    reason: str | None = None


class MutationScore(Value):
    """`unbuildable` mutants, and those that this machine could not judge, don't count."""

    killed: int = 0
    survivors: tuple[Survivor, ...] = ()
    unbuildable: int = 0
    unjudged: int = 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def percent(self) -> float | None:
        """Killed or explained, of those that build; None where there is none."""
        explained = sum(survivor.reason is not None for survivor in self.survivors)
        counted = self.killed + len(self.survivors)
        return round(100 * (self.killed + explained) / counted, 1) if counted else None


class SampleProof(Value):
    """`sample` is its folder below the samples folder: lancedb/lancedb_init_001."""

    sample: str
    task_type: int | None = None
    task_name: str = ""
    difficulty: str = ""
    language: Language | None = None
    assurance: Assurance | None = None
    obstacles: dict[str, str] = {}  # noqa: RUF012 - test → why it can't be apart; never changed
    mutation: MutationScore | None = None
    checks: tuple[Check, ...] = Field(default=())
    seconds: float = 0.0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def proven(self) -> bool:
        return bool(self.checks) and all(check.ok for check in self.checks)

    @property
    def why_not_apart(self) -> str:
        """The first thing that keeps the sample from a higher level; empty if nothing does."""
        if not self.obstacles:
            return ""
        test, reason = next(iter(self.obstacles.items()))
        more = f" (and {len(self.obstacles) - 1} more)" if len(self.obstacles) > 1 else ""
        return f"{test}: {reason}{more}" if test else f"{reason}{more}"
