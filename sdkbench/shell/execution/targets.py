"""A tree in which the files that a command is about to write are there already.

Only then do `>` and `>>`, or a careful and a careless overwrite, come to different ends.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from sdkbench.shell.syntax import Redirect, parse, walk

WRITING = frozenset({">", ">>", ">|", "&>", "&>>", "<>"})
OLD_CONTENT = "older content\n"


def targets(*commands: str) -> tuple[str, ...]:
    """Relative paths that output is redirected to."""
    found: list[str] = []
    for command in commands:
        script = parse(command).script
        found += [
            node.target.constant or ""
            for node in (walk(script) if script else ())
            if isinstance(node, Redirect) and node.operator in WRITING
        ]
    return tuple(dict.fromkeys(name for name in found if _harmless(name)))


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


def _harmless(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and "\0" not in name and not path.is_absolute() and ".." not in path.parts
