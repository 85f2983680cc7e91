"""Runs inside the sandbox: compiles the solution, then runs pytest and reports by the channel.

Started under the project's environment. Judged code runs in this very process.
"""

import importlib
import importlib.metadata
import importlib.util
import os
import random
import sys
import traceback
import types
import warnings
from typing import Any, Literal, TypedDict

from .. import LOADED_AT_START
from ..channel import Channel, given_order
from ..protocol import Begin, Built, Coverage, End, Order
from . import load_tests
from .reporter import Reporter

MAX_UNCOMPILED = 100
MAX_WARNINGS = 200
TEST_DATA = frozenset({"tests", "test", "testing", "testdata", "fixtures", "examples", "docs"})


class ApartOrder(TypedDict):
    """For tests whose solution is in another process."""

    peer_fd: str
    profile: str | None  # what the reference gave; None: record it
    package: str  # the name by which tests import the solution
    scratch: str  # the folder that both sides share
    folder: str  # where the tests begin


class InstallOrder(TypedDict):
    """How a project is built, and the environment that it is installed over."""

    backend: str
    backend_path: list[str]
    tag: str | None
    variables: dict[str, str]  # for the backend alone
    python: str  # the base interpreter
    programs: str
    packages: str


class PythonOrder(Order):
    """What to compile, import and test, and under which conditions."""

    solution: str
    trusted: bool
    tests: list[str]
    ini: str
    ini_settings: list[str]
    extra_words: list[str]
    plugin_distributions: list[str]
    path_first: list[str]
    path_last: list[str]
    siblings: list[str]
    coverage_omit: list[str]
    coverage_path: str | None
    compile: bool
    imports: list[str]
    run_tests: bool
    load_tests: bool
    install: InstallOrder | None
    install_error: str
    apart: ApartOrder | None
    shuffle_seed: int | None


class ProjectState(TypedDict):
    """What came before the tests of a project that is judged on its own."""

    kind: Literal["project"]
    install_error: str  # why it could not be installed
    uncompiled: list[str]  # files that are no Python: fixtures, maybe


class OtherOrder:
    """A pytest plugin: the same tests backwards (seed 0), or shuffled."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        if self._seed:
            random.Random(self._seed).shuffle(items)  # noqa: S311 - nothing secret
        else:
            items.reverse()


def compile_all(root: str, workspace: str) -> list[str]:
    """Every syntax error below `root`, as `path:line: message`."""
    errors = []
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                error = compile_one(path, os.path.relpath(path, workspace))
                if error:
                    errors.append(error)
    return errors


def compile_one(path: str, shown: str) -> str | None:
    try:
        with open(path, "rb") as stream:
            compile(stream.read(), path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return f"{shown}:{error.lineno or 0}: {type(error).__name__}: {error.msg}"
    except (ValueError, RecursionError, MemoryError, OverflowError, OSError) as error:
        return f"{shown}: {type(error).__name__}: {error}"
    return None


def warning_line(noted: warnings.WarningMessage, workspace: str) -> str:
    path = os.path.relpath(noted.filename, workspace)
    return f"{path}:{noted.lineno}: {noted.category.__name__}: {noted.message}"


def is_test_data(error: str) -> bool:
    """Whether the file of a syntax error is one that only tests read."""
    return not TEST_DATA.isdisjoint(error.partition(":")[0].split("/")[:-1])


def import_all(modules: list[str]) -> list[str]:
    """Import each module for real; what it raises or calls is its author's fault."""
    errors = []
    for name in modules:
        try:
            importlib.import_module(name)
        except (Exception, SystemExit):  # noqa: BLE001 - judged code raises what it likes
            last = traceback.format_exc().strip().splitlines()[-1]
            errors.append(f"import {name}: {last}")
    return errors


def plugin_names(distributions: list[str]) -> list[str]:
    """The pytest plugins of these distributions, and of no other."""
    return [
        entry.value
        for name in distributions
        for entry in importlib.metadata.distribution(name).entry_points
        if entry.group == "pytest11"
    ]


def pytest_words(order: PythonOrder) -> list[str]:
    workspace = order["workspace"]
    words = ["--rootdir", workspace, "--color=no", "-q"]
    if order["trusted"]:
        # The solution's conftest.py, pytest.ini and addopts have no say.
        words += [
            "-p",
            "no:cacheprovider",
            "-c",
            order["ini"],
            "--confcutdir",
            workspace,
            "--import-mode=importlib",
        ]
        for plugin in plugin_names(order["plugin_distributions"]):
            words += ["-p", plugin]
    words += [f"--override-ini={setting}" for setting in order["ini_settings"]]
    words += order["extra_words"]
    return words + [os.path.join(workspace, test) for test in order["tests"]]


def measure_coverage(order: PythonOrder) -> Any:
    """A started coverage.py from the tools' own environment, if it was asked for."""
    if not order["coverage_path"]:
        return None
    sys.path.append(order["coverage_path"])
    coverage = importlib.import_module("coverage")
    solution = os.path.normpath(os.path.join(order["workspace"], order["solution"]))
    measured = coverage.Coverage(
        data_file=None, source=[solution], config_file=False, omit=order["coverage_omit"]
    )
    measured.start()
    return measured


