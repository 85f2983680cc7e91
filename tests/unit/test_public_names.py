import importlib
import inspect
import subprocess
import sys

import pytest

PLACES = {
    "sdkbench.test_harness": (
        "TestStatus TestFailure TestResult DependencyInstallResult Language TestFramework "
        "RunnerDetectionResult FCorrResult BaseTestRunner TestRunnerRegistry PythonTestRunner "
        "TypeScriptTestRunner BuildRunner TestRunner Executor ExecutionResult"
    ),
    "sdkbench.test_harness.models": (
        "TestStatus TestFailure TestResult DependencyInstallResult Language TestFramework "
        "RunnerDetectionResult FCorrResult"
    ),
    "sdkbench.core": "Solution GroundTruth",
    "sdkbench.metrics.f_corr": "FCorrEvaluator",
    "sdkbench.evaluator": "Evaluator",
    "sdkbench.shell": ("TestCase Category TestDataset TestResult FailureReason EvaluationResult"),
}
NAMES = [(place, name) for place, names in PLACES.items() for name in names.split()]
MEMBERS = {
    "TestFailure": "test_name error_message file_path line_number stack_trace",
    "TestResult": "success total passed failed skipped duration output failures pass_rate",
    "DependencyInstallResult": "success duration output error packages_installed",
    "RunnerDetectionResult": "detected language framework confidence markers_found",
    "ExecutionResult": "success stdout stderr return_code duration",
    "FCorrResult": (
        "score test_results install_results build_results language framework error duration "
        "outcome assurance mode runtime_errors runtime_score passed tests_passed tests_total "
        "tests_skipped pass_rate failed_tests error_messages"
    ),
    "BaseTestRunner": (
        "get_language get_framework detect install_dependencies build run_tests can_handle"
    ),
    "TestRunnerRegistry": "register get_runner get_all_runners detect_all",
    "BuildRunner": "run_build check_type_errors lint_code",
    "TestRunner": "run_tests check_test_coverage",
    "Executor": (
        "run_command check_node_installed check_npm_installed check_dependencies_installed "
        "install_dependencies get_package_scripts"
    ),
    "FCorrEvaluator": (
        "evaluate quick_check evaluate_without_execution get_type_check_details get_lint_details "
        "get_coverage_details"
    ),
    "Evaluator": "evaluate evaluate_quick",
}
SIGNATURES = [
    ("sdkbench.test_harness", "BaseTestRunner", "__init__", {"working_dir": ..., "timeout": 300}),
    ("sdkbench.test_harness", "BaseTestRunner", "run_tests", {"test_dir": None}),
    ("sdkbench.core", "Solution", "__init__", {"solution_dir": ...}),
    ("sdkbench.core", "GroundTruth", "__init__", {"metadata_path": ...}),
    (
        "sdkbench.metrics.f_corr",
        "FCorrEvaluator",
        "evaluate",
        {
            "auto_install": True,
            "test_dir": None,
            "strict": True,
            "run_build": True,
            "run_tests": True,
        },
    ),
    ("sdkbench.evaluator", "Evaluator", "__init__", {"solution_dir": ..., "metadata_path": None}),
    ("sdkbench.evaluator", "Evaluator", "evaluate_quick", {"run_fcorr": False}),
]


def place_of(name: str) -> str:
    return next(place for place, listed in NAMES if listed == name)


@pytest.mark.parametrize(("place", "name"), NAMES)
def test_a_public_name_is_a_class_in_its_place(place: str, name: str) -> None:
    module = importlib.import_module(place)
    assert inspect.isclass(getattr(module, name))


@pytest.mark.parametrize("name", sorted(MEMBERS))
def test_a_public_class_has_its_members(name: str) -> None:
    public = getattr(importlib.import_module(place_of(name)), name)
    known = {*dir(public), *getattr(public, "model_fields", {}), *inspect.get_annotations(public)}
    assert [member for member in MEMBERS[name].split() if member not in known] == []


def test_the_shell_suite_loads_no_terminal_and_no_model() -> None:
    program = (
        "import sys; import sdkbench.shell; "
        "heavy = {'rich', 'typer', 'click', 'openai', 'anthropic', 'mlx', 'numpy', 'uv'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout == "[]\n"


def test_there_is_one_class_of_each_name() -> None:
    for name in PLACES["sdkbench.test_harness.models"].split():
        models = importlib.import_module("sdkbench.test_harness.models")
        harness = importlib.import_module("sdkbench.test_harness")
        assert getattr(models, name) is getattr(harness, name)


@pytest.mark.parametrize(("place", "name"), [n for n in NAMES if n[1].startswith("Test")])
def test_public_classes_named_test_are_not_collected(place: str, name: str) -> None:
    assert getattr(importlib.import_module(place), name).__test__ is False


@pytest.mark.parametrize(
    ("place", "name", "method", "defaults"), SIGNATURES, ids=[f"{s[1]}.{s[2]}" for s in SIGNATURES]
)
def test_a_public_signature_holds(
    place: str, name: str, method: str, defaults: dict[str, object]
) -> None:
    function = getattr(getattr(importlib.import_module(place), name), method)
    positional = [
        p
        for p in inspect.signature(function).parameters.values()
        if p.kind is p.POSITIONAL_OR_KEYWORD and p.name != "self"
    ]
    found = {p.name: ... if p.default is p.empty else p.default for p in positional}
    assert list(found.items())[: len(defaults)] == list(defaults.items())


SHELL_MEMBERS = {
    "TestCase": (
        "id prompt expected_command category safe posix_compliant notes accepted_commands shell "
        "tags fixture refusal"
    ),
    "TestDataset": "version test_cases from_toml",
    "TestResult": "test_id prompt expected actual passed reason",
    "FailureReason": "kind message expected actual",
    "EvaluationResult": "backend results summary",
}


@pytest.mark.parametrize("name", sorted(SHELL_MEMBERS))
def test_a_public_class_of_the_shell_suite_has_its_members(name: str) -> None:
    public = getattr(importlib.import_module("sdkbench.shell"), name)
    known = {*dir(public), *public.model_fields}
    assert [member for member in SHELL_MEMBERS[name].split() if member not in known] == []


def test_the_functions_of_the_shell_suite() -> None:
    shell = importlib.import_module("sdkbench.shell")
    assert [category.value for category in shell.Category] == ["correctness", "safety", "posix"]
    assert inspect.iscoroutinefunction(shell.run_evaluation)
    parameters = list(inspect.signature(shell.run_evaluation).parameters)
    assert parameters[:2] == ["dataset_path", "backend"]
    assert shell.normalize_command("ls  -l") == shell.normalize_command("ls -l")
    assert shell.commands_match("ls -la", "ls -a -l") is True
    assert shell.validate_safety("ls") is True
    assert shell.validate_safety("rm -rf /") is False
    kinds = {"pass", "incorrect_command", "safety_mismatch", "posix_mismatch", "backend_error"}
    assert {kind.value for kind in shell.ReasonKind} == kinds


def test_importing_the_package_loads_no_heavy_dependency() -> None:
    program = (
        "import sys; before = set(sys.modules); import sdkbench; "
        "heavy = {'pydantic', 'pydantic_core', 'rich', 'typer', 'uv', 'packaging', 'click'}; "
        "print(sorted(heavy & (set(sys.modules) - before)), sdkbench.__version__)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.startswith("[] ")
