"""Small samples and a shell dataset, and `sdkbench run` over them as a process of its own."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sdkbench.errors import StoreError
from sdkbench.sandbox import probe
from sdkbench.store import Attempt, Run, open_store
from tests.support.places import CACHE
from tests.support.program import run_program
from tests.support.projects import write

SDK = "demo"
STARTER = "def answer(x):\n    raise NotImplementedError\n"
TESTS = (
    "from expected import app\n"
    "def test_small(): assert app.answer(1) == 1 + {number}\n"
    "def test_large(): assert app.answer(100) == 100 + {number}\n"
)
# The prompt of a case → the command that is right.
COMMANDS = {
    "List all files in long format, including hidden ones.": "ls -la",
    "Print the current working directory.": "pwd",
    "Count the lines of notes.txt.": "wc -l notes.txt",
    "Make the directory build.": "mkdir build",
}
SECONDS = 120.0  # longer than any of these may take, even on a machine that is busy
# What is another each time: moments, durations, and what is told of them.
PASSING = {"ended_at", "duration_seconds", "result", "reused_from"}


def sample_id(number: int) -> str:
    return f"demo_task_{number:03}"


def solution(number: int) -> str:
    return f"def answer(x):\n    return x + {number}\n"


def description(number: int) -> str:
    return f"Write answer(x), which adds {number} to x."


def write_samples(root: Path, count: int, sdk: str = SDK) -> Path:
    """Samples in pure Python; the folder of all SDKs."""
    for number in range(count):
        metadata = {
            "sample_id": sample_id(number), "sdk": sdk, "task_type": 1 + number % 2,
            "task_name": "adding", "framework": "python", "difficulty": "easy",
            "description": description(number),
        }  # fmt: skip
        write(
            root / sdk / sample_id(number),
            {
                "input/app.py": STARTER,
                "expected/app.py": solution(number),
                "expected/metadata.json": json.dumps(metadata),
                "tests/test_app.py": TESTS.format(number=number),
            },
        )
    return root


def write_dataset(path: Path, name: str = "tiny") -> Path:
    lines = [f'version = "1"\nname = "{name}"\n']
    for number, (prompt, command) in enumerate(COMMANDS.items()):
        lines.append(
            f'[[test_cases]]\nid = "case-{number}"\nprompt = "{prompt}"\n'
            f'expected_command = "{command}"\ncategory = "correctness"\n'
            "safe = true\nposix_compliant = true\n"
        )
    path.write_text("\n".join(lines))
    return path


class Done(NamedTuple):
    code: int
    out: str
    err: str


class Place(NamedTuple):
    """A working folder with samples/, tiny.toml and a store of its own."""

    root: Path
    url: str = ""  # of another store

    @property
    def store(self) -> str:
        return self.url or str(self.root / "store.db")

    @property
    def scratch(self) -> Path:
        return self.root / "tmp"

    def sample(self, number: int) -> Path:
        return self.root / "samples" / SDK / sample_id(number)

    def environment(self, **more: str) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY") and k != "CI"}
        own = {"SDKBENCH_STORE": self.store, "SDKBENCH_CACHE": str(CACHE)}
        return kept | own | {"TMPDIR": str(self.scratch)} | more

    def words(self, *words: object) -> list[str]:
        return [sys.executable, "-m", "sdkbench", *map(str, words)]

    def program(self, *words: object, wrapping: Sequence[str] = (), **environment: str) -> Done:
        """`wrapping` are the words of a program that starts ours."""
        variables = self.environment(**environment)
        if wrapping:
            done = subprocess.run(
                [*wrapping, *self.words(*words)], cwd=self.root, env=variables, text=True,
                stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=SECONDS,
            )  # fmt: skip
        else:
            done = run_program(*words, cwd=self.root, environment=variables, seconds=SECONDS)
        return Done(done.returncode, done.stdout, done.stderr)

    @contextlib.contextmanager
    def started(self, *words: object, **environment: str) -> "Iterator[subprocess.Popen[str]]":
        """Under way in a session of its own, of which nothing is left afterwards."""
        with subprocess.Popen(
            self.words(*words), cwd=self.root, env=self.environment(**environment),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True,
        ) as process:  # fmt: skip
            try:
                yield process
            finally:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)

    def wait_for(self, count: int, process: "subprocess.Popen[str]") -> None:
        """Until the newest run has so many verdicts."""
        deadline = time.monotonic() + SECONDS
        while self._finished() < count:
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < deadline, "too few attempts were stored"
            time.sleep(0.02)

    def _finished(self) -> int:
        with contextlib.suppress(StoreError):  # not there yet, or still empty
            return sum(each.finished for each in self.attempts())
        return 0

    def run(self, *words: object, **environment: str) -> Done:
        """`sdkbench run` over the samples, checked only and without drawing a report."""
        options = ("--sdk", SDK, "--integrity", "checked", "--no-report")
        return self.program("run", *options, *words, **environment)

    def both(self, *words: object, **environment: str) -> Done:
        """With the shell dataset."""
        return self.run("--dataset", "tiny.toml", *words, **environment)

    def runs(self) -> list[Run]:
        """The newest first."""
        with open_store(self.store, write=False) as store:
            return store.runs()

    def attempts(self, run_id: str = "latest") -> list[Attempt]:
        with open_store(self.store, write=False) as store:
            return list(store.attempts(store.find_run(run_id).id))

    def outcomes(self, run_id: str = "latest") -> list[tuple[str, str, int, str]]:
        return sorted((a.sample, a.model, a.trial, a.outcome) for a in self.attempts(run_id))


def make_place(root: Path, count: int) -> Place:
    (root / "tmp").mkdir(parents=True)
    write_samples(root / "samples", count)
    write_dataset(root / "tiny.toml")
    return Place(root)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Two samples and four shell cases."""
    found = probe()
    if not found.works:
        pytest.skip(f"bubblewrap does not work here: {found.reason}")
    return make_place(tmp_path / "place", 2)


def sandboxes_of(place: Place) -> list[int]:
    """Processes that were started with a path of its temporary folder, or see one mounted."""
    wanted, found = str(place.scratch).encode(), []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it ended meanwhile
            told = (process / "cmdline").read_bytes() + (process / "mountinfo").read_bytes()
            if wanted in told:
                found.append(int(process.name))
    return found


def records(url: str) -> list[object]:
    """Everything of the newest run's attempts but what is another each time."""
    with open_store(url, write=False) as store:
        run = store.find_run("latest")
        found: list[object] = [(run.label, run.state, run.planned, run.harness, run.settings)]
        for attempt in sorted(store.attempts(run.id), key=lambda each: each.key):
            kinds = sorted({kind for kind, _, _ in store.artefact_names(run.id, attempt.key)})
            names = store.artefact_names(run.id, attempt.key)
            # An output tells how long it took.
            digests = [store.digests(run.id, attempt.key, k) for k in kinds if k != "output"]
            # Messages of pytest's name objects by where they were in memory.
            kept = re.sub("0x[0-9a-f]+", "0x", attempt.model_dump_json(exclude=PASSING))
            found.append((kept, sorted(attempt.result), [n[:2] for n in names], digests))
    return found
