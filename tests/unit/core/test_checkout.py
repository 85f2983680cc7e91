"""What the files of a checkout tell of its version."""

import pytest

from sdkbench.core.checkout import newest_tag, version_of
from tests.support.projects import ProjectFactory

COMMIT = "0" * 40


def test_a_folder_without_history_has_no_tag(project: ProjectFactory) -> None:
    assert newest_tag(project({"app.py": ""})) is None


def test_a_history_without_versions_has_an_empty_one(project: ProjectFactory) -> None:
    refs = f"# pack-refs\n{COMMIT} refs/tags/nightly\n{COMMIT} refs/heads/v9.9.9\n^{COMMIT}\n"
    assert newest_tag(project({".git/packed-refs": refs, ".git/HEAD": ""})) == ""


def test_the_highest_version_counts_wherever_its_tag_is(project: ProjectFactory) -> None:
    refs = f"{COMMIT} refs/tags/v1.9.0\n{COMMIT} refs/tags/v1.10.0\n{COMMIT} refs/tags/v2.0rc1\n"
    root = project({".git/packed-refs": refs})
    assert newest_tag(root) == "v1.10.0"
    project({".git/refs/tags/release-1.11": COMMIT})
    assert newest_tag(root) == "release-1.11"


@pytest.mark.parametrize(
    ("tag", "version"),
    [
        ("v1.2.3", "1.2.3"),
        ("1.2", "1.2"),
        ("pkg-1.2.3", "1.2.3"),
        ("2.9.0.post0", "2.9.0.post0"),
        ("nightly", None),
        ("v1", None),
        ("", None),
        ("v" + "9" * 5000 + ".1", None),
    ],
)
def test_a_version_is_read_from_its_tag(tag: str, version: str | None) -> None:
    assert version_of(tag) == version
