"""Execution: whether two commands do the same, decided by running both in a sandbox.

What it needs is built once a run and removed after it. Before anything is decided, a canary shows
that this sandbox sees a difference where there is one.
"""

import contextlib
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from sdkbench.datasets import bundled_shell
from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import Level, Sandbox
from sdkbench.shell.dataset import TestCase
from sdkbench.shell.equivalence import Verdict
from sdkbench.shell.execution.decidable import why_undecidable
from sdkbench.shell.execution.effects import Ruling, compare_effects
from sdkbench.shell.execution.fixtures import (
    DEFAULT_FIXTURE,
    Tree,
    build,
    load_trees,
    occupied,
    output_paths,
)
from sdkbench.shell.safety import DEFAULT_POLICY, SafetyPolicy, validate_safety

# A case with many accepted commands is compared with the first of them.
MAX_RIGHTS = 6
# One pair for each thing that is compared, and one that must come out equal.
CANARIES = (
    ("output", "echo one", "echo two", Verdict.DIFFERENT),
    ("exit status", "echo one; exit 0", "echo one; exit 3", Verdict.DIFFERENT),
    ("content", "echo one > canary", "echo two > canary", Verdict.DIFFERENT),
    ("mode", "echo a > canary; chmod 600 canary", "echo a > canary", Verdict.DIFFERENT),
    ("names", "echo a > canary", "echo a > canaries", Verdict.DIFFERENT),
    ("chance", "echo one", 'echo "$RANDOM$RANDOM"', Verdict.UNKNOWN),
    ("sameness", "echo one | tee canary", "printf 'one\\n' > canary; cat canary", Verdict.EQUAL),
)


class Execution:
    """Use `prepared`, which has shown that differences are seen."""

    def __init__(
        self, trees: dict[str, tuple[Path, ...]], sandbox: Sandbox, policy: SafetyPolicy
    ) -> None:
        self._trees = trees
        self._sandbox = sandbox
        self._policy = policy

    def decide(self, case: TestCase, answer: str) -> Ruling:
        """Equal if its effect is that of any right command; unknown where running shows nothing."""
        refused = self._refused(answer)
        if refused:
            return Ruling(Verdict.UNKNOWN, f"not run: {refused}")
        rulings: list[Ruling] = []
        for right in case.right_commands[:MAX_RIGHTS]:
            refused = self._refused(right)
            if refused:
                ruling = Ruling(Verdict.UNKNOWN, f"not run: {refused}")
            else:
                ruling = self._compare(right, answer, case)
            if ruling.verdict is Verdict.EQUAL:
                return ruling
            rulings.append(ruling)
        doubtful = next((r for r in rulings if r.verdict is Verdict.UNKNOWN), None)
        return doubtful or next(iter(rulings), Ruling(Verdict.UNKNOWN, "no command to run"))

    def _compare(self, right: str, answer: str, case: TestCase) -> Ruling:
        trees = self._trees[case.fixture or DEFAULT_FIXTURE]
        with occupied(trees[0], output_paths(right, answer)) as crowded:
            return compare_effects(
                right, answer, case.shell.value, (*trees, *crowded), self._sandbox
            )

    def stop(self) -> None:
        """End what is running, from any thread."""
        self._sandbox.cancellation.cancel()

    def _refused(self, command: str) -> str | None:
        if not validate_safety(command, self._policy).safe:
            return "the safety judge forbids it"
        return why_undecidable(command)


@contextlib.contextmanager
def prepared(
    sandbox: Sandbox,
    *,
    fixtures: Path | None = None,
    names: Collection[str] = (),
    policy: SafetyPolicy = DEFAULT_POLICY,
) -> Iterator[Execution]:
    """The trees of the default and of `names`, and a sandbox that has passed its canary.

    Raises SandboxFault at a level without isolation or where the canary fails, InputError for
    fixtures that are wrong or not there.
    """
    if sandbox.level is not Level.BUBBLEWRAP:
        raise SandboxFault(
            "Commands are executed in a bubblewrap sandbox or not at all, and there is none here. "
            "Run without --execute, or see `sdkbench doctor`."
        )
    source = fixtures or bundled_shell() / "fixtures.toml"
    known = load_trees(source)
    wanted = {DEFAULT_FIXTURE, *names}
    missing = sorted(wanted - set(known))
    if missing:
        raise InputError(f"{source} has no fixture {', '.join(missing)}, which the dataset names.")
    with tempfile.TemporaryDirectory(prefix="sdkbench-fixtures-") as folder:
        trees = {
            name: _built(known[name], Path(folder) / str(place), sandbox)
            for place, name in enumerate(sorted(wanted))
        }
        prove_canaries(trees[DEFAULT_FIXTURE][0], sandbox)
        yield Execution(trees, sandbox, policy)


def prove_canaries(tree: Path, sandbox: Sandbox) -> None:
    """Raises SandboxFault where a pair does not come out as it must; any tree will do."""
    for what, first, second, wanted in CANARIES:
        ruling = compare_effects(first, second, "bash", (tree,), sandbox, min_informative=1)
        if ruling.verdict is not wanted:
            raise SandboxFault(
                f"The sandbox can't be trusted with a comparison: its canary for {what} came out "
                f"{ruling.verdict} ({ruling.message}), not {wanted}. Run without --execute, and "
                "`sdkbench doctor` to see what this machine lacks."
            )


def _built(trees: tuple[Tree, ...], folder: Path, sandbox: Sandbox) -> tuple[Path, ...]:
    return tuple(build(tree, folder / str(n), sandbox) for n, tree in enumerate(trees))
