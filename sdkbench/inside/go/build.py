"""Builds a Go project as it stands, or a sample's in a tree of our own; its order."""

import os
import re
import shutil
from typing import TypedDict

from ..processes import Printed, exit_code, spawn_printing
from ..protocol import Order

MAX_TEXT = 64 * 1024  # of what one test or one build printed
ERROR_LINE = re.compile(r"^(?:vet: )?(\S+\.go)(:\d+(?::\d+)?: .*)$")
# Compiles and checks packages as `go test` does before it runs any test, and runs none.
COMPILE = ["test", "-exec=true"]


class GoModule(TypedDict):
    folder: str
    patterns: list[str]  # of the packages to test


class GoCase(TypedDict):
    id: str
    name: str


class GoPackage(TypedDict):
    """A package of a sample's tests: its folder below them, and where its tests run."""

    folder: str
    cwd: str
    cases: list[GoCase]


class GoSample(TypedDict):
    """What only a sample needs. Texts may say {scratch} for our own folder."""

    solution: str
    go_mod: str  # of the solution
    go_sum: str  # of all
    tests: str
    test_files: dict[str, str]
    packages: list[GoPackage]
    tests_go_mod: str
    tests_start_themselves: bool
    guard: str
    guard_files: dict[str, str]


class GoOrder(Order):
    go: str
    build_cache: str
    build: bool
    run_tests: bool
    files: dict[str, str]  # to write into the workspace
    modules: list[GoModule]  # of a project that is judged on its own tests
    displayed: dict[str, str]  # path in what go prints → as people know it
    sample: GoSample | None  # none: the project is judged on its own tests
    programs: str | None  # the folder for the solution's programs, where it is called as one


class Judged:
    """The project as it is built: where things are, and how go is called there."""

    def __init__(self, order: GoOrder) -> None:
        self.order = order
        self.scratch = os.path.join(os.environ["TMPDIR"], "sdkbench-go")
        self.env = {**os.environ, "GOCACHE": f"{self.scratch}/cache"}
        os.makedirs(self.scratch)
        farm(order["build_cache"], self.env["GOCACHE"])
        for name, text in order["files"].items():
            write(os.path.join(order["workspace"], name), text)

    def go(self, jobs: list[tuple[str, list[str]]]) -> list[str]:
        """Run go in these folders, all at once; the errors of those that went wrong."""
        started = []
        for folder, words in jobs:
            os.chdir(folder)
            printed = Printed(MAX_TEXT)
            started.append(
                (spawn_printing([self.order["go"], *words], self.env, printed), words, printed)
            )
        errors = []
        for pid, words, printed in started:
            status = exit_code(pid)
            if status:
                text = self.shown(printed.text())
                errors += errors_in(text) or [f"go {words[0]}: exit code {status}\n{text.strip()}"]
        return errors

    def shown(self, text: str) -> str:
        """With paths as people know them."""
        for real, shown in self.order["displayed"].items():
            path = re.escape(real.replace("{scratch}", self.scratch))
            text = re.sub(rf"(?<![\w./-]){path}", shown, text)
        return text


def errors_in(text: str, folder: str = "") -> list[str]:
    """What the compiler and the checks complain of, each once and with the lines that go on with
    it; `folder` is where their paths begin.
    """
    errors: list[str] = []
    for line in text.splitlines():
        match = ERROR_LINE.match(line)
        if match:
            path = os.path.normpath(os.path.join(folder, match[1]))
            errors.append(f"{path}{match[2]}")
        elif errors and line.startswith("\t"):
            errors[-1] += f"\n{line}"
    return list(dict.fromkeys(errors))


def farm(source: str, target: str) -> None:
    """A build cache that can be written to, of links into the shared one."""
    for folder in os.scandir(source):
        if folder.is_dir():
            os.makedirs(f"{target}/{folder.name}")
            for entry in os.scandir(folder.path):
                os.symlink(entry.path, f"{target}/{folder.name}/{entry.name}")


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def build_sample(
    judged: Judged, sample: GoSample, *, check: bool, compile_tests: bool
) -> list[str]:
    """Our own tree: the solution's sources, the sample's tests and our guard, each a module."""
    scratch = judged.scratch
    solution, tests = f"{scratch}/solution", f"{scratch}/tests"
    left_out = shutil.ignore_patterns("*_test.go", "go.mod", "go.sum", "go.work*", "vendor")
    shutil.copytree(sample["solution"], solution, symlinks=True, ignore=left_out)
    write(f"{solution}/go.mod", sample["go_mod"])
    write(f"{solution}/go.sum", sample["go_sum"])
    jobs: list[tuple[str, list[str]]] = []
    if check:
        out = judged.order["programs"]
        linked = ["-ldflags=-s -w", "-o", f"{out}/"] if out else []
        errors = judged.go([(solution, ["build", "-mod=readonly", *linked, "./..."])])
        if errors:
            return errors
        jobs.append((solution, [*COMPILE, "-mod=readonly", "./..."]))
    if compile_tests:
        shutil.copytree(sample["guard"], f"{scratch}/guard")
        for name, text in sample["guard_files"].items():
            write(f"{scratch}/guard/{name}", text)
        if os.path.isdir(sample["tests"]):  # what tests read: embedded files too
            shutil.copytree(sample["tests"], tests)
        for name, text in sample["test_files"].items():
            write(f"{tests}/{name}", text)
        write(f"{tests}/go.mod", sample["tests_go_mod"].replace("{scratch}", scratch))
        write(f"{tests}/go.sum", sample["go_sum"])
        for number, package in enumerate(sample["packages"]):
            words = ["test", "-c", "-vet=off", "-mod=readonly", "-ldflags=-s -w"]
            words += ["-o", f"{scratch}/test{number}", f"./{package['folder']}"]
            jobs.append((tests, words))
    return judged.go(jobs)
