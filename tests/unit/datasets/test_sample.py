import json
from pathlib import Path

import pytest

from sdkbench.core import tree
from sdkbench.datasets import (
    bundled_samples,
    default_samples_dir,
    find_sample,
    lay_out,
    lay_out_folder,
    load_sample,
    load_sdk,
    sdk_names,
)
from sdkbench.errors import InputError, SampleError
from tests.support.projects import ProjectFactory


def metadata(name: str, sdk: str, **more: object) -> str:
    return json.dumps({"sample_id": name, "sdk": sdk, "task_type": 1, **more})


def sample(name: str, sdk: str = "lancedb", **more: object) -> dict[str, str | bytes]:
    """The files of one sample below the samples folder."""
    return {
        f"{sdk}/{name}/input/app.py": "",
        f"{sdk}/{name}/expected/app.py": "x = 1",
        f"{sdk}/{name}/expected/metadata.json": metadata(name, sdk, **more),
        f"{sdk}/{name}/tests/test_app.py": "from expected import app",
    }


def test_a_sample_knows_its_parts(project: ProjectFactory) -> None:
    root = project(sample("lancedb_init_001")) / "lancedb/lancedb_init_001"
    loaded = load_sample(root)
    assert (loaded.id, loaded.sdk) == ("lancedb_init_001", "lancedb")
    parts = (loaded.starter_dir, loaded.reference_dir, loaded.tests_dir)
    assert [path.relative_to(loaded.root).name for path in parts] == ["input", "expected", "tests"]


@pytest.mark.parametrize(
    ("keep", "says"),
    [
        ("expected", "it has no tests/ folder"),
        ("tests", "it has no expected/ folder"),
        ("input", "it has no expected/ and no tests/ folder"),
    ],
)
def test_a_sample_that_is_not_whole_is_reported(
    project: ProjectFactory, keep: str, says: str
) -> None:
    root = project({name: text for name, text in sample("s").items() if f"/{keep}/" in name})
    with pytest.raises(SampleError, match=says):
        load_sample(root / "lancedb/s")


def test_a_sample_without_metadata_is_reported(project: ProjectFactory) -> None:
    root = project({"a/s/expected/app.py": "", "a/s/tests/test_app.py": ""})
    with pytest.raises(SampleError, match=r"metadata\.json not found"):
        load_sample(root / "a/s")


def test_a_missing_sample_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="The sample folder not found"):
        load_sample(tmp_path / "missing")


def test_samples_of_an_sdk_come_in_order(project: ProjectFactory) -> None:
    root = project({**sample("b_2"), **sample("b_1"), **sample("c_1", "clerk"), "README.md": ""})
    assert sdk_names(root) == ["clerk", "lancedb"]
    assert [s.id for s in load_sdk(root, "lancedb")] == ["b_1", "b_2"]
    assert [s.id for s in load_sdk(root, "all")] == ["c_1", "b_1", "b_2"]


def test_an_unknown_sdk_is_reported_with_a_suggestion(project: ProjectFactory) -> None:
    root = project({**sample("s"), **sample("c", "clerk")})
    with pytest.raises(InputError, match=r"Unknown SDK 'lancdb'\. Did you mean 'lancedb'\?"):
        load_sdk(root, "lancdb")
    with pytest.raises(InputError, match=r"Unknown SDK 'stripe'\. In .* there are: clerk, lancedb"):
        load_sdk(root, "stripe")


def test_a_folder_without_samples_says_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there are: none"):
        load_sdk(tmp_path, "lancedb")
    assert load_sdk(tmp_path, "all") == []


def test_one_broken_sample_is_reported_by_its_path(project: ProjectFactory) -> None:
    root = project({**sample("s"), **sample("t"), "lancedb/t/expected/metadata.json": "{"})
    with pytest.raises(SampleError, match=r"lancedb/t/expected/metadata\.json is not JSON"):
        load_sdk(root, "lancedb")


