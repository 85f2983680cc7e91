"""What the boot program is told to do with a Go project, and what the tests' output means."""

import secrets
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from pydantic import BaseModel

from sdkbench.environments import Environment
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.go.compared import compared_errors
from sdkbench.test_harness.go.environment import Lock, build_cache, go_program
from sdkbench.test_harness.go.failures import failure_in
from sdkbench.test_harness.go.own import OwnLock
from sdkbench.test_harness.go.project import (
    TESTS,
    GoProject,
    Module,
    package_clause,
    parse,
    test_functions,
    tests_start_themselves,
    trusted_files,
)
from sdkbench.test_harness.recognition import bytes_of
from sdkbench.test_harness.session import INSIDE, Case, Order

GUARD = INSIDE / "go" / "guard"
# Before every path that a module may have: Go initialises packages in the order of their paths, so
# ours takes its secret before any judged code runs.
GUARD_ROOT = "0-----"
GUARD_GO = "1.21"
VERSION = "v0.0.0"  # of modules that are replaced by folders


class GoModule(BaseModel):
    folder: str
    patterns: tuple[str, ...]


class GoCase(BaseModel):
    id: str
    name: str


class GoPackage(BaseModel):
    folder: str
    cwd: str
    cases: tuple[GoCase, ...]


class GoSample(BaseModel):
    solution: str
    go_mod: str
    go_sum: str
    tests: str
    test_files: dict[str, str]
    packages: tuple[GoPackage, ...]
    tests_go_mod: str
    tests_start_themselves: bool
    guard: str
    guard_files: dict[str, str]


class GoOrder(Order):
    """What inside/go/build.py says of the same names."""

    go: str
    build_cache: str
    build: bool
    run_tests: bool
    files: dict[str, str]
    modules: tuple[GoModule, ...]
    displayed: dict[str, str]
    sample: GoSample | None
    programs: str | None


class WatchedTests(NamedTuple):
    """A test file in which our watcher runs every test, and the tests' names."""

    text: str
    tests: tuple[str, ...]  # in the order of the file


def order(
    project: GoProject,
    lock: str,
    compiled: Environment,
    *,
    run_build: bool,
    run_tests: bool,
    programs: Path | None = None,
) -> GoOrder:
    """With `programs` the solution is built into that folder, whatever `run_build` says."""
    own, target = project.given.has_own_tests, project.given.solution.target
    return GoOrder(
        go=go_program(),
        build_cache=str(build_cache(compiled)),
        build=run_build or programs is not None,
        run_tests=run_tests,
        files=OwnLock.read(lock).manifests if own else {},
        modules=tuple(
            GoModule(folder=_folder(project, module), patterns=tuple(_patterns(project, module)))
            for module in project.modules
        )
        if own
        else (),
        displayed={f"{WORKSPACE}/": ""}
        if own
        else {
            "{scratch}/solution/": f"{target}/",
            "{scratch}/tests/": "tests/",
            "../solution/": f"{target}/",
        },
        sample=None if own else _sample(project, Lock.read(lock)),
        programs=None if programs is None else str(programs),
    )


def go_mod(module: str, lock: Lock, siblings: Iterable[tuple[str, str]] = ()) -> str:
    """A go.mod for `module` with the locked versions; `siblings` are modules found in folders."""
    locked = lock.parsed
    lines = [f"module {module}", f"go {locked.go}"]
    lines += [f"require {path} {version} // indirect" for path, version in locked.requires]
    lines += [f"exclude {path} {version}" for path, version in locked.excludes]
    lines += [replaced.line() for replaced in locked.replaces]
    for path, folder in siblings:
        lines += [f"require {path} {VERSION}", f"replace {path} => {folder}"]
    return "\n".join(lines) + "\n"


def _folder(project: GoProject, module: Module) -> str:
    return f"{WORKSPACE}/{PurePosixPath(project.given.solution.target) / module.folder}"


def _patterns(project: GoProject, module: Module) -> list[str]:
    """What of an own project's module is tested: all of it, or the packages below a folder. A file
    stands for its package.
    """
    if not project.given.tests:
        return ["./..."]
    home = PurePosixPath(module.folder)
    patterns = []
    for test in map(PurePosixPath, project.given.tests):
        folder, below = (test.parent, "") if test.suffix == ".go" else (test, "/...")
        if folder.is_relative_to(home):
            patterns.append(f"./{folder.relative_to(home)}{below}")
        elif home.is_relative_to(folder) and below:
            patterns.append("./...")
    return patterns


