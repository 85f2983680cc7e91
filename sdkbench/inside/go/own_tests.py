"""A project's own tests, built, checked and run by `go test -json`; its events sent as records.

A package that does not compile counts as a build error, and the tests of the others run.
"""

import json
import os
import re
from typing import Any

from ..channel import Channel
from ..processes import Printed, exit_code, spawn_printing
from ..protocol import Built, Case, End, RunError, Start, Status
from .build import COMPILE, MAX_TEXT, GoModule, Judged, errors_in
from .tests import FULL_FAILURES, SHORT_TEXT

STATUSES: dict[str, Status] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
WORDS = ("Action", "Package", "ImportPath", "Test", "Output", "FailedBuild")
NOT_BUILT = re.compile(r"^FAIL\t\S+ \[(?:build|setup) failed\]$", re.MULTILINE)
NOTHING_THERE = re.compile(r"matched no packages|no packages to test")
DECLARED = re.compile(r"^func ((?:Test|Fuzz|Example)\w*)\(", re.MULTILINE)


def test_own(judged: Judged, channel: Channel) -> int:
    """Nothing runs of what was built where nobody asks for tests."""
    order = judged.order
    report = Report(judged, channel, declared(order["workspace"]) if order["run_tests"] else set())
    status = 0
    for module in order["modules"]:
        if module["patterns"]:
            status = report.run(module) or status
    report.finish(status)
    return status


def declared(root: str) -> set[str]:
    """The names of test functions anywhere in the project."""
    names: set[str] = set()
    for current, _, files in os.walk(root):
        for name in files:
            if name.endswith("_test.go"):
                with open(
                    os.path.join(current, name), encoding="utf-8", errors="replace"
                ) as stream:
                    names |= set(DECLARED.findall(stream.read()))
    return names


class Report:
    """What is told of all modules together: build errors first, then tests."""

    def __init__(self, judged: Judged, channel: Channel, declared: set[str]) -> None:
        self.judged = judged
        self.channel = channel
        self.declared = declared
        self.has_begun = False  # a test runs: what is built by then was built
        self._failures = 0
        self._errors: set[str] = set()

    def run(self, module: GoModule) -> int:
        order = self.judged.order
        words = COMPILE if not order["run_tests"] else ["test", "-count=1", "-timeout=0"]
        words = [*words, "-json", *([] if order["build"] else ["-vet=off"]), *module["patterns"]]
        os.chdir(module["folder"])
        folder = os.path.relpath(module["folder"], order["workspace"])
        events = Events(self, "" if folder == "." else folder)
        pid = spawn_printing([order["go"], *words], self.judged.env, events)
        code = exit_code(pid)
        text = events.text()
        if code and not events.explained and not NOTHING_THERE.search(text):
            self.build_errors([f"go test: exit code {code}\n{text.strip()}"])
        return 1 if code else 0

    def finish(self, status: int) -> None:
        self.begin()
        if self.judged.order["run_tests"]:
            self.channel.send(End(kind="end", status=status))

    def begin(self) -> None:
        if not self.has_begun:
            self.has_begun = True
            self.channel.send(Built(kind="built", errors=[]))

    def build_errors(self, errors: list[str]) -> None:
        """A package that does not compile is complained of by all that import it."""
        new = [error for error in errors if error not in self._errors]
        self._errors.update(new)
        if new:
            self.channel.send(Built(kind="built", errors=new))

    def case(self, name: str, status: Status, seconds: float, text: str) -> None:
        self._failures += status == "failed"
        size = MAX_TEXT if self._failures <= FULL_FAILURES else SHORT_TEXT
        self.channel.send(
            Case(
                kind="case",
                id=name,
                status=status,
                expected_failure=False,
                seconds=seconds,
                reason="",
                output=self.judged.shown(text[-size:]),
            )
        )


class Events(Printed):
    """The events of one `go test -json`, taken while it runs."""

    def __init__(self, report: Report, folder: str) -> None:
        super().__init__(MAX_TEXT)
        self.explained = False  # something was told that explains why go fails
        self._report = report
        self._folder = folder
        self._unread = b""
        self._plain = ""  # the go command's own words: before 1.24, also the compiler's
        self._texts: dict[tuple[str, str], str] = {}
        self._held: dict[str, dict[str, tuple[float, str]]] = {}
        self._passed: dict[str, set[str]] = {}

    def take(self, chunk: bytes) -> None:
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        for line in lines:
            event = read_event(line)
            if event is None:
                super().take(line + b"\n")
                self._plain = (self._plain + line.decode("utf-8", "replace") + "\n")[-MAX_TEXT:]
            else:
                self._event(event)

    def _event(self, event: dict[str, Any]) -> None:
        action, package, test = event["Action"], event.get("Package", ""), event.get("Test", "")
        key = (package or event.get("ImportPath", ""), test)
        if action in {"output", "build-output"}:
            super().take(event["Output"].encode("utf-8", "replace"))
            self._texts[key] = (self._texts.get(key, "") + event["Output"])[-MAX_TEXT:]
        elif action == "run":
            self._report.begin()
            self._report.channel.send(Start(kind="start", id=f"{package}::{test}"))
        elif test and action in STATUSES:
            self._ended(package, test, action, event.get("Elapsed", 0.0))
        elif package and action in STATUSES:
            self._package_ended(package, action, event.get("FailedBuild", ""))

    def _ended(self, package: str, test: str, action: str, seconds: float) -> None:
        text = self._texts.pop((package, test), "")
        if action == "fail":  # whose failure it is shows when the package has ended
            self._held.setdefault(package, {})[test] = (seconds, text)
            return
        self._passed.setdefault(package, set()).add(test)
        self._report.case(f"{package}::{test}", STATUSES[action], seconds, text)

    def _package_ended(self, package: str, action: str, failed_build: str) -> None:
        held = self._held.pop(package, {})
        passed = self._passed.pop(package, set())
        failed = [t for t in held if not self._is_of_a_test(t, passed, ok=action == "pass")]
        for test in failed:
            self._report.case(f"{package}::{test}", "failed", *held[test])
        if action == "fail":
            self.explained = True
        if action != "fail" or failed:
            return
        text = self._texts.get((package, ""), "")
        if failed_build or NOT_BUILT.search(text):
            self._not_built(package, self._texts.get((failed_build, ""), "") or self._plain, text)
        else:
            self._run_error(package, text)

    def _is_of_a_test(self, test: str, passed: set[str], *, ok: bool) -> bool:
        """Whether a test ran this one itself, to see it fail: that test has passed, or nobody
        declared this one, and its package is `ok` all the same.
        """
        top = test.partition("/")[0]
        if top in passed:
            return True
        return ok and top not in self._report.declared

    def _not_built(self, package: str, built: str, text: str) -> None:
        if not self._report.judged.order["build"]:
            self._run_error(package, f"{built}{text}")
            return
        shown = self._report.judged.shown(built or text)
        self._report.build_errors(errors_in(shown, self._folder) or [shown.strip()])

    def _run_error(self, package: str, text: str) -> None:
        shown = self._report.judged.shown(text)
        record = RunError(kind="run_error", id=package, message=shown, trace=shown)
        self._report.channel.send(record)


def read_event(line: bytes) -> dict[str, Any] | None:
    """A line of `go test -json`; None for what is none, also where it is JSON by chance."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict) or not isinstance(event.get("Action"), str):
        return None
    if any(not isinstance(event.get(word, ""), str) for word in WORDS):
        return None
    if "output" in event["Action"] and "Output" not in event:
        return None
    if not isinstance(event.get("Elapsed", 0.0), int | float):
        return None
    return event
