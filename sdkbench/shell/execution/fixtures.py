"""Fixture trees: read from TOML, written to disk once a run, copied afresh for every command.

A tree is made of files and a few lines of setup, or by a dataset's own script, which lays out the
file system from its root. One more is a copy in which the files that a command is about to write
are there already. Only then do `>` and `>>`, or a careful and a careless overwrite, have different
effects.
"""

import contextlib
import shutil
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Annotated, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

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
# Runs a script as the file /name and copies whatever is new in `/` afterwards.
FROM_THE_ROOT = r"""
cd / && shopt -s dotglob nullglob
declare -A known
for entry in /*; do known[$entry]=1; done
printf '%s' "$2" > "/$3" && chmod 755 "/$3" || exit
"/$3" || { status=$?; [ "$status" = 126 ] || exit "$status"; bash "/$3" || exit; }
for entry in /*; do
  [ -n "${known[$entry]}" ] || cp -a -- "$entry" "$1/" || exit
done
"""


def _is_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _checked(name: str) -> str:
    if not _is_inside(name):
        raise ValueError("a file of a tree has a relative path without ..")
    return name


class Tree(BaseModel):
    """One variant of a fixture: files, then `setup` run by bash among them; or a script.

    The script lies beside the fixtures. It runs in `/`, where it is itself a file, and what it
    leaves there is the tree: commands see it by absolute paths. `variables` are in their
    environment.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    setup: str = ""
    files: dict[Annotated[str, AfterValidator(_checked)], str] = Field(default_factory=dict)
    script: Annotated[str, AfterValidator(_checked)] | None = None
    variables: dict[str, str] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.script is not None and (self.files or self.setup):
            raise ValueError("a tree is made by a script, or of files and setup, not by both")
        return self

    def grown(self) -> "Tree":
        """The same, awkward: long texts, so that counts and ranges make a difference; folders that
        are named like files, so that a missing `-type f` does.

        The folders lie one level down, where no plain wildcard meets them.
        """
        suffixes = sorted({PurePosixPath(name).suffix for name in self.files} - {""})
        traps = {f"odd/folder{suffix}/inner": "inner\n" for suffix in suffixes}
        texts = {name: grown_text(text) for name, text in self.files.items()}
        return self.model_copy(update={"files": texts | traps})


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    trees: tuple[Tree, ...] = ()


def load_trees(path: Path) -> dict[str, tuple[Tree, ...]]:
    """By fixture: those of the file, and the first of them grown. InputError says what is wrong.

    A tree that a script makes comes with its text as `setup`; what varies it is done once it is
    built.
    """
    try:
        loaded = _File.model_validate(tomllib.loads(path.read_text("utf-8"))).trees
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"The fixtures in {path} cannot be read: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(f"The fixtures in {path} are wrong at {where}: {first['msg']}.") from error
    loaded = tuple(_with_text(tree, path.parent) for tree in loaded)
    counts = Counter(tree.name for tree in loaded)
    scripted = {tree.name for tree in loaded if tree.script is not None}
    mixed = sorted(tree.name for tree in loaded if tree.script is None and tree.name in scripted)
    if mixed:
        raise InputError(f"In {path} some trees of {mixed[0]!r} are made by a script, some not.")
    few = sorted(n for n, count in counts.items() if count < MIN_TREES and n not in scripted)
    if few or not loaded:
        raise InputError(
            f"{path} has fewer than {MIN_TREES} trees for {', '.join(few) or 'any fixture'}; "
            "one tree alone makes different commands look equal."
        )
    by_name = {name: tuple(tree for tree in loaded if tree.name == name) for name in counts}
    return {
        name: trees if name in scripted else (*trees, trees[0].grown())
        for name, trees in by_name.items()
    }


def _with_text(tree: Tree, folder: Path) -> Tree:
    if tree.script is None:
        return tree
    path = folder / tree.script
    try:
        return tree.model_copy(update={"setup": path.read_text("utf-8")})
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The script of fixture {tree.name!r} can't be read: {error}.") from error


def build(tree: Tree, folder: Path, sandbox: Sandbox) -> Path:
    """Write `tree` into `folder`; its setup sees nothing else of this machine."""
    folder.mkdir(parents=True)
    words: tuple[str, ...] = ("bash", "-c", 'cd "$1" && eval "$2"', "bash", str(folder), tree.setup)
    if tree.script is not None:
        name = PurePosixPath(tree.script).name
        words = ("bash", "-c", FROM_THE_ROOT, "bash", str(folder), tree.setup, name)
    for name, text in tree.files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    done = sandbox.run(
        Command(
            argv=words,
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


def output_paths(*commands: str, rooted: bool = False) -> tuple[str, ...]:
    """Relative paths that output is redirected to; those below `/` too, where the tree is that."""
    paths: list[str] = []
    for command in commands:
        script = parse(command).script
        paths += [
            node.target.constant or ""
            for node in (walk(script) if script else ())
            if isinstance(node, Redirect) and node.operator in WRITES
        ]
    if rooted:
        paths = [name.lstrip("/") for name in paths]
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


def grown_text(text: str) -> str:
    """Long enough that counts and ranges make a difference; text without a line end stays."""
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
