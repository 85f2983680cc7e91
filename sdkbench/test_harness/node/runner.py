"""TypeScriptTestRunner: TypeScript and JavaScript with jest, vitest, mocha or node:test."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from sdkbench.core import BlackBox, Placement, Project, tree
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Mount, Program
from sdkbench.sandbox.command import ARCHIVE, WORKSPACE
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.examination import case_evidence, examined
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.node import (
    checks as node_checks,
)
from sdkbench.test_harness.node import (
    expectations as node_alterations,
)
from sdkbench.test_harness.node import (
    needs as node_needs,
)
from sdkbench.test_harness.node import project as reading
from sdkbench.test_harness.node import (
    session as node_order,
)
from sdkbench.test_harness.node.builds import Builds, Built, Packed
from sdkbench.test_harness.node.environment import SCRATCH, provide
from sdkbench.test_harness.node.manifest import LOCKS
from sdkbench.test_harness.node.sealed import sealed_node
from sdkbench.test_harness.programs import tool_mounts
from sdkbench.test_harness.protocol import Records
from sdkbench.test_harness.runner import DEFAULT_TIMEOUT_SECONDS, BaseTestRunner, Harness
from sdkbench.test_harness.session import INSIDE, Boot, run_session

BOOT = INSIDE / "node" / "boot.mjs"
TYPESCRIPT = "node_modules/typescript"
WRITABLE = tuple(f"node_modules/{name}" for name in SCRATCH)
MARKERS = ("package.json", "tsconfig.json", *LOCKS)


class TypeScriptTestRunner(BaseTestRunner):
    __test__ = False
    name = "typescript"

    _read: reading.Reading | None = None

    def __init__(
        self,
        working_dir: Path | str,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        *,
        project: Project | None = None,
        harness: Harness | None = None,
    ) -> None:
        super().__init__(working_dir, timeout, project=project, harness=harness)
        self._builds = Builds()  # shared with every `with_project` of this runner

    def get_language(self) -> Language:
        return Language.TYPESCRIPT if self._reading().typed else Language.JAVASCRIPT

    def get_framework(self) -> TestFramework:
        return self._reading().framework

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        markers = [name for name in MARKERS if (root / name).is_file()]
        found = self._reading()
        source = next(iter(reading.sources(root)), None)
        confidence = 0.5 * bool(found.test_files) + 0.1 * (source is not None)
        confidence += 0.3 * ("package.json" in markers) + 0.1 * (len(markers) > 1)
        markers += [placed.target for placed in found.test_files[:5]]
        if source is not None and not found.test_files:
            markers.append(source.relative_to(root).as_posix())
        return RunnerDetectionResult.of(confidence, markers, self.get_language(), found.framework)

    def with_project(self, project: Project) -> Self:
        other = super().with_project(project)
        other._read = None  # noqa: SLF001 - of the same class
        return other

    def install_dependencies(self) -> DependencyInstallResult:
        return self._install()

    def _install(self, *, with_coverage: bool = False) -> DependencyInstallResult:
        needs = node_needs.needs(self.project, self._reading(), with_coverage=with_coverage)
        if needs.refused:
            return DependencyInstallResult.refused(needs.refused)
        harness = self.harness
        provision = provide(needs.request, harness.cache, harness.sandbox, install=harness.install)
        self._environment = provision.environment
        return DependencyInstallResult.of(provision, needs.completed_with)

    def build(self) -> BuildResult:
        """The build, compile or tsc script; else `tsc --noEmit`; else a syntax check."""
        return super().build()

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project = self.project_for(test_dir)
        found = self._reading() if test_dir is None else reading.read(project)
        if run_build and node_order.build_script(found) and self._builds.made is None:
            self._builds.made = self._built(project, found)
        built = self._builds.made
        if built is not None and not (run_tests and built.kept()):
            return examined(project, built.completed, built.records, case_evidence, run_tests=False)
        compilers, mounts = self._compilers(found) if run_build and not built else (None, ())
        order = node_order.order(project, found, compilers=compilers, run_tests=run_tests)
        placed = built.instead_of(project) if built else project
        completed, records = self._session(placed, found, order, mounts)
        return examined(project, completed, records, case_evidence, run_tests=run_tests)

    def _built(self, project: Project, found: reading.Reading) -> Built:
        """The solution's own build, in a sandbox that dies with all that it may leave running.

        Without the tests, unless they are the project's own: a build has no business with them.
        """
        compilers, mounts = self._compilers(found)
        order = node_order.order(project, found, compilers=compilers, run_tests=False) | {
            "archive_fd": ARCHIVE,
            "archive_folder": f"{WORKSPACE}/{project.solution.target}",
        }
        alone = project.model_copy(update={"trusted": ()})
        archive = self._builds.archive
        completed, records = self._session(alone, found, order, mounts, archive)
        return Built(completed, records, archive)

    @contextlib.contextmanager
    def program(self, box: BlackBox) -> Iterator[Program]:
        """The programs of installed packages (tsx and the like) are found by their bare names."""
        project, environment = self.project, self.provided()
        built = self._builds.made
        solution = built.instead_of(project).solution if built else project.solution
        tools = tool_mounts("node", "npm")
        with self.harness.cache.in_use(environment):
            yield Program(
                command=tuple(project.filled_in(box.command, WORKSPACE)),
                port=box.port,
                placements=(solution, *modules(environment, project, self._reading())),
                mounts=tools,
                env=node_order.ENVIRONMENT,
                search_path=tuple(mount.path / "bin" for mount in tools),
                bins=("node_modules/.bin",),
                scratch=WRITABLE,
            )

    def quick_check(self) -> QuickCheck:
        found = self._reading()
        return QuickCheck(
            language=self.get_language(),
            framework=found.framework,
            has_manifest=found.has_manifest,
            has_tests=bool(found.test_files),
            problems=list(found.package.refused),
        )

    def alterations(self) -> tuple[Alteration, ...]:
        project = self.readable_project
        return node_alterations.alterations(project, self._reading(), self.harness, self.limits)

    def type_check(self) -> CheckDetails:
        """Tsc over the solution; JavaScript without a tsconfig is checked as JavaScript."""
        return node_checks.type_check(self.project, self._installed(), self.harness, self.limits)

    def lint(self) -> CheckDetails:
        return node_checks.lint(self.project, self._installed(), self.harness, self.limits)

    def coverage(self) -> CoverageDetails:
        """Lines of the solution that its tests run through, as the framework counts them."""
        self._installed(with_coverage=True)
        found = self._reading()
        order = node_order.order(self.project, found, compilers=None, run_tests=True)
        mounts, extra = node_checks.coverage_order(found, self.project, self.harness)
        completed, records = self._session(self.project, found, order | extra, mounts)
        files = node_checks.coverage_files(records)
        if files is None:
            raise HarnessFault(
                f"Coverage was not measured: {completed.ending()}.\n{completed.output}"
            )
        return CoverageDetails(tool=found.framework.value, files=files)

    def _compilers(self, found: reading.Reading) -> tuple[node_order.Compilers, tuple[Mount, ...]]:
        parser = node_checks.tool({"typescript": node_needs.TOOLS["typescript"]}, self.harness)
        wanted = node_order.build_script(found) is None
        native = node_checks.quick_compiler(found, self.harness) if wanted else None
        tools = [parser, *([native] if native else [])]
        compilers = node_order.Compilers(
            parser.path / TYPESCRIPT, native.path / TYPESCRIPT if native else None
        )
        return compilers, tuple(Mount(path=tool.path) for tool in tools)

    def _installed(self, *, with_coverage: bool = False) -> Environment:
        installed = self._install(with_coverage=with_coverage)
        if self._environment is None:
            raise InputError(f"The dependencies cannot be installed: {installed.error}")
        return self._environment

    def _reading(self) -> reading.Reading:
        if self._read is None:
            self._read = reading.read(self.readable_project)
        return self._read

    def _session(
        self,
        project: Project,
        found: reading.Reading,
        order: dict[str, Any],
        mounts: tuple[Mount, ...] = (),
        archive: Path | None = None,
    ) -> tuple[Completed, Records]:
        environment = self.provided()
        node = sealed_node(self.harness.cache)
        boot = Boot(
            argv=(str(node), str(BOOT)),
            mounts=(*tool_mounts("node", "npm"), Mount(path=node.parent), *mounts),
            env=node_order.environment(found),
            scratch=WRITABLE,
            search_path=tuple(m.path / "bin" for m in tool_mounts("node", "npm")),
            counterpart=self.counterpart,
            own_records=(Packed,),
        )
        placements = (*project.placements, *modules(environment, project, found))
        with self.harness.cache.in_use(environment):
            return run_session(
                self.harness.sandbox, boot, placements, order, self.limits, archive=archive
            )


def modules(
    environment: Environment, project: Project, found: reading.Reading
) -> tuple[Placement, ...]:
    """node_modules at the top of the workspace, where solution and tests both find it.

    In a workspace of packages it also stands in the solution: its links point to siblings.
    """
    source = environment.path / "node_modules"
    placements = [
        Placement(source=source, target="node_modules", read_only=True, bulky=True),
    ]
    if found.package.workspaces:
        inside = Path(project.solution.target)
        nested = [p for p in environment.path.glob("*/**/node_modules") if _is_members(p, source)]
        for path in [*([source] if inside != Path() else []), *nested]:
            target = inside / path.relative_to(environment.path)
            placements.append(
                Placement(source=path, target=target.as_posix(), read_only=True, bulky=True)
            )
    return tuple(placements)


def _is_members(path: Path, top: Path) -> bool:
    return not path.is_relative_to(top) and path.parent.name not in tree.VENDORED
