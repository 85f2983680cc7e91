"""TypeScriptTestRunner: TypeScript and JavaScript with jest, vitest, mocha or node:test."""

import contextlib
import dataclasses
import functools
import secrets
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Self

from sdkbench.core import BlackBox, Placement, Project
from sdkbench.environments import Environment
from sdkbench.environments.installation import provide
from sdkbench.errors import HarnessFault, InputError
from sdkbench.sandbox import Completed, Level, Mount, Program
from sdkbench.sandbox.command import WORKSPACE
from sdkbench.sandbox.pair import run_pair
from sdkbench.test_harness.apart import ApartRun, Crossing, apart_run
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.language_runner import LanguageRunner
from sdkbench.test_harness.models import (
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    FileCoverage,
    Language,
    QuickCheck,
    TestFramework,
)
from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.node import apart, checks, engines, pack, session, unread
from sdkbench.test_harness.node.environment import (
    SCRATCH,
    Needs,
    NodeRecipe,
    absent_package,
    needs,
    nested_modules,
    toolchain,
)
from sdkbench.test_harness.node.manifest import LOCKS
from sdkbench.test_harness.node.project import NodeProject, read
from sdkbench.test_harness.programs import search_path, tool_mounts
from sdkbench.test_harness.recognition import Unsupported
from sdkbench.test_harness.session import (
    INSIDE,
    Boot,
    Coverage,
    Records,
    read_records,
    run_session,
    sandbox_command,
)

BOOT = INSIDE / "node" / "boot.mjs"
TOOL_NAMES = ("node", "npm")


