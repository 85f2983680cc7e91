"""What can become of an attempt, how sure we are, and whose fault it was; the base of values."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """What rooms pass on: it never changes, and a misspelt field is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"  # the solution's fault
    INVALID = "invalid"  # the evidence contradicts itself or was tampered with
    ERROR = "error"  # ours, the sample's or the machine's; never counts against a solution
    NOT_EXECUTED = "not_executed"  # nothing was run: no number is invented


class Assurance(StrEnum):
    """How hard it would have been to forge the verdict, from least to most."""

    PLAIN = "plain"  # the solution's own tests, or no reference to compare with
    CHECKED = "checked"  # every expected test id, exactly once, and cross-checks
    TWINNED = "twinned"  # and mutants of the tests failed where they must
    APART = "apart"  # tests and solution in two sandboxes: only values passed between them
    BLACK_BOX = "black-box"  # as apart, by the sample's own design: a command, files or a port


class Integrity(StrEnum):
    """How much is done against a forged verdict; each level has its assurance."""

    OFF = "off"  # no reference is needed: assurance plain
    CHECKED = "checked"
    TWINNED = "twinned"
    APART = "apart"  # where a sample is proven to allow it; twinned elsewhere


class ScoreMode(StrEnum):
    STRICT = "strict"
    PASS_RATE = "pass_rate"
    WEIGHTED = "weighted"


class Fault(StrEnum):
    """The class of the reason why an attempt did not pass."""

    INPUT = "input"  # the solution folder itself cannot be used
    INSTALL = "install"
    BUILD = "build"
    TEST = "test"
    NO_TESTS = "no_tests"
    TIMEOUT = "timeout"
    RESOURCE_LIMIT = "resource_limit"
    TAMPERING = "tampering"
    SAMPLE = "sample"
    MISSING_RUNNER = "missing_runner"
    MISSING_TOOL = "missing_tool"
    PLUGIN = "plugin"
    SANDBOX = "sandbox"
    NETWORK = "network"
    DISK = "disk"
    HARNESS = "harness"
