"""TestRunnerRegistry: all runners, built in and installed, and which one fits a folder."""

import inspect
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import InstanceOf

from sdkbench.core import Project
from sdkbench.core.arguments import MAX_SHOWN, AnyPath, Seconds, public_methods
from sdkbench.errors import ArgumentError, InputError, NoRunner, PluginFault
from sdkbench.plugins import Listing, Registry
from sdkbench.test_harness.models import RunnerDetectionResult
from sdkbench.test_harness.runner import DEFAULT_TIMEOUT_SECONDS, BaseTestRunner, Harness


def _check_runner(name: str, loaded: object) -> type[BaseTestRunner]:
    if not (isinstance(loaded, type) and issubclass(loaded, BaseTestRunner)):
        raise TypeError(f"{loaded!r} is not a subclass of BaseTestRunner.")
    own = {each for base in loaded.__mro__ if base is not BaseTestRunner for each in vars(base)}
    lacks = [] if own & {"examine", "run_tests"} else ["run_tests"]
    if lacks or inspect.isabstract(loaded):
        lacking = ", ".join(sorted((*loaded.__abstractmethods__, *lacks)))
        raise TypeError(f"{loaded.__name__} has no {lacking}.")
    own_name = getattr(loaded, "name", None)
    if own_name != name:
        raise TypeError(f"{loaded.__name__} calls itself {own_name!r}; the names must be the same.")
    return loaded


@public_methods
class TestRunnerRegistry:
    """All runners, built in and installed (entry point group `sdkbench.runners`)."""

    __test__ = False
    _registry: ClassVar[Registry[type[BaseTestRunner]]] = Registry(
        "sdkbench.runners", _check_runner
    )

    @classmethod
    def register(cls, runner_class: type[BaseTestRunner]) -> type[BaseTestRunner]:
        """Add a runner from code; usable as a decorator. InputError for one that lacks a method,
        PluginFault where another has its name.
        """
        cls._registry.items()  # installed ones first, so that the newcomer is blamed for a clash
        try:
            checked = _check_runner(runner_class.name, runner_class)
        except TypeError as error:
            raise ArgumentError(f"TestRunnerRegistry.register: {error}") from error
        cls._registry.register(checked.name, checked)
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
        cls, working_dir: AnyPath, *, project: Project | None = None
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
        working_dir: AnyPath,
        timeout: Seconds = DEFAULT_TIMEOUT_SECONDS,
        *,
        language: str | None = None,
        project: Project | None = None,
        harness: InstanceOf[Harness] | None = None,
    ) -> BaseTestRunner | None:
        """The surest runner for the folder, or the one called `language`; None if none fits.

        Raises PluginFault if a runner's detection raised, InputError for an unknown language, and
        NoRunner where the tests are written for a framework that is known and not supported.
        """
        runners = cls._registry.items()
        if language is not None:
            name = language
            if name not in runners:
                raise InputError(
                    f"No runner for {name[:MAX_SHOWN]!r}. There are: {', '.join(sorted(runners))}."
                )
            chosen = cls._detect(name, runners[name], working_dir, project)
        else:
            results = cls.detect_all(working_dir, project=project)
            broken = next((r for r in results if r.error), None)
            if broken is not None:
                raise PluginFault(broken.error)
            chosen = cls.surest(results)
            name = chosen.runner
        if chosen.unsupported:
            raise NoRunner(chosen.unsupported)
        if language is None and not chosen.detected:
            return None
        return runners[name](working_dir, timeout, project=project, harness=harness)

    @classmethod
    def surest(cls, results: Sequence[RunnerDetectionResult]) -> RunnerDetectionResult:
        """The first of `results`, which are sorted, that says something: that a runner fits, or
        that tests are of a framework which no other runner, a plugin's, says it runs.
        """
        claimed = {result.framework for result in results if result.detected}
        return next(
            (r for r in results if r.detected or (r.unsupported and r.framework not in claimed)),
            RunnerDetectionResult(detected=False),
        )

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
        except (Exception, SystemExit) as error:  # a plugin's; the caller reports it
            if isinstance(error, InputError) and not isinstance(error, ArgumentError):
                raise  # there is no such folder
            message = (
                f"The runner {name!r} of {cls.origin(name)} failed while looking at "
                f"{working_dir}: {type(error).__name__}: {error}. Fix or uninstall it."
            )
            return RunnerDetectionResult(
                detected=False, runner=name, origin=cls.origin(name), error=message
            )
