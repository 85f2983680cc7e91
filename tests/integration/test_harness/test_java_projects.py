"""Maven projects as strangers bring them: judged as `mvn test` would judge them."""

import pytest

from sdkbench.core import Fault, Outcome
from tests.support.projects import Files, Judge
from tests.support.seven.java import POM, SEVEN
from tests.support.toolchains import needs

pytestmark = needs("java")

PLUGIN = (
    "<build><plugins><plugin><artifactId>{artifact}</artifactId><version>{version}</version>"
    "<executions><execution><phase>{phase}</phase><goals><goal>{goal}</goal></goals>"
    "<configuration>{configuration}</configuration></execution></executions></plugin></plugins>"
    "</build>"
)


def _pom(extra: str) -> str:
    return POM.replace("</project>", f"{extra}</project>")


def test_a_profile_that_a_folder_activates_has_its_plugins(judge: Judge) -> None:
    antrun = PLUGIN.format(
        artifact="maven-antrun-plugin", version="3.1.0", phase="validate", goal="run",
        configuration="<target><fail unless='java.version'/></target>",
    )  # fmt: skip
    active = "<activation><file><exists>${basedir}/src/main/java</exists></file></activation>"
    profile = f"<profiles><profile><id>p</id>{active}{antrun}</profile></profiles>"
    result = judge(SEVEN["pass"] | {"pom.xml": _pom(profile)}, timeout=120)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_expressions_may_nest_as_deeply_as_javac_alone_allows(judge: Judge) -> None:
    chain = ".append(1)" * 2000
    test = SEVEN["pass"]["src/test/java/demo/AdderTest.java"].replace(
        "assertEquals(3, Adder.add(1, 2));",
        f"assertEquals(2000, new StringBuilder(){chain}.length());",
    )
    files = SEVEN["pass"] | {"src/test/java/demo/AdderTest.java": test}
    result = judge(files, timeout=120)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def _modules(**modules: Files) -> Files:
    above = "<groupId>demo</groupId><artifactId>all</artifactId><version>1</version>"
    names = "".join(f"<module>{name}</module>" for name in modules)
    files = {
        "pom.xml": f"<project><modelVersion>4.0.0</modelVersion>{above}<packaging>pom</packaging>"
        f"<modules>{names}</modules></project>"
    }
    for name, module in modules.items():
        pom = module["pom.xml"].replace("<artifactId>demo<", f"<artifactId>{name}<")
        files |= {f"{name}/{path}": text for path, text in (module | {"pom.xml": pom}).items()}
    return files


def test_a_module_that_does_not_compile_leaves_the_counts_of_the_others(judge: Judge) -> None:
    modules = _modules(one=SEVEN["pass"], two=SEVEN["compile_error"], three=SEVEN["fail"])
    result = judge(modules, timeout=120)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert (result.tests_passed, result.tests_total) == (1, 2)
    assert "two/src/main/java/demo/Adder.java" in (result.error or "")


def test_the_cause_of_an_exception_is_told_with_its_place(judge: Judge) -> None:
    body = "try { Integer.parseInt(null); } catch (NumberFormatException e) {\n"
    body += '            throw new IllegalStateException("cannot add", e);\n        }\n'
    body += "        return a + b;"
    source = SEVEN["pass"]["src/main/java/demo/Adder.java"].replace("return a + b;", body)
    result = judge(SEVEN["pass"] | {"src/main/java/demo/Adder.java": source}, timeout=120)
    assert result.test_results
    [failure] = result.test_results.failures
    assert "cannot add (caused by java.lang.NumberFormatException: " in failure.error_message
    assert failure.file_path == "src/main/java/demo/Adder.java"
    assert failure.line_number
    assert "parseInt" in source.splitlines()[failure.line_number - 1]


def test_settings_of_the_project_reach_maven(judge: Judge) -> None:
    surefire = (
        "<build><plugins><plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2"
        "</version><configuration><argLine>-Ddemo=${demo}</argLine><includes><include>**/Adds.java"
        "</include></includes></configuration></plugin></plugins></build>"
    )
    test = SEVEN["pass"]["src/test/java/demo/AdderTest.java"].replace("AdderTest", "Adds")
    test = test.replace(
        "assertEquals(3, Adder.add(1, 2));", 'assertEquals("7", System.getProperty("demo"));'
    )
    files = SEVEN["fail"] | {
        "pom.xml": _pom(surefire),
        ".mvn/maven.config": "-Ddemo=7\n",
        ".mvn/jvm.config": "-Xss4m\n",
        "src/test/java/demo/Adds.java": test,
    }
    result = judge(files, timeout=120)
    assert (result.outcome, result.tests_total, result.error) == (Outcome.PASSED, 1, None)


def test_a_newer_maven_than_there_is_is_a_missing_tool(judge: Judge) -> None:
    rule = "<rules><requireMavenVersion><version>[99,)</version></requireMavenVersion></rules>"
    enforcer = PLUGIN.format(
        artifact="maven-enforcer-plugin", version="3.5.0", phase="validate", goal="enforce",
        configuration=rule,
    )  # fmt: skip
    result = judge(SEVEN["pass"] | {"pom.xml": _pom(enforcer)}, timeout=120)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "[99,)" in (result.error or "")


def test_a_machine_that_a_test_ends_is_told(judge: Judge) -> None:
    result = judge(SEVEN["pass"] | {
        "src/main/java/demo/Adder.java": SEVEN["pass"]["src/main/java/demo/Adder.java"].replace(
            "return a + b;", "System.exit(3); return 0;"
        )
    }, timeout=120)  # fmt: skip
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert "forked VM terminated" in (result.error or "")


@pytest.mark.parametrize(
    ("framework", "version"), [("org.testng:testng", "7.10.2"), ("junit:junit", "4.13.2")]
)
def test_other_frameworks_that_surefire_knows(judge: Judge, framework: str, version: str) -> None:
    group, artifact = framework.split(":")
    pom = POM.replace("org.junit.jupiter", group).replace("junit-jupiter", artifact)
    imported = "org.testng.annotations.Test" if artifact == "testng" else "org.junit.Test"
    test = (
        f"package demo;\n\nimport {imported};\n\npublic class AdderTest {{\n    @Test\n"
        "    public void adds() {\n        if (Adder.add(1, 2) != 3) {\n"
        "            throw new AssertionError();\n        }\n    }\n}\n"
    )
    files = SEVEN["pass"] | {
        "pom.xml": pom.replace("5.11.4", version),
        "src/test/java/demo/AdderTest.java": test,
    }
    result = judge(files, timeout=120)
    assert (result.outcome, result.tests_passed, result.error) == (Outcome.PASSED, 1, None)
