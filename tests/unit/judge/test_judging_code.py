"""What is known of a sample stays known while the code for its languages stays the same."""

from pathlib import Path

import pytest

from sdkbench.core import fingerprints
from sdkbench.judge.judging_code import ENDINGS, ROOMS, judging_code


def test_every_language_that_is_a_folder_is_known() -> None:
    for room in ("test_harness", "inside"):
        folders = {path.name for path in (fingerprints.PACKAGE / room).iterdir() if path.is_dir()}
        assert set(ENDINGS) <= folders
    languages = {p.parent.name for p in (fingerprints.PACKAGE / "test_harness").glob("*/runner.py")}
    assert set(ENDINGS) == languages


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package that has a file in each room and language."""
    for room in ROOMS:
        for folder in ("", *ENDINGS):
            path = tmp_path / "package" / room / folder
            path.mkdir(parents=True, exist_ok=True)
            (path / "code.py").write_text(f"{room} {folder}")
    monkeypatch.setattr(fingerprints, "PACKAGE", tmp_path / "package")
    return tmp_path / "package"


def code_for(folder: Path, name: str) -> str:
    fingerprints.of_rooms.cache_clear()
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("x")
    try:
        return judging_code([folder])
    finally:
        fingerprints.of_rooms.cache_clear()


def test_only_the_code_of_a_samples_own_languages_counts(package: Path, tmp_path: Path) -> None:
    python, mixed = tmp_path / "python", tmp_path / "mixed"
    mixed.mkdir()
    (mixed / "Main.java").write_text("class Main {}")
    before = code_for(python, "app.py"), code_for(mixed, "test_app.py")

    (package / "inside" / "java" / "code.py").write_text("changed")
    after = code_for(python, "app.py"), code_for(mixed, "test_app.py")
    assert after[0] == before[0]
    assert after[1] != before[1]

    for shared in ("judge", "sandbox", "inside", "test_harness"):
        (package / shared / "code.py").write_text("changed")
        now = code_for(python, "app.py")
        assert now != after[0]
        after = (now, after[1])


def test_metadata_alone_is_no_source(package: Path, tmp_path: Path) -> None:
    assert package.is_dir()
    sample, other = tmp_path / "sample", tmp_path / "other"
    sample.mkdir()
    (sample / "metadata.json").write_text("{}")
    assert code_for(sample, "main.go") == code_for(other, "main.go")
