"""tsc, eslint and coverage for JavaScript and TypeScript."""

import json
import re
from typing import Any

from sdkbench.core import Placement, Project
from sdkbench.environments import Environment
from sdkbench.errors import EnvironmentFault, HarnessFault
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.models import CheckDetails, FileCoverage, Problem, TestFramework
from sdkbench.test_harness.node import project as reading
from sdkbench.test_harness.node.environment import NodeRequest, node_program, provide
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.protocol import Coverage, Records
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

ESLINT = {"eslint": "9.39.2", "@eslint/js": "9.39.2", "typescript-eslint": "8.51.0",
          "typescript": "5.9.3", "globals": "16.5.0"}  # fmt: skip
C8 = {"c8": "10.1.3"}
NATIVE_TYPESCRIPT = {"typescript": "7.0.2"}
DIAGNOSTIC = re.compile(r"^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$", re.MULTILINE)
ESLINT_CONFIG = re.compile(r"^eslint\.config\.[cm]?[jt]s$|^\.eslintrc(\.(js|cjs|json|ya?ml))?$")


def tool(packages: dict[str, str], harness: Harness) -> Environment:
    """An environment of tools; it is ours, so failing to get it is our fault."""
    request = NodeRequest(dependencies=packages, overrides={})
    provision = provide(request, harness.cache, harness.sandbox, install=harness.install)
    if provision.environment is None:
        raise EnvironmentFault(f"Cannot install {', '.join(packages)}: {provision.failure}")
    return provision.environment


def quick_compiler(found: reading.Reading, harness: Harness) -> Environment | None:
    """TypeScript's native compiler, for a first opinion that takes a fifth of the time.

    None where the project brings a TypeScript of its own, or where this one can't be had.
    """
    if not found.has_tsconfig or "typescript" in found.package.all_dependencies:
        return None
    try:
        return tool(NATIVE_TYPESCRIPT, harness)
    except EnvironmentFault:
        return None


def type_check(
    project: Project, environment: Environment, harness: Harness, limits: Limits
) -> CheckDetails:
    """Tsc --noEmit with the project's TypeScript, or ours where it has none."""
    own = environment.path / "node_modules" / "typescript" / "bin" / "tsc"
    compiler = environment if own.is_file() else tool({"typescript": ESLINT["typescript"]}, harness)
    target = f"{WORKSPACE}/{project.solution.target}"
    has_config = (project.solution.source / "tsconfig.json").is_file()
    files = [] if has_config else [
        f"{target}/{p.relative_to(project.solution.source).as_posix()}"
        for p in reading.sources(project.solution.source)
    ]  # fmt: skip
    scope = ["-p", target] if has_config else ["--allowJs", "--checkJs", *files]
    tsc = str(compiler.path / "node_modules" / "typescript" / "bin" / "tsc")
    words = (node_program(), tsc, "--noEmit", "--skipLibCheck", "--pretty", "false", *scope)
    done = _run(words, project, environment, (compiler,), harness, limits)
    if done.exit_code not in {0, 1, 2} or done.stopped_by:
        raise HarnessFault(f"tsc did not finish: {done.ending()}.\n{done.output}")
    problems = [
        Problem(path=_relative(path, project), line=int(line), code=code, message=message)
        for path, line, code, message in DIAGNOSTIC.findall(done.stdout)
    ]
    return CheckDetails(tool="tsc", success=done.ok, problems=problems, output=done.output)