def test_a_sample_is_found_by_the_name_of_the_solution(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({**sample("s_1"), **sample("s_2")})
    (tmp_path / "answers/s_2").mkdir(parents=True)
    assert find_sample(tmp_path / "answers/s_2", root).id == "s_2"


@pytest.mark.parametrize("part", ["input", "expected"])
def test_a_sample_is_found_by_one_of_its_own_parts(
    project: ProjectFactory, tmp_path: Path, part: str
) -> None:
    root = project(sample("s_1"))
    elsewhere = tmp_path / "no-samples"
    assert find_sample(root / "lancedb/s_1" / part, elsewhere).id == "s_1"


def test_an_ambiguous_name_is_reported(project: ProjectFactory, tmp_path: Path) -> None:
    root = project({**sample("s", "a"), **sample("s", "b")})
    (tmp_path / "s").mkdir()
    with pytest.raises(InputError, match=r"a/s, b/s\. Pass --for-sample"):
        find_sample(tmp_path / "s", root)


def test_a_solution_without_a_sample_gets_a_hint_what_to_pass(
    project: ProjectFactory, tmp_path: Path
) -> None:
    (tmp_path / "stranger").mkdir()
    with pytest.raises(InputError, match=r"No sample is called 'stranger'.*--for-sample"):
        find_sample(tmp_path / "stranger", project(sample("s")))


def test_shared_files_stand_beside_the_samples(project: ProjectFactory) -> None:
    root = project(
        {
            **sample("s"),
            **sample("t"),
            "lancedb/conftest.py": "",
            "lancedb/support/fake.py": "",
            "lancedb/README.md": "",
            "lancedb/__pycache__/x.pyc": "",
            "lancedb/node_modules/x.js": "",
        }
    )
    shared = load_sample(root / "lancedb/s").shared
    assert [path.name for path in shared] == ["conftest.py", "support"]


def test_a_solution_is_laid_out_as_expected_beside_trusted_tests(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({**sample("s"), "lancedb/conftest.py": ""})
    solution = tmp_path / "solution"
    (solution / "tests").mkdir(parents=True)
    (solution / "app.py").write_text("x = 2")
    (solution / "metadata.json").write_text("{}")
    (solution / "tests/test_app.py").write_text("def test_always(): ...")
    loaded = load_sample(root / "lancedb/s")
    laid_out = lay_out(loaded, solution, tmp_path / "workspace")
    copy = laid_out.solution.source
    assert (copy / "app.py").read_text() == "x = 2"
    assert not (copy / "metadata.json").exists()
    assert (solution / "metadata.json").exists()
    assert laid_out.solution.target == "expected"
    assert [(p.source, p.target, p.read_only) for p in laid_out.trusted] == [
        (loaded.tests_dir, "tests", True),
        (loaded.root.parent / "conftest.py", "conftest.py", True),
    ]
    assert laid_out.tests == ("tests",)
    assert laid_out.manifest_fallbacks == (loaded.starter_dir, loaded.reference_dir)
    assert not laid_out.has_own_tests


def test_a_solution_whose_metadata_is_a_folder_is_laid_out(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project(sample("s"))
    (tmp_path / "solution/metadata.json").mkdir(parents=True)
    (tmp_path / "solution/metadata.json/x").write_text("")
    (tmp_path / "solution/app.py").write_text("")
    loaded = load_sample(root / "lancedb/s")
    laid_out = lay_out(loaded, tmp_path / "solution", tmp_path / "workspace")
    assert (laid_out.solution.source / "app.py").exists()


def test_shared_files_never_take_the_place_of_solution_or_tests(project: ProjectFactory) -> None:
    root = project({**sample("s"), "lancedb/expected": "", "lancedb/tests": ""})
    laid_out = lay_out(load_sample(root / "lancedb/s"), root / "lancedb/s/input", root / "work")
    assert [p.target for p in laid_out.trusted] == ["tests"]


def test_what_a_sample_allows_reaches_the_project(project: ProjectFactory) -> None:
    root = project(sample("s", sandbox={"build_from_source": True}))
    laid_out = lay_out(load_sample(root / "lancedb/s"), root / "lancedb/s/input", root / "work")
    assert laid_out.permissions.build_from_source


def test_a_folder_of_its_own_is_laid_out_with_its_own_tests(
    project: ProjectFactory, tmp_path: Path
) -> None:
    root = project({"app.py": "", "tests/test_app.py": ""})
    laid_out = lay_out_folder(root, tmp_path / "work", "tests")
    assert laid_out.has_own_tests
    assert (laid_out.solution.target, laid_out.tests) == (".", ("tests",))
    assert laid_out.test_sources == (laid_out.solution.source / "tests",)
    assert laid_out.solution.source.is_relative_to(tmp_path / "work")


def test_the_bundled_samples_are_whole() -> None:
    samples = load_sdk(bundled_samples(), "all")
    assert len(samples) >= 6
    assert all(loaded.id == loaded.root.name for loaded in samples)
    assert all(list(tree.files(loaded.starter_dir)) for loaded in samples)


def test_samples_of_the_working_folder_come_first(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(project({"samples/a/b/tests/x": ""}))
    assert default_samples_dir() == Path("samples")
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    assert default_samples_dir() == bundled_samples()
