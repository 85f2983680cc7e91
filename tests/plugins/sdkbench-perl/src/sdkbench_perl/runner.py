"""PerlTestRunner: *.t files written with Test::More or Test2, one process each."""

import shutil
from pathlib import Path
from typing import ClassVar

from sdkbench.test_harness.runners_api import (
    BOOT_PYTHON,
    WORKSPACE,
    BaseTestRunner,
    Boot,
    Command,
    DependencyInstallResult,
    Examination,
    Language,
    MissingTool,
    Mount,
    Project,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
    case_evidence,
    examined,
    files_below,
    run_session,
    tool_mounts,
)

HERE = Path(__file__).parent
MANIFESTS = ("cpanfile", "Makefile.PL", "Build.PL", "dist.ini")
NEEDED = ("-MJSON::PP", "-MTest2::API")  # of Debian's perl, but not of its perl-base
ADVICE = "Debian and Ubuntu: apt-get install perl"


class PerlTestRunner(BaseTestRunner):
    name = "perl"
    tools: ClassVar = {"perl": f"Perl; {ADVICE}"}

    def get_language(self) -> Language:
        return Language("perl")

    def get_framework(self) -> TestFramework:
        return TestFramework("prove")

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        root = project.solution.source
        manifests = [name for name in MANIFESTS if (root / name).is_file()]
        tests, sources = test_files(project), source_files(project)
        confidence = 0.5 * bool(tests) + 0.3 * bool(manifests) + 0.1 * bool(sources)
        return RunnerDetectionResult(
            detected=confidence > 0,
            language=self.get_language() if confidence else None,
            framework=self.get_framework() if confidence else None,
            confidence=round(confidence, 2),
            markers_found=[*manifests, *(tests or sources)[:5]],
        )

    def install_dependencies(self) -> DependencyInstallResult:
        """Nothing is fetched: modules that Perl doesn't bring are missing at the build."""
        if shutil.which("perl") is None:
            raise MissingTool(f"Perl is not installed. {ADVICE}.")
        command = Command(argv=("perl", *NEEDED, "-e", "1"), mounts=tool_mounts("perl"))
        tried = self.harness.sandbox.run(command)
        if not tried.ok:
            raise MissingTool(f"Perl is not complete ({tried.output}). {ADVICE}.")
        return DependencyInstallResult(success=True, packages_installed=0)

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        project = self.project_for(test_dir)
        solution = f"{WORKSPACE}/{project.solution.target}"
        order = {
            "check": source_files(project) if run_build else [],
            "tests": test_files(project) if run_tests else [],
            "run_tests": run_tests,
            "libraries": [f"{solution}/lib", solution],
            # A project may be a newer Test::More itself; a sample's solution must not be one.
            "libraries_first": project.has_own_tests,
            "solution": None if project.has_own_tests else f"{solution}/",
        }
        boot = Boot(
            argv=(BOOT_PYTHON, "-I", "-S", str(HERE / "prove_boot.py")),
            mounts=(Mount(path=HERE), *tool_mounts("perl")),
            env={"PERL_HASH_SEED": "0", "AUTOMATED_TESTING": "1"},  # the same answer tomorrow
            search_path=tuple(mount.path / "bin" for mount in tool_mounts("perl")),
        )
        completed, records = run_session(
            self.harness.sandbox, boot, project.placements, order, self.limits
        )
        return examined(project, completed, records, case_evidence, run_tests=run_tests)

    def quick_check(self) -> QuickCheck:
        project = self.readable_project
        return QuickCheck(
            language=self.get_language(),
            framework=self.get_framework(),
            has_manifest=any((project.solution.source / name).is_file() for name in MANIFESTS),
            has_tests=bool(test_files(project)),
        )


def source_files(project: Project) -> list[str]:
    """The solution's modules and programs, by their names below the workspace."""
    root, target = project.solution.source, project.solution.target
    found = [path for path in files_below(root) if path.suffix in {".pl", ".pm"}]
    return [Path(target, path.relative_to(root)).as_posix() for path in found]


def test_files(project: Project) -> list[str]:
    """What to run, by their names below the workspace: of a sample only its own files."""
    found = [
        Path(placement.target, path.relative_to(placement.source))
        for placement in (project.trusted or (project.solution,))
        if placement.source.is_dir()
        for path in files_below(placement.source)
        if path.suffix == ".t"
    ]
    asked = [Path(name) for name in project.tests] or [Path()]
    return [p.as_posix() for p in found if any(p.is_relative_to(name) for name in asked)]
