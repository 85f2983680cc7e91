"""Before anything is decided by running: does this sandbox see a difference where there is one?"""

from pathlib import Path

from sdkbench.errors import SandboxFault
from sdkbench.sandbox import Sandbox
from sdkbench.shell.equivalence import Verdict
from sdkbench.shell.execution.compare import compare_effects

# One pair for each thing that is compared, and one that must come out equal.
PAIRS = (
    ("output", "echo one", "echo two", Verdict.DIFFERENT),
    ("exit status", "echo one; exit 0", "echo one; exit 3", Verdict.DIFFERENT),
    ("content", "echo one > canary", "echo two > canary", Verdict.DIFFERENT),
    ("mode", "echo a > canary; chmod 600 canary", "echo a > canary", Verdict.DIFFERENT),
    ("names", "echo a > canary", "echo a > canaries", Verdict.DIFFERENT),
    ("chance", "echo one", 'echo "$RANDOM$RANDOM"', Verdict.UNKNOWN),
    ("sameness", "echo one | tee canary", "printf 'one\\n' > canary; cat canary", Verdict.EQUAL),
)


def prove(tree: Path, sandbox: Sandbox) -> None:
    """Raises SandboxFault where a pair does not come out as it must; any tree will do."""
    for what, first, second, wanted in PAIRS:
        ruling = compare_effects(first, second, "bash", (tree,), sandbox, min_telling=1)
        if ruling.verdict is not wanted:
            raise SandboxFault(
                f"The sandbox can't be trusted with a comparison: its canary for {what} came out "
                f"{ruling.verdict} ({ruling.message}), not {wanted}. Run without --execute, and "
                "`sdkbench doctor` to see what this machine lacks."
            )
