"""Tests that know who runs them: odd but honest ones notice nothing, code that runs tests does."""

import subprocess
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.inside.java.guarded_classes import guarded
from tests.support.projects import Judge, MakeSample, write
from tests.support.toolchains import needs

needs_java = needs("java")

# Every kind of stack frame, jump and table that a compiler writes.
SHAPES = """
import java.lang.annotation.*;
import java.util.*;
import java.util.function.*;

public class Shapes {
    @Retention(RetentionPolicy.RUNTIME) @interface Mark {}
    @Retention(RetentionPolicy.RUNTIME) @Target(ElementType.TYPE_USE) @interface Kind {}

    @Mark static int loops(int n) {
        int sum = 0;
        for (int i = 0; i < n; i++) { if (i % 3 == 0) continue; sum += i; }
        while (sum > 100) sum -= 7;
        do { sum++; } while (sum < 10);
        return sum;
    }
    @Mark static String first_is_a_loop() {
        while (true) { if (System.nanoTime() > 0) return "x"; }
    }
    @Mark static int switches(int n, String s) {
        switch (n) { case 1: return 1; case 2: return 4; case 3: return 9; case 1000: return 5; }
        switch (s) { case "a": return 1; case "b": return 2; default: return 0; }
    }
    @Mark static long tries(long a, double b) throws Exception {
        try { if (a > 3) throw new IllegalStateException("no"); a += (long) b; }
        catch (IllegalStateException | UnsupportedOperationException e) { a = -1; }
        finally { a *= 2; }
        try (AutoCloseable c = () -> {}) { a++; }
        return a;
    }
    @Mark static Object made(boolean yes) {
        return new StringBuilder(yes ? new String("yes") : new String(yes ? "?" : "no")).append(1);
    }
    @Mark static int typed(Object o) {
        @Kind Object copy = (@Kind Object) o;
        List<? extends Number> all = new ArrayList<@Kind Integer>(List.of(1, 2));
        return all.size() + (copy instanceof String ? ((String) copy).length() : 0);
    }
    @Mark synchronized void locked(int[] out) { synchronized (out) { out[0]++; } }
    static int unmarked() { return 7; }

    public static void main(String[] words) throws Exception {
        IntBinaryOperator add = (a, b) -> a + b;
        Supplier<Runnable> nested = () -> () -> {};
        nested.get().run();
        int[] out = {0};
        new Shapes().locked(out);
        System.out.println(loops(50) + first_is_a_loop() + switches(3, "") + switches(9, "b")
            + tries(2, 1.5) + tries(9, 1.5) + made(true) + made(false) + typed("abc")
            + add.applyAsInt(1, 2) + out[0] + unmarked());
        System.out.println(sdkbench.entry.Entry.calls);
    }
}
"""
COUNTER = """
package sdkbench.entry;
public class Entry { public static int calls; public static void check() { calls++; } }
"""


@needs_java
def test_guarded_classes_do_what_they_did(tmp_path: Path) -> None:
    files = {"Shapes.java": SHAPES, "sdkbench/entry/Entry.java": COUNTER}
    folder = write(tmp_path, files)
    words = ["javac", "-g", "-d", "out", *files]
    subprocess.run(words, cwd=folder, check=True)
    before = _run(folder)
    for path in (folder / "out").glob("Shapes*.class"):
        path.write_bytes(guarded(path.read_bytes()))
    after = _run(folder)
    assert after[0] == before[0]
    assert (before[1], after[1]) == ("0", "15")  # 11 calls of marked methods, 4 of lambdas


