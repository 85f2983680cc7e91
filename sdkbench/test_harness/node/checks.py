"""tsc, eslint and coverage for JavaScript and TypeScript; what a solution's own build left."""

import contextlib
import functools
import json
import re
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.core import Placement, Project
from sdkbench.environments import Environment
from sdkbench.errors import EnvironmentFault, HarnessFault
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.models import CheckDetails, FileCoverage, Problem, TestFramework
from sdkbench.test_harness.node import project as node_project
from sdkbench.test_harness.node.environment import PARSER, TOOLS, tool
from sdkbench.test_harness.node.package_managers import IN_FOLDER, node_program
from sdkbench.test_harness.node.project import NodeProject
from sdkbench.test_harness.node.session import Compilers, CoverageReport, build_script
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.records import Records
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE

ESLINT = {"eslint": "9.39.2", "@eslint/js": "9.39.2", "typescript-eslint": "8.51.0",
          "typescript": TOOLS["typescript"], "globals": "16.5.0"}  # fmt: skip
C8 = {"c8": "10.1.3"}
NATIVE_TYPESCRIPT = {"typescript": "7.0.2"}
DIAGNOSTIC = re.compile(r"^(.+?)\((\d+),\d+\): error (TS\d+): (.*)$", re.MULTILINE)
ESLINT_CONFIG = re.compile(r"^eslint\.config\.[cm]?[jt]s$|^\.eslintrc(\.(js|cjs|json|ya?ml))?$")


class Built(NamedTuple):
    """How a solution's own build script went, and the solution's folder after it as a tar file."""

    completed: Completed
    records: Records
    archive: Path

    def kept(self) -> bool:
        """Whether it went well, and its output is there; HarnessFault if that is lost."""
        built = [r for r in self.records.items if r["kind"] == "built"]
        if not built or built[0]["errors"]:
            return False
        packed = [r for r in self.records.items if r["kind"] == "packed"]
        if not packed or packed[0]["ok"] is not True:
            raise HarnessFault(
                f"The output of the build could not be kept: {self.completed.ending()}. "
                f"{self.completed.output}"
            )
        return True

    def instead_of(self, project: Project) -> Project:
        """The project with the built solution in place of the bare one."""
        solution = Placement(source=self.archive, target=project.solution.target, packed=True)
        return project.model_copy(update={"solution": solution})


class Builds:
    """The one build of a solution, shared by all its runners; its file goes when the last does."""

    def __init__(self) -> None:
        self.result: Built | None = None

    @functools.cached_property
    def archive(self) -> Path:
        folder = tempfile.mkdtemp(prefix="sdkbench-built-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return Path(folder) / "solution.tar"


def compilers(node: NodeProject, harness: Harness) -> tuple[Compilers, tuple[Mount, ...]]:
    """TypeScript for the build's steps, and what of it a sandbox must see.

    The native compiler gives a first opinion in a fifth of the time. It is left out where the
    project brings a TypeScript or a build of its own, or where it can't be had.
    """
    own = "typescript" in node.package.all_dependencies or build_script(node) is not None
    tools = [tool(PARSER, harness)]
    if node.has_tsconfig and not own:
        with contextlib.suppress(EnvironmentFault):
            tools.append(tool(NATIVE_TYPESCRIPT, harness))
    paths = [one.path / "node_modules" / "typescript" for one in tools]
    return Compilers(*paths), tuple(Mount(path=one.path) for one in tools)


def type_check(
    project: Project, environment: Environment, harness: Harness, limits: Limits
) -> CheckDetails:
    """Tsc --noEmit with the project's TypeScript, or ours where it has none."""
    own = environment.path / "node_modules" / "typescript" / "bin" / "tsc"
    compiler = environment if own.is_file() else tool(PARSER, harness)
    target = f"{WORKSPACE}/{project.solution.target}"
    has_config = (project.solution.source / "tsconfig.json").is_file()
    files = [] if has_config else [
        f"{target}/{p.relative_to(project.solution.source).as_posix()}"
        for p in node_project.sources(project.solution.source)
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
        *IN_FOLDER, target,
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


class CoverageOrder(NamedTuple):
    """What the boot script needs besides, so that coverage-final.json comes out."""

    mounts: tuple[Mount, ...]
    options: dict[str, JsonValue] | None
    report: CoverageReport


def coverage_order(node: NodeProject, project: Project, harness: Harness) -> CoverageOrder:
    folder = project.solution.target
    include = "**/*" if folder == "." else f"{folder}/**/*"
    wanted = f"{include}.{{js,jsx,ts,tsx,mjs,cjs,mts,cts}}"
    report: CoverageReport = {
        "file": "{tmp}/coverage/coverage-final.json", "argv": None, "v8": None,
    }  # fmt: skip
    options: dict[str, JsonValue]
    if node.framework is TestFramework.JEST:
        options = {
            "coverageReporters": ["json"],
            "coverageDirectory": "{tmp}/coverage",
            "collectCoverageFrom": [wanted, "!**/node_modules/**", "!**/*.{test,spec}.*"],
        }
        return CoverageOrder((), options, report)
    if node.framework is TestFramework.VITEST:
        options = {
            "enabled": True,
            "reporter": ["json"],
            "reportsDirectory": "{tmp}/coverage",
            "include": [wanted],
            "exclude": ["**/*.{test,spec}.*", "**/node_modules/**"],
        }
        return CoverageOrder((), options, report)
    tools = tool(C8, harness)
    report["v8"] = "{tmp}/v8"
    report["argv"] = [
        node_program(), str(tools.path / "node_modules" / "c8" / "bin" / "c8.js"), "report",
        "--temp-directory", "{tmp}/v8", "--reports-dir", "{tmp}/coverage", "--reporter", "json",
        "--include", wanted, "--exclude", "**/*.{test,spec}.*", "--exclude", "tests/**",
    ]  # fmt: skip
    return CoverageOrder((Mount(path=tools.path),), None, report)


def coverage_files(records: Records) -> list[FileCoverage] | None:
    for record in records.items:
        if record["kind"] == "coverage":
            return [
                FileCoverage(path=path, statements=statements, missing_lines=missing)
                for path, (statements, missing) in sorted(record["files"].items())
            ]
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
