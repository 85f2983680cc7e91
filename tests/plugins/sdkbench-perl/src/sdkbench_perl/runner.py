"""PerlTestRunner: *.t files written with Test::More or Test2, one process each."""

from pathlib import Path
from typing import ClassVar

from sdkbench.test_harness.runners_api import (
    WORKSPACE,
    BaseTestRunner,
    Boot,
    Command,
    DependencyInstallResult,
    Examination,
    Language,
    MissingTool,
    Mount,
    Order,
    Project,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
    boot_words,
    case_evidence,
    examined,
    files_below,
    find_program,
    present,
    recognised,
    run_session,
    search_path,
    tool_mounts,
)

HERE = Path(__file__).parent
MANIFESTS = ("cpanfile", "Makefile.PL", "Build.PL", "dist.ini")
NEEDED = ("-MJSON::PP", "-MTest2::API")  # of Debian's perl, but not of its perl-base
ADVICE = "Debian and Ubuntu: apt-get install perl"


class PerlOrder(Order):
    """What prove_boot.py is told to do."""

    check: list[str]
    tests: list[str]
    run_tests: bool
    libraries: list[str]
    libraries_first: bool  # a project may be a newer Test::More itself; a solution must not be one
    solution: str | None  # whose files may not call test functions; None: any may


class PerlTestRunner(BaseTestRunner):
    name = "perl"
    tools: ClassVar = {"perl": f"Perl; {ADVICE}"}

    def get_language(self) -> Language:
        return Language("perl")

    def get_framework(self) -> TestFramework:
        return TestFramework("prove")

    def detect(self) -> RunnerDetectionResult:
        project = self.readable_project
        return recognised(
            self.get_language(),
            self.get_framework(),
            manifests=present(project.solution.source, MANIFESTS),
            tests=test_files(project),
            sources=source_files(project),
        )

    def install_dependencies(self) -> DependencyInstallResult:
        """Nothing is fetched: modules that Perl doesn't bring are missing at the build."""
        find_program("perl", "Perl projects", ADVICE)
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
        order = PerlOrder(
            check=source_files(project) if run_build else [],
            tests=test_files(project) if run_tests else [],
            run_tests=run_tests,
            libraries=[f"{solution}/lib", solution],
            libraries_first=project.has_own_tests,
            solution=None if project.has_own_tests else f"{solution}/",
        )
        boot = Boot(
            argv=boot_words(HERE / "prove_boot.py"),
            mounts=(Mount(path=HERE), *tool_mounts("perl")),
            env={"PERL_HASH_SEED": "0", "AUTOMATED_TESTING": "1"},  # the same answer tomorrow
            search_path=search_path("perl"),
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
            has_manifest=bool(present(project.solution.source, MANIFESTS)),
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
