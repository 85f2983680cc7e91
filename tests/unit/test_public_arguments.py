"""Whatever a public function is called with: it works, or says in a sentence why it can't."""

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import pytest
from pydantic import InstanceOf

from sdkbench import shell, test_harness
from sdkbench.core import GroundTruth, ScoreMode, Solution
from sdkbench.core.arguments import AnyPath, AnyText, PublicModel, Seconds, public, public_methods
from sdkbench.errors import ArgumentError, ExitCode, SdkbenchError
from sdkbench.evaluator import EvaluationResult, Evaluator
from sdkbench.metrics.f_corr import FCorrEvaluator
from sdkbench.test_harness import (
    BuildRunner,
    Executor,
    Harness,
    PythonTestRunner,
    TestRunner,
    TestRunnerRegistry,
    TypeScriptTestRunner,
    quick_check,
)
from tests.support.places import CORE
from tests.support.projects import write

MAX_SENTENCE = 500
WRONG = [
    None, 5, -1, float("nan"), float("inf"), 10**30, b"\xff", object(), "", "a\0b", "\ud800",
    "x" * 20_000, "/nowhere/at/all", [], {}, (), lambda: None, int, ["a", 5], {"a": 5}, Exception,
]  # fmt: skip
# Of no type that any parameter could mean: nothing is run with these.
HOPELESS = [object(), 5.5, b"\xff", 7, "nonsense", [], {}, int]


