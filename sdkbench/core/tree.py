"""Reading and copying a folder that a stranger filled: bounded, and no link leads out of it."""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from sdkbench.errors import InputError

# Made by tools or brought along, never written by the author of a solution: not read, not judged.
VENDORED = frozenset(
    {
        ".git", ".hg", ".svn", ".venv", "venv", ".tox", ".nox", "__pycache__", ".mypy_cache",
        ".pytest_cache", ".ruff_cache", "node_modules", ".next", ".nuxt", ".turbo",
        "site-packages", ".eggs", ".gradle",
    }
)  # fmt: skip
# Names that mean something made by a tool at the top of a project, and anything elsewhere.
BUILT = frozenset({"dist", "build", "target"})
MANIFESTS = ("package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "pom.xml")

QUIET = frozenset({".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})

MAX_FILES = 20_000  # a judged project of more files than this is an accident or an attack
MAX_BYTES = 256 * 1024 * 1024  # fits the scratch space of a sandbox with room to work


def folder(path: Path, *, what: str) -> Path:
    """`path` resolved, once it is known to be a readable folder; else InputError saying why."""
    try:
        resolved = path.expanduser().resolve()
        if not resolved.exists():
            raise InputError(f"{what} not found: {path}. Check the path.")
        if not resolved.is_dir():
            raise InputError(f"{what} is a file, not a folder: {path}. Pass the folder it is in.")
        next(resolved.iterdir(), None)
    except (OSError, ValueError, RuntimeError) as error:
        raise InputError(f"{what} cannot be read: {path} ({_reason(error)}).") from error
    return resolved


def shown(path: Path | str) -> str:
    """A path as text that can be stored and printed: names need not be valid UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def files(root: Path, *, max_files: int = MAX_FILES) -> Iterator[Path]:
    """Every regular file below `root` in sorted order, without vendored folders.

    A link is followed only if it ends inside `root`; folders behind links are left out, so loops
    are impossible. Raises InputError past `max_files`, or where a folder cannot be read.
    """
    count = 0
    home = root.resolve()
    for current, folders, names in os.walk(root, onerror=_raise_unreadable):
        folders[:] = sorted(f for f in folders if not is_vendored(Path(current, f), root))
        for name in sorted(names):
            path = Path(current, name)
            # A file of a reserved name would be in the way of the folder we put there.
            if name in VENDORED or not _stays_inside(path, home):
                continue
            count += 1
            if count > max_files:
                raise InputError(
                    f"{root} holds more than {max_files:,} files. "
                    "Remove what was generated or vendored and try again."
                )
            yield path


def escaping_links(root: Path) -> list[Path]:
    """Links below `root` that point out of it or nowhere: `files` leaves them out."""
    home = root.resolve()
    links = []
    for current, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not is_vendored(Path(current, f), root))
        for name in [*folders, *names]:
            path = Path(current, name)
            if path.is_symlink() and not _resolves_inside(path, home):
                links.append(path.relative_to(root))
    return sorted(links)


def vendored_folders(root: Path) -> list[str]:
    """Names at the top of `root` that are not judged, such as a checked-in node_modules."""
    return sorted(
        p.name
        for p in root.iterdir()
        if p.is_dir() and p.name not in QUIET and is_vendored(p, root)
    )


def is_vendored(path: Path, root: Path) -> bool:
    """Whether a folder below `root` was made by a tool: by its name, or by what is in it."""
    if path.name in VENDORED or (path / "pyvenv.cfg").is_file():
        return True
    if path.name not in BUILT or path.parent != root:
        return False
    beside_manifest = any((root / name).is_file() for name in MANIFESTS)
    return beside_manifest and not (path / "__init__.py").exists()


def _stays_inside(path: Path, home: Path) -> bool:
    if path.is_symlink():
        return _resolves_inside(path, home) and path.is_file()
    return path.is_file()


def _resolves_inside(path: Path, home: Path) -> bool:
    try:
        return path.resolve(strict=True).is_relative_to(home)
    except (OSError, RuntimeError):  # dangling, or a loop of links
        return False


def _raise_unreadable(error: OSError) -> None:
    raise InputError(f"{error.filename} cannot be read ({_reason(error)}).") from error


def _reason(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error)


def snapshot(source: Path, target: Path) -> Path:
    """Copy what `files` yields: no vendored folders, no links out, bounded.

    Raises InputError where a file cannot be read or the folder is too big.
    """
    target.mkdir(parents=True, exist_ok=True)
    total = 0
    for path in files(source):
        total += path.stat().st_size
        if total > MAX_BYTES:
            raise InputError(f"{source} is larger than {MAX_BYTES // 2**20} MiB.")
        destination = target / path.relative_to(source)
        destination.parent.mkdir(parents=True, exist_ok=True)
        try:
            shutil.copyfile(path, destination)  # a link inside becomes the file it points to
            # Executables stay so; a file its owner can't read would stop the sandbox, not the code.
            destination.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777 | 0o600)
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    return target
