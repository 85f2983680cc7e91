"""Reporter: the pytest plugin by which every hook becomes one record."""

import traceback
from typing import Any, Literal, NotRequired

from ..channel import Channel
from ..protocol import Case, Collected, Failure, RunError, Start
from .failures import Explained, Places, explained

MAX_TEXT = 64 * 1024  # of one traceback or one captured section
FULL_FAILURES = 50  # in full; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024


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
    """`counts_skipped_files`: one that is skipped as a whole is one test, as pytest counts."""

    def __init__(self, channel: Channel, workspace: str, *, counts_skipped_files: bool) -> None:
        self._channel = channel
        self._counts_skipped_files = counts_skipped_files
        self._places = Places(workspace)
        self._call: Any = None  # what the last report was made of
        self._failures = 0

    def pytest_exception_interact(self, call: Any, report: Any) -> None:
        if report.when == "collect":
            self._call = call

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            failure = self._failure(report)
            self._channel.send(RunError(kind="run_error", id=report.nodeid, **failure))
        elif report.skipped and self._counts_skipped_files:
            self._channel.send(
                Case(
                    kind="case",
                    id=report.nodeid,
                    status="skipped",
                    expected_failure=False,
                    seconds=0.0,
                    reason=self._skip_reason(report),
                )
            )
        self._call = None

    def pytest_collection_finish(self, session: Any) -> None:
        ids = [item.nodeid for item in session.items]
        self._channel.send(Collected(kind="collected", ids=ids))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._channel.send(Start(kind="start", id=nodeid))

    def pytest_runtest_makereport(self, call: Any) -> None:
        self._call = call

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

    def report_error(self, error: Exception, what: str) -> None:
        """What happened before there was a pytest that could tell."""
        why = explained(error, "", self._places)
        self._channel.send(
            RunError(
                kind="run_error",
                message=self._places.shown(f"{what}: {why.message}"),
                path=None if why.path is None else self._places.shown(why.path),
                line=why.line,
                trace=self._places.shown("".join(traceback.format_exception(error))),
            )
        )

    def pytest_internalerror(self, excrepr: Any) -> None:
        text = self._places.shown(str(excrepr)[-MAX_TEXT:])
        last = (text.strip().splitlines() or ["no message"])[-1]
        self._channel.send(RunError(kind="run_error", message=f"pytest itself: {last}", trace=text))

    def _failure(self, report: Any) -> Failure:
        text = self._places.shown(str(report.longreprtext or report.longrepr or ""))
        crash = getattr(report.longrepr, "reprcrash", None)
        why = self._why(str(crash.message) if crash is not None else "")
        if why.path is None:
            path, line = self._file_of(report)
            why = why._replace(path=path, line=line)
        message = why.message
        if not message:
            # pytest marks the lines that name the exception with "E ".
            marked = [row[1:].strip() for row in text.splitlines() if row.startswith("E ")]
            message = "\n".join(marked) or (text.strip().splitlines() or [""])[-1]
        sections = "\n".join(f"{title}\n{body}" for title, body in report.sections)
        self._failures += 1
        size = MAX_TEXT if self._failures <= FULL_FAILURES else SHORT_TEXT
        return Failure(
            path=None if why.path is None else self._places.shown(why.path),
            line=why.line,
            message=self._places.shown(message)[:size],
            trace=text[-size:],
            output=sections[-size:],
        )

    def _why(self, message: str) -> Explained:
        raised = getattr(self._call, "excinfo", None)
        if raised is None:
            return Explained(message)
        try:
            return explained(raised.value, message, self._places)
        except Exception:  # noqa: BLE001 - judged code may have written the exception's class
            return Explained(message)

    def _file_of(self, report: Any) -> tuple[str | None, int | None]:
        """For an error that is on no line of the project: the test's, or its file."""
        path, line, _ = getattr(report, "location", None) or (None, None, "")
        if path is None:
            path = report.nodeid.partition("::")[0] or None
        return path, None if line is None else line + 1

    def _skip_reason(self, report: Any) -> str:
        if isinstance(report.longrepr, tuple):
            return str(report.longrepr[2])[:MAX_TEXT]
        return str(getattr(report, "wasxfail", ""))[:MAX_TEXT]
