"""tsc, eslint, coverage and mutations of tests for JavaScript and TypeScript; a built solution."""

import contextlib
import functools
import re
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import TypeAdapter, ValidationError

from sdkbench.core import Placement, Project, tree
from sdkbench.environments import Environment, installation
from sdkbench.errors import DiskFault, EnvironmentFault, HarnessFault, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount
from sdkbench.sandbox.command import MIB, WORKSPACE
from sdkbench.test_harness import missing_tools
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    Problem,
    TestFramework,
    line_of,
    rows_of,
    severity_of,
)
from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.node.environment import PARSER, TOOLS, node_program, tool
from sdkbench.test_harness.node.pack import typescript_pack
from sdkbench.test_harness.node.project import NodeProject, sources
from sdkbench.test_harness.node.session import (
    SYNTAX_CHECK,
    Compilers,
    CoverageOrder,
    build_script,
)
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.runner import Harness
from sdkbench.test_harness.session import INSIDE, Built, Record, Records, read_records

ESLINT = {"eslint": "9.39.2", "@eslint/js": "9.39.2", "typescript-eslint": "8.51.0",
          "typescript": TOOLS["typescript"], "globals": "16.5.0"}  # fmt: skip
# For JavaScript that nobody has configured: CommonJS and modules, and what Node and the tests'
# frameworks put into the global scope. Jest's names are those of the others too.
PLAIN_TYPES = {
    name: TOOLS[name] for name in ("typescript", "@types/node", "@types/jest", "@types/mocha")
}
PLAIN_FLAGS = (
    "--allowJs", "--checkJs", "--module", "preserve", "--target", "es2023", "--jsx", "preserve",
    "--allowSyntheticDefaultImports", "--types", "node,jest,mocha",
)  # fmt: skip
C8 = {"c8": "10.1.3"}
NATIVE_TYPESCRIPT = {"typescript": "7.0.2"}
DIAGNOSTIC = re.compile(r"^(.+?)\(([0-9]{1,9}),\d+\): error (TS\d+): (.*)$", re.MULTILINE)
ESLINT_CONFIG = re.compile(r"^eslint\.config\.[cm]?[jt]s$|^\.eslintrc(\.(js|cjs|json|ya?ml))?$")
PROGRAM = INSIDE / "node" / "mutations" / "main.mjs"
MAX_OUTPUT_BYTES = 64 * MIB
NO_NETWORK = re.compile(r"\b(?:EAI_AGAIN|ENOTFOUND|ENETUNREACH)\b|\bgetaddrinfo\b")
NO_HISTORY = re.compile(
    r"^fatal: (?:not a git repository|ambiguous argument 'HEAD'|bad revision|No names found|"
    r"your current branch .* does not have any commits)",
    re.MULTILINE,
)
MAX_ERROR = 4096  # characters of what went wrong
_MUTATIONS = TypeAdapter(tuple[Mutation, ...])


class Packed(Record):
    """Whether the built solution is in the archive."""

    kind: Literal["packed"]
    ok: bool


class Note(Record):
    """Something that went wrong before the tests, and need not stop them."""

    kind: Literal["note"]
    message: str


class SolutionBuild(NamedTuple):
    """How a solution's own build script went, and the solution's folder after it as a tar file."""

    completed: Completed
    records: Records
    archive: Path

    def kept(self) -> bool:
        """Whether it went well, and its output is there."""
        built = next(self.told().of(Built), None)
        return built is not None and not built.errors

    def told(self) -> Records:
        """The records of the build. One that leaves what cannot be taken out of its sandbox, such
        as files that nobody may read, has failed. DiskFault where our disk is too full for it.
        """
        packed = next(self.records.of(Packed), None)
        if packed is not None and packed.ok:
            return self.records
        if shutil.disk_usage(self.archive.parent).free < tree.MAX_BYTES:
            raise DiskFault(f"There is no room for what a build leaves in {self.archive.parent}.")
        lost = f"what the build leaves cannot be kept: {self.completed.ending()}"
        errors = (f"{lost}\n{self.completed.output[-MAX_ERROR:]}".strip(),)
        return self.records._replace(
            items=tuple(
                record.model_copy(update={"errors": record.errors or errors})
                if isinstance(record, Built)
                else record
                for record in self.records.items
            )
        )

    def instead_of(self, project: Project) -> Project:
        """The project with the built solution in place of the bare one."""
        solution = Placement(source=self.archive, target=project.solution.target, packed=True)
        return project.model_copy(update={"solution": solution})


def notes_in(records: Records) -> tuple[str, ...]:
    return tuple(note.message for note in records.of(Note))


