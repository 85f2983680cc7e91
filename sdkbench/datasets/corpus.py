"""The attack corpus on disk: small solutions that try to forge a verdict, and honest ones.

corpus.toml                    what each entry tries, and which of the shared files it starts from
<framework>/sample/task/       the sample that they all answer; or corpus.toml names a bundled one
<framework>/base/<name>/       files that several entries share
<framework>/attacks/<name>/    a solution that is wrong, and tries to pass all the same
<framework>/wrong/<name>/      a solution that is just wrong
<framework>/honest/<name>/     a solution that is right, however oddly
An entry's folder holds only what differs from its base.
"""

from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, TypeAdapter

from sdkbench.core import Value, tree
from sdkbench.datasets.layers import Layers, read_description, require_same
from sdkbench.datasets.sample import Sample, bundled, bundled_samples, load_sample
from sdkbench.errors import InputError, SampleError

DESCRIPTION = "corpus.toml"


class Kind(StrEnum):
    ATTACK = "attack"
    WRONG = "wrong"
    HONEST = "honest"


FOLDERS = {"attacks": Kind.ATTACK, "wrong": Kind.WRONG, "honest": Kind.HONEST}


class CorpusEntry(NamedTuple):
    framework: str
    kind: Kind
    name: str
    about: str
    sample: Sample
    solution: Layers

    @property
    def folder(self) -> Path:
        """Where its own files are."""
        return self.solution.own


class _Entry(Value):
    about: str = Field(min_length=1)
    base: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()


class _Framework(Value):
    sample: str | None = None
    base: dict[str, str] = Field(default_factory=dict)
    attacks: dict[str, _Entry] = Field(default_factory=dict)
    wrong: dict[str, _Entry] = Field(default_factory=dict)
    honest: dict[str, _Entry] = Field(default_factory=dict)


_CORPUS = TypeAdapter(dict[str, _Framework])


def bundled_corpus() -> Path:
    """What `sdkbench selftest` judges."""
    return bundled("bundled_corpus", "corpus")


def load_corpus(root: Path, frameworks: tuple[str, ...] = ()) -> list[CorpusEntry]:
    """Every entry, or those of `frameworks`.

    InputError names what is not there; SampleError says where corpus.toml and the folders differ.
    """
    folder = tree.folder(root, what="The attack corpus")
    path = folder / DESCRIPTION
    if not path.is_file():
        raise InputError(
            f"{root} is no attack corpus: it has no {DESCRIPTION}. Pass the folder that has it; "
            "docs/integrity.md tells how one is written."
        )
    described = read_description(path, _CORPUS)
    require_same("framework", set(described), folder, DESCRIPTION)
    for name in frameworks:
        if name not in described:
            known = ", ".join(sorted(described))
            raise InputError(f"No attacks on {name!r} in {root}. There are: {known}.")
    return [
        entry
        for name in frameworks or sorted(described)
        for entry in _entries(folder / name, described[name])
    ]


def _entries(root: Path, described: _Framework) -> list[CorpusEntry]:
    require_same("base", set(described.base), root / "base", DESCRIPTION)
    sample = _sample(root, described)
    solutions = []
    for folder, kind in FOLDERS.items():
        entries: dict[str, _Entry] = getattr(described, folder)
        require_same("entry", set(entries), root / folder, DESCRIPTION)
        for name, entry in sorted(entries.items()):
            solution = _solution(root / folder / name, entry, described)
            solutions.append(CorpusEntry(root.name, kind, name, entry.about, sample, solution))
    return solutions


def _solution(path: Path, entry: _Entry, described: _Framework) -> Layers:
    for name in entry.base:
        if name not in described.base:
            known = ", ".join(sorted(described.base)) or "none"
            raise SampleError(
                f"{path} starts from the base {name!r}, which {DESCRIPTION} does not describe. "
                f"There are: {known}. Correct its `base`, or add the base."
            )
    bases = path.parent.parent / "base"
    solution = Layers(tuple(bases / name for name in entry.base), path, entry.removed)
    solution.check()
    return solution


def _sample(root: Path, described: _Framework) -> Sample:
    own = root / "sample" / "task"
    return load_sample(bundled_samples() / described.sample if described.sample else own)
