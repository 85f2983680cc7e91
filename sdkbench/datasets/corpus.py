"""The attack corpus on disk: small solutions that try to forge a verdict, and honest ones.

<framework>/sample/task/       the sample that they all answer, or a file SAMPLE that names a
                               bundled one
<framework>/attacks/<name>/    a solution that is wrong, and tries to pass all the same
<framework>/wrong/<name>/      a solution that is just wrong
<framework>/honest/<name>/     a solution that is right, however oddly
Each solution's file ABOUT says in its first line what it tries; it is no part of the solution.
"""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.datasets.location import bundled_samples
from sdkbench.datasets.sample import Sample, load_sample
from sdkbench.errors import InputError, SampleError

ABOUT = "ABOUT"


class Kind(StrEnum):
    ATTACK = "attack"
    WRONG = "wrong"
    HONEST = "honest"


FOLDERS = {"attacks": Kind.ATTACK, "wrong": Kind.WRONG, "honest": Kind.HONEST}


class Entry(NamedTuple):
    framework: str
    kind: Kind
    name: str
    about: str
    folder: Path
    sample: Sample


def load_corpus(root: Path, frameworks: tuple[str, ...] = ()) -> list[Entry]:
    """Every entry, or those of `frameworks`. InputError names what is not there."""
    folder = tree.folder(root, what="The attack corpus")
    known = [path.name for path in sorted(folder.iterdir()) if (path / "attacks").is_dir()]
    if not known:
        raise InputError(f"{root} is no attack corpus: none of its folders has attacks/.")
    for name in frameworks:
        if name not in known:
            raise InputError(f"No attacks on {name!r} in {root}. There are: {', '.join(known)}.")
    return [entry for name in frameworks or known for entry in _entries(folder / name)]


def _entries(root: Path) -> list[Entry]:
    sample = _sample(root)
    return [
        Entry(root.name, kind, path.name, _about(path), path, sample)
        for folder, kind in FOLDERS.items()
        if (root / folder).is_dir()
        for path in sorted((root / folder).iterdir())
        if path.is_dir()
    ]


def _sample(root: Path) -> Sample:
    named = root / "SAMPLE"
    if named.is_file():
        return load_sample(bundled_samples() / named.read_text(encoding="utf-8").strip())
    return load_sample(root / "sample" / "task")


def _about(path: Path) -> str:
    try:
        text = (path / ABOUT).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SampleError(f"{path} has no readable file {ABOUT}: {error}.") from error
    if not text:
        raise SampleError(f"{path / ABOUT} is empty: its first line says what the folder tries.")
    return text.splitlines()[0]
