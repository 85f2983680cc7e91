"""What a command does on a copy of a tree, and whether two commands do the same on all of them."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from sdkbench.core import Placement
from sdkbench.sandbox import Command, Completed, Limits, Sandbox
from sdkbench.sandbox.bubblewrap import interpreter
from sdkbench.sandbox.command import CHANNEL, GIB, MESSAGE, MIB, WORKSPACE
from sdkbench.shell.equivalence import Ruling, Verdict

PROBE = Path(__file__).parents[2] / "inside" / "shell" / "probe.py"
COMMAND_SECONDS = 5.0
MAX_OUTPUT = 4 * MIB
MAX_ENTRIES = 20_000
# What a command finds on its standard input: names that are there in some trees and not in others.
STDIN = "notes.txt\na.txt\nbig.bin\n"
# The probe ends its command itself; these only stop what goes beyond that.
LIMITS = Limits(
    wall_seconds=4 * COMMAND_SECONDS,
    cpu_seconds=int(4 * COMMAND_SECONDS),
    memory_bytes=GIB,
    processes=256,
    file_bytes=64 * MIB,
    disk_bytes=256 * MIB,
)
# Commits have a fixed date; no command may wait for an editor, a pager or a password.
ENVIRONMENT = {
    "GIT_AUTHOR_DATE": "2024-06-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2024-06-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "EDITOR": "true",
    "PAGER": "cat",
    "COLUMNS": "80",
    "TERM": "dumb",
}
# The right command must succeed and leave a trace on so many trees before a verdict is "equal".
MIN_INFORMATIVE = 2
# Ages of files count only where they are what a command is about.
ABOUT_AGES = re.compile(r"\btouch\b|\butime|-p\b|--preserve|-a\b")
MAX_DISPLAYED = 60  # characters of an output


class Scene(NamedTuple):
    """Where commands are run: the trees of a fixture, and what they have in common."""

    trees: tuple[Path, ...]
    rooted: bool = False  # a tree is the file system from `/` on, not the working folder
    variables: Mapping[str, str] = MappingProxyType({})


class ProbeOrder(NamedTuple):
    """The order to the probe inside the sandbox."""

    command: str
    shell: str
    rooted: bool = False
    tree: str = f"{WORKSPACE}/box/tree"
    stdin: str = STDIN
    seconds: float = COMMAND_SECONDS
    max_output: int = MAX_OUTPUT
    max_entries: int = MAX_ENTRIES

    def message(self) -> bytes:
        """As JSON. Braces of the command are escaped: it holds no placeholder of the sandbox's."""
        escaped = json.dumps(self.command).replace("{", "\\u007b")
        text = json.dumps(self._replace(command="")._asdict())
        return text.replace('"command": ""', f'"command": {escaped}', 1).encode()


class ObservedEntry(NamedTuple):
    """One file, folder or link after the command; all but the path are compared."""

    path: str
    kind: str
    mode: int
    content: str
    age: str


class Observation(BaseModel):
    """What the probe sends back: everything a person could notice.

    `problem` says why nothing can be concluded from it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    status: int | None
    stdout: str  # its hash
    size: int
    head: str
    lacking: bool  # it complained that a file is not there
    changed: bool
    entries: tuple[ObservedEntry, ...]
    problem: str = ""

    @classmethod
    def nothing(cls, problem: str) -> Self:
        return cls(
            status=None, stdout="", size=0, head="", lacking=False, changed=False, entries=(),
            problem=problem,
        )  # fmt: skip

    @property
    def informative(self) -> bool:
        """It worked, and there is something to see of it."""
        return self.status == 0 and (self.size > 0 or self.changed)

    @property
    def only_complains(self) -> bool:
        """Of a file that is not there, and does nothing else."""
        return self.lacking and self.size == 0 and not self.changed

    def without_ages(self) -> "Observation":
        entries = tuple(entry._replace(age="") for entry in self.entries)
        return self.model_copy(update={"entries": entries})


NO_SCENE = Scene(())


def compare_effects(
    right: str,
    answer: str,
    shell: str,
    scene: Scene,
    sandbox: Sandbox,
    *,
    min_informative: int = MIN_INFORMATIVE,
    files_are_there: bool = False,
) -> Ruling:
    """Each command runs twice on every tree, in turns.

    In turns, because then a change of the world (a second that passes) which makes the two differ
    also makes one of them differ from itself. With `files_are_there`, a tree on which both only
    complain that a file is not there shows nothing: `grep x f` and `cat f | grep x` end with
    different statuses then.
    """
    ages = bool(ABOUT_AGES.search(right) or ABOUT_AGES.search(answer))
    informative = 0
    for number, tree in enumerate(scene.trees, start=1):
        runs: list[Observation] = []
        for command in (right, answer, right, answer):
            observation = observe(command, shell, tree, sandbox, scene)
            if observation.problem:
                return Ruling(Verdict.UNKNOWN, f"execution decides nothing: {observation.problem}")
            runs.append(observation if ages else observation.without_ages())
        if runs[0] != runs[2] or runs[1] != runs[3]:
            return Ruling(Verdict.UNKNOWN, "execution decides nothing: two runs differ")
        if files_are_there and runs[0].only_complains and runs[1].only_complains:
            continue
        if runs[0] != runs[1]:
            difference = _first_difference(runs[0], runs[1])
            return Ruling(Verdict.DIFFERENT, f"run on tree {number}: {difference}")
        informative += runs[0].informative
    if informative < min_informative:
        return Ruling(Verdict.UNKNOWN, "execution decides nothing: too little happened")
    return Ruling(Verdict.EQUAL, f"the same effect on {len(scene.trees)} trees", right)


def observe(
    command: str, shell: str, tree: Path, sandbox: Sandbox, scene: Scene = NO_SCENE
) -> Observation:
    """What can't be observed is a problem in the observation, never an exception."""
    done = sandbox.run(
        Command(
            argv=(interpreter(), "-I", "-S", f"{WORKSPACE}/probe/probe.py", MESSAGE, CHANNEL),
            env={**ENVIRONMENT, **scene.variables},
            placements=(
                Placement(source=tree, target="box/tree"),
                Placement(source=PROBE, target="probe/probe.py", read_only=True),
            ),
            message=ProbeOrder(command, shell, scene.rooted).message(),
            channel=True,
            limits=LIMITS,
        )
    )
    return _observation(done)


def _observation(done: Completed) -> Observation:
    """The canary has shown that the probe works: what is missing now, the command caused."""
    if not done.channel or done.channel_truncated:
        return Observation.nothing(f"nothing was observed of it ({done.ending()})")
    try:
        return Observation.model_validate_json(done.channel)
    except ValidationError:
        return Observation.nothing("what was observed of it can't be read")


def _first_difference(right: Observation, answer: Observation) -> str:
    if right.status != answer.status:
        return f"exit status {right.status} against {answer.status}"
    if right.stdout != answer.stdout:
        return f"output {_displayed(right.head)} against {_displayed(answer.head)}"
    expected = {entry.path: entry for entry in right.entries}
    actual = {entry.path: entry for entry in answer.entries}
    for path in sorted(expected.keys() | actual.keys()):
        if path not in actual:
            return f"{path} is missing"
        if path not in expected:
            return f"{path} is there and should not be"
        pairs = zip(ObservedEntry._fields, expected[path], actual[path], strict=True)
        if differing := next((name for name, a, b in pairs if a != b), None):
            return f"{path} differs in {differing}"
    return "something"


def _displayed(head: str) -> str:
    return repr(head if len(head) <= MAX_DISPLAYED else head[:MAX_DISPLAYED] + "…")
