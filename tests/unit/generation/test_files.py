"""Proposed files over a starter: what is written, what stays, what is refused and why."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from sdkbench.errors import InputError
from sdkbench.generation import GeneratedSolution
from sdkbench.generation.files import File, why_refused, write_solution
from tests.support.projects import ProjectFactory

REFUSED = {
    "../app.py": "leads out",
    "lib/../../app.py": "leads out",
    "..\\app.py": "leads out",
    "/etc/passwd": "absolute",
    "~/.bashrc": "absolute",
    "C:\\app.py": "absolute",
    "\\\\server\\x": "absolute",
    "a\\b.py": "backslash",
    "": "not a file's path",
    "lib/": "not a file's path",
    "a\x00.py": "control",
    "a\n.py": "control",
    "\ud800.py": "no path can have",
    "x" * 300: "too long",
    "metadata.json": "metadata",
    "./METADATA.json": "metadata",
    "tests/test_app.py": "a test",
    "Tests/x.py": "a test",
    "test/x.js": "a test",
    "lib/__tests__/a.ts": "a test",
    "conftest.py": "a test",
    "lib/test_app.py": "a test",
    "app_test.go": "a test",
    "src/app.spec.tsx": "a test",
    "src/test/java/AppTest.java": "a test",
    "node_modules/x/index.js": "never judged",
    ".git/config": "never judged",
}
ALLOWED = [
    "app.py", "app/(auth)/[[...id]]/page.tsx", ".env.example", "lib/latest.py",
    "data/metadata.json",
    "app/test/page.tsx", "contest.py", "a b.py", "./x/y.py",
]  # fmt: skip


def written(
    starter: Path | None, files: Mapping[str, File | None], into: Path
) -> GeneratedSolution:
    solution = GeneratedSolution(folder=into, sample_id="demo_001", model="replay")
    return write_solution(starter, files, solution)


@pytest.mark.parametrize(("path", "reason"), REFUSED.items(), ids=[repr(p[:20]) for p in REFUSED])
def test_a_path_that_is_refused(path: str, reason: str, tmp_path: Path) -> None:
    assert reason in (why_refused(path) or "")
    solution = written(None, {path: File(b"x"), "app.py": File(b"y")}, tmp_path / "out")
    assert solution.written == ("app.py",)
    assert [refusal.reason for refusal in solution.refusals] == [why_refused(path)]
    assert [p.name for p in tmp_path.rglob("*") if p.is_file()] == ["app.py"]


@pytest.mark.parametrize("path", ALLOWED)
def test_a_path_that_is_allowed(path: str, tmp_path: Path) -> None:
    assert written(None, {path: File(b"x")}, tmp_path / "out").refusals == ()
    assert (tmp_path / "out" / path).read_bytes() == b"x"


def test_what_is_not_repeated_stays(project: ProjectFactory, tmp_path: Path) -> None:
    starter = project({"app.py": "old", "lib/a.py": "a", "logo.png": b"\x89\xff"})
    solution = written(starter, {"app.py": File(b"new"), "lib/a.py": File(b"a")}, tmp_path / "out")
    assert solution.written == ("app.py",)
    assert (tmp_path / "out" / "lib" / "a.py").read_text() == "a"
    assert (tmp_path / "out" / "logo.png").read_bytes() == b"\x89\xff"
    assert (starter / "app.py").read_text() == "old"


def test_a_file_can_be_removed(project: ProjectFactory, tmp_path: Path) -> None:
    solution = written(
        project({"a.py": "", "b.py": ""}), {"b.py": None, "c.py": None}, tmp_path / "o"
    )
    assert solution.removed == ("b.py",)
    assert [path.name for path in (tmp_path / "o").iterdir()] == ["a.py"]


def test_files_and_folders_in_each_others_way(project: ProjectFactory, tmp_path: Path) -> None:
    starter = project({"app/page.tsx": "", "lib": "a file"})
    files = {"app": File(b"x"), "lib/x.py": File(b"x"), "ok.py": File(b"x")}
    solution = written(starter, files, tmp_path / "out")
    assert [refusal.path for refusal in solution.refusals] == ["app", "lib/x.py"]
    assert solution.written == ("ok.py",)


def test_a_link_in_the_starter_leads_nowhere(project: ProjectFactory, tmp_path: Path) -> None:
    starter = project({"a.py": ""})
    (tmp_path / "outside").mkdir()
    (starter / "out").symlink_to(tmp_path / "outside")
    solution = written(starter, {"out/x.py": File(b"x")}, tmp_path / "solution")
    assert solution.written == ("out/x.py",)
    assert list((tmp_path / "outside").iterdir()) == []


def test_a_folder_that_is_not_empty(project: ProjectFactory) -> None:
    with pytest.raises(InputError, match="not empty"):
        written(None, {}, project({"a": ""}))
