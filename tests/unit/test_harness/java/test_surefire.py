"""What Surefire and Maven say of failures, read for the cause, the place and the point."""

from xml.etree import ElementTree as ET

import pytest

from sdkbench.inside.java.maven import broken_runs, build_errors, point
from sdkbench.inside.java.surefire import read_case
from sdkbench.test_harness.java.repository import lack_of_version, lacks_something

SOURCES = {"a.CartTest": "src/test/java/a/CartTest.java", "a.Cart": "src/main/java/a/Cart.java"}
CHAINED = """java.lang.RuntimeException: cannot pay
\tat a.Cart.pay(Cart.java:9)
\tat a.CartTest.pays(CartTest.java:5)
\tat java.base/java.lang.reflect.Method.invoke(Method.java:569)
Caused by: java.io.UncheckedIOException: no line
\tat a.Cart.send(Cart.java:20)
\t... 3 more
Caused by: java.io.IOException: the socket is closed
\tat java.base/java.net.Socket.connect(Socket.java:1)
\tat a.Cart$Line.open(Cart.java:31)
\t... 5 more
"""


def test_a_chained_exception_is_told_by_its_cause_and_deepest_place() -> None:
    case = ET.Element("testcase", classname="a.CartTest", name="pays")
    error = ET.SubElement(case, "error", message="cannot pay", type="java.lang.RuntimeException")
    error.text = CHAINED
    read = read_case(case, SOURCES)
    assert read.get("message") == (
        "java.lang.RuntimeException: cannot pay "
        "(caused by java.io.IOException: the socket is closed)"
    )
    assert (read.get("path"), read.get("line")) == ("src/main/java/a/Cart.java", 31)


def test_a_failed_assertion_stands_where_the_test_made_it() -> None:
    case = ET.Element("testcase", classname="a.CartTest", name="pays")
    failure = ET.SubElement(case, "failure", message="expected: <3> but was: <4>", type="X")
    failure.text = (
        "X: expected\n\tat org.junit.A.f(A.java:1)\n\tat a.CartTest.pays(CartTest.java:5)\n"
    )
    read = read_case(case, SOURCES)
    assert read.get("message") == "expected: <3> but was: <4>"
    assert (read.get("path"), read.get("line")) == (SOURCES["a.CartTest"], 5)


COMPILING = "Failed to execute goal org.apache.maven.plugins:maven-compiler-plugin:3.11.0:compile"
TESTING = "Failed to execute goal org.apache.maven.plugins:maven-surefire-plugin:3.5.2:test"


@pytest.mark.parametrize(
    ("lines", "errors"),
    [
        (
            ["COMPILATION ERROR : ", "/w/one/src/A.java:[3,5] cannot find symbol",
             f"{COMPILING} (default-compile) on project one: Compilation failure",
             "/w/one/src/A.java:[3,5] cannot find symbol", "  symbol: class B", "-> [Help 1]"],
            ["one/src/A.java:[3,5] cannot find symbol"],
        ),
        (
            [f"{TESTING} (default-test) on project two: There are test failures.",
             "Please refer to /w/target/surefire-reports", "[Help 1] http://x"],
            [],
        ),
        (
            [f"{TESTING} (default-test) on project two: There are test failures.",
             f"{COMPILING} (default-compile) on project one: Compilation failure: ",
             "/w/one/src/A.java:[3,5] ';' expected"],
            ["one/src/A.java:[3,5] ';' expected"],
        ),
        (
            ["Failed to execute goal a:enforcer:3:enforce (e) on project one: ",
             "Rule 0: X failed with message:", "no snapshots -> [Help 1]", "", "[Help 1] x"],
            [("Failed to execute goal a:enforcer:3:enforce (e) on project one: \nRule 0: X failed "
             "with message:\nno snapshots")],
        ),
        ([f"{TESTING} (default-test) on project two: The forked VM terminated"], []),
        (
            [f"{TESTING} (default-test) on project two: x in offline mode"],
            [f"{TESTING} (default-test) on project two: x in offline mode"],
        ),
        (["Some problems were encountered: ", "Malformed POM /w/pom.xml"],
         ["Some problems were encountered: \nMalformed POM pom.xml"]),
    ],
    ids=["compiler", "tests", "both", "plugin", "crash", "offline", "manifest"],
)  # fmt: skip
def test_what_breaks_a_build_is_told_apart_from_failing_tests(
    lines: list[str], errors: list[str]
) -> None:
    assert build_errors([line.replace("/w/", "") for line in lines]) == errors


def test_a_machine_that_dies_is_told_by_what_surefire_says_of_it() -> None:
    crash = f"{TESTING} (default-test) on project two: The forked VM terminated"
    assert broken_runs([f"{TESTING} (x) on project one: There are test failures."]) == []
    refer = "See target/surefire-reports for the individual test results."
    assert broken_runs([f"{TESTING} (x) on project one: ", "", refer, "[Help 1] x"]) == []
    assert broken_runs([crash, "Crashed tests:", "a.CartTest", "-> [Help 1]"]) == [
        f"{crash}\nCrashed tests:\na.CartTest"
    ]
    said = f"{TESTING} (x) on project one: \n\n{refer}\nExecutionException The VM terminated"
    said += "\n\tat a.B(C)"
    assert point(said) == "ExecutionException The VM terminated"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Detected Maven Version: 3.8.7 is not in the allowed range [3.9,).", "Maven [3.9,)"),
        ("Detected JDK /usr/lib/jvm is version 17 which is not in the allowed range [21,).",
         "JDK [21,)"),
        ("Fatal error compiling: error: release version 99 not supported", "Java 99"),
        ("Fatal error compiling: error: invalid target release: 99", "Java 99"),
    ],
)  # fmt: skip
def test_another_version_of_a_tool_is_a_missing_tool(text: str, wanted: str) -> None:
    assert f"needs {wanted}, " in (lack_of_version(f"Rule 0:\n{text}\nmore") or "")
    assert lack_of_version("A.java:[3,5] cannot find symbol") is None


def test_a_build_that_lacked_the_network_says_so() -> None:
    assert lacks_something(["Cannot access central (x) in offline mode and the artifact a:b:1"])
    assert not lacks_something(["Compilation failure"])