def noted(examination: Examination, notes: tuple[str, ...]) -> Examination:
    process = examination.process
    more = {"notes": (*process.notes, *notes)}
    return examination.model_copy(update={"process": process.model_copy(update=more)})


def missing_tool(build: BuildResult) -> str | None:
    """What a build needs and does not find in the sandbox, which is not the project's fault: a
    program, the network, or a history.
    """
    for error in build.errors:
        if NO_NETWORK.search(error):
            return "the network"
        if NO_HISTORY.search(error):
            return "the Git repository"
        if name := missing_tools.missing_tool(error):
            return name
    return None


def checked_beside(project: Project, served: Completed | None, nonce: str) -> Examination | None:
    """What the checks in a solution's own sandbox have shown; None where that isn't on record: it
    may have been ended before.
    """
    if served is None:
        return None
    records = read_records(served.channel, nonce, (Note,), truncated=served.channel_truncated)
    if records.faults or not any(records.of(Built)):
        return None
    built = examined(project, served, records, case_evidence, run_tests=False)
    return noted(built, notes_in(records))


class SharedBuild:
    """The one build of a solution, shared by all its runners; its file goes when the last does."""

    def __init__(self) -> None:
        self.result: SolutionBuild | None = None

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
    parser = tool(PARSER, harness)
    tools = [parser, typescript_pack(parser, harness)]
    native = None
    if node.has_tsconfig and not own:
        with contextlib.suppress(EnvironmentFault):
            tools.append(tool(NATIVE_TYPESCRIPT, harness))
            native = _native_words(tools[-1])
    typescript = parser.path / "node_modules" / "typescript"
    return Compilers(typescript, tools[1], native), tuple(Mount(path=one.path) for one in tools)


def _native_words(compiler: Environment) -> tuple[str, ...]:
    """The program itself where it is found: what npm calls starts it from a Node of its own."""
    modules = compiler.path / "node_modules"
    program = next(modules.glob("@typescript/*/lib/tsc"), None)
    start = (str(program),) if program else ("node", str(modules / "typescript/bin/tsc"))
    return (*start, "--singleThreaded")


class Checker(NamedTuple):
    """Tools that look at a solution without running it."""

    project: Project
    environment: Environment
    harness: Harness
    limits: Limits

    def type_check(self) -> CheckDetails:
        """Tsc --noEmit with the project's TypeScript, or ours where it has none. Where there is no
        tsconfig, ours checks the sources as plain JavaScript.
        """
        tsc = Path("node_modules", "typescript", "bin", "tsc")
        solution = self.project.solution.source
        if (solution / "tsconfig.json").is_file():
            has_own = (self.environment.path / tsc).is_file()
            compiler = self.environment if has_own else tool(PARSER, self.harness)
            scope = ["-p", self._target]
        else:
            compiler = tool(PLAIN_TYPES, self.harness)
            types = str(compiler.path / "node_modules" / "@types")
            files = [p.relative_to(solution).as_posix() for p in sources(solution)]
            scope = [*PLAIN_FLAGS, "--typeRoots", types]
            scope += [f"{self._target}/{file}" for file in files]
        flags = ("--noEmit", "--skipLibCheck", "--pretty", "false")
        done = self._run((node_program(), str(compiler.path / tsc), *flags, *scope), compiler)
        if done.exit_code not in {0, 1, 2} or done.stopped_by:
            raise HarnessFault(f"tsc did not finish: {done.ending()}.\n{done.output}")
        problems = [
            Problem(path=self._relative(path), line=int(line), code=code, message=message)
            for path, line, code, message in DIAGNOSTIC.findall(done.stdout)
        ]
        return CheckDetails(tool="tsc", success=done.ok, problems=problems, output=done.output)

    def lint(self) -> CheckDetails:
        """The project's own eslint where it is configured; else eslint's recommended rules."""
        eslint = Path("node_modules", "eslint", "bin", "eslint.js")
        names = [path.name for path in self.project.solution.source.iterdir()]
        if any(map(ESLINT_CONFIG.match, names)) and (self.environment.path / eslint).is_file():
            tools, config = self.environment, []
        else:
            tools = tool(ESLINT, self.harness)
            config = ["--config", str(INSIDE / "node" / "eslint_default.mjs")]
        words = (
            *installation.IN_FOLDER, self._target, node_program(), str(tools.path / eslint),
            *config, "--format", "json", "--no-error-on-unmatched-pattern", ".",
        )  # fmt: skip
        done = self._run(words, tools)
        if done.exit_code not in {0, 1} or done.stopped_by:
            raise HarnessFault(f"eslint did not finish: {done.ending()}.\n{done.output}")
        problems = [
            Problem(
                path=self._relative(str(row.get("filePath", ""))),
                line=line_of(message.get("line")),
                code=str(message.get("ruleId") or "syntax"),
                message=str(message.get("message", "")),
                severity=severity_of(message.get("severity")),
            )
            for row in rows_of(done.stdout)
            for messages in [row.get("messages")]
            for message in (messages if isinstance(messages, list) else ())
            if isinstance(message, dict)
        ]
        success = done.ok and not problems
        return CheckDetails(tool="eslint", success=success, problems=problems, output=done.stderr)

    def _run(self, words: tuple[str, ...], tools: Environment) -> Completed:
        source = self.environment.path / "node_modules"
        modules = Placement(source=source, target="node_modules", read_only=True, bulky=True)
        return self.harness.sandbox.run(
            Command(
                argv=words,
                env={"CI": "true", "SDKBENCH_TOOLS": str(tools.path)},
                placements=(*self.project.placements, modules),
                mounts=(*tool_mounts("node"), Mount(path=tools.path), Mount(path=INSIDE)),
                limits=self.limits.model_copy(update={"output_bytes": 16 * 1024 * 1024}),
            )
        )

    @property
    def _target(self) -> str:
        return f"{WORKSPACE}/{self.project.solution.target}"

    def _relative(self, path: str) -> str:
        """Below the solution, whichever way the tool named the file."""
        folder = self.project.solution.target
        for prefix in (f"/w/{folder}/", "/w/", f"{folder}/"):
            path = path.removeprefix(prefix)
        return path


