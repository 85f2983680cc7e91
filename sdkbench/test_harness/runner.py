"""BaseTestRunner: what a language needs to join in. Harness: what runners work with."""

import copy
import shutil
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

from pydantic import InstanceOf

from sdkbench.core import BlackBox, Project, tree
from sdkbench.core.arguments import (
    AnyPath,
    Seconds,
    public,
)
from sdkbench.core.tree import snapshot
from sdkbench.environments import Cache, Environment
from sdkbench.environments.installation import Recipe
from sdkbench.errors import (
    HarnessFault,
    InputError,
    PluginFault,
    SdkbenchError,
)
from sdkbench.sandbox import Cancellation, Counterpart, Limits, Program, Sandbox, choose
from sdkbench.test_harness.apart import ApartRun
from sdkbench.test_harness.counted import only_counted, place_for_counting
from sdkbench.test_harness.evidence import Examination
from sdkbench.test_harness.models import (
    BuildResult,
    CheckDetails,
    CoverageDetails,
    DependencyInstallResult,
    Language,
    QuickCheck,
    RunnerDetectionResult,
    TestFramework,
    TestResult,
)
from sdkbench.test_harness.mutations import Mutation
from sdkbench.test_harness.warm_start import WarmStarts

OWN_CHANNEL_BYTES = 256 * 1024 * 1024  # for a project's own 200,000 tests; there are such
DEFAULT_TIMEOUT_SECONDS = 300
# What a failure of `run_tests` is called that is of no test.
INSTALLATION = "installation"
BUILD = "build"


class Harness(NamedTuple):
    """What runners work with: where processes run, where environments are kept."""

    sandbox: Sandbox
    cache: Cache
    install: bool = True  # False: use only environments that are there already
    warm: WarmStarts | None = None  # None: every run starts an interpreter of its own
    shuffle_seed: int | None = None  # run tests in another order, where the framework can

    @classmethod
    @public
    def default(
        cls,
        level: str = "auto",
        *,
        install: bool = True,
        warm: bool = True,
        cancellation: InstanceOf[Cancellation] | None = None,
    ) -> "Harness":
        sandbox = choose(level, cancellation)
        cache = Cache(cancellation=sandbox.cancellation)
        return cls(sandbox, cache, install, warm=WarmStarts() if warm else None)

    def close(self) -> None:
        """End the processes that runs were forked from. Nothing is judged with it afterwards."""
        if self.warm is not None:
            self.warm.close()


