"""How a solution that was built into a folder of its own is started there, in any language."""

from collections.abc import Sequence
from pathlib import Path

from sdkbench.core import BlackBox, Project
from sdkbench.sandbox import Mount, Program
from sdkbench.sandbox.command import WORKSPACE

PLACEHOLDER = "{program}"  # in a word of the command: the solution's main program
ENVIRONMENT = {"CI": "true"}


def main_program(folder: Path, name: str) -> str | None:
    """The program of that name, else the first; None where the folder holds none."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    return name if name in names else next(iter(names), None)


def compiled_program(project: Project, box: BlackBox, folder: Path, main: str | None) -> Program:
    """Programs in `folder` are found by their bare names as well."""
    words = filled_in(project, box.command, PLACEHOLDER, str(folder / (main or "none")))
    return Program(
        command=words,
        port=box.port,
        tests_port=box.tests_port,
        placements=(project.solution,),
        mounts=(Mount(path=folder),),
        env=ENVIRONMENT,
        search_path=(folder,),
    )


def filled_in(
    project: Project, command: Sequence[str], placeholder: str, value: str
) -> tuple[str, ...]:
    words = project.filled_in(command, WORKSPACE)
    return tuple(word.replace(placeholder, value) for word in words)