def coverage_of(measured: Any, workspace: str) -> dict[str, tuple[int, list[int]]]:
    measured.stop()
    files = {}
    for path in sorted(measured.get_data().measured_files()):
        _, statements, _, missing, _ = measured.analysis2(path)
        files[os.path.relpath(path, workspace)] = len(statements), missing
    return files


def give_way(workspace: str) -> None:
    """What we imported of the standard library, and the project has under the same name, is
    forgotten: `python -m pytest` finds the project's first.
    """
    own = {name.removesuffix(".py") for name in os.listdir(workspace)}
    for name in list(sys.modules):
        top = name.partition(".")[0]
        if top in own and top in sys.stdlib_module_names and top not in LOADED_AT_START:
            del sys.modules[name]


def run_pytest(order: PythonOrder, channel: Channel, apart: Any) -> int:
    """Its exit status."""
    reporter = Reporter(channel, order["workspace"], counts_skipped_files=not order["trusted"])
    try:
        pytest: Any = importlib.import_module("pytest")  # of the project's environment
    except Exception as error:
        reporter.report_error(error, "pytest cannot be imported")
        raise
    # Plugins of the project may answer in pytest's place: it must be seen before that.
    pytest.hookimpl(tryfirst=True)(Reporter.pytest_runtest_makereport)
    plugins = [reporter, *([] if apart is None else [apart])]
    plugins += [load_tests.plugin()] if order["load_tests"] else []
    if order["shuffle_seed"] is not None:
        plugins.append(OtherOrder(order["shuffle_seed"]))
    words = pytest_words(order)
    if not order["trusted"]:
        become_pytest(words)
    try:
        return int(pytest.main(words, plugins=plugins))
    except Exception as error:
        reporter.report_error(error, "pytest broke off")
        raise


def become_pytest(words: list[str]) -> None:
    """The main module as `python -m pytest` has it: processes that tests start look at it."""
    spec = importlib.util.find_spec("pytest.__main__")
    if spec is not None and spec.origin is not None:
        main = sys.modules["__main__"]
        main.__spec__, main.__file__, main.__package__ = spec, spec.origin, "pytest"
        sys.argv = [spec.origin, *words]


def run(order: PythonOrder, channel: Channel, apart: Any = None) -> None:
    """Compile, import and test as ordered; ends the process. `apart`: the solution's link."""
    workspace = order["workspace"]
    sys.path[:0] = order["path_first"]
    sys.path += order["path_last"]
    channel.send(Begin(kind="begin"))
    errors = apart.link.hello() if apart is not None else []
    told: list[str] = []
    if order["compile"] and apart is None:
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter("always")
            errors = compile_all(os.path.join(workspace, order["solution"]), workspace)
        told = [warning_line(each, workspace) for each in noted[:MAX_WARNINGS]]
    if not order["trusted"]:
        channel.send(
            ProjectState(
                kind="project",
                install_error=order["install_error"],
                uncompiled=errors[:MAX_UNCOMPILED],
            )
        )
        # A file that nothing imports may be what the tests of a parser read.
        errors = [] if order["run_tests"] else [e for e in errors if not is_test_data(e)]
    if not errors and order["imports"]:
        errors = import_all(order["imports"])
    channel.send(Built(kind="built", errors=errors, warnings=told))
    status = 0
    if order["run_tests"] and not errors:
        measured = measure_coverage(order)
        if not order["trusted"]:
            give_way(workspace)
        status = run_pytest(order, channel, apart)
        if apart is not None:
            channel.send(apart.crossing())
        if measured is not None:
            files = coverage_of(measured, workspace)
            channel.send(Coverage(kind="coverage", files=files))
        channel.send(End(kind="end", status=status))
    sys.stdout.flush()
    sys.stderr.flush()
    # Threads and exit hooks that the judged code left behind have no part in its verdict.
    os._exit(status)


def forget_our_modules() -> None:
    """The judged code must not find our names under a name it can guess."""
    ours = __name__.partition(".")[0]
    for name in [name for name in sys.modules if name.partition(".")[0] == ours]:
        del sys.modules[name]
    sys.modules["__main__"] = types.ModuleType("__main__")


def sleep_on_another_day() -> None:
    """Python sleeps until a time of the monotonic clock, which libfaketime 0.9.10 refuses."""
    if "FAKETIME" in os.environ:
        import select  # noqa: PLC0415 - what is loaded at the start, no solution has to import
        import time  # noqa: PLC0415

        time.sleep = lambda seconds: (select.select([], [], [], float(seconds)), None)[1]


def main() -> None:
    order: PythonOrder = given_order()
    sleep_on_another_day()
    channel = Channel(order)
    apart = None
    if order["apart"]:
        from .apart.tests_side import Apart  # noqa: PLC0415 - only where it is needed

        apart = Apart(order["apart"])
    forget_our_modules()
    run(order, channel, apart)