def lint(
    project: Project, environment: Environment, harness: Harness, limits: Limits
) -> CheckDetails:
    """The project's own eslint where it is configured; else eslint with its recommended rules."""
    configured = any(ESLINT_CONFIG.match(p.name) for p in project.solution.source.iterdir())
    own = environment.path / "node_modules" / "eslint" / "bin" / "eslint.js"
    target = f"{WORKSPACE}/{project.solution.target}"
    if configured and own.is_file():
        program, tools, config = own, environment, []
    else:
        tools = tool(ESLINT, harness)
        program = tools.path / "node_modules" / "eslint" / "bin" / "eslint.js"
        config = ["--config", str(INSIDE / "node" / "eslint_default.mjs")]
    words = (
        "sh", "-c", 'cd "$1" && shift && exec "$@"', "sh", target,
        node_program(), str(program), *config, "--format", "json",
        "--no-error-on-unmatched-pattern", ".",
    )  # fmt: skip
    env = {"SDKBENCH_TOOLS": str(tools.path)}
    done = _run(words, project, environment, (tools,), harness, limits, env)
    if done.exit_code not in {0, 1} or done.stopped_by:
        raise HarnessFault(f"eslint did not finish: {done.ending()}.\n{done.output}")
    problems = [
        Problem(
            path=_relative(str(row["filePath"]), project),
            line=message.get("line"),
            code=str(message.get("ruleId") or "syntax"),
            message=str(message["message"]),
        )
        for row in json.loads(done.stdout or "[]")
        for message in row["messages"]
    ]
    return CheckDetails(tool="eslint", success=not problems, problems=problems, output=done.stderr)


def coverage_order(
    found: reading.Reading, project: Project, harness: Harness
) -> tuple[tuple[Mount, ...], dict[str, Any]]:
    """What the boot script needs besides, so that coverage-final.json comes out."""
    folder = project.solution.target
    include = "**/*" if folder == "." else f"{folder}/**/*"
    wanted = f"{include}.{{js,jsx,ts,tsx,mjs,cjs,mts,cts}}"
    report = {"file": "{tmp}/coverage/coverage-final.json", "argv": None}
    if found.framework is TestFramework.JEST:
        options: dict[str, Any] = {
            "coverageReporters": ["json"],
            "coverageDirectory": "{tmp}/coverage",
            "collectCoverageFrom": [wanted, "!**/node_modules/**", "!**/*.{test,spec}.*"],
        }
        return (), {"coverage": options, "coverage_report": report}
    if found.framework is TestFramework.VITEST:
        options = {
            "enabled": True,
            "reporter": ["json"],
            "reportsDirectory": "{tmp}/coverage",
            "include": [wanted],
            "exclude": ["**/*.{test,spec}.*", "**/node_modules/**"],
        }
        return (), {"coverage": options, "coverage_report": report}
    tools = tool(C8, harness)
    words = [
        node_program(), str(tools.path / "node_modules" / "c8" / "bin" / "c8.js"), "report",
        "--temp-directory", "{tmp}/v8", "--reports-dir", "{tmp}/coverage", "--reporter", "json",
        "--include", wanted, "--exclude", "**/*.{test,spec}.*", "--exclude", "tests/**",
    ]  # fmt: skip
    extra = {"coverage_report": {**report, "argv": words, "v8": "{tmp}/v8"}}
    return (Mount(path=tools.path),), extra


def coverage_files(records: Records) -> list[FileCoverage] | None:
    for coverage in records.of(Coverage):
        return FileCoverage.of(coverage.files)
    return None


def _run(
    words: tuple[str, ...],
    project: Project,
    environment: Environment,
    tools: tuple[Environment, ...],
    harness: Harness,
    limits: Limits,
    env: dict[str, str] | None = None,
) -> Completed:
    node_modules = Placement(
        source=environment.path / "node_modules", target="node_modules", read_only=True, bulky=True
    )
    return harness.sandbox.run(
        Command(
            argv=words,
            env={"CI": "true", **(env or {})},
            placements=(*project.placements, node_modules),
            mounts=(
                *tool_mounts("node"),
                *(Mount(path=one.path) for one in tools),
                Mount(path=INSIDE),
            ),
            limits=limits.model_copy(update={"output_bytes": 16 * 1024 * 1024}),
        )
    )


def _relative(path: str, project: Project) -> str:
    """Below the solution, whichever way the tool named the file."""
    folder = project.solution.target
    for prefix in (f"/w/{folder}/", "/w/", f"{folder}/"):
        path = path.removeprefix(prefix)
    return path
