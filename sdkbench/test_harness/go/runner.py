"""GoTestRunner: Go modules and workspaces, built, vetted and tested."""

import functools
from pathlib import Path
from typing import Any

from sdkbench.core import Project
from sdkbench.environments import Environment
from sdkbench.errors import HarnessFault
from sdkbench.sandbox import Completed, Mount
from sdkbench.test_harness.alteration import Alteration
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.examination import examined
from sdkbench.test_harness.go import checks as go_checks
from sdkbench.test_harness.go import project as reading
from sdkbench.test_harness.go import session as go_order
from sdkbench.test_harness.go.alterations import alterations
from sdkbench.test_harness.go.environment import GoProvision, module_cache, provide
from sdkbench.test_harness.go.records import to_evidence
from sdkbench.test_harness.go.toolchain import ENVIRONMENT, go_mounts, go_search_path, toolchain
from sdkbench.test_harness.models import (
    CheckDetails,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
)
from sdkbench.test_harness.protocol import Records
from sdkbench.test_harness.runner import BaseTestRunner
from sdkbench.test_harness.session import Boot, boot_words, run_session

BOOT = "go.boot"
MARKERS = ("go.mod", "go.work", "go.sum")


class GoTestRunner(BaseTestRunner):
    __test__ = False
    name = "go"

    _provision: GoProvision | None = None

    def get_language(self) -> Language:
        return Language.GO

    def get_framework(self) -> TestFramework:
        return TestFramework.GO_TEST

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        markers = [name for name in MARKERS if (root / name).is_file()]
        sources = reading.go_files(root)
        tests = self._test_files(project, sources)
        confidence = 0.5 * bool(tests) + 0.1 * bool(sources)
        confidence += 0.3 * bool({"go.mod", "go.work"} & set(markers)) + 0.1 * ("go.sum" in markers)
        markers += tests[:5]
        if sources and not tests:
            markers.append(sources[0].relative_to(root).as_posix())
        return RunnerDetectionResult.of(confidence, markers, Language.GO, TestFramework.GO_TEST)

    def install_dependencies(self) -> DependencyInstallResult:
        found = reading.read(self.project)
        if found.refused:
            return DependencyInstallResult.refused(found.refused)
        harness = self.harness
        version = toolchain(harness.sandbox).split()[0].removeprefix("go")
        provision = provide(
            reading.request(found, ".".join(version.split(".")[:2])),
            harness.cache,
            harness.sandbox,
            install=harness.install,
        )
        self._provision, self._environment = provision, provision.provision.environment
        return DependencyInstallResult.of(provision.provision, ())

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project = self.project_for(test_dir)
        modules, provided = self.provided(), self._provision
        if provided is None or provided.compiled is None:
            raise HarnessFault("Go's modules were provided without a compiled standard library.")
        found = reading.read(project)
        doubts = reading.doubts(project, found)
        order = go_order.order(
            project,
            found,
            provided.lock,
            provided.compiled,
            run_build=run_build,
            run_tests=run_tests,
        )
        completed, records = self._session(project, order, modules, provided.compiled)
        told = completed.model_copy(update={"notes": (*completed.notes, *doubts)})
        judge = functools.partial(to_evidence, doubts=doubts)
        return examined(project, told, records, judge, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        project = self.readable_project
        found = reading.read(project)
        sources = reading.go_files(project.solution.source)
        return QuickCheck(
            language=Language.GO,
            framework=TestFramework.GO_TEST,
            has_manifest=found.has_manifest,
            has_tests=bool(self._test_files(project, sources)),
            problems=[*found.refused, *reading.syntax_problems(project.solution.source)],
        )

    def type_check(self) -> CheckDetails:
        return go_checks.details(self.build())

    def lint(self) -> CheckDetails:
        """The same as the type check: go vet is both."""
        return self.type_check()

    def alterations(self) -> tuple[Alteration, ...]:
        return alterations(self.readable_project)

    def _session(
        self, project: Project, order: dict[str, Any], modules: Environment, compiled: Environment
    ) -> tuple[Completed, Records]:
        boot = Boot(
            argv=boot_words(BOOT),
            mounts=(*go_mounts(), Mount(path=modules.path), Mount(path=compiled.path)),
            env=ENVIRONMENT
            | {"GOMODCACHE": str(module_cache(modules)), "GOPROXY": "off", "GOSUMDB": "off"},
            search_path=go_search_path(),
        )
        cache = self.harness.cache
        placements = reading.visible(project)
        with cache.in_use(modules), cache.in_use(compiled):
            return run_session(self.harness.sandbox, boot, placements, order, self.limits)

    def _test_files(self, project: Project, sources: list[Path]) -> list[str]:
        if not project.has_own_tests:
            return [name for name, _ in reading.test_sources(project)]
        root = project.solution.source
        names = (path.relative_to(root).as_posix() for path in sources)
        return [name for name in names if name.endswith("_test.go")]
