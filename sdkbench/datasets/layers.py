"""Solutions that share files: a description in TOML, and folders laid one over the other.

The corpus of attacks and the variants of a sample are kept so: what is shared once, and for each
solution only what is its own.

<sample>/variants/variants.toml      what is special about each
<sample>/variants/right-<name>/      passes; built differently from the reference
<sample>/variants/wrong-<name>/      fails, for the mistake that its description names
Variants prove a sample's tests. A variant's folder holds only what differs from the reference.
Judged code and models never see it.
"""

import shutil
import tomllib
from pathlib import Path, PurePosixPath
from typing import NamedTuple, TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from sdkbench.core import Outcome, Solution, Value, tree
from sdkbench.datasets.sample import Sample
from sdkbench.errors import SampleError

T = TypeVar("T")
VARIANTS = "variants.toml"
OUTCOMES = {"right": Outcome.PASSED, "wrong": Outcome.FAILED}


class Layers(NamedTuple):
    """A solution in parts: the base's folders in turn, without `removed`, then its own folder."""

    base: tuple[Path, ...]
    own: Path
    removed: tuple[str, ...] = ()  # files and folders of the base

    def check(self) -> None:
        """SampleError if something is to be removed that no folder of the base has."""
        for name in self.removed:
            path = PurePosixPath(name)
            inside = path.parts and not path.is_absolute() and ".." not in path.parts
            if not (inside and any((folder / path).exists() for folder in self.base)):
                raise SampleError(
                    f"{self.own} is to be without {name!r}, but it starts from nothing of that "
                    "name. Name a file or folder of its base, relative to the top."
                )

    def lay_out(self, into: Path) -> Path:
        """Copy the whole solution into the new folder `into`; modes and links are kept."""
        into.mkdir(parents=True)
        for folder in self.base:
            _copy(folder, into)
        for name in self.removed:
            _remove(into / name, into)
        _copy(self.own, into)
        return into

    def texts(self) -> dict[str, str]:
        """The whole solution's text files by path, without writing it anywhere."""
        files: dict[str, str] = {}
        for folder in self.base:
            files |= Solution(folder).files
        gone = tuple(f"{name.rstrip('/')}/" for name in self.removed)
        kept = {p: t for p, t in files.items() if not f"{p}/".startswith(gone)}
        return kept | Solution(self.own).files


def _copy(folder: Path, into: Path) -> None:
    for source in sorted(folder.rglob("*")):
        target = into / source.relative_to(folder)
        if source.is_dir() and not source.is_symlink():
            target.mkdir(exist_ok=True)
        else:
            target.unlink(missing_ok=True)  # a link there must not be written through
            shutil.copy2(source, target, follow_symlinks=False)


def _remove(path: Path, root: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    # A folder that only held what was removed is no part of the solution.
    parent = path.parent
    while parent != root and not any(parent.iterdir()):
        parent.rmdir()
        parent = parent.parent


def read_description(path: Path, described: TypeAdapter[T]) -> T:
    """The TOML file at `path`; SampleError says where it is wrong."""
    try:
        return described.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SampleError(f"{path} cannot be read: {error}. Correct it and try again.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise SampleError(f"{path} is wrong at {where}: {first['msg']}. Correct it.") from error


def folders_of(root: Path) -> set[str]:
    if not root.is_dir():
        return set()
    return {p.name for p in root.iterdir() if p.is_dir() and p.name not in tree.VENDORED}


def require_same(what: str, described: set[str], root: Path, description: str) -> None:
    """SampleError unless each folder in `root` is described, and each description has a folder."""
    folders = folders_of(root)
    for name in sorted(folders - described):
        raise SampleError(
            f"{root / name} is not described in {description}. Add the {what} {name!r} there, or "
            "remove the folder."
        )
    for name in sorted(described - folders):
        raise SampleError(
            f"{description} describes the {what} {name!r}, but there is no folder {root / name}. "
            "Add it, or take it out of the description."
        )


class Variant(NamedTuple):
    """`caught_by`: the tests that must fail for a wrong one, by the ends of their ids."""

    name: str
    about: str
    sample: Sample
    solution: Layers
    caught_by: tuple[str, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """What a judge must say of it."""
        return OUTCOMES[self.name.partition("-")[0]]


class _Described(Value):
    about: str = Field(min_length=1)
    removed: tuple[str, ...] = ()
    caught_by: tuple[str, ...] = ()


_VARIANTS = TypeAdapter(dict[str, _Described])


def load_variants(sample: Sample) -> list[Variant]:
    """The sample's variants by name, none if it has no such folder; SampleError for broken ones."""
    root = sample.root / "variants"
    if not root.is_dir():
        return []
    described = read_description(root / VARIANTS, _VARIANTS)
    require_same("variant", set(described), root, f"variants/{VARIANTS}")
    return [_variant(sample, root / name, entry) for name, entry in sorted(described.items())]


def _variant(sample: Sample, own: Path, entry: _Described) -> Variant:
    if own.name.partition("-")[0] not in OUTCOMES:
        raise SampleError(
            f"{own} is neither right nor wrong by its name. Call it right-… if it must pass, "
            "wrong-… if it must fail."
        )
    # What is known of the reference is no part of any solution.
    solution = Layers((sample.reference_dir,), own, ("metadata.json", *entry.removed))
    solution.check()
    return Variant(own.name, entry.about, sample, solution, entry.caught_by)
