"""Seven small Maven projects with JUnit 5, one for each thing that can become of a test run."""

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>demo</groupId>
  <artifactId>demo</artifactId>
  <version>1.0</version>
  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
</project>
"""
ADDER = """\
package demo;

public final class Adder {
    private Adder() {}

    public static int add(int a, int b) {
        BODY
    }
}
"""
TEST = """\
package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class AdderTest {
    @Test
    void adds() {
        assertEquals(3, Adder.add(1, 2));
    }
}
"""
SKIPPED = TEST.replace("    @Test\n", '    @Test\n    @Disabled("later")\n')


def _project(body: str = "return a + b;", test: str = TEST) -> dict[str, str]:
    return {
        "pom.xml": POM,
        "src/main/java/demo/Adder.java": ADDER.replace("BODY", body),
        "src/test/java/demo/AdderTest.java": test,
    }


SEVEN: dict[str, dict[str, str]] = {
    "pass": _project(),
    "fail": _project("return a - b;"),
    "skip": _project(test=SKIPPED),
    "compile_error": _project("return a +;"),
    "panic": _project("return a / (b - 2);"),
    "endless": _project("while (a > 0) { b++; } return b;"),
    "zero_tests": _project(test="package demo;\n\nclass AdderTest {}\n"),
}
