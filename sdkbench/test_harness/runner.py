"""BaseTestRunner: what a language needs to join in. TestRunnerRegistry: which one fits a folder."""

import copy
import inspect
import shutil
import sys
import tempfile
import weakref
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

from sdkbench.core import BlackBox, Project, tree
from sdkbench.core.tree import snapshot
from sdkbench.environments import Cache, Environment
from sdkbench.errors import HarnessFault, InputError, PluginFault
from sdkbench.plugins import Listing, Registry
from sdkbench.sandbox import Cancellation, Counterpart, Limits, Program, Sandbox, choose
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

DEFAULT_TIMEOUT_SECONDS = 300


class Harness(NamedTuple):
    """What runners work with: where processes run, where environments are kept."""

    sandbox: Sandbox
    cache: Cache
    install: bool = True  # False: use only environments that are there already
    warm: WarmStarts | None = None  # None: every run starts an interpreter of its own

    @classmethod
    def default(
        cls,
        level: str = "auto",
        *,
        install: bool = True,
        warm: bool = True,
        cancellation: Cancellation | None = None,
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

    name: ClassVar[str]  # of the registry's entry, and the word for --language
    tools: ClassVar[Mapping[str, str]] = {}  # program → what for, how to get it; for the doctor
    counterpart: Counterpart | None = None  # the solution, where the tests only call it
    # The key of an environment whose packages the sample's author chose: they may be loaded in a
    # process that the runs of many solutions descend from.
    trusted_environment: str | None = None
    explains_failures: bool = True  # False: that a test fails is enough, why is not asked
    _environment: Environment | None = None  # set by `install_dependencies`

    def __init__(
        self,
        working_dir: Path | str,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        *,
        project: Project | None = None,
        harness: Harness | None = None,
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

    @abstractmethod
    def examine(
        self, *, run_build: bool = True, run_tests: bool = True, test_dir: str | None = None
    ) -> Examination:
        """Build and, if that went well, run the tests: the evidence that verdicts are made from.

        `install_dependencies` has succeeded before.
        """

    @abstractmethod
    def quick_check(self) -> QuickCheck:
        """What reading alone tells."""

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

    def run_tests(self, test_dir: str | None = None) -> TestResult:
        """Install, build and test, summed up; for callers that want counts and no verdict."""
        installed = self.install_dependencies()
        if not installed.success:
            return TestResult(success=False, output=installed.error or installed.output)
        examination = self.examine(test_dir=test_dir)
        if examination.evidence is None:
            return TestResult(success=False, output="\n".join(examination.build.errors))
        return examination.evidence.summary()

    def can_handle(self) -> bool:
        return self.detect().detected

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
        return Limits(wall_seconds=self.timeout, cpu_seconds=max(1, round(2 * self.timeout)))

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
            copy = snapshot(self.working_dir, Path(folder) / "project")
            self._snapshots[test_dir] = Project.of_folder(copy, test_dir)
        return self._snapshots[test_dir]


def _check_runner(name: str, loaded: object) -> type[BaseTestRunner]:
    if not (isinstance(loaded, type) and issubclass(loaded, BaseTestRunner)):
        raise TypeError(f"{loaded!r} is not a subclass of BaseTestRunner.")
    if inspect.isabstract(loaded):
        lacking = ", ".join(sorted(loaded.__abstractmethods__))
        raise TypeError(f"{loaded.__name__} has no {lacking}.")
    own_name = getattr(loaded, "name", None)
    if own_name != name:
        raise TypeError(f"{loaded.__name__} calls itself {own_name!r}; the names must be the same.")
    return loaded


class TestRunnerRegistry:
    """All runners, built in and installed (entry point group `sdkbench.runners`)."""

    __test__ = False
    _registry: ClassVar[Registry[type[BaseTestRunner]]] = Registry(
        "sdkbench.runners", _check_runner
    )

    @classmethod
    def register(cls, runner_class: type[BaseTestRunner]) -> type[BaseTestRunner]:
        """Add a runner from code; usable as a decorator."""
        cls._registry.items()  # installed ones first, so that the newcomer is blamed for a clash
        cls._registry.register(runner_class.name, _check_runner(runner_class.name, runner_class))
        return runner_class

    @classmethod
    def get_all_runners(cls) -> list[type[BaseTestRunner]]:
        return list(cls._registry)

    @classmethod
    def installed(cls) -> list[Listing]:
        """Every installed runner with its distribution, also those that can't be used."""
        return cls._registry.listings()

    @classmethod
    def code_of_plugins(cls) -> list[Path]:
        """The folders and files that installed runners are made of, besides our own."""
        tops = {runner.__module__.partition(".")[0] for runner in cls._registry}
        places: list[Path] = []
        for module in (sys.modules[top] for top in sorted(tops - {"sdkbench"})):
            folders = list(getattr(module, "__path__", ()))
            places += [
                Path(place) for place in folders or [getattr(module, "__file__", None)] if place
            ]
        return places

    @classmethod
    def origin(cls, name: str) -> str:
        """The distribution a runner came with."""
        return cls._registry.origin(name)

    @classmethod
    def detect_all(
        cls, working_dir: Path | str, *, project: Project | None = None
    ) -> list[RunnerDetectionResult]:
        """Every runner's finding, the surest first; a runner that raises says so in `error`."""
        results = [
            cls._detect(name, runner_class, working_dir, project)
            for name, runner_class in cls._registry.items().items()
        ]
        # Equal confidence is settled by name, never by the order of installation.
        return sorted(results, key=lambda result: (-result.confidence, result.runner))

    @classmethod
    def get_runner(
        cls,
        working_dir: Path | str,
        timeout: float = DEFAULT_TIMEOUT_SECONDS,
        *,
        language: str | None = None,
        project: Project | None = None,
        harness: Harness | None = None,
    ) -> BaseTestRunner | None:
        """The surest runner for the folder, or the one called `language`; None if none fits.

        Raises PluginFault if a runner's detection raised, InputError for an unknown language.
        """
        runners = cls._registry.items()
        if language is not None:
            name = language
            if name not in runners:
                raise InputError(
                    f"No runner for {name!r}. There are: {', '.join(sorted(runners))}."
                )
        else:
            results = cls.detect_all(working_dir, project=project)
            broken = next((r for r in results if r.error), None)
            if broken is not None:
                raise PluginFault(broken.error)
            if not results or not results[0].detected:
                return None
            name = results[0].runner
        return runners[name](working_dir, timeout, project=project, harness=harness)

    @classmethod
    def _detect(
        cls,
        name: str,
        runner_class: type[BaseTestRunner],
        working_dir: Path | str,
        project: Project | None,
    ) -> RunnerDetectionResult:
        try:
            result = runner_class(working_dir, project=project).detect()
            return result.model_copy(update={"runner": name, "origin": cls.origin(name)})
        except InputError:
            raise
        except (Exception, SystemExit) as error:  # noqa: BLE001 - a plugin's; the caller reports it
            message = (
                f"The runner {name!r} of {cls.origin(name)} failed while looking at "
                f"{working_dir}: {type(error).__name__}: {error}. Fix or uninstall it."
            )
            return RunnerDetectionResult(
                detected=False, runner=name, origin=cls.origin(name), error=message
            )
