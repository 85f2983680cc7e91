from pathlib import Path

import pytest

from sdkbench.core import Solution, solution, tree
from sdkbench.errors import InputError
from tests.support.projects import ProjectFactory


def test_text_files_of_any_language_are_read(project: ProjectFactory) -> None:
    files = {"app.py": "x = 1\n", "src/main.rs": "fn main() {}", "README": "é", "a/b/c.tsx": ""}
    assert Solution(project(files)).files == files


def test_vendored_folders_are_never_read(project: ProjectFactory) -> None:
    root = project({"app.ts": "", "node_modules/x/index.js": "", ".venv/lib/y.py": ""})
    found = Solution(root)
    assert list(found.files) == ["app.ts"]
    assert found.paths == (Path("app.ts"),)


@pytest.mark.parametrize("data", [b"\x89PNG\r\n\x1a\n\0", b"caf\xe9", b"text\0"])
def test_what_is_not_text_counts_but_is_not_shown(project: ProjectFactory, data: bytes) -> None:
    found = Solution(project({"app.py": "", "data.bin": data}))
    assert set(found.files) == {"app.py"}
    assert found.has_file("data.bin")


def test_a_text_past_the_size_limit_is_not_shown(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solution, "MAX_TEXT_BYTES", 4)
    found = Solution(project({"fits.txt": "1234", "big.txt": "12345"}))
    assert set(found.files) == {"fits.txt"}


def test_links_out_are_never_followed(project: ProjectFactory, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("token")
    root = project({"app.py": ""})
    (root / "link.py").symlink_to(tmp_path / "secret")
    found = Solution(root)
    assert set(found.files) == {"app.py"}
    assert [note for note in found.left_out if "link.py" in note]


def test_files_are_found_by_relative_name(project: ProjectFactory) -> None:
    found = Solution(project({"src/app.py": ""}))
    assert found.has_file("src/app.py")
    assert not found.has_file("app.py")


def test_the_digest_follows_the_content(project: ProjectFactory) -> None:
    first = Solution(project({"app.py": "1"})).digest
    assert Solution(project({"app.py": "2"})).digest != first
    assert Solution(project({"app.py": "1"})).digest == first


def test_a_path_may_be_text(project: ProjectFactory) -> None:
    root = project({"app.py": ""})
    assert Solution(str(root)).solution_dir == root.resolve()


@pytest.mark.parametrize("files", [{}, {"node_modules/x.js": ""}], ids=["empty", "only vendored"])
def test_a_folder_without_files_is_refused(
    project: ProjectFactory, files: dict[str, str | bytes]
) -> None:
    with pytest.raises(InputError, match="is empty"):
        Solution(project(files))


def test_a_missing_folder_and_a_file_are_refused(project: ProjectFactory) -> None:
    root = project({"app.py": ""})
    with pytest.raises(InputError, match="not found"):
        Solution(root / "missing")
    with pytest.raises(InputError, match="is a file, not a folder"):
        Solution(root / "app.py")


def test_a_folder_that_is_too_big_is_refused_with_its_biggest_part(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_BYTES", 2**20)
    root = project({"app.py": "", "model.bin": b"x" * (2**20 + 1)})
    with pytest.raises(InputError, match=r"larger than 1 MiB: .*model\.bin alone has 1 MiB"):
        Solution(root)


def test_many_files_that_are_too_big_together_are_refused(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree, "MAX_BYTES", 10)
    with pytest.raises(InputError, match="larger than"):
        Solution(project({f"{number}.txt": "1234" for number in range(3)}))
