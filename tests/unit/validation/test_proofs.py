"""Metadata, explanations, scores and the table: what needs no sandbox."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from sdkbench.cli.proofs import show_proofs
from sdkbench.core import Assurance
from sdkbench.datasets import load_sample
from sdkbench.errors import InputError, SampleError
from sdkbench.judge.reference import SampleLevel
from sdkbench.validation import (
    Check,
    CheckName,
    Gap,
    MutationScore,
    SampleProof,
    Survivor,
    samples_below,
    table_of,
)
from sdkbench.validation.explanations import explanations_of
from sdkbench.validation.metadata import check_metadata
from sdkbench.validation.prove import check_level, check_score
from sdkbench.validation.solutions import names_test
from tests.support.places import SAMPLES
from tests.support.proven_sample import scaffolded


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return scaffolded(tmp_path / "samples")


def changed(root: Path, **fields: Any) -> Path:
    path = root / "expected" / "metadata.json"
    data = json.loads(path.read_text(encoding="utf-8")) | fields
    kept = {name: value for name, value in data.items() if value is not None}
    path.write_text(json.dumps(kept), encoding="utf-8")
    return root


def problems(root: Path) -> list[str]:
    return [gap.what for gap in check_metadata(load_sample(root), "home").gaps]


def test_whole_metadata_has_no_gaps(root: Path) -> None:
    assert problems(root) == []


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"sample_id": "other"}, "sample_id is 'other', and the folder is called 'tiny_lines_001'"),
        ({"sdk": "large", "large_version": "2.1.0"}, "sdk is 'large', and the sample stands"),
        ({"task_name": None}, "task_name is missing"),
        ({"difficulty": "tricky"}, "difficulty is 'tricky'"),
        ({"description": "Do it."}, "the description has 2 words"),
        ({"description": "word " * 600}, "the description has 600 words"),
        ({"tiny_version": None}, "tiny_version is missing"),
        ({"tiny_version": ">=2"}, "tiny_version is '>=2', which is no exact version"),
        ({"tiny_version": "2.0.0"}, "no manifest of the reference pins version 2.0.0 of tiny"),
        ({"ground_truth": {}}, "ground_truth is empty"),
        ({"ground_truth": {"files": ["b.py"]}}, "ground_truth.files names b.py"),
        ({"ground_truth": {"functions": ["lengthen"]}}, "names 'lengthen', which the reference"),
        ({"ground_truth": {"dependencies": ["numpy"]}}, "ground_truth.dependencies names numpy"),
        ({"evaluation_targets": {}}, "evaluation_targets is missing"),
    ],
)
def test_gaps_of_metadata_are_named(root: Path, fields: dict[str, Any], problem: str) -> None:
    found = problems(changed(root, **fields))
    assert any(problem in what for what in found), found


@pytest.mark.parametrize(
    ("manifest", "text"),
    [
        ("requirements.txt", "iniconfig==2.1.0\n"),
        ("package.json", '{"dependencies": {"@tiny/core": "2.1.0"}}'),
        ("go.mod", "module x\n\nrequire (\n\tgithub.com/tiny/tiny v2.1.0\n)\n"),
        ("Cargo.toml", '[dependencies]\ntiny = { version = "=2.1.0" }\n'),
        ("pom.xml", "<artifactId>tiny</artifactId>\n <version>2.1.0</version>"),
    ],
)
def test_the_pinned_version_is_found_in_every_manifest(
    root: Path, manifest: str, text: str
) -> None:
    (root / "expected" / "requirements.txt").unlink()
    (root / "expected" / manifest).write_text(text)
    assert not [what for what in problems(root) if "version" in what]
    (root / "expected" / manifest).write_text(text.replace("2.1.0", "3.0.0"))
    assert [what for what in problems(root) if "version" in what]


def test_broken_explanations_are_refused_with_their_place(root: Path) -> None:
    changed(root, validation={"survivors": [{"file": "app.py", "line": 1, "reason": ""}]})
    with pytest.raises(SampleError, match=r"validation\.survivors\.0\.reason"):
        explanations_of(load_sample(root).ground_truth)


def survivor(reason: str | None = None) -> Survivor:
    return Survivor(
        path="app.py", line=3, operator="boolean", before="True", after="False", reason=reason
    )


def test_a_score_counts_explained_survivors_and_nothing_that_does_not_build() -> None:
    score = MutationScore(killed=7, survivors=(survivor(), survivor("no")), unbuildable=5)
    assert score.percent == pytest.approx(88.9)
    assert MutationScore(unbuildable=3).percent is None
    assert check_score(score, "home").ok
    low = check_score(MutationScore(killed=1, survivors=(survivor(), survivor("no"))), "home")
    assert [gap.place for gap in low.gaps] == ["home/expected/app.py:3"]
    assert not check_score(MutationScore(), "home").ok


def test_a_proof_needs_checks_and_no_gap() -> None:
    good = Check(name=CheckName.PARTS)
    bad = Check(name=CheckName.STARTER, gaps=(Gap(path="x", what="y", todo="z"),))
    assert SampleProof(sample="a/b", checks=(good,)).proven
    assert not SampleProof(sample="a/b", checks=(good, bad)).proven
    assert not SampleProof(sample="a/b").proven


def test_the_table_has_a_row_for_each_sample() -> None:
    proofs = [
        SampleProof(sample="b/b_1", task_name="Two", mutation=MutationScore(killed=9)),
        SampleProof(sample="a/a_1", task_name="One", checks=(Check(name=CheckName.PARTS),)),
    ]
    rows = [line for line in table_of(proofs).splitlines() if line.startswith("| [")]
    assert rows == [
        "| [a/a_1](a/a_1) | One |  |  |  |  |  | yes |",
        "| [b/b_1](b/b_1) | Two |  |  |  |  | 100 % | not yet |",
    ]


TOGETHER = {
    "tests/test_a.py::test_a": "a lock can't cross.",
    "tests/test_a.py::test_b": "nor this.",
}


def test_a_level_is_a_gap_only_where_more_is_claimed() -> None:
    level = SampleLevel(sample_id="a_1", assurance=Assurance.TWINNED, obstacles=TOGETHER)
    assert check_level(level, None, "a/a_1").ok
    assert check_level(level, Assurance.TWINNED, "a/a_1").ok
    [gap] = check_level(level, Assurance.APART, "a/a_1").gaps
    assert gap.path == "a/a_1/expected/metadata.json"
    assert gap.what.startswith("validation.level is apart, and solutions are judged at twinned; ")
    assert "test_b: nor this." in gap.what
    black_box = SampleLevel(sample_id="a_1", assurance=Assurance.BLACK_BOX)
    assert check_level(black_box, Assurance.APART, "a/a_1").ok


def test_what_is_not_apart_is_told_in_the_output_and_the_table() -> None:
    proof = SampleProof(
        sample="a/a_1",
        assurance=Assurance.TWINNED,
        obstacles=TOGETHER,
        checks=(Check(name=CheckName.PARTS),),
    )
    out = Console(record=True, width=80, file=StringIO())
    show_proofs(out, [proof], verbose=False)
    told = "tests/test_a.py::test_a: a lock can't cross. (and 1 more)"
    assert f"level twinned, not apart: {told}" in out.export_text()
    assert f"- a/a_1 (twinned): {told}\n" in table_of([proof])
    assert "Not judged apart" not in table_of([proof.model_copy(update={"obstacles": {}})])


def test_a_level_that_does_not_exist_is_refused(root: Path) -> None:
    changed(root, validation={"level": "perfect"})
    with pytest.raises(SampleError, match=r"validation\.level"):
        explanations_of(load_sample(root).ground_truth)


@pytest.mark.parametrize(
    ("name", "test"),
    [
        ("test_a", "tests/test_app.py::test_a"),
        ("test_a", "tests/test_app.py::test_a[3-x]"),
        ("tests/test_app.py::test_a", "tests/test_app.py::test_a"),
        ("refuses a guest", "tests/a.test.ts > the page > refuses a guest"),
        ("refuses a guest (twice)", "tests/a.test.ts > refuses a guest (twice)"),
        ("aLimit", "a.ATest::aLimit"),
        ("aLimit", "a.ATest::aLimit(java.lang.String)[2]"),
    ],
)
def test_a_variant_may_name_a_test_by_its_end(name: str, test: str) -> None:
    assert names_test(name, test)
    assert not names_test(f"no{name}", test)


def test_samples_are_found_below_a_folder_on_every_level(root: Path, tmp_path: Path) -> None:
    samples = tmp_path / "samples"
    for place in (root, samples / "tiny", samples):
        assert samples_below(place) == [root]
    with pytest.raises(InputError, match="holds no samples"):
        samples_below(root / "tests")
    with pytest.raises(InputError, match="is no folder"):
        samples_below(tmp_path / "nowhere")


def test_the_table_of_bundled_samples_lists_every_one() -> None:
    text = (SAMPLES / "README.md").read_text(encoding="utf-8")
    for root in samples_below(SAMPLES):
        assert f"[{root.parent.name}/{root.name}]" in text, "`make prove` writes the table anew"
