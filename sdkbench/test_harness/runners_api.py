"""All that a runner plugin needs, in one place: what is imported here stays as it is.

A plugin is a subclass of BaseTestRunner under the entry point group `sdkbench.runners`;
docs/how-to/add-a-runner.md builds one. Names that are not here may change with any version.
"""

from sdkbench.core import Placement, Project
from sdkbench.core.tree import files as files_below
from sdkbench.errors import HarnessFault, InputError, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.evidence import (
    CaseReport,
    Evidence,
    Examination,
    case_evidence,
    examined,
)
from sdkbench.test_harness.models import (
    BuildResult,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFailure,
    TestFramework,
    TestResult,
    TestStatus,
)
from sdkbench.test_harness.mutations import Mutation, Place
from sdkbench.test_harness.programs import find_program, search_path, tool_mounts
from sdkbench.test_harness.recognition import displayed_path, present, recognised
from sdkbench.test_harness.runner import BaseTestRunner, Harness
from sdkbench.test_harness.session import (
    Boot,
    Case,
    Order,
    Record,
    Records,
    boot_words,
    run_session,
)
