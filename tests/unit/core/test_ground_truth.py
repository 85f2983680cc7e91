import json
from pathlib import Path

import pytest

from sdkbench.core import GroundTruth, ground_truth
from sdkbench.errors import ExitCode, SampleError
from tests.support.projects import ProjectFactory

GOOD: dict[str, object] = {
    "sample_id": "lancedb_init_001",
    "sdk": "lancedb",
    "task_type": 1,
    "lancedb_version": "0.40.0",
    "custom": {"kept": True},
}


def read(project: ProjectFactory, content: object) -> GroundTruth:
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    return GroundTruth(project({"expected/metadata.json": text}) / "expected/metadata.json")


def complaint(project: ProjectFactory, content: object) -> str:
    with pytest.raises(SampleError) as caught:
        read(project, content)
    assert caught.value.exit_code is ExitCode.BAD_INPUT
    message = str(caught.value)
    assert "metadata.json" in message
    return message


def test_good_metadata_is_read_with_its_extra_keys(project: ProjectFactory) -> None:
    truth = read(project, GOOD)
    metadata = truth.metadata
    assert (metadata.sample_id, metadata.sdk, metadata.task_type) == (
        "lancedb_init_001",
        "lancedb",
        1,
    )
    assert metadata.sdk_version == "0.40.0"
    assert (metadata.model_extra or {})["custom"] == {"kept": True}
    assert truth.sample_dir == truth.metadata_path.parent.parent.resolve()


def test_by_default_a_sample_allows_nothing_risky(project: ProjectFactory) -> None:
    permissions = read(project, GOOD).metadata.sandbox
    assert (permissions.build_from_source, permissions.install_scripts) == (False, False)


def test_a_sample_may_allow_source_builds(project: ProjectFactory) -> None:
    truth = read(project, {**GOOD, "sandbox": {"build_from_source": True}})
    assert truth.metadata.sandbox.build_from_source


def test_an_unknown_permission_is_reported(project: ProjectFactory) -> None:
    assert "sandbox.network" in complaint(project, {**GOOD, "sandbox": {"network": True}})


def test_a_sample_without_a_version_has_none(project: ProjectFactory) -> None:
    assert read(project, {**GOOD, "sdk": "other"}).metadata.sdk_version is None


def test_broken_json_is_reported_with_line_and_column(project: ProjectFactory) -> None:
    message = complaint(project, '{\n  "sample_id": "x",\n  "sdk" "y"\n}')
    assert "line 3, column 9" in message


@pytest.mark.parametrize(
    ("content", "found"), [([], "list"), ("null", "NoneType"), ('"x"', "str"), ("5", "int")]
)
def test_json_that_is_no_object_is_reported(
    project: ProjectFactory, content: object, found: str
) -> None:
    assert f"must hold a JSON object, not {found}" in complaint(project, content)


@pytest.mark.parametrize("key", ["sample_id", "task_type"])
def test_a_missing_key_is_named(project: ProjectFactory, key: str) -> None:
    without = {name: value for name, value in GOOD.items() if name != key}
    assert f"{key}: field required" in complaint(project, without)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sample_id", 5),
        ("sample_id", ""),
        ("sdk", ["x"]),
        ("task_type", "one"),
        ("task_type", 0),
        ("task_type", 6),
        ("ground_truth", []),
        ("evaluation_targets", "x"),
        ("sandbox", True),
    ],
)
def test_a_value_of_the_wrong_type_is_named(
    project: ProjectFactory, key: str, value: object
) -> None:
    assert f"{key}: " in complaint(project, {**GOOD, key: value})


def test_several_problems_are_reported_at_once(project: ProjectFactory) -> None:
    message = complaint(project, {"task_type": 9})
    assert all(key in message for key in ("sample_id", "task_type"))


def test_without_a_name_the_sdk_is_called_as_the_folder_of_its_samples(
    project: ProjectFactory,
) -> None:
    metadata = {"sample_id": "task1_init_001", "task_type": 1, "clerk_version": "5.0.0"}
    root = project({"clerk/task1_init_001/expected/metadata.json": json.dumps(metadata)})
    truth = GroundTruth(root / "clerk/task1_init_001/expected/metadata.json")
    assert truth.metadata.sdk == "clerk"
    assert truth.metadata.sdk_version == "5.0.0"


def test_without_a_key_the_sdk_is_that_of_the_folder(project: ProjectFactory) -> None:
    """As in public datasets: samples/<sdk>/<id>/expected/metadata.json."""
    name = "clerk/task_001/expected/metadata.json"
    text = json.dumps({key: value for key, value in GOOD.items() if key != "sdk"})
    assert GroundTruth(project({name: text}) / name).metadata.sdk == "clerk"
    elsewhere = project({"metadata.json": text}) / "metadata.json"
    with pytest.raises(SampleError, match="sdk: field required"):
        GroundTruth(elsewhere)


def test_deep_nesting_is_reported(project: ProjectFactory) -> None:
    assert "nested too deeply" in complaint(project, "[" * 100_000)


def test_a_number_of_too_many_digits_is_reported(project: ProjectFactory) -> None:
    text = json.dumps(GOOD)[:-1] + f', "x": {"9" * 5000}}}'
    assert "not" in complaint(project, text)


def test_bytes_that_are_not_utf_8_are_reported(project: ProjectFactory) -> None:
    assert "cannot be read" in complaint(project, b"\xff\xfe{}")


def test_a_file_past_the_size_limit_is_reported(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ground_truth, "MAX_METADATA_BYTES", 2**20)
    assert "larger than 1 MiB" in complaint(project, " " * (2**20 + 1))


def test_a_missing_file_is_reported_with_where_it_belongs(tmp_path: Path) -> None:
    with pytest.raises(SampleError, match=r"Every sample has expected/metadata\.json"):
        GroundTruth(tmp_path / "metadata.json")


def test_a_folder_in_its_place_is_reported(tmp_path: Path) -> None:
    with pytest.raises(SampleError, match="cannot be read"):
        GroundTruth(tmp_path)


def test_a_path_may_be_text(project: ProjectFactory) -> None:
    path = read(project, GOOD).metadata_path
    assert GroundTruth(str(path)).metadata_path == path


def test_a_black_box_names_the_command_of_its_program(project: ProjectFactory) -> None:
    assert read(project, GOOD).metadata.black_box is None
    box = read(project, {**GOOD, "black_box": {"command": ["a", "b"], "port": 8000}}).metadata
    assert box.black_box
    assert (box.black_box.command, box.black_box.port) == (("a", "b"), 8000)


@pytest.mark.parametrize(
    ("box", "told"),
    [
        ({}, "black_box.command"),
        ({"command": []}, "black_box.command"),
        ({"command": [""]}, "black_box.command.0"),
        ({"command": ["a\0b"]}, "black_box.command.0"),
        ({"command": "python -m expected"}, "black_box.command"),
        ({"command": ["a"], "port": 80}, "black_box.port"),
        ({"command": ["a"], "port": 65536}, "black_box.port"),
        ({"command": ["a"], "ports": [8000]}, "black_box.ports"),
        ({"command": ["a"], "tests_port": 80}, "black_box.tests_port"),
        ({"command": ["a"], "port": 8000, "tests_port": 8000}, "must differ"),
    ],
)
def test_a_wrong_black_box_is_reported(
    project: ProjectFactory, box: dict[str, object], told: str
) -> None:
    assert told in complaint(project, {**GOOD, "black_box": box})
