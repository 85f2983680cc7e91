"""What the boot script is told to do with a Go project."""

import secrets
from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.go import project as reading
from sdkbench.test_harness.go import watching as go_watching
from sdkbench.test_harness.go.environment import Lock, build_cache
from sdkbench.test_harness.go.toolchain import go_program
from sdkbench.test_harness.session import INSIDE

GUARD = INSIDE / "go" / "guard"
VERSION = "v0.0.0"  # of modules that are replaced by folders
GUARD_GO = "1.21"


def order(
    project: Project,
    found: reading.Reading,
    lock: Lock,
    compiled: Environment,
    *,
    run_build: bool,
    run_tests: bool,
) -> dict[str, Any]:
    whole: dict[str, Any] = {
        "go": go_program(),
        "build_cache": str(build_cache(compiled)),
        "own": project.has_own_tests,
        "build": run_build,
        "run_tests": run_tests,
        "modules": [
            {
                "folder": _folder(project, module),
                "go_mod": _own_go_mod(project, module, found, lock),
                "go_sum": lock.go_sum,
                "patterns": _patterns(project, module),
            }
            for module in found.modules
        ],
        "shown": {"./": "", f"{WORKSPACE}/": ""},
    }
    return whole if project.has_own_tests else whole | _sample(project, found, lock)


def go_mod(
    module: str, lock: Lock, siblings: Iterable[tuple[str, str]] = (), lines: Iterable[str] = ()
) -> str:
    """A go.mod for `module` with the locked versions; `siblings` are modules found in folders."""
    locked = lock.parsed
    text = [f"module {module}", f"go {locked.go}"]
    text += [f"require {path} {version} // indirect" for path, version in locked.requires]
    text += [f"exclude {path} {version}" for path, version in locked.excludes]
    text += [replaced.line() for replaced in locked.replaces]
    for path, folder in siblings:
        text += [f"require {path} {VERSION}", f"replace {path} => {folder}"]
    return "\n".join([*text, *lines]) + "\n"


def _own_go_mod(
    project: Project, module: reading.Module, found: reading.Reading, lock: Lock
) -> str:
    others = [
        (other.path, _folder(project, other))
        for other in (*found.modules, *found.siblings)
        if other.path != module.path
    ]
    return go_mod(module.path, lock, others)


def _sample(project: Project, found: reading.Reading, lock: Lock) -> dict[str, Any]:
    token = secrets.token_hex(8)
    guard = go_watching.guard_module(token)
    files: dict[str, str] = {}
    packages: dict[str, dict[str, Any]] = {}
    for name, source in reading.trusted_sources(project):
        path = PurePosixPath(name)
        tested = path.name.endswith("_test.go")
        watched = go_watching.watch(source, token if tested else "")
        files[path.relative_to(reading.TESTS).as_posix()] = watched.text
        package = packages.setdefault(
            path.parent.as_posix(),
            {
                "folder": path.parent.relative_to(reading.TESTS).as_posix(),
                "cwd": f"{WORKSPACE}/{path.parent}",
                "cases": [],
            },
        )
        package["cases"] += [{"id": f"{name}::{test}", "name": test} for test in watched.tests]
    watch = (GUARD / "watch" / "watch.go").read_text(encoding="utf-8")
    solution = found.modules[0].path
    modules = [(solution, "{scratch}/solution"), (guard, "{scratch}/guard")]
    return {
        "solution": f"{WORKSPACE}/{project.solution.target}",
        "tests": f"{WORKSPACE}/{reading.TESTS}",
        "test_files": files,
        "packages": [package for package in packages.values() if package["cases"]],
        "tests_go_mod": go_mod(f"{solution}/tests", lock, modules),
        "guard": str(GUARD),
        "guard_files": {
            "go.mod": f"module {guard}\ngo {GUARD_GO}\n",
            "watch/watch.go": watch.replace("GUARD/", f"{guard}/"),
        },
        "shown": {
            "{scratch}/solution/": f"{project.solution.target}/",
            "{scratch}/tests/": "tests/",
            "../solution/": f"{project.solution.target}/",
            "./": "",
        },
    }


def _folder(project: Project, module: reading.Module) -> str:
    target = PurePosixPath(project.solution.target) / module.folder
    return f"{WORKSPACE}/{target}"


def _patterns(project: Project, module: reading.Module) -> list[str]:
    """What of an own project's module is tested: all of it, or the packages below a folder. A file
    stands for its package.
    """
    if not project.tests:
        return ["./..."]
    home = PurePosixPath(module.folder)
    found = []
    for test in map(PurePosixPath, project.tests):
        folder, below = (test.parent, "") if test.suffix == ".go" else (test, "/...")
        if folder.is_relative_to(home):
            found.append(f"./{folder.relative_to(home)}{below}")
        elif home.is_relative_to(folder) and below:
            found.append("./...")
    return found
