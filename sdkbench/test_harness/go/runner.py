"""GoTestRunner: Go modules and workspaces, built, vetted and tested."""

import functools
import re

from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Mount
from sdkbench.test_harness.evidence import Examination, case_evidence, examined
from sdkbench.test_harness.go import project as go_project
from sdkbench.test_harness.go.environment import (
    ENVIRONMENT,
    GoRecipe,
    Lock,
    go_mounts,
    go_search_path,
    module_cache,
    toolchain,
)
from sdkbench.test_harness.go.expectations import mutations_of
from sdkbench.test_harness.go.project import GoProject
from sdkbench.test_harness.go.session import explained, order
from sdkbench.test_harness.language_runner import LanguageRunner
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
# A complaint of go build or go vet.
PLACED = re.compile(r"^(?P<path>\S+\.go):(?P<line>\d+)(?::\d+)?: (?P<message>.*)$", re.DOTALL)


class GoTestRunner(LanguageRunner[GoProject]):
    name = "go"
    language = Language.GO
    framework = TestFramework.GO_TEST
    manifests = ("go.mod", "go.work")
    configs = ("go.sum",)
    read = staticmethod(go_project.read)
    mutations_of = staticmethod(mutations_of)

    def install_dependencies(self) -> DependencyInstallResult:
        project = go_project.read(self.project)
        if project.refused:
            return DependencyInstallResult.refused(project.refused)
        version = toolchain(self.harness.sandbox).split()[0].removeprefix("go")
        request = go_project.request(project, ".".join(version.split(".")[:2]))
        return self.install(GoRecipe, request)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        modules, provided = self.provided(), self._provision
        if provided is None or provided.also is None:
            raise HarnessFault("Go's modules were provided without a compiled standard library.")
        compiled = provided.also
        project, lock = go_project.read(self.project_for(test_dir)), Lock.read(provided.lock)
        given, cache = project.given, self.harness.cache
        boot = Boot(
            argv=boot_words(BOOT),
            mounts=(*go_mounts(), Mount(path=modules.path), Mount(path=compiled.path)),
            env=ENVIRONMENT
            | {"GOMODCACHE": str(module_cache(modules)), "GOPROXY": "off", "GOSUMDB": "off"},
            search_path=go_search_path(),
        )
        work = order(project, lock, compiled, run_build=run_build, run_tests=run_tests)
        with cache.in_use(modules), cache.in_use(compiled):
            completed, records = run_session(
                self.harness.sandbox, boot, go_project.visible(given), work, self.limits
            )
        doubts = go_project.doubts(project)
        noted = completed.model_copy(update={"notes": (*completed.notes, *doubts)})
        judge = functools.partial(case_evidence, explain=explained, doubts=doubts)
        return examined(given, noted, records, judge, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        check = super().quick_check()
        problems = [*check.problems, *go_project.syntax_problems(self.known)]
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