class BaseTestRunner(ABC):
    """Recognises a folder and brings back structured evidence from it.

    `working_dir` is the project; with `project` given it is the solution of a sample, whose
    trusted tests come from there. Nothing is ever written to `working_dir`.
    """

    # Of the registry's entry, and the word for --language; by default from the class's own name.
    name: ClassVar[str]
    tools: ClassVar[Mapping[str, str]] = {}  # program → what for, how to get it; for the doctor
    counterpart: Counterpart | None = None  # the solution, where the tests only call it
    # The key of an environment whose packages the sample's author chose: they may be loaded in a
    # process that the runs of many solutions descend from.
    trusted_environment: str | None = None
    explains_failures: bool = True  # False: that a test fails is enough, why is not asked
    skips_build: bool = False  # True: tests run on the solution as it was handed in
    # Whether a solution must be built before `program` can start it: its build then leaves the
    # program in `program_folder`, and one that has none to leave is a failed build.
    compiles_program: ClassVar[bool] = False
    program_folder: Path | None = None
    _environment: Environment | None = None  # set by `install_dependencies`
    _recipe: Recipe[Any] | None = None  # the same, where the environment was made by one

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not hasattr(cls, "name"):
            short = cls.__name__.removesuffix("Runner").removesuffix("Test")
            cls.name = (short or cls.__name__).lower()

    @public
    def __init__(
        self,
        working_dir: AnyPath,
        timeout: Seconds = DEFAULT_TIMEOUT_SECONDS,
        *,
        project: Project | None = None,
        harness: InstanceOf[Harness] | None = None,
    ) -> None:
        self.working_dir = tree.folder(Path(working_dir), what="The project folder")
        self.timeout = timeout
        self._given_project = project
        self._given_harness = harness
        self._snapshots: dict[str | None, Project] = {}

    @abstractmethod
    def get_language(self) -> Language: ...

    @abstractmethod
    def get_framework(self) -> TestFramework: ...

    @abstractmethod
    def detect(self) -> RunnerDetectionResult:
        """Why, and how sure; reads files only."""

    @abstractmethod
    def install_dependencies(self) -> DependencyInstallResult:
        """Provide the environment; a requirement that can't be met is a result, not an error."""

    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """Build and, if that went well, run the tests: the evidence that verdicts are made from.

        `install_dependencies` has succeeded before. A runner has this or a `run_tests` of its own:
        what that one counts is evidence at level plain, since nobody saw how it came about.
        """
        del run_build
        if not run_tests:
            return only_counted(self.name, TestResult(success=True), BuildResult(success=True))
        place = place_for_counting(self._given_project, self.working_dir, test_dir)
        try:
            result = self.run_tests(place)
        except SdkbenchError:
            raise
        except Exception as error:  # a plugin's, whatever it is
            raise PluginFault(
                f"The runner {self.name!r} failed while it ran the tests: {type(error).__name__}: "
                f"{error}. Fix or uninstall it."
            ) from error
        return only_counted(self.name, result)

    def quick_check(self) -> QuickCheck:
        """What reading alone tells."""
        return QuickCheck.of(self.detect())

    def examine_apart(
        self, profile: str | None, *, run_build: bool = True, copies: bool = False
    ) -> ApartRun | None:
        """As `examine`, with tests and solution in two sandboxes; None where it can't be done.

        `profile` is what the reference gave its tests; without one it is recorded. With `copies`
        the tests keep their own of what the solution changes and the reference does not.
        """
        del profile, run_build, copies
        return None

    def why_not_apart(self) -> str:
        """Why `examine_apart` gives None: a sentence for the author of the sample's tests."""
        return (
            f"tests in {self.get_language()} are one program with the solution. A sample whose "
            "tests use a command, files or a port can be declared black-box"
        )

    def mutations(self) -> tuple[Mutation, ...]:
        """Every way to make one of the sample's tests fail by changing what it expects.

        None where this runner has no parser for its tests: verdicts then stay at level checked.
        """
        return ()

    def program(self, box: BlackBox) -> AbstractContextManager[Program]:
        """How the solution's own program runs in a sandbox that holds no tests; its environment
        stays as long as the block runs. `install_dependencies` has succeeded before.
        """
        raise self._unsupported(f"a program of its own ({box.command[0]})")

    def command(self, words: tuple[str, ...]) -> AbstractContextManager[Program]:
        """Any command in the project's folder, with what `install_dependencies` provided."""
        return self.program(BlackBox(command=words))

    def registry_answers(self) -> bool:
        """Whether packages could be had now, without earlier downloads; False where nobody can
        tell. `install_dependencies` has succeeded before.
        """
        return self.harness.install and self._recipe is not None and self._recipe.registry_answers()

    def type_check(self) -> CheckDetails:
        raise self._unsupported("a type check")

    def lint(self) -> CheckDetails:
        raise self._unsupported("a linter")

    def coverage(self) -> CoverageDetails:
        raise self._unsupported("coverage")

    def _unsupported(self, what: str) -> HarnessFault:
        return HarnessFault(f"The runner {self.name!r} offers no such thing as {what}.")

    def build(self) -> BuildResult:
        """Install, then `examine` without tests."""
        installed = self.install_dependencies()
        if not installed.success:
            return BuildResult(success=False, errors=[installed.error or "installation failed"])
        return self.examine(run_tests=False).build

    @public
    def run_tests(self, test_dir: AnyPath | None = None) -> TestResult:
        """Install, build and test, summed up; for callers that want counts and no verdict.

        What kept the tests from running, or from coming to their end, is a failure of its own.
        InputError where `test_dir` is not in the folder.
        """
        place = None if test_dir is None else self._inner(test_dir)
        installed = self.install_dependencies()
        if not installed.success:
            why = installed.error or installed.output
            return TestResult.broken(why, name=INSTALLATION, duration=installed.duration)
        examination = self.examine(test_dir=place)
        if examination.evidence is None:
            build, process = examination.build, examination.process
            return TestResult.broken(
                "\n".join(build.errors),
                name=BUILD,
                output=build.output,
                duration=process.duration_seconds,
            )
        return examination.evidence.summary()

    def _inner(self, test_dir: Path | str) -> str | None:
        inner = tree.below(self.working_dir, Path(test_dir), what="The folder of tests")
        return None if inner == "." else inner

    def can_handle(self) -> bool:
        return self.detect().detected

    def built_into(self) -> Path:
        """Where the build left the solution's program; to be called after a good one."""
        if self.program_folder is None:
            raise HarnessFault("The runner was asked for a program that nobody had it keep.")
        return self.program_folder

    @property
    def environment_key(self) -> str | None:
        """Which environment `install_dependencies` provided, where it keeps one."""
        return self._environment.key if self._environment else None

    def provided(self) -> Environment:
        """What `install_dependencies` provided; to be called after it."""
        if self._environment is None:
            raise HarnessFault("The runner was asked to run before its dependencies were provided.")
        return self._environment

    def with_project(self, project: Project) -> Self:
        """This runner, its environment included, for the same solution with mutants of its tests.

        Why a mutant fails is of no interest; what fails unchanged is run again by itself.
        """
        other = copy.copy(self)
        other.explains_failures = False
        other._given_project = project  # noqa: SLF001 - of the same class
        other._snapshots = {}  # noqa: SLF001
        return other

    @property
    def harness(self) -> Harness:
        if self._given_harness is None:
            self._given_harness = Harness.default()
        return self._given_harness

    @property
    def limits(self) -> Limits:
        limits = Limits(wall_seconds=self.timeout, cpu_seconds=max(1, round(2 * self.timeout)))
        if self._given_project is not None and not self._given_project.has_own_tests:
            return limits
        return limits.model_copy(update={"channel_bytes": OWN_CHANNEL_BYTES})

    @property
    def project(self) -> Project:
        return self.project_for(None)

    @property
    def readable_project(self) -> Project:
        """For reading only: no snapshot is needed to look at files."""
        return self._given_project or Project.of_folder(self.working_dir)

    def project_for(self, test_dir: str | None) -> Project:
        """The given project, or a private copy of the working folder made on first use."""
        if self._given_project is not None:
            return self._given_project
        if test_dir not in self._snapshots:
            if test_dir is not None and not (self.working_dir / test_dir).exists():
                raise InputError(f"No tests at {test_dir} in {self.working_dir}.")
            folder = tempfile.mkdtemp(prefix="sdkbench-project-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            copy = snapshot(self.working_dir, Path(folder) / "project", keep_links=True)
            self._snapshots[test_dir] = Project.of_folder(copy, test_dir, copy_of=self.working_dir)
        return self._snapshots[test_dir]

    def forget_snapshots(self) -> None:
        """The working folder may have changed: copy it again when it is needed."""
        self._snapshots = {}
