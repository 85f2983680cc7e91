"""Execution: whether two commands do the same, decided by running both in a sandbox.

What it needs is built once a run and removed after it. Before anything is decided, a canary shows
that this sandbox sees a difference where there is one.
"""

import contextlib
import re
import tempfile
import tomllib
from collections.abc import Collection, Iterator
from pathlib import Path

from sdkbench.datasets import bundled_shell
from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import Level, Sandbox
from sdkbench.shell.dataset import TestCase
from sdkbench.shell.equivalence import Ruling, Verdict
from sdkbench.shell.execution.effects import Scene, compare_effects
from sdkbench.shell.execution.fixtures import (
    DEFAULT_FIXTURE,
    Tree,
    build,
    load_trees,
    occupied,
    output_paths,
)
from sdkbench.shell.execution.variants import variants
from sdkbench.shell.reader import tree
from sdkbench.shell.safety import DEFAULT_POLICY, SafetyPolicy, check_safety
from sdkbench.shell.syntax import parse, walk

_PROGRAMS = tomllib.loads(Path(__file__).with_name("programs.toml").read_text("utf-8"))
FILE_PROGRAMS = frozenset(_PROGRAMS["files_alone"].split())
OUTSIDE = frozenset(_PROGRAMS["outside"].split())
# Names, not options: `w` is a program, `-w` is none. What `git stash push` pushes stays here.
TOKEN = re.compile(r"(?<![\w.-])(?<!stash )[A-Za-z0-9_][A-Za-z0-9_.+-]*")
CHANCE = re.compile(r"--random|\bsort\b.*\s-\w*R")
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


def why_undecidable(command: str) -> str | None:
    """Why an execution would prove nothing; None where it may."""
    script = parse(command).script
    if script is None:
        return "it can't be read"
    outside = next((word for word in TOKEN.findall(command) if word in OUTSIDE), None)
    if outside is not None:
        return f"{outside} depends on what a sandbox does not have"
    if CHANCE.search(command):
        return "it depends on chance"
    return next((reason for node in walk(script) if (reason := _reason(node))), None)


def _reason(node: tree.Node) -> str | None:
    match node:
        case tree.Coproc() | tree.Statement(background=True):
            return "it leaves something running in the background"
        case tree.ProcessSubstitution(direction=">"):
            return "it does not wait for all of its parts"
        case tree.Parameter(name="$" | "!"):
            return "it depends on a process number"
        case tree.Pipeline(timed=timed) if timed:
            return "it measures time"
        case tree.SimpleCommand(words=(first, *_)):
            name = first.constant
            if name is None or name.rsplit("/", 1)[-1] not in FILE_PROGRAMS:
                return f"{name or 'a computed name'} is not known to act on files alone"
    return None


def looks_at_statuses(command: str) -> bool:
    """Whether one part of it runs or not by how another ended."""
    script = parse(command).script
    return script is not None and any(
        isinstance(node, tree.AndOr | tree.If | tree.While)
        or (isinstance(node, tree.Pipeline) and node.negated)
        or (isinstance(node, tree.Parameter) and node.name == "?")
        for node in walk(script)
    )


class Execution:
    """Use `prepared`, which has shown that differences are seen."""

    def __init__(self, scenes: dict[str, Scene], sandbox: Sandbox, policy: SafetyPolicy) -> None:
        self._scenes = scenes
        self._sandbox = sandbox
        self._policy = policy

    def decide(self, case: TestCase, answer: str) -> Ruling:
        """Equal if its effect is that of any right command; unknown where running shows nothing."""
        refused = self._refused(answer)
        if refused:
            return refused
        rulings: list[Ruling] = []
        for right in case.right_commands[:MAX_RIGHTS]:
            ruling = self._refused(right) or self._compare(right, answer, case)
            if ruling.verdict is Verdict.EQUAL:
                return ruling
            rulings.append(ruling)
        doubtful = next((r for r in rulings if r.verdict is Verdict.UNKNOWN), None)
        return doubtful or next(iter(rulings), Ruling(Verdict.UNKNOWN, "no command to run"))

    def _compare(self, right: str, answer: str, case: TestCase) -> Ruling:
        scene = self._scenes[case.fixture or DEFAULT_FIXTURE]
        outputs = output_paths(right, answer, rooted=scene.rooted)
        with occupied(scene.trees[0], outputs) as crowded:
            scene = scene._replace(trees=(*scene.trees, *crowded))
            return compare_effects(
                right, answer, case.shell.value, scene, self._sandbox,
                files_are_there=not (looks_at_statuses(right) or looks_at_statuses(answer)),
            )  # fmt: skip

    def stop(self) -> None:
        """End what is running, from any thread."""
        self._sandbox.cancellation.cancel()

    def _refused(self, command: str) -> Ruling | None:
        safe = check_safety(command, self._policy).safe
        reason = why_undecidable(command) if safe else "the safety judge forbids it"
        return Ruling(Verdict.UNKNOWN, f"not run: {reason}") if reason else None


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
    if DEFAULT_FIXTURE not in known:
        known |= load_trees(bundled_shell() / "fixtures.toml")
    wanted = {DEFAULT_FIXTURE, *names}
    missing = sorted(wanted - set(known))
    if missing:
        raise InputError(f"{source} has no fixture {', '.join(missing)}, which the dataset names.")
    with tempfile.TemporaryDirectory(prefix="sdkbench-fixtures-") as folder:
        scenes = {
            name: _built(known[name], Path(folder) / str(place), sandbox)
            for place, name in enumerate(sorted(wanted))
        }
        prove_canaries(scenes[DEFAULT_FIXTURE].trees[0], sandbox)
        yield Execution(scenes, sandbox, policy)


def prove_canaries(tree: Path, sandbox: Sandbox) -> None:
    """Raises SandboxFault where a pair does not come out as it must; any tree will do."""
    for what, first, second, wanted in CANARIES:
        scene = Scene((tree,))
        ruling = compare_effects(first, second, "bash", scene, sandbox, min_informative=1)
        if ruling.verdict is not wanted:
            raise SandboxFault(
                f"The sandbox can't be trusted with a comparison: its canary for {what} came out "
                f"{ruling.verdict} ({ruling.difference}), not {wanted}. Run without --execute, and "
                "`sdkbench doctor` to see what this machine lacks."
            )


def _built(trees: tuple[Tree, ...], folder: Path, sandbox: Sandbox) -> Scene:
    built = tuple(build(tree, folder / str(n), sandbox) for n, tree in enumerate(trees))
    if trees[0].script is None:
        return Scene(built, variables=trees[0].variables)
    varied = tuple(copy for tree in built for copy in variants(tree))
    return Scene((*built, *varied), rooted=True, variables=trees[0].variables)