def _sample(project: GoProject, lock: Lock) -> GoSample:
    token = secrets.token_hex(8)
    guard = f"{GUARD_ROOT}/{token}"  # nobody could import it who didn't know the token
    files: dict[str, str] = {}
    cases: dict[PurePosixPath, list[GoCase]] = {}
    for source, name in trusted_files(project.given):
        path = PurePosixPath(name)
        watched = watch(bytes_of(source), token if path.name.endswith("_test.go") else "")
        files[path.relative_to(TESTS).as_posix()] = watched.text
        cases.setdefault(path.parent, []).extend(
            GoCase(id=f"{name}::{test}", name=test) for test in watched.tests
        )
    watcher = (GUARD / "watch" / "watch.go").read_text(encoding="utf-8")
    starter = (GUARD / "secret" / "start.go").read_text(encoding="utf-8")
    restarted = tests_start_themselves(project.given)
    solution = project.modules[0].path
    modules = [(solution, "{scratch}/solution"), (guard, "{scratch}/guard")]
    return GoSample(
        solution=f"{WORKSPACE}/{project.given.solution.target}",
        go_mod=go_mod(solution, lock),
        go_sum=lock.go_sum,
        tests=f"{WORKSPACE}/{TESTS}",
        test_files=files,
        packages=tuple(
            GoPackage(
                folder=folder.relative_to(TESTS).as_posix(),
                cwd=f"{WORKSPACE}/{folder}",
                cases=tuple(tests),
            )
            for folder, tests in cases.items()
            if tests
        ),
        tests_go_mod=go_mod(f"{solution}/tests", lock, modules),
        tests_start_themselves=restarted,
        guard=str(GUARD),
        guard_files={
            "go.mod": f"module {guard}\ngo {GUARD_GO}\n",
            "watch/watch.go": watcher.replace("GUARD/", f"{guard}/"),
            "secret/start.go": starter.replace("false", str(restarted).lower()),
        },
    )


def watch(source: bytes, token: str) -> WatchedTests:
    """`func TestX(t *testing.T) {` becomes, in the same line, a TestX that calls the watcher with
    the original function under another name. With no token the source stays as it is.
    """
    tree = parse(source)
    functions = test_functions(tree) if token else []
    package = package_clause(tree)
    edits: list[tuple[int, int, str]] = []  # in bytes
    if functions and package is not None:
        alias = f"watch{token}"
        line = f'; import {alias} "{GUARD_ROOT}/{token}/watch"'
        edits.append((package.end_byte, package.end_byte, line))
        for function in functions:
            inner = f"watched{token}{function.name}"
            errors = "".join(f'"{e}": {e}, ' for e in compared_errors(tree, function.node))
            compared = (
                f"func() map[string]interface{{}} {{ return map[string]interface{{}}{{{errors}}} }}"
            )
            call = f"{alias}.Run(t, {inner}, {compared})"
            wrapper = f"func {function.name}(t {function.type}) {{ {call} }}; "
            start = function.node.start_byte
            edits.append((start, start, wrapper))
            name = function.node.child_by_field_name("name")
            if name is not None:
                edits.append((name.start_byte, name.end_byte, inner))
    for start, end, replacement in sorted(edits, reverse=True):
        source = source[:start] + replacement.encode() + source[end:]
    return WatchedTests(source.decode("utf-8", "replace"), tuple(f.name for f in functions))


def explained(project: GoProject, record: Case) -> Case:
    """A record of a test with the message, the file and the line that its output gives."""
    failure = failure_in(record.output)
    if record.status == "skipped":
        return record.model_copy(update={"reason": failure.message})
    path = failure.file and _placed(project, record.id.rpartition("::")[0], failure.file)
    update = {"message": failure.message, "path": path, "line": failure.line}
    return record.model_copy(update=update | {"trace": record.output})


def _placed(project: GoProject, home: str, path: str) -> str:
    """Where a file stands below the workspace. A bare name stands beside the test's own file, or
    in the folder of its package.
    """
    if "/" in path:
        return path
    if home.endswith(".go"):
        return f"{home.rpartition('/')[0]}/{path}".lstrip("/")
    beside = [
        PurePosixPath(module.folder, home.removeprefix(module.path).strip("/"), path)
        for module in project.modules
        if home == module.path or home.startswith(f"{module.path}/")
    ]
    known = {placed.target for placed in project.sources}
    return next((str(place) for place in beside if str(place) in known), path)
