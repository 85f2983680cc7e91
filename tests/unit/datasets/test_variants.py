"""Variants: laid out over the reference, unseen by whatever is judged, refused where broken."""

import json
from pathlib import Path

import pytest

from sdkbench.core import Outcome
from sdkbench.datasets import Sample, lay_out, load_sample, load_sdk, load_variants
from sdkbench.errors import SampleError
from tests.support.places import SAMPLES
from tests.support.projects import ProjectFactory, contents, write

DESCRIBED = """
[right-split]
about = "In two files."
removed = ["old"]

[wrong-sign]
about = "Subtracts."
"""
FILES = {
    "demo/task/expected/metadata.json": json.dumps(
        {"sample_id": "task", "sdk": "demo", "task_type": 1}
    ),
    "demo/task/expected/app.py": "add",
    "demo/task/expected/old/notes.txt": "notes",
    "demo/task/tests/test_app.py": "",
}
VARIANTS = {
    "variants/variants.toml": DESCRIBED,
    "variants/right-split/more.py": "more",
    "variants/wrong-sign/app.py": "subtract",
}


def sample_with(project: ProjectFactory, variants: dict[str, str]) -> Sample:
    root = project(FILES) / "demo" / "task"
    write(root, variants)
    return load_sample(root)


def test_a_variant_is_the_reference_with_its_own_files(
    project: ProjectFactory, tmp_path: Path
) -> None:
    right, wrong = load_variants(sample_with(project, VARIANTS))
    assert (right.name, right.outcome, right.about) == (
        "right-split", Outcome.PASSED, "In two files."
    )  # fmt: skip
    assert contents(right.solution.lay_out(tmp_path / "r")) == {"app.py": "add", "more.py": "more"}
    assert wrong.outcome is Outcome.FAILED
    assert contents(wrong.solution.lay_out(tmp_path / "w")) == {
        "app.py": "subtract", "old/notes.txt": "notes"
    }  # fmt: skip


def test_a_sample_needs_no_variants(project: ProjectFactory) -> None:
    assert load_variants(sample_with(project, {})) == []


def test_variants_are_not_part_of_what_is_judged(project: ProjectFactory, tmp_path: Path) -> None:
    without = sample_with(project, {}).shared
    sample = sample_with(project, VARIANTS)
    assert sample.shared == without
    laid_out = lay_out(sample, sample.reference_dir, tmp_path / "work")
    sources = [placement.source for placement in (laid_out.solution, *laid_out.trusted)]
    assert not [path for source in sources for path in source.rglob("variants*")]
    assert not any(path.is_relative_to(sample.root / "variants") for path in sources)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"variants/right-lost/app.py": ""}, "right-lost is not described in variants/variants"),
        ({"variants/variants.toml": DESCRIBED + "[right-lost]\nabout = 'x'"}, "no folder"),
        (
            {"variants/good/app.py": "", "variants/variants.toml": DESCRIBED + "[good]\nabout='x'"},
            "Call it right-",
        ),
        ({"variants/variants.toml": DESCRIBED.replace("old", "new")}, "is to be without 'new'"),
        ({"variants/variants.toml": DESCRIBED + "removed = 3"}, "wrong at wrong-sign.removed"),
    ],
)  # fmt: skip
def test_broken_variants_are_refused_with_a_reason(
    project: ProjectFactory, changed: dict[str, str], message: str
) -> None:
    with pytest.raises(SampleError, match=message):
        load_variants(sample_with(project, VARIANTS | changed))


def test_variants_without_a_description_are_refused(project: ProjectFactory) -> None:
    sample = sample_with(project, {"variants/right-split/more.py": ""})
    with pytest.raises(SampleError, match=r"variants\.toml cannot be read"):
        load_variants(sample)


@pytest.mark.parametrize("sample", load_sdk(SAMPLES, "all"), ids=lambda sample: sample.id)
def test_a_bundled_sample_has_right_and_wrong_variants_of_its_own(sample: Sample) -> None:
    variants = load_variants(sample)
    assert {variant.outcome for variant in variants} == {Outcome.PASSED, Outcome.FAILED}
    wrong = [variant for variant in variants if variant.outcome is Outcome.FAILED]
    assert len(wrong) > 1
    assert all(variant.caught_by for variant in wrong)
    for variant in variants:
        _, own, removed = variant.solution
        files = {path.relative_to(own): path for path in own.rglob("*") if path.is_file()}
        assert files
        for name, path in files.items():
            there = sample.reference_dir / name
            if there.is_file() and not any(name.is_relative_to(place) for place in removed):
                assert path.read_bytes() != there.read_bytes(), f"{variant.name}: {name} is a copy"
