"""TypeScriptTestRunner: TypeScript and JavaScript with jest, vitest, mocha or node:test."""

import contextlib
import functools
from collections.abc import Iterator
from pathlib import Path
from typing import Self

from sdkbench.core import BlackBox, Placement, Project, tree
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.language_runner import LanguageRunner
from sdkbench.test_harness.models import (
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    FileCoverage,
    Language,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.node import checks, pack, session
from sdkbench.test_harness.node.environment import SCRATCH, NodeRecipe, needs
from sdkbench.test_harness.node.manifest import LOCKS
from sdkbench.test_harness.node.project import NodeProject, read
from sdkbench.test_harness.programs import search_path, tool_mounts
from sdkbench.test_harness.session import INSIDE, Boot, Coverage, Records, run_session

BOOT = INSIDE / "node" / "boot.mjs"
WRITABLE = tuple(f"node_modules/{name}" for name in SCRATCH)
TOOL_NAMES = ("node", "npm")


class TypeScriptTestRunner(LanguageRunner[NodeProject]):
    """Builds with the build, compile or tsc script, else `tsc --noEmit`, else a syntax check."""

    name = "typescript"
    manifests = ("package.json",)
    configs = ("tsconfig.json", *LOCKS)
    read = staticmethod(read)

    def get_language(self) -> Language:
        return Language.TYPESCRIPT if self.known.typed else Language.JAVASCRIPT

    def get_framework(self) -> TestFramework:
        return self.known.framework

    def markers(self, root: Path) -> tuple[list[str], list[str]]:
        manifests, configs = super().markers(root)
        # One alone may be there for another language's sake.
        return manifests, configs if manifests or len(configs) > 1 else []

    @functools.cached_property
    def _build(self) -> checks.SharedBuild:
        return checks.SharedBuild()

    def with_project(self, project: Project) -> Self:
        build = self._build
        other = super().with_project(project)
        other._build = build  # noqa: SLF001 - of the same class
        return other

    def install_dependencies(self) -> DependencyInstallResult:
        return self._install()

    def _install(self, *, with_coverage: bool = False) -> DependencyInstallResult:
        needed = needs(read(self.project), with_coverage=with_coverage)
        if needed.refused:
            return DependencyInstallResult.refused(needed.refused)
        return self.install(NodeRecipe, needed.request, needed.completed_with)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        node = read(self.project_for(test_dir))
        project = node.given
        if run_build and session.build_script(node) and self._build.result is None:
            self._build.result = self._built(node)
        built = self._build.result
        if built is not None and not (run_tests and built.kept()):
            return examined(project, built.completed, built.records, case_evidence, run_tests=False)
        compilers, mounts = (
            checks.compilers(node, self.harness) if run_build and not built else (None, ())
        )
        order = session.order(node, compilers=compilers, run_tests=run_tests)
        placed = built.instead_of(project) if built else project
        completed, records = self._session(placed, node, order, mounts)
        return examined(project, completed, records, case_evidence, run_tests=run_tests)

    def _built(self, node: NodeProject) -> checks.SolutionBuild:
        """The solution's own build, in a sandbox that dies with all that it may leave running.

        Without the tests, unless they are the project's own: a build has no business with them.
        """
        compilers, mounts = checks.compilers(node, self.harness)
        order = session.order(node, compilers=compilers, run_tests=False, archive=True)
        alone = node.given.model_copy(update={"trusted": ()})
        archive = self._build.archive
        completed, records = self._session(alone, node, order, mounts, archive)
        return checks.SolutionBuild(completed, records, archive)

    @contextlib.contextmanager
    def program(self, box: BlackBox) -> Iterator[Program]:
        """The programs of installed packages (tsx and the like) are found by their bare names."""
        project, environment = self.project, self.provided()
        built = self._build.result
        solution = built.instead_of(project).solution if built else project.solution
        with self.harness.cache.in_use(environment):
            yield Program(
                command=tuple(project.filled_in(box.command, WORKSPACE)),
                port=box.port,
                placements=(solution, *modules(environment, self.known)),
                mounts=tool_mounts(*TOOL_NAMES),
                env=session.ENVIRONMENT,
                search_path=search_path(*TOOL_NAMES),
                bins=("node_modules/.bin",),
                scratch=WRITABLE,
            )

    def mutations(self) -> tuple[Mutation, ...]:
        return checks.mutations(self.known, self.harness, self.limits)

    def type_check(self) -> CheckDetails:
        """Tsc over the solution; JavaScript without a tsconfig is checked as JavaScript."""
        return self._checker().type_check()

    def lint(self) -> CheckDetails:
        return self._checker().lint()

    def _checker(self) -> checks.Checker:
        return checks.Checker(self.project, self._installed(), self.harness, self.limits)

    def coverage(self) -> CoverageDetails:
        """Lines of the solution that its tests run through, as the framework counts them."""
        self._installed(with_coverage=True)
        node = read(self.project)
        coverage, mounts = checks.coverage_order(node, self.harness)
        order = session.order(node, compilers=None, run_tests=True, coverage=coverage)
        completed, records = self._session(node.given, node, order, mounts)
        for measured in records.of(Coverage):
            files = FileCoverage.of(measured.files)
            return CoverageDetails(tool=node.framework.value, files=files)
        raise HarnessFault(f"Coverage was not measured: {completed.ending()}.\n{completed.output}")

    def _installed(self, *, with_coverage: bool = False) -> Environment:
        installed = self._install(with_coverage=with_coverage)
        if self._environment is None:
            raise InputError(f"The dependencies cannot be installed: {installed.error}")
        return self._environment

    def _session(
        self,
        project: Project,
        node: NodeProject,
        order: session.NodeOrder,
        mounts: tuple[Mount, ...] = (),
        archive: Path | None = None,
    ) -> tuple[Completed, Records]:
        environment = self.provided()
        program = session.sealed_node(self.harness.cache)
        words, env = (), session.environment(node)
        if node.framework is TestFramework.JEST and order.run_tests and not order.coverage:
            packed = pack.jest_pack(environment, self.harness, jsdom=node.jsdom)
            words, env = ("--require", str(pack.LOADER)), env | pack.loaded_with(packed)
            mounts = (*mounts, Mount(path=packed.path))
        boot = Boot(
            argv=(str(program), *words, str(BOOT)),
            mounts=(*tool_mounts(*TOOL_NAMES), Mount(path=program.parent), *mounts),
            env=env,
            scratch=WRITABLE,
            search_path=search_path(*TOOL_NAMES),
            counterpart=self.counterpart,
            own_records=(checks.Packed,),
        )
        placements = (*project.placements, *modules(environment, node))
        with self.harness.cache.in_use(environment):
            return run_session(
                self.harness.sandbox, boot, placements, order, self.limits, archive=archive
            )


def modules(environment: Environment, node: NodeProject) -> tuple[Placement, ...]:
    """node_modules at the top of the workspace, where solution and tests both find it.

    In a workspace of packages it also stands in the solution: its links point to siblings.
    """
    top = environment.path / "node_modules"
    places = [(top, "node_modules")]
    if node.package.workspaces:
        solution = Path(node.given.solution.target)
        nested = [
            path
            for path in environment.path.glob("*/**/node_modules")
            if not path.is_relative_to(top) and path.parent.name not in tree.VENDORED
        ]
        for path in [*([top] if solution != Path() else []), *nested]:
            target = solution / path.relative_to(environment.path)
            places.append((path, target.as_posix()))
    return tuple(
        Placement(source=source, target=target, read_only=True, bulky=True)
        for source, target in places
    )