class Target(NamedTuple):
    """A public function with arguments that are right."""

    call: Callable[..., object]
    right: dict[str, object]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A project, and the metadata of a sample."""
    project = tmp_path_factory.mktemp("project")
    write(project, {"app.py": "x = 1\n", "test_app.py": "def test(): pass\n"})
    sample = tmp_path_factory.mktemp("samples") / "sdk" / "one"
    metadata = json.dumps({"sample_id": "one", "task_type": 1})
    write(sample, {"expected/metadata.json": metadata, "tests/test_app.py": ""})
    return project, sample / "expected" / "metadata.json"


def quick_targets(project: Path, metadata: Path) -> Iterator[Target]:
    """Functions that only read; they are called with anything."""
    solution = Solution(project)
    folder = {"working_dir": project, "timeout": 3, "harness": None}
    yield Target(Solution, {"solution_dir": project})
    yield Target(solution.has_file, {"relative": "app.py"})
    yield Target(GroundTruth, {"metadata_path": metadata})
    yield Target(FCorrEvaluator, {"solution": solution, "ground_truth": None, "timeout": 3})
    yield Target(Evaluator, {"solution_dir": project, "metadata_path": metadata})
    for runner in (Executor, BuildRunner, TestRunner, PythonTestRunner, TypeScriptTestRunner):
        yield Target(runner, folder)
    yield Target(TestRunnerRegistry.register, {"runner_class": None})
    yield Target(TestRunnerRegistry.get_runner, {**folder, "language": "python", "project": None})
    yield Target(TestRunnerRegistry.detect_all, {"working_dir": project, "project": None})
    yield Target(quick_check, {"folder": project})
    yield Target(Harness.default, {"level": "auto", "install": True, "warm": False})
    yield Target(shell.normalize_command, {"text": "ls"})
    yield Target(shell.commands_match, {"first": "ls", "second": "ls"})
    yield Target(shell.compare, {"first": "ls", "second": "ls"})
    yield Target(shell.validate_safety, {"command": "ls", "policy": None})
    yield Target(shell.check_safety, {"command": "ls", "policy": None})
    yield Target(shell.is_posix_compliant, {"command": "ls", "edition": "2017"})
    yield Target(shell.check_posix, {"commands": [], "edition": "2017"})
    yield Target(shell.TestDataset.from_toml, {"path": CORE})


def slow_targets(project: Path) -> Iterator[Target]:
    """Functions that would run something."""
    evaluator, runner = FCorrEvaluator(Solution(project)), TestRunner(project)
    yield Target(
        evaluator.evaluate,
        {
            "auto_install": True, "test_dir": "test_app.py", "strict": True, "run_build": True,
            "run_tests": True, "mode": "strict", "integrity": "checked",
        },
    )  # fmt: skip
    asked = {"run_fcorr": True, "auto_install": True, "mode": "strict"}
    yield Target(Evaluator(project).evaluate, asked)
    yield Target(Evaluator(project).evaluate_quick, {"run_fcorr": True})
    yield Target(BuildRunner(project).run_build, {"install_deps": True})
    yield Target(runner.run_tests, {"test_dir": "test_app.py", "install_deps": True})
    yield Target(PythonTestRunner(project).run_tests, {"test_dir": "test_app.py"})
    command = {"command": ["true"], "env": {"A": "b"}, "timeout": 3, "network": False}
    yield Target(Executor(project).run_command, command)
    yield Target(_evaluation, {
        "dataset_path": CORE, "backend": "reference", "settings": shell.EvaluationSettings(),
        "select": shell.Selection(), "on_result": print, "on_ask": print, "tools": None,
        "retry": None, "linger_seconds": 1, "known": {},
    })  # fmt: skip


def _evaluation(**arguments: object) -> object:
    return asyncio.run(shell.run_evaluation(**arguments))  # type: ignore[arg-type]


def model_targets() -> Iterator[Target]:
    names = (
        "TestFailure TestResult DependencyInstallResult BuildResult RunnerDetectionResult "
        "FCorrResult ExecutionResult QuickCheck Problem CheckDetails FileCoverage CoverageDetails"
    )
    models = [getattr(test_harness, name) for name in names.split()]
    models += [EvaluationResult, shell.TestCase, shell.TestDataset, shell.TestResult]
    models += [shell.FailureReason, shell.EvaluationResult, shell.EvaluationSettings]
    models += [shell.Selection]
    for model in models:
        assert issubclass(model, PublicModel)
        yield Target(model, dict.fromkeys(model.model_fields))


def refused(target: Target, name: str, value: object) -> bool:
    """Whether there is a sentence about it; False where it was taken."""
    try:
        target.call(**{**target.right, name: value})
    except SdkbenchError as error:
        sentence = str(error)
        assert len(sentence) <= MAX_SENTENCE
        sentence.encode()
        assert sentence.endswith("."), sentence
        return True
    return False


def test_functions_that_read_take_or_refuse_anything(places: tuple[Path, Path]) -> None:
    for target in quick_targets(*places):
        for name in target.right:
            for value in WRONG:
                refused(target, name, value)


def could_mean(name: str, value: object) -> bool:
    if name in {"timeout", "linger_seconds"}:
        return type(value) in {int, float}
    if name in {"on_result", "on_ask", "tools"}:
        return callable(value)
    return value == {} if name in {"env", "known"} else name == "backend" and value == "nonsense"


def test_functions_that_run_something_refuse_what_they_cannot_mean(
    places: tuple[Path, Path],
) -> None:
    for target in slow_targets(places[0]):
        for name in target.right:
            for value in HOPELESS:
                assert could_mean(name, value) or refused(target, name, value), (target, name)


def test_values_are_made_or_refused() -> None:
    for target in model_targets():
        for name in target.right:
            for value in WRONG:
                refused(target, name, value)


@pytest.mark.parametrize("wrong", [{}, {"nonsense": 1}])
def test_arguments_that_are_missing_or_unknown_are_named(
    places: tuple[Path, Path], wrong: dict[str, object]
) -> None:
    for target in quick_targets(*places):
        if target.call == Harness.default and not wrong:
            continue  # it has a default for everything
        with pytest.raises(ArgumentError):
            target.call(**wrong)


class Opaque(NamedTuple):
    number: int = 1


class Later:
    @public
    def __init__(self, path: AnyPath, mode: "ScoreMode | None" = None) -> None:
        self.path, self.mode = path, mode


@public
def example(
    text: AnyText,
    seconds: Seconds = 1.0,
    opaque: InstanceOf[Opaque] | None = None,
    flag: bool = False,
) -> tuple[object, ...]:
    return text, seconds, opaque, flag


def test_what_means_the_same_is_coerced() -> None:
    later = Later("a/b", mode="weighted")  # type: ignore[arg-type]
    assert (later.path, later.mode) == (Path("a/b"), ScoreMode.WEIGHTED)
    given = Opaque()
    assert example("\ud800", "2.5", given) == ("\ud800", 2.5, given, False)  # type: ignore[arg-type]
    assert example("", opaque=given)[2] is given


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"text": 5}, "example: text should be text, but it is 5."),
        ({"text": "a", "seconds": 0}, "example: seconds should be greater than 0, but it is 0."),
        ({"text": "a", "flag": "maybe"}, "example: flag should be a valid boolean, unable to"),
        ({"text": "a", "opaque": (1,)}, "example: opaque should be an instance of Opaque, but it"),
        ({}, "example: missing a required argument: 'text'."),
        ({"text": "a", "sense": 1}, "example: got an unexpected keyword argument 'sense'."),
    ],
)
def test_a_refusal_names_function_argument_and_value(
    arguments: dict[str, object], sentence: str
) -> None:
    with pytest.raises(ArgumentError) as caught:
        example(**arguments)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)
    assert caught.value.exit_code is ExitCode.BAD_INPUT


def test_an_enum_is_listed_where_a_word_is_none_of_it() -> None:
    with pytest.raises(ArgumentError, match="mode should be 'strict', 'pass_rate' or 'weighted'"):
        Later("a", mode="strickt")  # type: ignore[arg-type]


def test_what_a_function_itself_raises_goes_through() -> None:
    @public
    def broken(number: int) -> None:
        raise TypeError(f"its own, of {number}")

    with pytest.raises(TypeError, match="its own, of 5"):
        broken(5)


def test_every_public_method_of_a_class_is_guarded_and_no_other() -> None:
    @public_methods
    class Guarded:
        def method(self, number: int) -> int:
            return number

        @classmethod
        def made(cls, number: int) -> int:
            return number

        def _inner(self, number: int) -> object:
            return number

    guarded = Guarded()
    assert (guarded.method("5"), Guarded.made("6")) == (5, 6)  # type: ignore[arg-type]
    assert guarded._inner("7") == "7"  # type: ignore[arg-type]
    with pytest.raises(ArgumentError, match="number should be a valid integer"):
        guarded.method("five")  # type: ignore[arg-type]


class Inner(PublicModel):
    number: int


class Outer(PublicModel):
    inner: Inner
    words: Annotated[tuple[str, ...], "of it"] = ()


def test_a_value_is_refused_by_the_field_that_is_wrong() -> None:
    assert Outer(inner=Inner(number=1)) == Outer.model_validate({"inner": {"number": 1}})
    with pytest.raises(ArgumentError, match=r"^Outer: inner\.number should be a valid integer"):
        Outer(inner={"number": "one"})
    with pytest.raises(ArgumentError, match=r"^Outer: inner is missing\.$"):
        Outer()  # type: ignore[call-arg]
    with pytest.raises(ArgumentError, match="by name"):
        Outer(5)  # type: ignore[call-arg]