class TypeScriptTestRunner(LanguageRunner[NodeProject]):
    """Builds with the build, compile or tsc script, else `tsc --noEmit`, else a syntax check."""

    name = "typescript"
    manifests = ("package.json",)
    configs = ("tsconfig.json", *LOCKS)
    supported = ("jest", "vitest", "mocha", "node:test")
    read = staticmethod(read)
    _followed: TestFramework | None = None  # what the project's test script has started
    _without: tuple[str, ...] = ()  # why a tool of the project's is not there

    def get_language(self) -> Language:
        return Language.TYPESCRIPT if self.known.typed else Language.JAVASCRIPT

    def get_framework(self) -> TestFramework:
        return self._followed or self.known.framework

    def unsupported(self) -> Unsupported | None:
        return self.known.unsupported

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
        node = read(self.project)
        if with_coverage:
            node = dataclasses.replace(node, commands=())  # with settings of ours
        needed = needs(node, with_coverage=with_coverage)
        if needed.refused:
            return DependencyInstallResult.refused(needed.refused)
        result = self.install(NodeRecipe, needed.request, needed.completed_with)
        return self._without_absent(node, needed, result)

    def _without_absent(
        self, node: NodeProject, needed: Needs, result: DependencyInstallResult
    ) -> DependencyInstallResult:
        """A project's own tests run without the tools that the registry no longer has, as they do
        for those who have them from elsewhere: many are for releases, or to measure.
        """
        request = needed.request
        self._without = needed.without
        while not result.success and node.given.has_own_tests:
            name = absent_package(result.error or "")
            if name not in request.dependencies or name in node.package.dependencies:
                break
            request = request.without(name)
            result = self.install(NodeRecipe, request, needed.completed_with)
            self._without = (*self._without, f"{name}: the registry has none")
        return result

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        node = read(self.project_for(test_dir))
        project = node.given
        run_build = run_build and not self.skips_build
        if run_build and session.build_script(node) and self._build.result is None:
            self._build.result = self._built(node)
        built = None if self.skips_build else self._build.result
        if built is None:
            return self._tested(node, project, run_build=run_build, run_tests=run_tests)
        judged = examined(project, built.completed, built.told(), case_evidence, run_tests=False)
        if run_tests and built.kept():
            tested = self._tested(node, built.instead_of(project), run_build=False)
            if tested.build.success:  # what the build said, not what was left to do after it
                tested = tested.model_copy(update={"build": judged.build})
            return checks.noted(tested, checks.notes_in(built.records))
        missing = checks.missing_tool(judged.build) if project.has_own_tests else None
        if missing is None:
            return judged
        # Tests that need nothing of the build say something all the same.
        build = judged.build.model_copy(update={"missing_tool": missing})
        tested = self._tested(node, project, run_build=False) if run_tests else judged
        return tested.model_copy(update={"build": build})

    def _tested(
        self, node: NodeProject, placed: Project, *, run_build: bool, run_tests: bool = True
    ) -> Examination:
        """The tests of a project as it is `placed`, built before or not, and the checks that leave
        nothing behind.
        """
        compilers, mounts = checks.compilers(node, self.harness) if run_build else (None, ())
        order = session.order(node, compilers=compilers, run_tests=run_tests)
        order = order.model_copy(update={"shuffle_seed": self.harness.shuffle_seed})
        completed, records = self._session(placed, node, order, mounts)
        files = tuple(placed.target for placed in node.test_files)
        judge = partial(case_evidence, tried=files if node.given.has_own_tests else ())
        tested = examined(node.given, completed, records, judge, run_tests=run_tests)
        notes = checks.notes_in(records)
        if run_tests:
            self._followed = unread.framework_in(records)
            version = toolchain(self.harness.sandbox).split()[0]
            tested = checks.noted(tested, unread.notes_on(node, tested, records, version))
            seen = tested.evidence
            if seen and node.given.has_own_tests and not seen.reports and seen.collection_errors:
                told = seen.collection_errors[0].error_message
                engines.refuse_other(node.package.node_range, version, told)
            without = [f"the tests run without {sentence}" for sentence in self._without]
            tested = checks.noted(tested, tuple(without))
        if notes and compilers and tested.evidence and tested.evidence.failures:
            # Tests run in spite of what a compiler objects to; where they fail, that is why.
            build = tested.build.model_copy(update={"success": False, "errors": list(notes)})
            return tested.model_copy(update={"build": build})
        return checks.noted(tested, notes)

    def examine_apart(
        self, profile: str | None, *, run_build: bool = True, copies: bool = False
    ) -> ApartRun | None:
        """The tests beside files that only bear the solution's names.

        A build script has run before; a check that leaves nothing behind runs beside the tests, in
        the solution's sandbox.
        """
        if profile is not None and copies:
            profile = apart.with_copies(profile)
        node = read(self.project)
        tests = apart.as_tests_see_it(node)
        if tests is None or self.harness.sandbox.level is Level.PLAIN:
            return None
        # The tests' packages are the reference's: what only the solution asks for is its own.
        trusted = provide(
            NodeRecipe(needs(tests).request, self.harness.cache, self.harness.sandbox),
            install=self.harness.install,
        ).environment
        if trusted is None:
            return None
        run_build = run_build and not self.skips_build
        beside = run_build and session.build_script(node) is None
        checked = None if beside else self.examine(run_build=run_build, run_tests=False)
        if checked is not None and not checked.build.success:
            return ApartRun(checked)
        compilers, mounts = checks.compilers(node, self.harness) if beside else (None, ())
        built = None if self.skips_build else self._build.result
        solution = (built.instead_of(node.given) if built else node.given).solution
        with (
            apart.stand_in(solution) as names,
            self.harness.cache.in_use(trusted),
            self.harness.cache.in_use(self.provided()),
        ):
            nonce = secrets.token_hex(16)
            order = apart.tests_order(tests, node, profile)
            boot = self._boot(tests, order, trusted)
            program, *words = boot.argv
            testing = sandbox_command(
                boot._replace(argv=(program, *apart.words_for_tests(order), *words)),
                order,
                self.limits,
                nonce=nonce,
                placements=(names, *node.given.trusted, *modules(trusted, tests)),
            )
            order = apart.solution_order(tests, node, compilers)
            boot = self._boot(tests, order, self.provided(), mounts)
            own_nonce = secrets.token_hex(16)
            serving = sandbox_command(
                boot._replace(argv=(*boot.argv[:-1], str(apart.SERVE))),
                order,
                self.limits,
                nonce=own_nonce,
                placements=(
                    solution,
                    *apart.given_to_solution(tests),
                    *modules(self.provided(), node),
                ),
            )
            done = run_pair(self.harness.sandbox, testing, serving)
        if checked is None:
            checked = checks.checked_beside(node.given, done.solution, own_nonce) or self.examine(
                run_tests=False
            )
        if not checked.build.success:
            return ApartRun(checked)
        records = read_records(
            done.tests.channel, nonce, (Crossing,), truncated=done.tests.channel_truncated
        )
        return apart_run(node.given, done, records, case_evidence)

    def why_not_apart(self) -> str:
        other = "the sandbox does not isolate, or the reference's packages are not at hand"
        return apart.why_not(read(self.project)) or other

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
        built = None if self.skips_build else self._build.result
        solution = built.instead_of(project).solution if built else project.solution
        with self.harness.cache.in_use(environment):
            yield Program(
                command=tuple(project.filled_in(box.command, WORKSPACE)),
                port=box.port,
                tests_port=box.tests_port,
                placements=(solution, *modules(environment, self.known)),
                mounts=tool_mounts(*TOOL_NAMES),
                env=session.ENVIRONMENT,
                search_path=search_path(*TOOL_NAMES),
                bins=("node_modules/.bin",),
                scratch=scratch(modules(environment, self.known)),
            )

    @contextlib.contextmanager
    def command(self, words: tuple[str, ...]) -> Iterator[Program]:
        with self.program(BlackBox(command=words)) as program:
            yield program

    def dependencies(self) -> list[str]:
        return list(self.known.package.all_dependencies)

    def quick_check(self) -> QuickCheck:
        check = super().quick_check()
        # A copy: what is checked may hold a folder of packages, and links that lead anywhere.
        problems = checks.syntax_problems(read(self.project), self.harness, self.limits)
        scripts = self.known.package.scripts if self.known.has_manifest else {}
        return check.model_copy(
            update={"scripts": scripts, "problems": [*check.problems, *problems]}
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
        node = dataclasses.replace(read(self.project), commands=())
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
        boot = self._boot(node, order, environment, mounts)
        placements = (*project.placements, *modules(environment, node))
        with self.harness.cache.in_use(environment):
            return run_session(
                self.harness.sandbox, boot, placements, order, self.limits, archive=archive
            )

    def _boot(
        self,
        node: NodeProject,
        order: session.NodeOrder,
        environment: Environment,
        mounts: tuple[Mount, ...] = (),
    ) -> Boot:
        program = session.sealed_node(self.harness.cache)
        words: tuple[str, ...] = ()
        env = session.environment(node)
        by_us = order.run_tests and not order.commands and not order.coverage
        if node.framework is TestFramework.JEST and by_us:
            packed = pack.jest_pack(environment, self.harness, jsdom=node.jsdom)
            words, env = ("--require", str(pack.LOADER)), env | pack.loaded_with(packed)
            mounts = (*mounts, Mount(path=packed.path))
        return Boot(
            argv=(str(program), session.VM_MODULES, *words, str(BOOT)),
            mounts=(*tool_mounts(*TOOL_NAMES), Mount(path=program.parent), *mounts),
            env=env,
            scratch=scratch(modules(environment, node)),
            search_path=search_path(*TOOL_NAMES),
            counterpart=self.counterpart,
            own_records=(checks.Packed, checks.Note, unread.Script),
        )


def modules(environment: Environment, node: NodeProject) -> tuple[Placement, ...]:
    """node_modules at the top of the workspace, where solution and tests both find it.

    In a workspace of packages it also stands in the solution: its links point to siblings.
    """
    top = environment.path / "node_modules"
    places = [(top, "node_modules")]
    if node.package.workspaces:
        solution = Path(node.given.solution.target)
        nested = nested_modules(environment.path)
        for path in [*([top] if solution != Path() else []), *nested]:
            target = solution / path.relative_to(environment.path)
            places.append((path, target.as_posix()))
    return tuple(
        Placement(source=source, target=target, read_only=True, bulky=True)
        for source, target in places
    )


def scratch(placed: tuple[Placement, ...]) -> tuple[str, ...]:
    """Folders of these node_modules that tools insist on writing to."""
    return tuple(
        f"{one.target}/{name}" for one in placed for name in SCRATCH if (one.source / name).is_dir()
    )
