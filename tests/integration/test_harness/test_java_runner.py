"""Java projects, judged on their own tests."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.datasets import load_sdk
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import Harness, TestRunnerRegistry
from sdkbench.test_harness.java import archive
from tests.support.places import CORPUS
from tests.support.projects import Files, Judge
from tests.support.seven.java import POM, SEVEN
from tests.support.toolchains import needs

needs_java = needs("java")
Project = Callable[[Files], Path]


@needs_java
def test_a_failure_has_its_message_file_and_line(judge: Judge) -> None:
    result = judge(SEVEN["fail"])
    assert result.test_results is not None
    (failure,) = result.test_results.failures
    assert failure.error_message == "expected: <3> but was: <-1>"
    assert (failure.file_path, failure.line_number) == ("src/test/java/demo/AdderTest.java", 11)


@needs_java
def test_modules_with_junit_4_and_5(judge: Judge) -> None:
    above = "<groupId>demo</groupId><artifactId>demo</artifactId><version>1.0</version>"
    head = "<modelVersion>4.0.0</modelVersion>"
    old = (
        f"<project>{head}<parent>{above}</parent><artifactId>old</artifactId><dependencies>"
        "<dependency><groupId>junit</groupId><artifactId>junit</artifactId>"
        "<version>4.13.2</version><scope>test</scope></dependency></dependencies></project>"
    )
    new = POM.replace("<groupId>demo</groupId>", f"<parent>{above}</parent>", 1).replace(
        "<artifactId>demo</artifactId>\n  <version>1.0</version>\n  <properties>",
        "<artifactId>new</artifactId>\n  <properties>",
    )
    files = {f"new/{name}": text for name, text in SEVEN["pass"].items()} | {
        "pom.xml": f"<project>{head}{above}<packaging>pom</packaging><properties>"
        "<maven.compiler.source>11</maven.compiler.source>"
        "<maven.compiler.target>11</maven.compiler.target></properties>"
        "<modules><module>old</module><module>new</module></modules></project>",
        "old/pom.xml": old,
        "new/pom.xml": new,
        "old/src/test/java/OldTest.java": "import org.junit.Test;\npublic class OldTest {\n"
        "    @Test public void passes() {}\n}\n",
    }
    result = judge(files, timeout=120)
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, 2), result.error


@needs_java
def test_sources_without_a_manifest_get_junit_brought_along(judge: Judge) -> None:
    result = judge({name: text for name, text in SEVEN["pass"].items() if name != "pom.xml"})
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, 1), result.error
    assert result.install_results is not None
    assert any("JUnit" in sentence for sentence in result.install_results.completed_with)


def test_a_gradle_project_is_recognised_and_says_what_to_do(judge: Judge, project: Project) -> None:
    files = {"build.gradle": "plugins { id 'java' }\n", **SEVEN["pass"]}
    del files["pom.xml"]
    found = TestRunnerRegistry.detect_all(project(files))[0]
    assert (found.runner, found.framework, found.detected) == ("java", "Gradle", False)
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert "Gradle, as build.gradle says" in (result.error or "")
    assert "runner plugin" in (result.error or "")


@needs_java
@pytest.mark.parametrize("folder", ["expected", "input"])
def test_the_compiler_says_the_same_without_its_archive(
    folder: str, harness: Harness, monkeypatch: pytest.MonkeyPatch
) -> None:
    sample = load_sdk(CORPUS / "junit", "sample")[0]
    subject = Subject(sample.reference_dir.parent / folder, sample)
    quick = judge_attempt(subject, Options(), harness)
    monkeypatch.setattr(archive, "ARCHIVE", "missing.jsa")
    slow = judge_attempt(subject, Options(), harness)
    assert quick.outcome is (Outcome.PASSED if folder == "expected" else Outcome.FAILED)
    assert (slow.outcome, slow.failed_tests) == (quick.outcome, quick.failed_tests)
