"""Programs of this machine that runners use: where they are, and what of them a sandbox sees."""

import shutil
from pathlib import Path

from sdkbench.errors import MissingTool
from sdkbench.sandbox import Mount


def find_program(name: str, purpose: str, advice: str) -> str:
    """The path of a program on PATH; MissingTool says who needs it and how to get it.

    `purpose` is a noun in the plural: "Go projects".
    """
    path = shutil.which(name)
    if path is None:
        raise MissingTool(f"{name} was not found, and {purpose} need it. {advice}")
    return path


def tool_mounts(*names: str) -> tuple[Mount, ...]:
    """What must be visible for these programs to run, where they live outside the system.

    A program is often a link into a folder of its own (nvm, volta, /opt): that folder's parent,
    which holds bin/ and lib/, is what it needs.
    """
    folders = set()
    for name in names:
        program = shutil.which(name)
        for path in (Path(program), Path(program).resolve()) if program else ():
            home = path.parent.parent if path.parent.name == "bin" else path.parent
            if not home.is_relative_to("/usr") and home != Path("/"):
                folders.add(home)
    return tuple(Mount(path=folder) for folder in sorted(folders))


def search_path(*names: str) -> tuple[Path, ...]:
    """Folders that PATH must hold in a sandbox with these programs' `tool_mounts`."""
    return tuple(mount.path / "bin" for mount in tool_mounts(*names))
