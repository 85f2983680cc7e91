"""go.mod and go.work, as people write them."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.go.manifest import Replacement, parse_go_mod, read_go_mod, read_go_work
from tests.support.projects import ProjectFactory

WHOLE = """\
module example.com/notes // the module

go 1.23.0

toolchain go1.24.1

require go.etcd.io/bbolt v1.4.0
require (
\t"golang.org/x/sys" v0.29.0 // indirect
\tgithub.com/golang-jwt/jwt/v5 v5.2.2
)

replace github.com/a/b v1.0.0 => github.com/c/d v1.2.3

replace example.com/local => ./local

exclude golang.org/x/sys v0.1.0
retract v0.9.0
"""


def test_everything_that_matters_is_read() -> None:
    found = parse_go_mod(WHOLE)
    assert (found.module, found.go, found.refused) == ("example.com/notes", "1.23.0", ())
    assert found.requires == (
        ("go.etcd.io/bbolt", "v1.4.0"),
        ("golang.org/x/sys", "v0.29.0"),
        ("github.com/golang-jwt/jwt/v5", "v5.2.2"),
    )
    assert found.replaces == (
        Replacement("github.com/a/b", "v1.0.0", "github.com/c/d", "v1.2.3"),
        Replacement("example.com/local", "", "./local", ""),
    )
    assert [r.is_local for r in found.replaces] == [False, True]
    assert found.replaces[1].line() == "replace example.com/local => ./local"
    assert found.excludes == (("golang.org/x/sys", "v0.1.0"),)


@pytest.mark.parametrize(
    "line",
    [
        "require go.etcd.io/bbolt",
        "require ../elsewhere v1.0.0",
        "require -flag v1.0.0",
        "require example.com/x v1.0.0 v2.0.0",
        "replace a => b => c",
        "replace example.com/x => example.com/y v1 v2",
        "go two",
        "module a b",
        "sudo rm",
    ],
)
def test_what_is_not_understood_is_refused_by_its_line(line: str) -> None:
    (sentence,) = parse_go_mod(f"module m\n{line}\n").refused
    assert sentence.startswith("go.mod line 2:")


def test_a_folder_without_manifest_has_none(project: ProjectFactory) -> None:
    folder = project({"main.go": "package main\n"})
    assert read_go_mod(folder) is None
    assert read_go_work(folder) is None


def test_what_is_no_text_is_refused(project: ProjectFactory) -> None:
    found = read_go_mod(project({"go.mod": b"\xff\xfe\x00"}))
    assert found
    assert found.refused


def test_a_workspace_names_its_folders(project: ProjectFactory) -> None:
    folder = project({"go.work": "go 1.21\n\nuse ./one\nuse (\n\t./two\n\t./three // last\n)\n"})
    assert read_go_work(folder) == ("./one", "./two", "./three")


@given(st.text(alphabet=st.sampled_from('modulereqi ./=>()"`\n\t-v1a'), max_size=80))
def test_no_text_breaks_the_reader(text: str) -> None:
    found = parse_go_mod(text)
    assert all(not path.startswith((".", "-", "/")) for path, _ in found.requires)


def test_a_file_too_big_to_be_a_manifest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "go.mod").write_text("// x\n" * 300_000)
    found = read_go_mod(tmp_path)
    assert found
    assert found.refused
