"""Solutions from any command that works in a folder: an agent, in the sandbox, time-limited."""

import contextlib
import hashlib
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

from sdkbench.backends.blocking import attend, finish
from sdkbench.backends.command import command_words
from sdkbench.backends.redact import quoted, secrets_in, without
from sdkbench.core import Placement, tree
from sdkbench.core.fingerprints import digest
from sdkbench.core.tree import snapshot
from sdkbench.datasets import Sample
from sdkbench.errors import InputError
from sdkbench.generation.files import File, why_refused, write_solution
from sdkbench.generation.generator import AgentSettings, Settings, Source
from sdkbench.generation.prompt import AGENT_TEMPLATE, Prompt, build_prompt
from sdkbench.generation.solution import GeneratedSolution, ModelUsage, Refusal
from sdkbench.sandbox import FOLDER, Cancellation, Collected, OutputFile, Sandbox, collect
from sdkbench.sandbox.command import WORKSPACE

PROMPT_FILE = "{prompt_file}"
PLACE = f"{WORKSPACE}/prompt.md"
AT_ONCE = 64
SYSTEM_ROOTS = ("/usr/", "/bin/", "/sbin/", "/lib")
SEARCH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


class AgentProgram(NamedTuple):
    words: tuple[str, ...]
    visible: tuple[Path, ...]


class AgentGenerator:
    """One sandboxed process tree a sample. What it leaves in its folder is the solution."""

    def __init__(
        self,
        target: str,
        program: AgentProgram,
        settings: Settings,
        environment: Mapping[str, str],
        sandbox: Sandbox,
    ) -> None:
        self._secrets = secrets_in(environment)
        self.at_once: int | None = None
        self.name = quoted(self._secrets, f"agent:{target}")
        self._program = program
        self._settings = settings
        self._handed_on = _handed_on(settings.agent, environment)
        self._sandbox = sandbox
        self._executor = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="agent")

    def source(self, sample: Sample) -> Source:
        """Of the prompt, the limits and the agent's own files: another script is another agent."""
        agent = (self._program.words, self._settings.agent, self._own_files)
        return Source(prompt=digest(repr((self._prompt(sample), *agent))))

    async def generate(self, sample: Sample, into: Path) -> GeneratedSolution:
        prompt = self._prompt(sample)
        began = time.monotonic()
        done = await attend(self._executor, partial(self._run, sample, prompt))
        solution = GeneratedSolution(
            folder=into,
            sample_id=sample.id,
            model=self.name,
            template=prompt.template,
            notes=tuple(self._notes(done)),
            truncated=done.late,
            usage=ModelUsage(seconds=round(time.monotonic() - began, 3)),
            answer=without(self._secrets, done.completed.output),
        )
        return await finish(lambda: take_output(sample.starter_dir, done.files, solution))

    async def close(self) -> None:
        self._executor.shutdown(wait=True, cancel_futures=True)

    @cached_property
    def _own_files(self) -> tuple[str, ...]:
        """Read once for all samples: a program may be large."""
        visible = self._program.visible
        return tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in visible)

    def _prompt(self, sample: Sample) -> Prompt:
        return build_prompt(
            sample,
            template=self._settings.template or AGENT_TEMPLATE,
            docs=self._settings.docs,
            minutes=round(self._settings.agent.seconds / 60, 1),
        )

    def _run(self, sample: Sample, prompt: Prompt, cancellation: Cancellation) -> Collected:
        with tempfile.TemporaryDirectory(prefix="sdkbench-") as scratch:
            folder, text = Path(scratch) / FOLDER, Path(scratch) / "prompt.md"
            folder.mkdir()
            if sample.starter_dir.is_dir():
                snapshot(sample.starter_dir, folder)
            text.write_text(f"{prompt.system}\n\n{prompt.text}", encoding="utf-8")
            return collect(
                self._sandbox._replace(cancellation=cancellation),
                [word.replace(PROMPT_FILE, PLACE) for word in self._program.words],
                placements=(
                    Placement(source=folder, target=FOLDER),
                    Placement(source=text, target="prompt.md", read_only=True),
                ),
                seconds=self._settings.agent.seconds,
                env={**self._handed_on, "SDKBENCH_PROMPT_FILE": PLACE},
                mounts=(*self._program.visible, *self._settings.agent.visible),
                network=self._settings.agent.network,
            )

    def _notes(self, done: Collected) -> list[str]:
        notes = [f"sandbox: {done.completed.level}"]
        if done.late:
            notes.append(f"the agent was ended after {self._settings.agent.seconds:g} s")
        elif done.exit_code:
            notes.append(f"the agent ended with exit code {done.exit_code}")
        return [*notes, done.problem] if done.problem else notes


