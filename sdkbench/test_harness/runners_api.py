"""All that a runner plugin needs, in one place: what is named here stays as it is.

A plugin is a subclass of BaseTestRunner under the entry point group `sdkbench.runners`;
docs/how-to/add-a-runner.md builds one. Names that are not here may change with any version.
"""

from sdkbench.core import Placement, Project
from sdkbench.core.tree import files as files_below
from sdkbench.errors import HarnessFault, InputError, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.case_records import to_evidence as case_evidence
from sdkbench.test_harness.evidence import CaseReport, Evidence, Examination
from sdkbench.test_harness.examining import examined
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFailure,
    TestFramework,
    TestStatus,
)
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.records import Records
from sdkbench.test_harness.runner import BaseTestRunner, Harness
from sdkbench.test_harness.session import Boot, run_session

BOOT_PYTHON = interpreter()  # runs in every sandbox, with its standard library and nothing else

__all__ = [
    "BOOT_PYTHON",
    "WORKSPACE",
    "Alteration",
    "BaseTestRunner",
    "Boot",
    "BuildResult",
    "CaseReport",
    "Command",
    "Completed",
    "DependencyInstallResult",
    "Evidence",
    "Examination",
    "Harness",
    "HarnessFault",
    "InputError",
    "Language",
    "Limits",
    "MissingTool",
    "Mount",
    "Placement",
    "Project",
    "QuickCheck",
    "Records",
    "RunnerDetectionResult",
    "TestFailure",
    "TestFramework",
    "TestStatus",
    "case_evidence",
    "examined",
    "files_below",
    "run_session",
    "tool_mounts",
]
