"""The public values of the harness: what runners find, do and report."""

import json
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any, Self

from pydantic import Field, GetJsonSchemaHandler, JsonValue, computed_field
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from sdkbench.core import Assurance, Fault, Outcome, ScoreMode
from sdkbench.core.arguments import PublicModel as Value
from sdkbench.environments import Provision

MAX_LINE = 2**31
FULL_SCORE = 100.0


class _OpenEnum(str, Enum):  # noqa: UP042 - StrEnum closes `_missing_` to new members
    """Known names, and any other string: plugins bring languages and frameworks of their own."""

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        if not isinstance(value, str) or not value:
            return None
        member = str.__new__(cls, value)
        member._name_ = value.upper()
        member._value_ = value
        return cls._value2member_map_.setdefault(value, member)  # type: ignore[return-value]

    @classmethod
    def __get_pydantic_json_schema__(
        cls, _core: CoreSchema, _handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Any word: the known ones are examples."""
        return {"type": "string", "minLength": 1, "examples": [each.value for each in cls]}

    def __reduce_ex__(self, _protocol: object) -> tuple[type[Self], tuple[str]]:
        # By value: some Python 3.11 pickle by name, which open members are not found by.
        return type(self), (str(self.value),)

    def __str__(self) -> str:
        return str(self.value)


class Language(_OpenEnum):
    PYTHON = "python"
    TYPESCRIPT = "typescript"
    JAVASCRIPT = "javascript"
    GO = "go"
    RUST = "rust"
    JAVA = "java"


class TestFramework(_OpenEnum):
    __test__ = False

    PYTEST = "pytest"
    UNITTEST = "unittest"
    JEST = "jest"
    VITEST = "vitest"
    MOCHA = "mocha"
    NODE_TEST = "node_test"
    GO_TEST = "go_test"
    CARGO_TEST = "cargo_test"
    JUNIT = "junit"


class TestStatus(StrEnum):
    __test__ = False

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "skipped"
    ERROR = "error"


class TestFailure(Value):
    __test__ = False

    test_name: str
    error_message: str
    file_path: str | None = None
    line_number: int | None = None
    stack_trace: str | None = None
    output: str = ""  # what the test printed


class TestResult(Value):
    """Counts of one run; `total` counts skipped tests too."""

    __test__ = False

    success: bool
    total: int = Field(default=0, ge=0)
    passed: int = Field(default=0, ge=0)
    failed: int = Field(default=0, ge=0)
    skipped: int = Field(default=0, ge=0)
    duration: float = Field(default=0.0, ge=0)
    output: str = ""
    failures: list[TestFailure] = Field(default_factory=list)
    cases: dict[str, TestStatus] = Field(default_factory=dict)  # by id, as reported

    @computed_field  # type: ignore[prop-decorator]
    @property
    def pass_rate(self) -> float:
        """0–100; 0 when there are no tests."""
        return 100.0 * self.passed / self.total if self.total else 0.0

    @classmethod
    def broken(cls, reason: str, *, name: str, output: str = "", duration: float = 0.0) -> Self:
        """For tests that never ran: one failure, called `name`."""
        failure = TestFailure(test_name=name, error_message=reason)
        return cls(success=False, output=output or reason, duration=duration, failures=[failure])


class DependencyInstallResult(Value):
    success: bool
    duration: float = 0.0
    output: str = ""
    error: str | None = None
    packages_installed: int | None = None
    built: bool = False  # whether it was installed in this run, rather than found
    environment_key: str | None = None
    completed_with: list[str] = Field(default_factory=list)  # what the runner added, and why

    @classmethod
    def refused(cls, sentences: Sequence[str]) -> Self:
        """Requirements that nobody even tried to install."""
        reason = "; ".join(sentences)
        return cls(success=False, error=reason, output=reason)

    @classmethod
    def of(cls, provision: Provision, completed_with: Sequence[str]) -> Self:
        environment = provision.environment
        return cls(
            success=environment is not None,
            duration=provision.duration_seconds,
            output=provision.failure or "",
            error=provision.failure,
            packages_installed=len(environment.packages) if environment else 0,
            built=provision.built,
            environment_key=environment.key if environment else None,
            completed_with=list(completed_with),
        )


class BuildResult(Value):
    success: bool
    missing_tool: str | None = None  # a program that the build needs and this machine lacks
    duration: float = 0.0
    output: str = ""  # what the build's programs printed
    errors: list[str] = Field(default_factory=list)
    warnings: list[str] = Field(default_factory=list)
    required: bool = True  # False: only told, because the sample's reference does not build either


class RunnerDetectionResult(Value):
    detected: bool
    language: Language | None = None
    framework: TestFramework | None = None
    confidence: float = Field(default=0.0, ge=0, le=1)
    markers_found: list[str] = Field(default_factory=list)
    runner: str = ""  # the registry's name for the runner that found this
    origin: str = ""  # the distribution that the runner came with
    error: str | None = None  # why the runner could not look at the folder
    unsupported: str | None = None  # the sentence for tests of a framework that it cannot run


class SandboxReport(Value):
    """Where the code ran, what held the limits of all its processes together (a control group, the
    kernel's count for a user namespace, or a watcher of ours), and which limits nothing held there.
    """

    level: str
    unapplied: list[str] = Field(default_factory=list)
    held_by: dict[str, str] = Field(default_factory=dict)  # memory, process count


class QuickCheck(Value):
    """What reading alone tells of a folder."""

    language: Language | None = None
    framework: TestFramework | None = None
    confidence: float = Field(default=0.0, ge=0, le=1)  # of the runner that recognises it
    markers: list[str] = Field(default_factory=list)  # the files by which it does
    has_manifest: bool = False
    has_tests: bool = False
    test_file_count: int = Field(default=0, ge=0)
    has_tsconfig: bool = False
    scripts: dict[str, str] = Field(default_factory=dict)  # of package.json
    dependencies: list[str] = Field(default_factory=list)  # names, as the manifest has them
    problems: list[str] = Field(default_factory=list)

    @classmethod
    def of(cls, detection: RunnerDetectionResult) -> Self:
        """What the recognition of the folder tells, and no more."""
        return cls(
            language=detection.language,
            framework=detection.framework,
            confidence=detection.confidence,
            markers=detection.markers_found,
        )

    @computed_field  # type: ignore[prop-decorator]
    @property
    def ok(self) -> bool:
        return self.language is not None and not self.problems


class Severity(StrEnum):
    """Of a complaint, in its tool's own view."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


# ESLint counts; the others say it in words.
SEVERITIES: dict[object, Severity] = {
    1: Severity.WARNING,
    2: Severity.ERROR,
    "warning": Severity.WARNING,
    "note": Severity.NOTE,
    "info": Severity.NOTE,
}


def severity_of(value: object) -> Severity:
    """As a tool's report has it; an error where it says nothing that we know."""
    return SEVERITIES.get(value if isinstance(value, int | str) else None, Severity.ERROR)


class Problem(Value):
    """One complaint of a type checker or linter."""

    path: str
    line: int | None = None
    code: str = ""
    message: str
    severity: Severity = Severity.ERROR


def rows_of(output: str) -> list[dict[str, JsonValue]]:
    """The objects of a tool's JSON report; none where it was cut off, or is something else."""
    try:
        rows = json.loads(output or "[]")
    except (ValueError, RecursionError):
        return []
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def line_of(value: object) -> int | None:
    return value if isinstance(value, int) and 0 <= value < MAX_LINE else None


class CheckDetails(Value):
    """A type checker's or linter's findings; `success` means it ran and found nothing."""

    tool: str
    success: bool
    problems: list[Problem] = Field(default_factory=list)
    output: str = ""


class FileCoverage(Value):
    path: str
    statements: int
    missing_lines: list[int] = Field(default_factory=list)

    @classmethod
    def of(cls, files: Mapping[str, tuple[int, Sequence[int]]]) -> list[Self]:
        """From how a `coverage` record says it: path → statements and missing lines."""
        return [
            cls(path=path, statements=statements, missing_lines=list(missing))
            for path, (statements, missing) in sorted(files.items())
        ]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def percent(self) -> float:
        if not self.statements:
            return 100.0
        return 100.0 * (self.statements - len(self.missing_lines)) / self.statements


class CoverageDetails(Value):
    tool: str
    files: list[FileCoverage] = Field(default_factory=list)

    @computed_field  # type: ignore[prop-decorator]
    @property
    def percent(self) -> float:
        """0 when nothing was measured."""
        statements = sum(f.statements for f in self.files)
        missing = sum(len(f.missing_lines) for f in self.files)
        return 100.0 * (statements - missing) / statements if statements else 0.0


class Finding(Value):
    """One thing the evidence showed, by name."""

    name: str
    message: str


def _outcome(known: dict[str, Any]) -> Outcome:
    """For a result that somebody makes without one: of its score, error and test results."""
    tests, error = known.get("test_results"), known.get("error")
    if tests is not None and not tests.success:
        return Outcome.FAILED
    if error:
        return Outcome.ERROR
    score = known.get("score", 0.0)
    if not score:
        return Outcome.NOT_EXECUTED
    return Outcome.PASSED if tests is not None or score == FULL_SCORE else Outcome.FAILED


class FCorrResult(Value):
    """One F-CORR verdict with its score and all the evidence a reader needs."""

    score: float = Field(ge=0, le=100)
    error: str | None = None  # the reason, in a sentence; None when passed
    test_results: TestResult | None = None
    outcome: Outcome = Field(default_factory=_outcome)  # by default from the three above
    assurance: Assurance = Assurance.PLAIN
    mode: ScoreMode = ScoreMode.STRICT
    sample_id: str | None = None
    language: Language | None = None
    framework: TestFramework | None = None
    fault: Fault | None = None
    findings: list[Finding] = Field(default_factory=list)
    install_results: DependencyInstallResult | None = None
    build_results: BuildResult | None = None
    runtime_errors: int = Field(default=0, ge=0)
    runtime_score: float = Field(default=0.0, ge=0, le=100)
    duration: float = Field(default=0.0, ge=0)
    sandbox: SandboxReport | None = None
    excluded_tests: list[str] = Field(default_factory=list)  # not stable on the reference
    history: dict[str, list[str]] = Field(default_factory=dict)  # of each test, with --repeat
    notes: list[str] = Field(default_factory=list)  # limits touched, links ignored and the like

    @computed_field  # type: ignore[prop-decorator]
    @property
    def passed(self) -> bool:
        return self.outcome is Outcome.PASSED

    @computed_field  # type: ignore[prop-decorator]
    @property
    def tests_passed(self) -> int:
        return self.test_results.passed if self.test_results else 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def tests_total(self) -> int:
        return self.test_results.total if self.test_results else 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def tests_skipped(self) -> int:
        return self.test_results.skipped if self.test_results else 0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def pass_rate(self) -> float:
        return self.test_results.pass_rate if self.test_results else 0.0

    @computed_field  # type: ignore[prop-decorator]
    @property
    def failed_tests(self) -> list[str]:
        return [f.test_name for f in self.test_results.failures] if self.test_results else []

    @computed_field  # type: ignore[prop-decorator]
    @property
    def error_messages(self) -> list[str]:
        """Everything that went wrong: the reason, build errors, each test's message."""
        messages = [self.error] if self.error else []
        build = self.build_results
        messages += build.errors if build and build.required else []
        messages += (
            [f.error_message for f in self.test_results.failures] if self.test_results else []
        )
        return messages
