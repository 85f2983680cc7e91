"""A project folder → structured test evidence: runners, their channels, and what they report."""

from sdkbench.test_harness.evidence import CaseReport, Evidence, Examination
from sdkbench.test_harness.executor import (
    BuildRunner,
    ExecutionResult,
    Executor,
    TestRunner,
    quick_check,
)
from sdkbench.test_harness.go.runner import GoTestRunner
from sdkbench.test_harness.java.runner import JavaTestRunner
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    FCorrResult,
    FileCoverage,
    Finding,
    Language,
    Problem,
    QuickCheck,
    RunnerDetectionResult,
    SandboxReport,
    Severity,
    TestFailure,
    TestFramework,
    TestResult,
    TestStatus,
)
from sdkbench.test_harness.node.runner import TypeScriptTestRunner
from sdkbench.test_harness.python.runner import PythonTestRunner
from sdkbench.test_harness.registry import TestRunnerRegistry
from sdkbench.test_harness.runner import BaseTestRunner, Harness
from sdkbench.test_harness.rust.runner import RustTestRunner
