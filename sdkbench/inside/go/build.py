"""Builds for go_boot: a project as it stands, or a sample's in a tree of our own."""

import os
import re
import shutil
from typing import Any

from ..processes import Printed, exit_code, spawn_printing
from .reporting import MAX_TEXT

ERROR_LINE = re.compile(r"^(?:vet: )?(\S+\.go:\d+(?::\d+)?: .*)$")


class Judged:
    """The project as it is built: where things are, and how go is called there."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.scratch = os.path.join(os.environ["TMPDIR"], "sdkbench-go")
        self.env = {**os.environ, "GOCACHE": f"{self.scratch}/cache"}
        os.makedirs(self.scratch)
        farm(order["build_cache"], self.env["GOCACHE"])
        self.modules = [(m["folder"], self._mod_file(n, m)) for n, m in enumerate(order["modules"])]

    def _mod_file(self, number: int, module: dict[str, str]) -> str:
        path = f"{self.scratch}/module{number}"
        write(f"{path}.mod", module["go_mod"])
        write(f"{path}.sum", module["go_sum"])
        if not os.path.exists(f"{module['folder']}/go.mod"):
            write(f"{module['folder']}/go.mod", module["go_mod"])  # marks the module's root
        return f"{path}.mod"

    def go(self, jobs: list[tuple[str, list[str]]]) -> list[str]:
        """Run go in these folders, all at once; the errors of those that went wrong."""
        started = []
        for folder, words in jobs:
            os.chdir(folder)
            printed = Printed(MAX_TEXT)
            started.append(
                (spawn_printing([self.order["go"], *words], self.env, printed), words, printed)
            )
        found = []
        for pid, words, printed in started:
            status = exit_code(pid)
            if status:
                found += self._errors(printed.text(), words, status)
        return found

    def _errors(self, text: str, words: list[str], status: int) -> list[str]:
        for real, shown in self.order["shown"].items():
            text = text.replace(real.replace("{scratch}", self.scratch), shown)
        lines = [match[1] for line in text.splitlines() if (match := ERROR_LINE.match(line))]
        return list(dict.fromkeys(lines)) or [f"go {words[0]}: exit code {status}\n{text.strip()}"]


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


def build_own(judged: Judged) -> list[str]:
    errors: list[str] = []
    for folder, mod_file in judged.modules:
        for verb in ("build", "vet"):
            words = [verb, "-mod=readonly", f"-modfile={mod_file}", "./..."]
            errors += [] if errors else judged.go([(folder, words)])
    return errors


def build_sample(judged: Judged, *, check: bool, compile_tests: bool) -> list[str]:
    """Our own tree: the solution's sources, the sample's tests and our guard, each a module."""
    order, scratch = judged.order, judged.scratch
    solution, tests = f"{scratch}/solution", f"{scratch}/tests"
    left_out = shutil.ignore_patterns("*_test.go", "go.mod", "go.sum", "go.work*", "vendor")
    shutil.copytree(order["solution"], solution, symlinks=True, ignore=left_out)
    write(f"{solution}/go.mod", order["modules"][0]["go_mod"])
    write(f"{solution}/go.sum", order["modules"][0]["go_sum"])
    if check:
        errors = judged.go([(solution, ["build", "-mod=readonly", "./..."])])
        if errors:
            return errors
    jobs = [(solution, ["vet", "-mod=readonly", "./..."])] if check else []
    if compile_tests:
        shutil.copytree(order["guard"], f"{scratch}/guard")
        for name, text in order["guard_files"].items():
            write(f"{scratch}/guard/{name}", text)
        if os.path.isdir(order["tests"]):  # what tests read: embedded files too
            shutil.copytree(order["tests"], tests)
        for name, text in order["test_files"].items():
            write(f"{tests}/{name}", text)
        write(f"{tests}/go.mod", order["tests_go_mod"].replace("{scratch}", scratch))
        write(f"{tests}/go.sum", order["modules"][0]["go_sum"])
        for number, package in enumerate(order["packages"]):
            words = ["test", "-c", "-vet=off", "-mod=readonly", "-ldflags=-s -w"]
            words += ["-o", f"{scratch}/test{number}", f"./{package['folder']}"]
            jobs.append((tests, words))
    return judged.go(jobs)
