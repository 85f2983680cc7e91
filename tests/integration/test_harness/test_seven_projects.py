"""The same seven things become of a test run in every language."""

import pytest

from sdkbench.core import Fault, Outcome
from tests.support.projects import Judge
from tests.support.seven import go as seven_go
from tests.support.seven import java as seven_java
from tests.support.seven import node as seven_node
from tests.support.seven import python as seven_python
from tests.support.seven import rust as seven_rust
from tests.support.toolchains import hide_toolchains, needs

PROJECTS = {
    "python": seven_python.SEVEN,
    "typescript": seven_node.SEVEN,
    "go": seven_go.SEVEN,
    "rust": seven_rust.SEVEN,
    "java": seven_java.SEVEN,
}
FRAMEWORKS = {
    "python": "pytest",
    "typescript": "vitest",
    "go": "go_test",
    "rust": "cargo_test",
    "java": "junit",
}
OUTCOMES = {
    "pass": (Outcome.PASSED, None),
    "fail": (Outcome.FAILED, Fault.TEST),
    "skip": (Outcome.FAILED, Fault.NO_TESTS),
    "compile_error": (Outcome.FAILED, Fault.BUILD),
    "panic": (Outcome.FAILED, Fault.TEST),
    "endless": (Outcome.FAILED, Fault.TIMEOUT),
    "zero_tests": (Outcome.FAILED, Fault.NO_TESTS),
}
# Long enough for the build that comes first, on a busy machine too.
ENDLESS_SECONDS = {"python": 5, "typescript": 25, "go": 10, "rust": 12, "java": 20}
# Each day: all in Python, no build in every language, and the other outcomes in turn. That every
# language passes and fails is shown each day by a bundled sample.
DAILY = {("go", "panic"), ("go", "endless"), ("rust", "panic"), ("typescript", "zero_tests"),
         ("java", "skip")}  # fmt: skip
CASES = [
    pytest.param(
        language,
        name,
        marks=[needs(language)]
        if language == "python" or name == "compile_error" or (language, name) in DAILY
        else [needs(language), pytest.mark.nightly],
    )
    for language in PROJECTS
    for name in OUTCOMES
]


@pytest.mark.parametrize(("language", "name"), CASES)
def test_seven_projects(judge: Judge, language: str, name: str) -> None:
    timeout = ENDLESS_SECONDS[language] if name == "endless" else 120
    result = judge(PROJECTS[language][name], timeout=timeout)
    assert (result.outcome, result.fault) == OUTCOMES[name], result.error
    if name == "endless":
        assert result.test_results
        assert result.test_results.failures[-1].error_message.startswith("timeout: ")
        assert result.runtime_errors >= 1
    assert (result.language, result.framework) == (language, FRAMEWORKS[language])
    assert bool(result.error) == (name != "pass")


@pytest.mark.parametrize(
    ("language", "advice"),
    [
        ("go", "Install Go"),
        ("rust", "https://rustup.rs"),
        ("java", "apt-get install default-jdk-headless maven"),
    ],
)
def test_without_a_toolchain_the_error_says_how_to_get_one(
    judge: Judge,
    language: str,
    advice: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    hide_toolchains(monkeypatch, tmp_path_factory.mktemp("path") / "bin")
    result = judge(PROJECTS[language]["pass"])
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert advice in (result.error or "")
