"""What go build and go vet complain about, as findings with their places."""

import re

from sdkbench.test_harness.models import BuildResult, CheckDetails, Problem

PLACED = re.compile(r"^(?P<path>\S+\.go):(?P<line>\d+)(?::\d+)?: (?P<message>.*)$", re.DOTALL)


def details(build: BuildResult) -> CheckDetails:
    return CheckDetails(
        tool="go vet",  # which type-checks before it looks for mistakes
        success=build.success,
        problems=[_problem(error) for error in build.errors],
        output=build.output,
    )


def _problem(error: str) -> Problem:
    placed = PLACED.match(error)
    if placed is None:
        return Problem(path="", message=error)
    return Problem(path=placed["path"], line=int(placed["line"]), message=placed["message"])
