"""Runs inside the sandbox: compiles the solution, then runs pytest and reports by the channel.

Started under the project's environment. Judged code runs in this very process.
"""

import importlib
import importlib.metadata
import os
import sys
import traceback
import types
import warnings
from typing import Any, Literal, NotRequired

from ..channel import Channel, given_order
from ..protocol import Begin, Built, Collected, Coverage, End, Failure, Order, RunError, Start

MAX_TEXT = 64 * 1024  # of one traceback or one captured section
FULL_FAILURES = 50  # in full; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024


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
    coverage_omit: list[str]
    coverage_path: str | None
    compile: bool
    imports: list[str]
    run_tests: bool


class Phase(Failure):
    """One phase of a test, or one subtest of it: setup, call, teardown."""

    kind: Literal["report", "subtest"]
    id: str
    when: str
    outcome: str
    xfail: bool
    seconds: float
    reason: NotRequired[str]


class Reporter:
    """The pytest plugin: every hook becomes one record."""

    def __init__(self, channel: Channel, workspace: str) -> None:
        self._channel = channel
        self._workspace = workspace
        self._failures = 0

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            failure = self._failure(report)
            self._channel.send(RunError(kind="run_error", id=report.nodeid, **failure))

    def pytest_collection_finish(self, session: Any) -> None:
        ids = [item.nodeid for item in session.items]
        self._channel.send(Collected(kind="collected", ids=ids))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._channel.send(Start(kind="start", id=nodeid))

    def pytest_runtest_logreport(self, report: Any) -> None:
        subtest = type(report).__name__ in {"SubtestReport", "SubTestReport"}
        failure = self._failure(report) if report.failed else Failure()
        phase = Phase(
            kind="subtest" if subtest else "report",
            id=report.nodeid,
            when=report.when,
            outcome=report.outcome,
            xfail=hasattr(report, "wasxfail"),
            seconds=report.duration,
            reason=self._skip_reason(report) if report.skipped else "",
            **failure,
        )
        self._channel.send(phase)

    def pytest_internalerror(self, excrepr: Any) -> None:
        text = str(excrepr)[-MAX_TEXT:]
        self._channel.send(RunError(kind="run_error", message=text, trace=text))

    def _failure(self, report: Any) -> Failure:
        representation = report.longrepr
        text = self._relative(str(report.longreprtext or representation or ""))
        path, line, message = None, None, ""
        crash = getattr(representation, "reprcrash", None)
        if crash is not None:
            path, line, message = self._relative(crash.path), crash.lineno, crash.message
        if not message:
            # pytest marks the lines that name the exception with "E ".
            marked = [row[1:].strip() for row in text.splitlines() if row.startswith("E ")]
            message = "\n".join(marked[-3:]) or (text.strip().splitlines() or [""])[-1]
        sections = "\n".join(f"{title}\n{body}" for title, body in report.sections)
        self._failures += 1
        size = MAX_TEXT if self._failures <= FULL_FAILURES else SHORT_TEXT
        return Failure(
            path=path,
            line=line,
            message=self._relative(message)[:size],
            trace=text[-size:],
            output=sections[-size:],
        )

    def _skip_reason(self, report: Any) -> str:
        if isinstance(report.longrepr, tuple):
            return str(report.longrepr[2])[:MAX_TEXT]
        return str(getattr(report, "wasxfail", ""))[:MAX_TEXT]

    def _relative(self, text: str) -> str:
        return text.replace(f"{self._workspace}/", "")


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
    words = ["--rootdir", workspace, "-p", "no:cacheprovider", "--color=no", "-q"]
    if order["trusted"]:
        # The solution's conftest.py, pytest.ini and addopts have no say.
        words += ["-c", order["ini"], "--confcutdir", workspace, "--import-mode=importlib"]
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


def run(order: PythonOrder, channel: Channel) -> None:
    """Compile, import and test as ordered; ends the process."""
    workspace = order["workspace"]
    sys.path[:0] = order["path_first"]
    sys.path += order["path_last"]
    channel.send(Begin(kind="begin"))
    errors = []
    if order["compile"]:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            errors = compile_all(os.path.join(workspace, order["solution"]), workspace)
    if not errors and order["imports"]:
        errors = import_all(order["imports"])
    channel.send(Built(kind="built", errors=errors))
    status = 0
    if order["run_tests"] and not errors:
        measured = measure_coverage(order)
        import pytest  # noqa: PLC0415 - of the project's environment, and only for tests

        status = int(pytest.main(pytest_words(order), plugins=[Reporter(channel, workspace)]))
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


def main() -> None:
    order: PythonOrder = given_order()
    channel = Channel(order)
    forget_our_modules()
    run(order, channel)
