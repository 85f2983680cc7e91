"""The quick look at Go sources tells where they stop being Go, and never takes long."""

import time

import pytest

from sdkbench.test_harness.go import syntax
from sdkbench.test_harness.recognition import Placed
from tests.support.projects import ProjectFactory


def placed(project: ProjectFactory, *sources: str) -> list[Placed]:
    root = project({f"{number}.go": source for number, source in enumerate(sources)})
    return [Placed(root / f"{number}.go", f"{number}.go") for number in range(len(sources))]


def test_each_file_that_is_no_go_is_named_with_its_line(project: ProjectFactory) -> None:
    sources = placed(project, "package a\n", "package a\n\nfunc f( {\n", "package a\nfunc g() {}\n")
    [problem] = syntax.syntax_problems(sources)
    assert problem.startswith("1.go:3: ")
    assert syntax.syntax_problems([]) == []


def test_a_source_that_is_made_to_be_slow_is_given_up(
    project: ProjectFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(syntax, "SECONDS", 3.0)
    slow = "package a\n)" + "&lol;" * 20 + ";&" * 30_000
    began = time.monotonic()
    [*_, problem] = syntax.syntax_problems(placed(project, slow))
    assert "not read to the end" in problem
    assert time.monotonic() - began < 20
