"""What go is shown of a project to say what it needs: manifests, and heads without code."""

import pytest

from sdkbench.core import Project
from sdkbench.test_harness.go import project as go_project
from sdkbench.test_harness.go.imports import head_of
from sdkbench.test_harness.go.own import own_request
from tests.support.projects import ProjectFactory


@pytest.mark.parametrize(
    ("source", "head"),
    [
        ('// A.\n\npackage a\n\nimport x "b.c/d"\n\nfunc F() {}\n',
         '\npackage a\n\nimport _ "b.c/d"\n'),
        ('//go:build linux && !cgo\n// +build linux,!cgo\n\npackage a; import "C"\n',
         '//go:build linux && !cgo\n// +build linux,!cgo\n\npackage a\n\nimport "C"\n'),
        ('//go:build ignore\n\npackage main\n\nimport "x.y/z"\n',
         "//go:build ignore\n\npackage main\n\n"),
        ("package a\n\nvar s = `\n//go:build windows\n`\n", "\npackage a\n\n"),
        ("no go", ""),
    ],
)  # fmt: skip
def test_a_head_keeps_constraints_package_and_imports(source: str, head: str) -> None:
    assert head_of(source.encode()) == head


def test_what_go_needs_not_look_at_is_left_out(project: ProjectFactory) -> None:
    root = project({
        "go.mod": "module m\n",
        "a.go": 'package a\n\nimport "x.y/z"\n',
        "testdata/b.go": "package b\n",
        "vendor/c/c.go": "package c\n",
        "sub/go.mod": "module m/sub\n",
        "sub/d.go": "package d\n",
        "note.txt": "",
    })  # fmt: skip
    request = own_request(go_project.read(Project.of_folder(root)), "1.21")
    assert set(request.files) == {"go.mod", "a.go", "sub/go.mod", "sub/d.go"}
    assert (request.modules, request.made) == ((".",), ())


def test_a_vendored_module_needs_nothing(
    project: ProjectFactory,
) -> None:
    vendored = project({"go.mod": "module m\n", "vendor/modules.txt": "", "a.go": "package a\n"})
    assert own_request(go_project.read(Project.of_folder(vendored)), "1.21").modules == ()


def test_a_folder_without_manifest_gets_one(project: ProjectFactory) -> None:
    request = own_request(
        go_project.read(Project.of_folder(project({"a.go": "package a\n"}))), "1.21"
    )
    assert request.files["go.mod"] == "module project\n\ngo 1.21\n"
    assert request.made == ("go.mod",)
