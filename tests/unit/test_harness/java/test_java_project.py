"""What is read of a Java project: sources, tests, resources, and who runs them."""

from pathlib import Path

import pytest

from sdkbench.core import Placement, Project
from sdkbench.inside.java.surefire import read_case
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.java.environment import needs
from sdkbench.test_harness.java.project import doubts, read

TEST = "package shop;\nimport org.junit.jupiter.api.Test;\nclass CartTest { @Test void a() {} }\n"


def write(root: Path, *names: str, **texts: str) -> Path:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(texts.get("text", TEST))
    return root


def sample(tmp_path: Path) -> Project:
    return Project(
        solution=Placement(source=tmp_path / "solution", target="expected"),
        trusted=(
            Placement(source=tmp_path / "tests", target="tests", read_only=True),
            Placement(source=tmp_path / "other", target="other", read_only=True),
        ),
        tests=("tests",),
    )


def test_tests_of_a_sample_come_from_the_sample_alone(tmp_path: Path) -> None:
    write(tmp_path / "solution", "src/main/java/shop/Cart.java", text="package shop;\n")
    write(
        tmp_path / "solution", "src/test/java/shop/CartTest.java", "src/main/java/module-info.java"
    )
    write(tmp_path / "tests", "shop/CartTest.java", "resources/data.txt")
    write(tmp_path / "other", "shop/StrayTest.java")
    found = read(sample(tmp_path))
    assert [placed.target for placed in found.sources] == ["expected/src/main/java/shop/Cart.java"]
    assert found.test_classes == {"shop.CartTest": "tests/shop/CartTest.java"}
    assert found.test_resources == {"data.txt": "tests/resources/data.txt"}


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("schema.sql", True),
        ("text/greeting.txt", True),
        ("META-INF/services/org.junit.platform.launcher.TestExecutionListener", False),
        ("junit-platform.properties", False),
        ("mockito-extensions/org.mockito.plugins.MockMaker", False),
        ("org/junit/jupiter/api/Assertions.class", False),
        ("lib.jar", False),
    ],
)
def test_resources_that_could_steer_the_tests_are_left_out(
    tmp_path: Path, name: str, kept: bool
) -> None:
    write(tmp_path / "solution", f"src/main/resources/{name}")
    write(tmp_path / "tests", "shop/CartTest.java")
    write(tmp_path / "other", "x")
    assert (name in read(sample(tmp_path)).resources) is kept


def test_the_solution_does_not_choose_its_framework(tmp_path: Path) -> None:
    junit = (
        "<project><dependencies><dependency><groupId>org.junit.jupiter</groupId>"
        "<artifactId>junit-jupiter</artifactId><version>0.1</version></dependency>"
        "</dependencies></project>"
    )
    write(tmp_path / "solution", "pom.xml", text=junit)
    write(tmp_path / "tests", "shop/CartTest.java")
    write(tmp_path / "other", "x")
    project = sample(tmp_path)
    request = needs(read(project)).request
    assert "0.1" not in {wanted.version for wanted in (*request.dependencies, *request.managed)}


def test_who_runs_a_project_of_its_own(tmp_path: Path) -> None:
    bare = Project.of_folder(write(tmp_path / "bare", "CartTest.java"))
    assert not read(bare).by_maven
    gradle = Project.of_folder(write(tmp_path / "gradle", "build.gradle", text=""))
    assert read(gradle).build_file == "build.gradle"
    junit = "<project><dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId></dependency></dependencies></project>"  # noqa: E501
    write(tmp_path / "maven", "pom.xml", text=junit)
    maven = Project.of_folder(write(tmp_path / "maven", "src/test/java/CartTest.java"))
    write(tmp_path / "maven", "build.xml", text="")
    assert (read(maven).by_maven, read(maven).build_file) == (True, None)


@pytest.mark.parametrize(("file", "name"), [("build.xml", "Ant"), ("MODULE.bazel", "Bazel")])
def test_another_build_tool_is_named(tmp_path: Path, file: str, name: str) -> None:
    write(tmp_path, file, text="")
    write(tmp_path, "test/CartTest.java")
    found = next(one for one in TestRunnerRegistry.detect_all(tmp_path) if one.runner == "java")
    assert not found.detected
    assert f"written for {name}, as {file} says" in (found.unsupported or "")


def test_surefire_cases() -> None:
    from xml.etree import ElementTree as ET  # noqa: PLC0415

    text = (
        "<testsuite><testcase classname='a.T' name='p()' time='1,000.5'/>"
        "<testcase classname='a.T' name='p()'/>"
        "<testcase classname='a.T' name='s'><skipped message='later'/></testcase>"
        "<testcase classname='a.T' name='f'><failure message='no' type='X'>"
        "X: no\n\tat a.T.f(T.java:7)</failure></testcase></testsuite>"
    )
    sources = {"a.T": "src/test/java/a/T.java"}
    cases = [read_case(one, sources) for one in ET.fromstring(text)]  # noqa: S314
    assert [(case["id"], case["status"]) for case in cases] == [
        ("a.T::p", "passed"),
        ("a.T::p", "passed"),
        ("a.T::s", "skipped"),
        ("a.T::f", "failed"),
    ]
    assert (cases[3]["message"], cases[3]["line"], cases[3]["path"]) == ("no", 7, sources["a.T"])


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("int size() { return Runtime.getRuntime().availableProcessors(); }", []),
        ('String kind = "native speaker (of Java)"; void load() { reload(); }', []),
        ("Object o = Class.forName(name).getMethods();", []),
        ("private static native int answer(int n);", ["native code"]),
        ('static { System.loadLibrary("x"); }', ["native code"]),
        ("sun.misc.Unsafe unsafe;", ["sun.misc.Unsafe"]),
        ("void premain(java.lang.instrument.Instrumentation i) {}", ["agents"]),
    ],
)
def test_means_to_forge_are_named(tmp_path: Path, code: str, names: list[str]) -> None:
    text = f"package shop;\nclass Cart {{ {code} }}\n"
    write(tmp_path / "solution", "src/main/java/shop/Cart.java", text=text)
    write(tmp_path / "tests", "shop/CartTest.java")
    write(tmp_path / "plain", "src/main/java/shop/Cart.java", text="package shop;\n")
    given = sample(tmp_path)
    plain, same = tmp_path / "plain", tmp_path / "solution"
    for reference, expected in ((plain, names), (same, [])):
        project = read(given.model_copy(update={"manifest_fallbacks": (reference,)}))
        found = [reason.split(" uses ")[1].split(",")[0] for reason in doubts(project)]
        assert found == expected
