"""Where both processes are: folder, variables, command line, and a folder that they share."""

import contextlib
import os
import sys
import tempfile
from typing import NamedTuple

# Never told to the solution: they name the test that is running.
PRIVATE_VARIABLES = ("PYTEST_", "COV_")


class Surroundings(NamedTuple):
    folder: str
    variables: dict[str, str]

    @classmethod
    def now(cls) -> "Surroundings":
        folder = ""
        with contextlib.suppress(FileNotFoundError):
            folder = os.getcwd()
        named = os.environ.items()
        return cls(folder, {k: v for k, v in named if not k.startswith(PRIVATE_VARIABLES)})


def move_to(folder: str | None, variables: list[list[list[str]]], words: list[str] | None) -> None:
    """Be where the tests are. `variables`: the names that are gone, and pairs that are new."""
    if folder is not None:
        with contextlib.suppress(OSError):  # a folder of the tests' own
            os.chdir(folder)
    gone, new = variables
    for name in gone:
        os.environ.pop(str(name), None)
    os.environ.update(dict(new))
    if words is not None:
        sys.argv[:] = words


def forget_private_variables() -> None:
    for name in [name for name in os.environ if name.startswith(PRIVATE_VARIABLES)]:
        del os.environ[name]


class _NothingHere:
    """Finds no module: for folders that the solution writes to."""

    def find_spec(self, name: str, target: object = None) -> None:
        del name, target

    def invalidate_caches(self) -> None:
        pass


def import_nothing_from(folder: str) -> None:
    """Whatever tests put on the search path: a module in this folder was planted there."""

    def hook(path: str) -> _NothingHere:
        if not f"{os.path.realpath(path or os.curdir)}/".startswith(f"{folder}/"):
            raise ImportError(path)
        return _NothingHere()

    sys.path_hooks.insert(0, hook)
    sys.path_importer_cache.clear()


def use_scratch(folder: str) -> None:
    """Temporary files go where both sides see them."""
    os.environ["TMPDIR"] = folder
    tempfile.tempdir = None
