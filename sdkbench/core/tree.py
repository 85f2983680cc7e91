"""Reading and copying a folder that a stranger filled: bounded, and no link leads out of it."""

import contextlib
import itertools
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from sdkbench.core.checkout import holds_sources
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
# Beside a copy of ours: what is in it was looked at when there was still a history to ask.
COPIED = ".sdkbench-copied"
MANIFESTS = ("package.json", "pyproject.toml", "setup.py", "setup.cfg", "Cargo.toml", "pom.xml")

QUIET = frozenset({".git", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache"})

MAX_FILES = 20_000  # a judged project of more files than this is an accident or an attack
MAX_BYTES = 256 * 1024 * 1024  # fits the scratch space of a sandbox with room to work
# Below the limits of the system, whatever stands before it where the project is laid out.
MAX_PATH_BYTES = 1024
MAX_DEPTH = 100
# Of the patterns by which a manifest names the packages of its workspace.
MAX_PATTERNS = 100
MAX_PATTERN = 200  # characters
MAX_MATCHES = 1000


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


def below(root: Path, path: Path, *, what: str) -> str:
    """`path` as it is called below `root`; it may be absolute, relative to `root` or to where we
    are. InputError where there is no such thing, or it is not inside.
    """
    try:
        places = [place for place in (root / path, path.absolute()) if place.exists()]
    except (OSError, ValueError) as error:
        raise InputError(f"{what} cannot be read: {path} ({_reason(error)}).") from error
    inside = [place.resolve() for place in places if is_below(place, root)]
    if inside:
        return inside[0].relative_to(root.resolve()).as_posix()
    if places:
        raise InputError(f"{what} must be inside of {root}; {path} is not.")
    raise InputError(f"{what} not found: {path} is not in {root}. Check the path.")


def shown(path: Path | str) -> str:
    """A path as text that can be stored and printed: names need not be valid UTF-8."""
    return os.fsencode(path).decode("utf-8", "replace")


def is_file(path: Path) -> bool:
    """False also for a name that no file can have, where `Path.is_file` raises: a stranger's
    manifest may name anything.
    """
    return os.path.isfile(path)  # noqa: PTH113


def is_folder(path: Path) -> bool:
    """The same for folders."""
    return os.path.isdir(path)  # noqa: PTH112


def is_below(path: Path, root: Path) -> bool:
    """Whether `path`, links followed, is `root` or in it; False for what is no path at all."""
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, ValueError, RuntimeError):
        return False


def files(root: Path, *, max_files: int = MAX_FILES) -> Iterator[Path]:
    """Every regular file below `root` in sorted order, without vendored folders.

    A link is followed only if it ends inside `root`; folders behind links are left out, so loops
    are impossible. Raises InputError past `max_files`, where a folder cannot be read, and where
    names are longer or nested deeper than what comes after can work with.
    """
    count = 0
    home = root.resolve()
    for current, folders, names in os.walk(root, onerror=_raise_unreadable):
        _refuse_far(Path(current), names, root)
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


def _refuse_far(folder: Path, names: list[str], root: Path) -> None:
    inner = os.path.relpath(folder, root)
    longest = max((len(os.fsencode(name)) for name in names), default=0)
    far = len(os.fsencode(inner)) + longest > MAX_PATH_BYTES
    if far or inner.count(os.sep) >= MAX_DEPTH:
        raise InputError(
            f"{root} holds a path of more than {MAX_PATH_BYTES} bytes or {MAX_DEPTH} folders: "
            f"{shown(inner)[:80]}… Rename or remove it."
        )


def matching(root: Path, patterns: Sequence[str]) -> Iterator[tuple[str, list[Path] | None]]:
    """Each pattern with the folders of `root` that it names, none of them outside; None instead
    where a pattern, or their number, is none that a workspace of packages needs.
    """
    for number, pattern in enumerate(patterns):
        parts = Path(pattern).parts
        usual = number < MAX_PATTERNS and len(pattern) <= MAX_PATTERN and parts.count("**") <= 1
        matches = None
        if usual and ".." not in parts:
            with contextlib.suppress(OSError, ValueError, NotImplementedError, IndexError):
                paths = itertools.islice(root.glob(pattern), MAX_MATCHES)
                matches = sorted(p for p in paths if is_folder(p) and is_below(p, root))
        yield pattern, matches


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
    if (root.parent / COPIED).exists():
        return False
    beside_manifest = any((root / name).is_file() for name in MANIFESTS)
    if not beside_manifest or (path / "__init__.py").exists():
        return False
    return not holds_sources(root, path.name)


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


def snapshot(source: Path, target: Path, *, keep_links: bool = False) -> Path:
    """Copy what `files` yields: no vendored folders, no links out, bounded.

    With `keep_links` a link inside stays one, also to a folder; otherwise it becomes the file that
    it points to. Raises InputError where a file cannot be read or the folder is too big.
    """
    target.mkdir(parents=True, exist_ok=True)
    if keep_links:  # a project in a folder of our own: what is in the copy was chosen already
        (target.parent / COPIED).touch()
    total = 0
    linked = _inner_links(source) if keep_links else {}
    for path in files(source):
        if path in linked:
            continue
        total += path.stat().st_size
        if total > MAX_BYTES:
            raise InputError(f"{source} is larger than {MAX_BYTES // 2**20} MiB.")
        destination = target / path.relative_to(source)
        try:
            destination.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, destination)  # a link inside becomes the file it points to
            # Executables stay so; a file its owner can't read would stop the sandbox, not the code.
            destination.chmod(stat.S_IMODE(path.stat().st_mode) & 0o777 | 0o600)
        except OSError as error:
            raise InputError(f"{path} cannot be read ({error.strerror}).") from error
    for path, leads_to in linked.items():
        link = target / path.relative_to(source)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(leads_to)
    return target


def _inner_links(root: Path) -> dict[Path, str]:
    """Links below `root` → where they lead in a copy of it, from the folder that they are in. None
    leads out of it, and none to a folder that it is in itself.
    """
    home = root.resolve()
    links = {}
    for current, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if not is_vendored(Path(current, f), root))
        inner = os.path.relpath(current, root)
        for path in (Path(current, name) for name in [*folders, *names]):
            if not path.is_symlink() or path.name in VENDORED or not _resolves_inside(path, home):
                continue
            end = path.resolve()
            if Path(home, inner).is_relative_to(end):
                continue
            text = path.readlink()
            # A way that leads out and back in by the folder's name would be another in a copy.
            way = os.path.normpath(Path(inner, text))
            stays = not text.is_absolute() and Path(way).parts[:1] != (os.pardir,)
            links[path] = os.fspath(text) if stays else os.path.relpath(end, Path(home, inner))
    return links