def _run(folder: Path) -> list[str]:
    words = ["java", "-Xverify:all", "-cp", "out", "Shapes"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


POM = (
    "<project><modelVersion>4.0.0</modelVersion><groupId>bus</groupId><artifactId>bus</artifactId>"
    "<version>1</version><properties><maven.compiler.release>11</maven.compiler.release>"
    "</properties></project>"
)
BUS = """
package bus;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
public class Bus {
    /** Calls every method of this name, as buses of events do. */
    public static void post(Object listener, String name, Object event) throws Exception {
        for (Method method : listener.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                method.invoke(listener, event);
            }
        }
    }
    public static <T> T retry(int times, Callable<T> call) throws Exception {
        for (int i = 1; i < times; i++) { call.call(); }
        return call.call();
    }
    public static void main(String[] words) { System.out.println("started"); }
}
"""
HONEST_TESTS = {
    "bus/BusTest.java": """
package bus;
import static org.junit.jupiter.api.Assertions.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.stream.*;
import org.junit.jupiter.api.*;
class BusTest extends Base {
    private int calls;
    @Deprecated void heard(Object event) { calls++; assertEquals("event", event); }
    @Test void listens() throws Exception {
        Bus.post(this, "heard", "event");
        assertEquals(1, calls);
    }
    @Test void retries() throws Exception {
        assertEquals(3, (int) Bus.retry(3, () -> { assertTrue(calls < 3); return ++calls; }));
    }
    @Test @Timeout(value = 20, unit = TimeUnit.SECONDS)
    void inTime() throws Exception { listens(); }
    @RepeatedTest(3) void repeats() throws Exception { retries(); }
    @TestFactory Stream<DynamicTest> made() {
        return Stream.of(1, 2).map(n -> DynamicTest.dynamicTest("n" + n, () -> assertEquals(n, n)));
    }
    @Test void all() {
        assertAll(() -> assertEquals(1, 1), () -> assertThrows(IllegalStateException.class,
            () -> Bus.retry(2, () -> { throw new IllegalStateException(); })));
    }
    @Test void another() throws Exception {
        Process machine = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-cp",
            System.getProperty("java.class.path"), "bus.Bus").start();
        String said = new String(machine.getInputStream().readAllBytes());
        assertEquals("started", said.trim());
    }
    @Test void resources() throws Exception {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        assertSame(system, BusTest.class.getClassLoader());
        assertNull(BusTest.class.getResource("BusTest.class"));
        assertNotNull(Bus.class.getResource("Bus.class"));
        assertEquals("text", new String(system.getResourceAsStream("words.txt").readAllBytes()));
    }
}
""",
    "bus/Base.java": """
package bus;
import org.junit.jupiter.api.*;
abstract class Base { @Test void inherited() {} }
""",
    "resources/words.txt": "text",
}


@needs_java
def test_odd_but_honest_tests_notice_nothing(judge: Judge, make_sample: MakeSample) -> None:
    solution = {"pom.xml": POM, "src/main/java/bus/Bus.java": BUS}
    sample = make_sample(solution, HONEST_TESTS)
    result = judge(solution, sample)
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


# Runs a part of the test that calls it.
PART = """
package bus;
import java.lang.reflect.Method;
public class Bus {
    public static int answer() throws Exception {
        Class<?> test = Class.forName("bus.PartTest");
        for (Method method : test.getDeclaredMethods()) {
            if (method.getName().startsWith("lambda$") && method.getParameterCount() == 0) {
                method.setAccessible(true);
                method.invoke(null);
            }
        }
        return 1;
    }
}
"""


RIGHT = "package bus;\npublic class Bus { public static int answer() { return 1; } }\n"
PARTS = """
package bus;
import static org.junit.jupiter.api.Assertions.*;
import org.junit.jupiter.api.*;
class PartTest {
    @Test void parts() throws Exception {
        assertEquals(1, Bus.answer());
        assertAll(() -> assertEquals(1, 1));
    }
}
"""


@needs_java
@pytest.mark.parametrize(("source", "fault"), [(PART, Fault.TAMPERING), (RIGHT, None)])
def test_parts_of_tests_are_not_run_by_reflection(
    judge: Judge, make_sample: MakeSample, source: str, fault: Fault | None
) -> None:
    place = "src/main/java/bus/Bus.java"
    sample = make_sample({"pom.xml": POM, place: RIGHT}, {"bus/PartTest.java": PARTS})
    result = judge({"pom.xml": POM, place: source}, sample)
    assert result.outcome is (Outcome.INVALID if fault else Outcome.PASSED), result.error
    assert result.fault is fault


OLD_POM = POM.replace(
    "</properties>",
    "</properties><dependencies>"
    "<dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version>"
    "<scope>test</scope></dependency>"
    "<dependency><groupId>org.mockito</groupId><artifactId>mockito-core</artifactId>"
    "<version>5.11.0</version><scope>test</scope></dependency></dependencies>",
)
OLD_TEST = """
package bus;
import static org.junit.Assert.*;
import static org.mockito.Mockito.*;
import org.junit.*;
public class OldTest {
    static final class Sealed { int answer() { return 2; } }
    @Rule public org.junit.rules.TestName name = new org.junit.rules.TestName();
    @Test public void answers() { assertEquals(1, Bus.answer()); }
    @Test(timeout = 20000) public void answersInTime() { assertEquals(1, Bus.answer()); }
    @Test public void mocked() {
        Sealed sealed = mock(Sealed.class);
        when(sealed.answer()).thenReturn(Bus.answer());
        assertEquals(1, sealed.answer());
        verify(sealed).answer();
    }
}
"""


@needs_java
def test_junit_4_time_limits_and_mocks_of_final_classes(
    judge: Judge, make_sample: MakeSample
) -> None:
    solution = {"pom.xml": OLD_POM, "src/main/java/bus/Bus.java": RIGHT}
    result = judge(solution, make_sample(solution, {"bus/OldTest.java": OLD_TEST}))
    assert result.error is None
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, 3)