def open_agent(
    target: str, settings: Settings, environment: Mapping[str, str], sandbox: Sandbox
) -> AgentGenerator:
    """`CMD WORDS`, quoted as in a shell. Raises InputError for a program that isn't there."""
    words = command_words("agent", target)
    if not words:
        raise InputError("The agent generator needs a program: agent:'./my-agent --fast'.")
    for path in settings.agent.visible:
        if not path.is_absolute() or not path.exists():
            raise InputError(
                f"The agent can't see {path}: give the absolute path of something that exists."
            )
    program = _program(words, environment.get("PATH", SEARCH))
    return AgentGenerator(target, program, settings, environment, sandbox)


def _program(words: Sequence[str], search: str) -> AgentProgram:
    """The command with files of the user's by their full names, which must be made visible."""
    program = shutil.which(words[0], path=SEARCH) or shutil.which(words[0], path=search)
    if program is None:
        raise InputError(f"The agent generator finds no program {words[0]!r} to run.")
    named = [Path(program).absolute(), *(Path(word).absolute() for word in words[1:])]
    full = list(words)
    visible = []
    for number, path in enumerate(named):
        if not is_file(path):
            continue
        full[number] = str(path)
        if not str(path).startswith(SYSTEM_ROOTS):
            visible.append(path)
    return AgentProgram(tuple(full), tuple(visible))


def is_file(path: Path) -> bool:
    """A word need not be a path: a script, say, which is longer than any name can be."""
    with contextlib.suppress(OSError):
        return path.is_file()
    return False


def _handed_on(settings: AgentSettings, environment: Mapping[str, str]) -> dict[str, str]:
    missing = [name for name in settings.variables if name not in environment]
    if missing:
        raise InputError(f"The agent needs {missing[0]}, which the environment does not set.")
    return {name: environment[name] for name in settings.variables}


def take_output(
    starter: Path, output: Sequence[OutputFile], solution: GeneratedSolution
) -> GeneratedSolution:
    """Exactly what the agent left, but for links, tests, metadata and vendored folders.

    A file that may not be written is the starter's again, if the starter has it.
    """
    before = _contents(starter)
    files: dict[str, File | None] = {}
    links = []
    for left in output:
        path = tree.shown(left.path)
        if left.data is None:
            links.append(Refusal(path=path, reason="a link or a special file"))
        elif before.get(path) != left.data:
            files[path] = File(left.data, left.executable)
    kept = {tree.shown(left.path) for left in output if left.data is not None}
    # Tests that the starter has are not the agent's to remove either.
    files |= dict.fromkeys(path for path in before if path not in kept and not why_refused(path))
    changes = dict(sorted(files.items(), key=_removals_first))
    return write_solution(starter, changes, solution.model_copy(update={"refusals": tuple(links)}))


def _removals_first(item: tuple[str, File | None]) -> tuple[bool, str]:
    """A folder may have taken the place of a file."""
    return item[1] is not None, item[0]


def _contents(starter: Path) -> dict[str, bytes]:
    if not starter.is_dir():
        return {}
    return {
        tree.shown(path.relative_to(starter)): path.read_bytes() for path in tree.files(starter)
    }
