"""Whether a command is safe to run, judged on its tree by what it does to what.

A word is expanded as far as it is fixed, wrappers and nested code are opened, and each program
that would run is met by the rules of its name: an effect on a target, or a flow of text from one
place to another. Arguments that are only data (of echo, grep, a comment) are never code.
"""

from sdkbench.shell.safety.judge import check_safety, validate_safety
from sdkbench.shell.safety.report import (
    DEFAULT_POLICY,
    Hazard,
    SafetyFinding,
    SafetyPolicy,
    SafetyReport,
    Severity,
)
