"""What the programs of inside/python are told to do, and how they are started."""

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.protocol import Order
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.records import OWN_RECORDS
from sdkbench.test_harness.session import INSIDE, Boot

TRUSTED_INI = INSIDE / "python" / "trusted_pytest.ini"
ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # the same answer tomorrow
    "CI": "true",
}


class PythonOrder(Order):
    """For inside/python/boot.py: compile, import and test one workspace."""

    solution: str
    trusted: bool  # a sample's tests: the solution's settings of pytest have no say
    tests: tuple[str, ...]  # none: the project's own `testpaths` count
    ini: str
    ini_settings: tuple[str, ...]
    extra_words: tuple[str, ...]  # for pytest
    plugin_distributions: tuple[str, ...]
    path_first: tuple[str, ...] = (WORKSPACE,)
    path_last: tuple[str, ...]
    coverage_omit: tuple[str, ...] = ("*/tests/*", "*/test_*.py")
    coverage_path: str | None = None  # where coverage.py is, if it is wanted
    compile: bool
    imports: tuple[str, ...] = ()
    run_tests: bool = True


def boot(program: str, environment: Environment, *, trusted: bool) -> Boot:
    python = environment.path / "venv" / "bin" / "python"
    autoload = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} if trusted else {}
    return Boot(
        # Not -I, which would ignore the PYTHON* settings below: the environment is ours anyway.
        argv=(str(python), "-s", "-P", str(INSIDE), program),
        mounts=(Mount(path=environment.path),),
        env=ENVIRONMENT | autoload,
        search_path=(python.parent,),
        own_records=OWN_RECORDS,
    )


def python_order(
    project: Project, framework: TestFramework, environment: Environment, *, run_build: bool
) -> PythonOrder:
    """Build and test."""
    solution = project.solution.target
    # Behind everything installed: the solution may be imported by its bare names, as when it is run
    # from its own folder, but can't stand in for pytest or the standard library. The tests' own
    # modules come before it.
    behind = [f"{WORKSPACE}/tests", f"{WORKSPACE}/{solution}"]
    if project.has_own_tests:
        is_package = (project.solution.source / "src" / "__init__.py").is_file()
        behind = [] if is_package else [f"{WORKSPACE}/src"]
    unittest = framework is TestFramework.UNITTEST
    xdist = any(package.startswith("pytest-xdist==") for package in environment.packages)
    return PythonOrder(
        solution=solution,
        trusted=not project.has_own_tests,
        tests=project.tests,
        ini=_trusted_ini(project),
        ini_settings=("python_files=test*.py *_test.py",) if unittest else (),
        # One process reports; a project that would spread its tests over several still may.
        extra_words=("-n0",) if xdist and project.has_own_tests else (),
        plugin_distributions=python_project.needs(project).plugin_distributions,
        path_last=tuple(behind),
        compile=run_build,
    )


def _trusted_ini(project: Project) -> str:
    """The sample's own pytest configuration, where it brings one."""
    for placement in project.trusted:
        for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
            if placement.target == name and placement.source.is_file():
                return f"{WORKSPACE}/{name}"
            if placement.source.is_dir() and (placement.source / name).is_file():
                return f"{WORKSPACE}/{placement.target}/{name}"
    return str(TRUSTED_INI)
