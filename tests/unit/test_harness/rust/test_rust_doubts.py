"""Crates by which a solution could change the program that tests it."""

from pathlib import Path

import pytest

from sdkbench.core import Placement, Project
from sdkbench.test_harness.rust.project import doubts, read
from tests.support.projects import write

PACKAGE = '[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n'


def doubted(tmp_path: Path, solution: str, reference: str = "") -> list[str]:
    """What is doubted of a solution with these lines in its manifest."""
    folder = write(tmp_path / "solution", {"Cargo.toml": f"{PACKAGE}{solution}", "src/lib.rs": ""})
    known = write(tmp_path / "known", {"Cargo.toml": f"{PACKAGE}{reference}", "src/lib.rs": ""})
    given = Project(
        solution=Placement(source=folder, target="expected"),
        trusted=(Placement(source=write(tmp_path / "tests", {"app.rs": ""}), target="tests"),),
        tests=("tests",),
        manifest_fallbacks=(known,),
    )
    return [reason.split()[4].strip(",") for reason in doubts(read(given))]


@pytest.mark.parametrize(
    ("manifest", "names"),
    [
        ('[dependencies]\nserde = "1"\nregex = "1"\n', []),
        ('[dependencies]\nlibc = "0.2"\nserde = "1"\n', ["libc"]),
        ('[dependencies]\nharmless = { package = "fork", version = "0.2" }\n', ["fork"]),
        ("[target.'cfg(unix)'.dependencies]\nnix = \"0.29\"\n", ["nix"]),
        ('[dependencies]\nlinux-raw-sys = "0.4"\n', ["linux-raw-sys"]),
    ],
)
def test_crates_that_do_what_unsafe_code_does(
    tmp_path: Path, manifest: str, names: list[str]
) -> None:
    assert doubted(tmp_path, manifest) == names


def test_what_the_reference_needs_is_no_reason(tmp_path: Path) -> None:
    manifest = '[dependencies]\nlibc = "0.2"\n'
    assert doubted(tmp_path, manifest, manifest) == []
