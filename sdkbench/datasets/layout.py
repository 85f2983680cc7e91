"""lay_out: a solution and a sample's trusted files, as the tests expect to see each other.

lay_out_apart: the same in two halves, for tests that only call the solution from outside.

expected/   whatever solution is judged, a private copy
tests/      the sample's, read-only
…           files shared by the SDK's samples (conftest.py, support/), read-only
"""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import Placement, Project
from sdkbench.core.tree import snapshot
from sdkbench.datasets.sample import Sample

# What a solution may see of the files beside the tests: which packages the sample declares.
SHARED_MANIFESTS = frozenset({"package.json", "requirements.txt"})


def lay_out(sample: Sample, solution_dir: Path, into: Path) -> Project:
    """A project for judging `solution_dir` on the sample's tests; the copy goes into `into`."""
    copy = snapshot(solution_dir, into / "expected")
    # Not the solution's to bring, and not its to read.
    metadata = copy / "metadata.json"
    shutil.rmtree(metadata) if metadata.is_dir() else metadata.unlink(missing_ok=True)
    shared = tuple(
        Placement(source=path, target=path.name, read_only=True)
        for path in sample.shared
        if path.name not in {"expected", "tests"}
    )
    tests = Placement(source=sample.tests_dir, target="tests", read_only=True)
    fallbacks = tuple(d for d in (sample.starter_dir, sample.reference_dir) if d.is_dir())
    return Project(
        solution=Placement(source=copy, target="expected"),
        trusted=(tests, *shared),
        tests=("tests",),
        manifest_fallbacks=fallbacks,
        permissions=sample.ground_truth.metadata.sandbox,
    )


def with_tests(project: Project, texts: Mapping[str, str], into: Path) -> Project:
    """The same project with other texts in some of its trusted files; copies go into `into`.

    `texts` are by path below the workspace.
    """
    trusted = []
    for placement in project.trusted:
        inner = {
            path.removeprefix(placement.target).lstrip("/"): text
            for path, text in texts.items()
            if path == placement.target or path.startswith(f"{placement.target}/")
        }
        copy = into / placement.target
        trusted.append(placement.model_copy(update={"source": copy}))
        if placement.source.is_dir():
            shutil.copytree(placement.source, copy, symlinks=True)
        else:
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(placement.source, copy)
        for path, text in inner.items():
            (copy / path if path else copy).write_bytes(text.encode())
        _forget_times(copy)
    return project.model_copy(update={"trusted": tuple(trusted)})


def _forget_times(root: Path) -> None:
    """A file's age must not tell whether it was just written."""
    for path in [root, *root.rglob("*")]:
        os.utime(path, (0, 0), follow_symlinks=False)


class Apart(NamedTuple):
    solution: Project  # without the tests
    tests: Project  # with an empty folder in the solution's place


def lay_out_apart(sample: Sample, solution_dir: Path, into: Path) -> Apart:
    """Both halves of a black-box sample; copies and empty folders go into `into`."""
    whole = lay_out(sample, solution_dir, into)
    for name in ("no-solution", "no-tests"):
        (into / name).mkdir()
    nothing = Placement(source=into / "no-solution", target="expected")
    no_tests = Placement(source=into / "no-tests", target="tests", read_only=True)
    manifests = [p for p in whole.trusted if p.target in SHARED_MANIFESTS]
    return Apart(
        solution=whole.model_copy(update={"trusted": (no_tests, *manifests)}),
        tests=whole.model_copy(update={"solution": nothing}),
    )


def lay_out_folder(folder: Path, into: Path, test_dir: str | None = None) -> Project:
    """A project judged on its own tests."""
    return Project.of_folder(snapshot(folder, into / "project"), test_dir)
