"""Shell commands: whether a generated one is right, safe and POSIX, and how often.

`run_evaluation` puts a dataset's prompts to a backend and judges what comes back; the judges
(`commands_match`, `validate_safety`, `is_posix_compliant`) work on any command, and run none.
`compare`, `check_safety` and `check_posix` give the same verdicts with their reasons.
"""

from sdkbench.shell.dataset import Category, Selection, TestCase, TestDataset
from sdkbench.shell.equivalence import Verdict, commands_match, compare, normalize_command
from sdkbench.shell.evaluation import run_evaluation
from sdkbench.shell.posix import check_posix, is_posix_compliant
from sdkbench.shell.results import (
    EvaluationResult,
    EvaluationSettings,
    FailureReason,
    ReasonKind,
    TestResult,
)
from sdkbench.shell.safety import check_safety, validate_safety
