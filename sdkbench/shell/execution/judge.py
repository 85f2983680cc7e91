"""Execution: everything that deciding by running needs, made once a run and removed after it."""

import contextlib
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path

from sdkbench.datasets import bundled_shell
from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import Level, Sandbox
from sdkbench.shell.dataset import TestCase
from sdkbench.shell.equivalence import Verdict
from sdkbench.shell.execution.canary import prove
from sdkbench.shell.execution.compare import Ruling, compare_effects
from sdkbench.shell.execution.decidable import undecidable
from sdkbench.shell.execution.fixtures import DEFAULT_FIXTURE, Tree, build, load_trees
from sdkbench.shell.execution.targets import occupied, targets
from sdkbench.shell.safety import DEFAULT_POLICY, SafetyPolicy, validate_safety

# A case with many accepted commands is compared with the first of them.
MAX_RIGHTS = 6


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
                rulings.append(Ruling(Verdict.UNKNOWN, f"not run: {refused}"))
                continue
            ruling = self._compare(right, answer, case)
            if ruling.verdict is Verdict.EQUAL:
                return ruling
            rulings.append(ruling)
        doubtful = next((r for r in rulings if r.verdict is Verdict.UNKNOWN), None)
        return doubtful or next(iter(rulings), Ruling(Verdict.UNKNOWN, "no command to run"))

    def _compare(self, right: str, answer: str, case: TestCase) -> Ruling:
        trees = self._trees[case.fixture or DEFAULT_FIXTURE]
        with occupied(trees[0], targets(right, answer)) as crowded:
            return compare_effects(
                right, answer, case.shell.value, (*trees, *crowded), self._sandbox
            )

    def stop(self) -> None:
        """End what is running, from any thread."""
        self._sandbox.cancellation.cancel()

    def _refused(self, command: str) -> str | None:
        report = validate_safety(command, self._policy)
        if not report.safe:
            return "the safety judge forbids it"
        return undecidable(command)


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
        prove(trees[DEFAULT_FIXTURE][0], sandbox)
        yield Execution(trees, sandbox, policy)


def _built(trees: tuple[Tree, ...], folder: Path, sandbox: Sandbox) -> tuple[Path, ...]:
    return tuple(build(tree, folder / str(n), sandbox) for n, tree in enumerate(trees))