def syntax_problems(node: NodeProject, harness: Harness, limits: Limits) -> list[str]:
    """A sentence for each source file that TypeScript cannot read, with its line; none where there
    is no TypeScript to ask.
    """
    try:
        parser = tool(PARSER, harness)
        program = node_program()
    except (EnvironmentFault, MissingTool):
        return []
    library = parser.path / "node_modules" / "typescript" / "lib" / "typescript.js"
    with harness.cache.in_use(parser):
        done = harness.sandbox.run(
            Command(
                argv=(program, str(SYNTAX_CHECK), str(library), WORKSPACE),
                placements=(node.given.solution.model_copy(update={"target": "."}),),
                mounts=(*tool_mounts("node"), Mount(path=parser.path), Mount(path=INSIDE)),
                limits=limits.model_copy(update={"output_bytes": MAX_OUTPUT_BYTES}),
            )
        )
    return [
        f"{path}:{line}: {message} ({code})"
        for path, line, code, message in DIAGNOSTIC.findall(done.stdout)
    ]


def coverage_order(node: NodeProject, harness: Harness) -> tuple[CoverageOrder, tuple[Mount, ...]]:
    """What to count, and what a sandbox must see of the tool that does."""
    folder = node.given.solution.target
    files = "**/*" if folder == "." else f"{folder}/**/*"
    include = f"{files}.{{js,jsx,ts,tsx,mjs,cjs,mts,cts}}"
    if node.framework in {TestFramework.JEST, TestFramework.VITEST}:
        return CoverageOrder(include=include), ()
    tools = tool(C8, harness)
    program = tools.path / "node_modules" / "c8" / "bin" / "c8.js"
    return CoverageOrder(include=include, c8=str(program)), (Mount(path=tools.path),)


def mutations(node: NodeProject, harness: Harness, limits: Limits) -> tuple[Mutation, ...]:
    """Those of the sample's test files; none for a project that is judged on its own tests.

    Only trusted files are there when they are read. Raises HarnessFault if they can't be.
    """
    if node.given.has_own_tests or not node.test_files:
        return ()
    parser = tool(PARSER, harness)
    typescript = parser.path / "node_modules" / "typescript" / "lib" / "typescript.js"
    files = [placed.target for placed in node.test_files]
    words = (node_program(), str(PROGRAM), str(typescript), node.framework.value, WORKSPACE)
    with harness.cache.in_use(parser):
        done = harness.sandbox.run(
            Command(
                argv=(*words, *files),
                placements=node.given.trusted,
                mounts=(*tool_mounts("node"), Mount(path=parser.path), Mount(path=INSIDE)),
                limits=limits.model_copy(update={"output_bytes": MAX_OUTPUT_BYTES}),
            )
        )
    if not done.ok or done.truncated:
        raise HarnessFault(f"The tests could not be read: {done.ending()}.\n{done.output}")
    try:
        return _MUTATIONS.validate_json(done.stdout)
    except ValidationError as error:
        raise HarnessFault(
            f"The program that finds mutations of tests wrote something else: {error}"
        ) from error
