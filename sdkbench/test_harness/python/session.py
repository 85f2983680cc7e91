"""What the programs of inside/python are told to do, and how they are started."""

from pydantic import BaseModel, ConfigDict

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.sandbox import Mount
from sdkbench.sandbox.bubblewrap import interpreter as base_interpreter
from sdkbench.sandbox.command import SHARED, WORKSPACE
from sdkbench.sandbox.pair import PEER
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.python import build_system, siblings
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python.environment import site_packages
from sdkbench.test_harness.python.own_project import Installation
from sdkbench.test_harness.python.records import OWN_RECORDS
from sdkbench.test_harness.session import INSIDE, Boot, Order

TRUSTED_INI = INSIDE / "python" / "trusted_pytest.ini"
ENVIRONMENT = {
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",  # the same answer tomorrow
}
OF_A_SAMPLE = {"CI": "true", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
INSTALLED = "python.installed"


class ApartOrder(BaseModel):
    """For tests whose solution is in another process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    peer_fd: str = PEER
    profile: str | None  # what the reference gave; None: record it
    package: str  # the name by which tests import the solution
    scratch: str = SHARED
    folder: str = WORKSPACE  # where the tests begin


class SolutionOrder(BaseModel):
    """For inside/python/solution.py: compile the solution and answer for it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    workspace: str = WORKSPACE
    solution: str
    peer_fd: str = PEER
    path_first: tuple[str, ...] = (WORKSPACE,)
    path_last: tuple[str, ...]
    compile: bool
    scratch: str = SHARED
    folder: str = WORKSPACE
    held: bool


class InstallOrder(BaseModel):
    """How a project is built, and the environment that it is installed over."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backend: str
    backend_path: tuple[str, ...]
    tag: str | None  # of the version; None: the project has no history
    variables: dict[str, str]  # for the backend alone
    python: str  # the base interpreter
    programs: str
    packages: str


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
    siblings: tuple[str, ...] = ()  # of it; they stay where the project itself is installed
    coverage_omit: tuple[str, ...] = ("*/tests/*", "*/test_*.py")
    coverage_path: str | None = None  # where coverage.py is, if it is wanted
    compile: bool
    imports: tuple[str, ...] = ()
    run_tests: bool = True
    load_tests: bool = False  # of unittest: its modules may say what their tests are
    install: InstallOrder | None = None
    install_error: str = ""  # set inside
    apart: ApartOrder | None = None
    shuffle_seed: int | None = None  # 0: backwards


def boot(program: str, environment: Environment, *, trusted: bool) -> Boot:
    python = environment.path / "venv" / "bin" / "python"
    # Not -I, which would ignore the PYTHON* settings below: the environment is ours anyway. A
    # project's own tests may look at the flags, and pass them on to processes that they start.
    flags = ("-s", "-P") if trusted else ()
    return Boot(
        argv=(str(python), *flags, str(INSIDE), program),
        mounts=(Mount(path=environment.path),),
        env=ENVIRONMENT | (OF_A_SAMPLE if trusted else {}),
        search_path=(python.parent,),
        own_records=OWN_RECORDS,
    )


def installing(boot: Boot, installation: Installation) -> Boot:
    """The same, once the project is installed: that is begun under its build requirements."""
    build = installation.environment.path
    python = build / "venv" / "bin" / "python"
    return boot._replace(
        argv=(str(python), "-s", "-P", str(INSIDE), INSTALLED),
        mounts=(*boot.mounts, Mount(path=build)),
    )


def install_order(
    project: Project, installation: Installation, environment: Environment
) -> InstallOrder:
    system = installation.system
    return InstallOrder(
        backend=system.backend,
        backend_path=system.backend_path,
        tag=project.tag,
        variables=build_system.variables(project),
        python=base_interpreter(),
        programs=str(environment.path / "venv" / "bin"),
        packages=str(site_packages(environment)),
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
    beside: tuple[str, ...] = ()
    if project.has_own_tests:
        is_package = (project.solution.source / "src" / "__init__.py").is_file()
        behind = [] if is_package else [f"{WORKSPACE}/src"]
        root = project.solution.source
        beside = tuple(f"{WORKSPACE}/{place}" for place in siblings.read(root).places(root))
    unittest = framework is TestFramework.UNITTEST
    xdist = any(package.startswith("pytest-xdist==") for package in environment.packages)
    return PythonOrder(
        solution=solution,
        trusted=not project.has_own_tests,
        tests=project.tests,
        ini=_trusted_ini(project),
        ini_settings=_settings_of_unittest(project) if unittest else (),
        load_tests=unittest and project.has_own_tests,
        # One process reports; a project that would spread its tests over several still may.
        extra_words=("-n0",) if xdist and project.has_own_tests else (),
        plugin_distributions=python_project.plugins_of(project),
        path_last=(*behind, *beside),
        siblings=beside,
        compile=run_build,
    )


def _settings_of_unittest(project: Project) -> tuple[str, ...]:
    """Its files; and in a project's own suite no classes but its own, where there are no others."""
    files = "python_files=test*.py *_test.py"
    if all(path.name == "__init__.py" for path in python_project.test_files(project)):
        files = "python_files=__init__.py"  # which says what the tests are
    if not project.has_own_tests or python_project.has_plain_classes(project):
        return (files,)
    return files, "python_classes=NoneButTestCase"


def _trusted_ini(project: Project) -> str:
    """The sample's own pytest configuration, where it brings one."""
    for placement in project.trusted:
        for name in ("pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"):
            if placement.target == name and placement.source.is_file():
                return f"{WORKSPACE}/{name}"
            if placement.source.is_dir() and (placement.source / name).is_file():
                return f"{WORKSPACE}/{placement.target}/{name}"
    return str(TRUSTED_INI)
