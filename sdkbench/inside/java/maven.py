"""A task of boot.py: a project judged on its own tests, built by Maven and tested by Surefire.

Surefire's reports are read when Maven has ended and nothing that was started is left alive. A
module that does not build counts as a build error, and the tests of the others run.
"""

import os
import re
import shutil
import time
from typing import Literal

from ..processes import Printed, end_children, exit_code, has_ended, spawn_printing
from ..protocol import Built, End, Order, RunError
from .session import Session, as_shell
from .surefire import REPORTS, made_by_surefire, read_reports

MAX_OUTPUT = 64 * 1024
MAX_ERRORS = 512 * 1024
POLL_SECONDS = 0.1
NOISE = ("To see the full", "Re-run Maven", "For more information", "[Help", "-> [Help",
         "After correcting", "  mvn <args>")  # fmt: skip
# The compiler's word on one place, of javac, kotlinc and groovyc.
PLACED = re.compile(r"\.(?:java|kt|groovy|scala):\s?[\[(]?\d|\.(?:groovy|scala): \d+")
GOAL = re.compile(r"^Failed to execute goal (\S+)")
COMPILER = re.compile(r"[cC]ompile$")
TESTING = re.compile(r":(?:maven-)?surefire(?:-plugin)?:\S*:test$")
OFFLINE = "in offline mode"  # something was not downloaded: no word on the tests
# Plugins that look at the sources and build nothing: left out where nobody asks for a build.
CHECKS = ("enforcer", "checkstyle", "rat", "license", "spotless.check", "animal.sniffer", "pmd",
          "cpd", "spotbugs", "forbiddenapis")  # fmt: skip
STACK = re.compile(r"at \S+\(.*\)$|\.\.\. \d+ more$")
# All that Surefire has to say where nothing but tests failed.
TESTS_FAILED = re.compile(
    r"(?:There (?:are|were|was) .*test failures?.*|(?:Please refer to|See) .*|)"
)


class MavenOrder(Order):
    task: Literal["maven"]
    maven: list[str]
    goals: list[str]
    env: dict[str, str]
    build: bool
    run_tests: bool
    sources: dict[str, str]  # class → its file


def run(order: MavenOrder, session: Session) -> int:
    os.chdir(order["workspace"])
    for folder in made_by_surefire():
        shutil.rmtree(folder)  # of an earlier life
    words = order["goals"] if order["run_tests"] else ["test-compile"]
    said = Said()
    env = {**os.environ, **order["env"]}
    skipped = [] if order["build"] else [f"-D{name}.skip" for name in CHECKS]
    pid = spawn_printing([*order["maven"], "-fae", *words, *skipped], env, said)
    built = False
    while not has_ended(pid):
        time.sleep(POLL_SECONDS)
        if not built and made_by_surefire():
            built = True
            session.send(Built(kind="built", errors=[]))
    status = as_shell(exit_code(pid))
    end_children()
    output = said.text()
    shown = [line.replace(f"{order['workspace']}/", "") for line in said.errors]
    errors = build_errors(shown) if status else []
    broken = broken_runs(shown)
    if status and not errors and not broken and not made_by_surefire():
        errors = [f"Maven ended with {status}\n{output[-MAX_OUTPUT:].strip()}"]
    if errors or not built:
        session.send(Built(kind="built", errors=errors))
    if not order["run_tests"]:
        return 1 if errors else 0
    reports = [folder for folder in made_by_surefire() if os.path.basename(folder) == REPORTS]
    cases = read_reports(reports, order["sources"])
    for case in cases:
        session.send(case)
    for text in broken:
        session.send(RunError(kind="run_error", id="surefire", message=point(text), trace=text))
    failed = any(case["status"] == "failed" for case in cases)
    if failed or errors or broken or not status:
        session.send(End(kind="end", status=status))
    return status


class Said(Printed):
    """What Maven prints, and all of its errors."""

    def __init__(self) -> None:
        super().__init__(MAX_OUTPUT)
        self.errors: list[str] = []
        self._unread = b""
        self._size = 0

    def take(self, chunk: bytes) -> None:
        super().take(chunk)
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        for raw in lines:
            if raw.startswith(b"[ERROR]") and self._size < MAX_ERRORS:
                line = raw.decode("utf-8", "replace").rstrip().removeprefix("[ERROR]")
                self._size += len(line)
                self.errors.append(line.removeprefix(" "))


def build_errors(lines: list[str]) -> list[str]:
    """What broke the build besides tests: the compiler's errors by their places, else what Maven
    says of each goal that failed.
    """
    goals = _failed_goals(lines)
    compiler = [goal for goal, _ in goals if COMPILER.search(goal)]
    errors = list(dict.fromkeys(line.strip() for line in lines if PLACED.search(line)))
    errors = errors if compiler else []
    for goal, text in goals:
        if not _is_of_tests(goal, text) and not (errors and goal in compiler):
            errors.append(text)
    if not goals:
        kept = [line for line in lines if line.strip() and not line.startswith(NOISE)]
        errors += ["\n".join(dict.fromkeys(kept))] if kept else []
    return errors


def broken_runs(lines: list[str]) -> list[str]:
    """Surefire's words for a machine that it could not start or that ended before its tests."""
    goals = [(g, text) for g, text in _failed_goals(lines) if _is_of_tests(g, text)]
    return [text for _, text in goals if not _only_tests_failed(text)]


def point(text: str) -> str:
    """What Surefire has to say besides that its goal failed, and where its reports are."""
    lines = [line.strip() for line in _said_of_goal(text)]
    kept = [line for line in lines if not TESTS_FAILED.fullmatch(line) and not STACK.match(line)]
    return "\n".join(dict.fromkeys(kept)) or text


def _only_tests_failed(text: str) -> bool:
    return all(TESTS_FAILED.fullmatch(line.strip()) for line in _said_of_goal(text))


def _said_of_goal(text: str) -> list[str]:
    [first, *rest] = text.splitlines()
    return [first.partition(" on project ")[2].partition(":")[2], *rest]


def _failed_goals(lines: list[str]) -> list[tuple[str, str]]:
    """Each goal that failed, with all that Maven says of it."""
    goals: list[tuple[str, list[str]]] = []
    for line in lines:
        match = GOAL.match(line)
        if match:
            goals.append((match[1], [line.removesuffix(" -> [Help 1]")]))
        elif goals and line.strip() and not line.startswith(NOISE):
            goals[-1][1].append(line.removesuffix(" -> [Help 1]"))
    return [(goal, "\n".join(text)) for goal, text in goals]


def _is_of_tests(goal: str, text: str) -> bool:
    return bool(TESTING.search(goal)) and OFFLINE not in text
