"""ShellCheck and shfmt run by the sandbox: a fresh folder, bounded time, bounded output."""

import functools
import os
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from sdkbench.core import Placement
from sdkbench.errors import MissingTool
from sdkbench.sandbox import Command, Limits, Mount, Sandbox, choose
from sdkbench.sandbox.command import GIB, MIB
from sdkbench.shell.posix.tools import Run, ToolOutput

# A batch of two hundred takes half a second on an idle core. Smaller batches have less time, so
# that halving one around a command that hangs the tool ends soon.
BASE_SECONDS = 5.0
SECONDS_PER_FILE = 0.1
FOLDER = "commands"


class SandboxedTools:
    """A `Run`. The tools only read text, so any level will do; the strongest is taken."""

    def __init__(self, sandbox: Sandbox | None = None) -> None:
        self._sandbox = sandbox

    def __call__(self, argv: Sequence[str], files: Mapping[str, bytes]) -> ToolOutput:
        program = find_tool(argv[0])
        if self._sandbox is None:
            self._sandbox = choose()
        with tempfile.TemporaryDirectory(prefix="sdkbench-commands-") as name:
            folder = Path(name)
            for file, content in files.items():
                (folder / file).write_bytes(content)
            done = self._sandbox.run(
                Command(
                    argv=(str(program), *argv[1:]),
                    cwd=FOLDER,
                    placements=(Placement(source=folder, target=FOLDER, read_only=True),),
                    mounts=(Mount(path=program),),
                    limits=_limits(len(files)),
                )
            )
        whole = done.stopped_by is None and done.signal is None and not done.truncated
        return ToolOutput(done.exit_code, done.stdout, done.stderr, complete=whole)


@functools.cache
def find_tool(name: str) -> Path:
    """The program that came with our dependencies, else the one on PATH."""
    beside = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    found = shutil.which(name, path=beside)
    if found is None:
        raise MissingTool(
            f"{name} is not installed, and POSIX can't be judged without it. "
            f"Install it with: pip install {name}-py"
        )
    return Path(found).resolve()


@functools.cache
def default_tools() -> Run:
    return SandboxedTools()


def _limits(files: int) -> Limits:
    seconds = BASE_SECONDS + SECONDS_PER_FILE * files
    return Limits(
        wall_seconds=seconds,
        cpu_seconds=int(4 * seconds),
        memory_bytes=2 * GIB,
        processes=256,
        output_bytes=32 * MIB,
        output_stop_bytes=64 * MIB,
    )
