"""Fixture trees: read from TOML, written to disk once a run, copied afresh for every command.

One more is a copy in which the files that a command is about to write are there already. Only then
do `>` and `>>`, or a careful and a careless overwrite, have different effects.
"""

import contextlib
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from sdkbench.errors import InputError, SandboxFault
from sdkbench.sandbox import Command, Limits, Mount, Sandbox
from sdkbench.shell.reader.tree import Redirect
from sdkbench.shell.syntax import parse, walk

DEFAULT_FIXTURE = "tree"
MIN_TREES = 3
# Lines of a grown file: more than any count that a case's command is likely to name.
GROWN_LINES = 60
SETUP = Limits(wall_seconds=60, cpu_seconds=60)
WRITES = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
OLD_CONTENT = "older content\n"


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _checked(name: str) -> str:
    if not _is_inside(name):
        raise ValueError("a file of a tree has a relative path without ..")
    return name


class Tree(BaseModel):
    """One variant of a fixture: files, then `setup` run by bash among them."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    setup: str = ""
    files: dict[Annotated[str, AfterValidator(_checked)], str] = Field(default_factory=dict)

    def grown(self) -> "Tree":
        """The same, awkward: long texts, so that counts and ranges make a difference; folders that
        are named like files, so that a missing `-type f` does.

        The folders lie one level down, where no plain wildcard meets them.
        """
        suffixes = sorted({PurePosixPath(name).suffix for name in self.files} - {""})
        traps = {f"odd/folder{suffix}/inner": "inner\n" for suffix in suffixes}
        texts = {name: _grown(text) for name, text in self.files.items()}
        return self.model_copy(update={"files": texts | traps})


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    trees: tuple[Tree, ...] = ()


def load_trees(path: Path) -> dict[str, tuple[Tree, ...]]:
    """By fixture: those of the file, and the first of them grown. InputError says what is wrong."""
    try:
        loaded = _File.model_validate(tomllib.loads(path.read_text("utf-8"))).trees
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"The fixtures in {path} cannot be read: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"The fixtures in {path} are wrong at {where}: {first['msg']}.") from error
    counts = Counter(tree.name for tree in loaded)
    few = sorted(name for name, count in counts.items() if count < MIN_TREES)
    if few or not loaded:
        raise InputError(
            f"{path} has fewer than {MIN_TREES} trees for {', '.join(few) or 'any fixture'}; "
            "one tree alone makes different commands look equal."
        )
    by_name = {name: tuple(tree for tree in loaded if tree.name == name) for name in counts}
    return {name: (*trees, trees[0].grown()) for name, trees in by_name.items()}


def build(tree: Tree, folder: Path, sandbox: Sandbox) -> Path:
    """Write `tree` into `folder`; its setup sees nothing else of this machine."""
    folder.mkdir(parents=True)
    for name, text in tree.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    done = sandbox.run(
        Command(
            argv=("bash", "-c", 'cd "$1" && eval "$2"', "bash", str(folder), tree.setup),
            mounts=(Mount(path=folder, writable=True),),
            limits=SETUP,
        )
    )
    if not done.ok:
        raise SandboxFault(
            f"The setup of a fixture {tree.name!r} ended with {done.ending()}: "
            f"{done.stderr.strip()[:300] or 'it printed nothing'}."
        )
    return folder


def output_paths(*commands: str) -> tuple[str, ...]:
    """Relative paths that output is redirected to."""
    paths: list[str] = []
    for command in commands:
        script = parse(command).script
        paths += [
            node.target.constant or ""
            for node in (walk(script) if script else ())
            if isinstance(node, Redirect) and node.operator in WRITES
        ]
    return tuple(dict.fromkeys(name for name in paths if "\0" not in name and _is_inside(name)))


@contextlib.contextmanager
def occupied(tree: Path, names: tuple[str, ...]) -> Iterator[tuple[Path, ...]]:
    """A copy of `tree` with old files of these names; nothing where there are no names."""
    if not names:
        yield ()
        return
    with tempfile.TemporaryDirectory(prefix="sdkbench-occupied-") as folder:
        copy = Path(folder) / "tree"
        shutil.copytree(tree, copy, symlinks=True)
        for name in names:
            path = copy / name
            with contextlib.suppress(OSError):  # a folder in the way stays in the way
                path.parent.mkdir(parents=True, exist_ok=True)
                if not path.is_symlink():
                    path.write_text(OLD_CONTENT)
        yield (copy,)


def _grown(text: str) -> str:
    lines = text.splitlines(keepends=True)
    if not lines or not lines[-1].endswith("\n"):
        return text
    return "".join(
        lines[place] if place < len(lines) else _numbered(lines[place % len(lines)], place)
        for place in range(max(GROWN_LINES, len(lines)))
    )


def _numbered(line: str, place: int) -> str:
    """Every third line stays as it was: equal lines are awkward too."""
    body = line.rstrip("\r\n")
    return line if place % 3 == 0 else f"{body}{place}{line[len(body) :]}"
