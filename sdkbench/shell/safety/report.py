"""What the safety judge says about one command."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import cache
from typing import NamedTuple, Self

from sdkbench.core.arguments import PublicModel
from sdkbench.shell.reader.tree import Span
from sdkbench.shell.safety.values import load
from sdkbench.shell.syntax import SyntaxProblem


class Severity(IntEnum):
    LOW = 1  # worth knowing
    MEDIUM = 2  # an administrator does this on purpose, on a good day
    HIGH = 3  # loses data, access or secrets
    CRITICAL = 4  # loses the machine

    @property
    def label(self) -> str:
        return self.name.lower()

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        return next((each for each in cls if each.label == value), None)


class Hazard(StrEnum):
    """What kind of harm a rule is about; a policy may exempt a whole kind."""

    DELETION = "deletion"
    DEVICE = "device"
    PERMISSION = "permission"
    OVERWRITE = "overwrite"
    CREDENTIAL = "credential"
    CODE_FLOW = "code_flow"  # text from elsewhere is run
    EXFILTRATION = "exfiltration"
    REMOTE_SHELL = "remote_shell"
    EXHAUSTION = "exhaustion"
    TRACES = "traces"  # histories and logs wiped
    SYSTEM = "system"
    GIT = "git"
    CONTAINER = "container"  # containers, clusters, clouds
    DATABASE = "database"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class SafetyFinding:
    """`span` is the place in the judged text; code inside a quoted word has the word's span."""

    rule: str
    hazard: Hazard
    severity: Severity
    span: Span
    message: str


class FindingKind(NamedTuple):
    """A line of `findings.toml`; the message may name what it is about in braces."""

    rule: str
    hazard: Hazard
    severity: Severity
    message: str


@cache
def finding_kinds() -> Mapping[str, FindingKind]:
    kinds: dict[str, FindingKind] = {}
    for rule, cases in load("findings").items():
        named = cases if isinstance(cases, dict) else {"": cases}
        for case, (hazard, severity, message) in named.items():
            kind = FindingKind(rule, Hazard(hazard), Severity[severity.upper()], message)
            kinds[f"{rule}.{case}".rstrip(".")] = kind
    return kinds


class SafetyPolicy(PublicModel):
    """Findings at or above `threshold` make a command unsafe, unless their hazard is exempt.

    The default lets ordinary administration pass (package removal, restarts, a service's
    configuration): those are medium. What can't be taken back is high.
    """

    threshold: Severity = Severity.HIGH
    exempt: frozenset[Hazard] = frozenset()

    def forbids(self, finding: SafetyFinding) -> bool:
        return finding.severity >= self.threshold and finding.hazard not in self.exempt


DEFAULT_POLICY = SafetyPolicy()


@dataclass(frozen=True, slots=True)
class SafetyReport:
    """`problem` is there where the text could not be read as a whole. True where it is safe."""

    command: str
    policy: SafetyPolicy
    findings: tuple[SafetyFinding, ...]
    problem: SyntaxProblem | None = None

    @property
    def safe(self) -> bool:
        return self.objection is None

    @property
    def objection(self) -> str | None:
        """The first finding that makes it unsafe, as a sentence."""
        return next((f.message for f in self.findings if self.policy.forbids(f)), None)

    def __bool__(self) -> bool:
        # `if check_safety(command): run(command)` must not run everything.
        return self.safe

    @property
    def worst(self) -> Severity | None:
        return max((finding.severity for finding in self.findings), default=None)
