"""GoTestRunner: Go modules and workspaces, built, vetted and tested."""

import functools
import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePosixPath

from sdkbench.core import BlackBox
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Mount, Program
from sdkbench.test_harness.compiled import compiled_program, main_program
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.go import project as go_project
from sdkbench.test_harness.go.environment import (
    ENVIRONMENT,
    SEALED,
    GoRecipe,
    go_mounts,
    go_search_path,
    module_cache,
    toolchain,
)
from sdkbench.test_harness.go.expectations import mutations_of
from sdkbench.test_harness.go.own import OwnRecipe, own_request, settings
from sdkbench.test_harness.go.project import GoProject
from sdkbench.test_harness.go.session import explained, order
from sdkbench.test_harness.go.syntax import syntax_problems
from sdkbench.test_harness.language_runner import LanguageRunner, Surroundings
from sdkbench.test_harness.missing_tools import refuse_lacks
from sdkbench.test_harness.models import (
    CheckDetails,
    DependencyInstallResult,
    Language,
    Problem,
    QuickCheck,
    TestFramework,
)
from sdkbench.test_harness.session import Boot, boot_words, run_session

BOOT = "go.boot"
MAJOR = re.compile(r"/v[0-9]+$")  # of a module's path: no part of its program's name
# A complaint of the compiler or of go vet.
PLACED = re.compile(r"^(?P<path>\S+\.go):(?P<line>\d{1,9})(?::\d+)?: (?P<message>.*)$", re.DOTALL)


class GoTestRunner(LanguageRunner[GoProject]):
    name = "go"
    language = Language.GO
    framework = TestFramework.GO_TEST
    manifests = ("go.mod", "go.work")
    configs = ("go.sum",)
    compiles_program = True
    read = staticmethod(go_project.read)
    mutations_of = staticmethod(mutations_of)

    def install_dependencies(self) -> DependencyInstallResult:
        project = go_project.read(self.project)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        version = toolchain(self.harness.sandbox).split()[0].removeprefix("go")
        fallback = ".".join(version.split(".")[:2])
        if project.given.has_own_tests:
            return self.install(OwnRecipe, own_request(project, fallback))
        return self.install(GoRecipe, go_project.request(project, fallback))

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        modules, provided = self.provided(), self._provision
        if provided is None or provided.also is None:
            raise HarnessFault("Go's modules were provided without a compiled standard library.")
        compiled = provided.also
        project, cache = go_project.read(self.project_for(test_dir)), self.harness.cache
        given = project.given
        out = self.program_folder
        boot = Boot(
            argv=boot_words(BOOT),
            mounts=(
                *go_mounts(),
                Mount(path=modules.path),
                Mount(path=compiled.path),
                *([Mount(path=out, writable=True)] if out else []),
            ),
            env=ENVIRONMENT
            | (settings() if given.has_own_tests else SEALED)
            | {"GOMODCACHE": str(module_cache(modules)), "GOPROXY": "off", "GOSUMDB": "off"},
            search_path=go_search_path(),
        )
        work = order(
            project,
            provided.lock,
            compiled,
            run_build=run_build,
            run_tests=run_tests,
            programs=out,
        )
        with cache.in_use(modules), cache.in_use(compiled):
            completed, records = run_session(
                self.harness.sandbox, boot, go_project.visible(given), work, self.limits
            )
        doubts = go_project.doubts(project)
        noted = completed.model_copy(update={"notes": (*completed.notes, *doubts)})
        explain = functools.partial(explained, project)
        judge = functools.partial(
            case_evidence, explain=explain, doubts=doubts, tried=project.tried
        )
        examination = examined(given, noted, records, judge, run_tests=run_tests)
        if given.has_own_tests:
            refuse_lacks(examination.build.errors)
        return examination

    def program(self, box: BlackBox) -> AbstractContextManager[Program]:
        """Every program of the module goes by its name, its main one by `{program}` too."""
        folder = self.built_into()
        module = PurePosixPath(MAJOR.sub("", self.known.modules[0].path)).name
        main = main_program(folder, module)
        return nullcontext(compiled_program(self.project, box, folder, main))

    def surroundings(self, environment: Environment) -> Surroundings:
        modules = {"GOMODCACHE": str(module_cache(environment)), "GOFLAGS": "-mod=mod"}
        env = {**ENVIRONMENT, **modules, "GOPROXY": "off", "GOSUMDB": "off"}
        return Surroundings(go_mounts(), env, go_search_path())

    def dependencies(self) -> list[str]:
        return [name for module in self.known.modules for name, _ in module.manifest.requires]

    def quick_check(self) -> QuickCheck:
        check = super().quick_check()
        problems = [*check.problems, *syntax_problems(self.known.sources)]
        return check.model_copy(update={"problems": problems})

    def type_check(self) -> CheckDetails:
        build = self.build()
        return CheckDetails(
            tool="go vet",  # which type-checks before it looks for mistakes
            success=build.success,
            problems=[_problem(error) for error in build.errors],
            output=build.output,
        )

    def lint(self) -> CheckDetails:
        """The same as the type check: go vet is both."""
        return self.type_check()


def _problem(error: str) -> Problem:
    placed = PLACED.match(error)
    if placed is None:
        return Problem(path="", message=error)
    return Problem(path=placed["path"], line=int(placed["line"]), message=placed["message"])
