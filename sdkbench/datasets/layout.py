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

COMPILED = "__pycache__"  # tests as they were before their texts changed
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

    `texts` are by path below the workspace. Every file is written once, in the same way, whether
    its text is another one or not: neither its times nor its blocks on the disk tell.
    """
    trusted = []
    for placement in project.trusted:
        copy = into / placement.target
        trusted.append(placement.model_copy(update={"source": copy}))
        _write_anew(placement.source, copy, placement.target, texts)
    for path in [into, *into.rglob("*")]:
        os.utime(path, (0, 0), follow_symlinks=False)
    return project.model_copy(update={"trusted": tuple(trusted)})


def _write_anew(source: Path, copy: Path, target: str, texts: Mapping[str, str]) -> None:
    """`target` is the place of `source` below the workspace."""
    copy.parent.mkdir(parents=True, exist_ok=True)
    if source.is_symlink():
        copy.symlink_to(source.readlink())
    elif source.is_dir():
        copy.mkdir()
        for path in sorted(source.iterdir()):
            if path.name != COMPILED:
                _write_anew(path, copy / path.name, f"{target}/{path.name}", texts)
    else:
        text = texts.get(target)
        copy.write_bytes(source.read_bytes() if text is None else text.encode())
        copy.chmod(source.stat().st_mode & 0o777)


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
    copy = snapshot(folder, into / "project", keep_links=True)
    return Project.of_folder(copy, test_dir, copy_of=folder)
