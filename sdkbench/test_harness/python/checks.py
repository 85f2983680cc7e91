"""mypy, ruff and coverage.py, each in an environment of its own, never in the solution's."""

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.errors import EnvironmentFault, HarnessFault
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.models import (
    CheckDetails,
    Problem,
    Severity,
    line_of,
    rows_of,
    severity_of,
)
from sdkbench.test_harness.python.environment import PythonRequest, provide
from sdkbench.test_harness.runner import Harness

MYPY = "mypy==1.19.1"
RUFF = "ruff==0.14.10"
COVERAGE = "coverage==7.13.1"


def tool(requirement: str, harness: Harness) -> Environment:
    """The environment that holds one tool; it is ours, so failing to get it is our fault."""
    provision = provide(
        PythonRequest((requirement,)), harness.cache, harness.sandbox, install=harness.install
    )
    if provision.environment is None:
        raise EnvironmentFault(f"Cannot install {requirement}: {provision.failure}")
    return provision.environment


def type_check(
    project: Project, environment: Environment, harness: Harness, limits: Limits
) -> CheckDetails:
    """Mypy over the solution, with the solution's packages in sight."""
    tools = tool(MYPY, harness)
    words = (
        "-m", "mypy", "--output", "json", "--no-incremental", "--cache-dir", "/dev/null",
        "--config-file", "", "--ignore-missing-imports", "--explicit-package-bases",
        "--namespace-packages",
        "--python-executable", str(environment.path / "venv/bin/python"),
        f"{WORKSPACE}/{project.solution.target}",
    )  # fmt: skip
    done = _run(tools, words, project, (environment,), harness, limits)
    if done.exit_code not in {0, 1, 2} or done.stopped_by:
        raise HarnessFault(f"mypy did not finish: {done.ending()}.\n{done.output}")
    rows = [row for line in done.stdout.splitlines() for row in rows_of(f"[{line}]")]
    problems = [
        Problem(
            path=str(row.get("file", "")),
            line=line_of(row.get("line")),
            code=str(row.get("code") or ""),
            message=str(row.get("message", "")),
            severity=severity,
        )
        for row in rows
        for severity in [severity_of(row.get("severity"))]
        if severity is not Severity.NOTE  # more about the error before it
    ]
    return CheckDetails(tool=MYPY, success=done.ok, problems=problems, output=done.output)


def lint(project: Project, harness: Harness, limits: Limits) -> CheckDetails:
    """Ruff's default rules over the solution, whatever configuration it brings."""
    tools = tool(RUFF, harness)
    target = f"{WORKSPACE}/{project.solution.target}"
    words = ("-m", "ruff", "check", "--isolated", "--no-cache", "--output-format", "json", target)
    done = _run(tools, words, project, (), harness, limits)
    if done.exit_code not in {0, 1} or done.stopped_by:
        raise HarnessFault(f"ruff did not finish: {done.ending()}.\n{done.output}")
    problems = [
        Problem(
            path=str(row.get("filename", "")).removeprefix("/w/"),
            line=line_of(location.get("row")) if isinstance(location, dict) else None,
            code=str(row.get("code") or "syntax"),
            message=str(row.get("message", "")),
            severity=severity_of(row.get("severity")),
        )
        for row in rows_of(done.stdout)
        for location in [row.get("location")]
    ]
    return CheckDetails(tool=RUFF, success=done.ok, problems=problems, output=done.stderr)


def _run(
    tools: Environment,
    words: tuple[str, ...],
    project: Project,
    visible: tuple[Environment, ...],
    harness: Harness,
    limits: Limits,
) -> Completed:
    python = tools.path / "venv" / "bin" / "python"
    return harness.sandbox.run(
        Command(
            argv=(str(python), "-I", *words),
            placements=project.placements,
            mounts=tuple(Mount(path=environment.path) for environment in (tools, *visible)),
            limits=limits.model_copy(update={"output_bytes": 16 * 1024 * 1024}),
        )
    )
