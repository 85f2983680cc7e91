"""Which expectations of a JUnit test are mutated, and how."""

import re

import pytest

from sdkbench.judge.mutants import apply
from sdkbench.test_harness.java.expectations import JAVA, mutations_of
from sdkbench.test_harness.mutations import SourceTree

PATH = "tests/shop/CartTest.java"
OTHER = "OTHER"
SHOWN = {"replacement": OTHER, "also": ()}
JUPITER = "org.junit.jupiter.api.Assertions."


def whole(body: str, *, note: str = "@Test", imports: str = "") -> str:
    return f"package shop;\n{imports}\nclass CartTest {{\n{note}\nvoid adds() {{\n{body}\n}}\n}}\n"


def mutated(body: str, **parts: str) -> list[str]:
    """Each mutated form of the test's body, with OTHER for another value."""
    text = whole(body, **parts)
    found = mutations_of(text, PATH)
    assert all(
        SourceTree(apply(text, [mutation]).encode(), JAVA).first_error is None for mutation in found
    )
    forms = [apply(text, [a if a.kind == "sense" else a.model_copy(update=SHOWN)]) for a in found]
    return [form.partition("adds() {\n")[2].rpartition("\n}\n}")[0] for form in forms]


@pytest.mark.parametrize(
    ("body", "forms"),
    [
        ("assertEquals(f(), g());", [f"{JUPITER}assertNotEquals(f(), g());"]),
        ("assertEquals(3, g());", [
            "assertEquals(OTHER, g());", f"{JUPITER}assertNotEquals(3, g());"]),
        ('assertEquals("ü1", g());', [
            "assertEquals(OTHER, g());", f'{JUPITER}assertNotEquals("ü1", g());']),
        ("Assertions.assertTrue(f());", ["Assertions.assertTrue(!(f()));"]),
        ("assertFalse(a > 1);", ["assertFalse(!(a > 1));"]),
        ("assertTrue(() -> a);", [f"{JUPITER}assertFalse(() -> a);"]),
        ("Assert.assertNull(f());", ["org.junit.Assert.assertNotNull(f());"]),
        ("assertSame(a, b, () -> m());", [f"{JUPITER}assertNotSame(a, b, () -> m());"]),
        ("assertThrows(X.class, () -> f());", [
            "assertThrows(OTHER, () -> f());",
            f"{JUPITER}assertDoesNotThrow(() -> f());"]),
        ("assertThrows(Exception.class, f);", [
            "assertThrows(OTHER, f);", f"{JUPITER}assertDoesNotThrow(f);"]),
        ("X e = assertThrows(X.class, () -> f());", []),  # somebody uses the exception
        ("Exception e = assertThrows(X.class, f);", ["Exception e = assertThrows(OTHER, f);"]),
        ("assertThat(f()).as(m).isEqualTo(3);", [
            "assertThat(f()).as(m).isEqualTo(OTHER);", "assertThat(f()).as(m).isNotEqualTo(3);"]),
        ("assertAll(() -> assertNull(a), () -> assertTrue(b));", [
            f"assertAll(() -> {JUPITER}assertNotNull(a), () -> assertTrue(b));",
            f"assertAll(() -> assertNull(a), () -> {JUPITER}assertFalse(b));"]),
        ("try (var s = f()) { assertNull(s); }", [
            f"try (var s = f()) {{ {JUPITER}assertNotNull(s); }}"]),
        ("if (f()) { assertNull(a); }", []),
        ("for (var x : f()) { assertNull(x); }", []),
        ("try { assertNull(a); } catch (Error e) { }", []),
        ("if (f()) return;\nassertNull(a);", []),
        ("assumeTrue(f());\nassertNull(a);", []),
        ("run(() -> { return 1; });\nassertNull(a);", [
            f"run(() -> {{ return 1; }});\n{JUPITER}assertNotNull(a);"]),
        ("int x = f();", []),
    ],
)  # fmt: skip
def test_forms(body: str, forms: list[str]) -> None:
    assert mutated(body) == forms


def values(body: str, imports: str = "") -> list[str]:
    """The texts that another value is put in place of."""
    text = whole(body, imports=imports)
    found = [a for a in mutations_of(text, PATH) if a.kind == "value"]
    assert all(text[a.start : a.end] != a.replacement for a in found)
    return [text[a.start : a.end] for a in found]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("assertEquals(-1L, f());", ["1L"]),
        ("assertEquals(true, f());", ["true"]),
        ('assertEquals(List.of(f(), "a1"), g());', ['"a1"']),
        ('assertEquals(Map.of("a1", f()), g());', []),
        ('assertEquals(new BigDecimal("10.50"), f());', ['"10.50"']),
        # Two of the solution's own need not differ where their parts do.
        ('assertEquals(new Product("7"), f());', []),
        ("assertEquals(1, f(), () -> m());", ["1"]),
        ("assertEquals(1.0, f(), 2);", []),
        ("assertEquals(1, f(), 2);", []),
        ('assertTrue(f().contains("no"));', []),
        ('assertTrue(!f().contains("balance"));', []),
        ("assertThat(f()).hasSize(2);", ["2"]),
        ("assertThat(f()).isNotEqualTo(2);", []),
        ("assertNotEquals(1, f());", []),
        ("assertThrows(X.class, f);", ["X.class"]),
    ],
)
def test_another_value_and_the_opposite_are_distinguished(body: str, found: list[str]) -> None:
    assert values(body) == found


@pytest.mark.parametrize(
    "body",
    ['assertTrue(f().contains("balance"));', 'assertThat(f()).hasMessageContaining("balance");'],
)
def test_a_text_that_is_looked_for_is_misspelt(body: str) -> None:
    assert values(body) == ['"balance"']


def test_another_exception_is_a_class_of_the_tests_own() -> None:
    text = whole("assertThrows(X.class, f);")
    [value] = [m for m in mutations_of(text, PATH) if m.kind == "value"]
    name = value.replacement.removesuffix(".class")
    after = apply(text, [value])
    assert f"static class {name} extends RuntimeException {{ }}" in after
    assert after.count("\n") == text.count("\n")
    assert SourceTree(after.encode(), JAVA).first_error is None


CSV = '@ParameterizedTest @CsvSource({"4, IV", "5, V"}) '
METHOD = (
    '@ParameterizedTest @MethodSource("rows") void adds(int n, String want) '
    "{ assertEquals(want, f(n)); }\nstatic Stream<Arguments> rows() "
    '{ return Stream.of(Arguments.of(4, "IV"), arguments(5, "V")); }'
)


@pytest.mark.parametrize(
    "body",
    [
        CSV + "void adds(int n, String want) { assertEquals(want, f(n)); }",
        CSV + "void adds(int n, String want) { assertThat(f(n)).isEqualTo(want); }",
        METHOD,
    ],
)
def test_the_expected_column_is_altered_row_by_row(body: str) -> None:
    text = f"class T {{\n{body}\n}}\n"
    found = mutations_of(text, PATH)
    assert len(found) >= 2
    for one in found:
        number = ["IV", "V"].index(text[one.start : one.end].strip('"')) + 1
        assert re.fullmatch(one.tests, f"T::adds(int,String)[{number}]")
        assert not re.fullmatch(one.tests, f"T::adds(int,String)[{3 - number}]")
        assert SourceTree(apply(text, [one]).encode(), JAVA).first_error is None


def test_rows_that_two_tests_share_are_left_alone() -> None:
    other = '@ParameterizedTest @MethodSource("rows") void more(int n, String s) { f(n); }'
    text = f"class T {{\n{METHOD}\n{other}\n}}\n"
    assert {m.kind for m in mutations_of(text, PATH)} == {"sense"}


def test_a_parameter_that_is_an_input_too_is_left_alone() -> None:
    text = (
        f"class T {{\n{CSV}void adds(int n, String want) {{ assertEquals(want, f(want)); }}\n}}\n"
    )
    assert [m.kind for m in mutations_of(text, PATH)] == ["sense"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("int want = 3; assertEquals(want, f());", ["3"]),
        ("int want = 3; put(want); assertEquals(want, f());", []),
        ('for (var c : List.of(new Case(1, "x"))) { assertEquals(c.want(), f(c.a())); }', ['"x"']),
        ("for (int[] r : new int[][] {{1, 20}, {3, 40}}) { assertEquals(r[1], f(r[0])); }",
         ["20", "40"]),
        ("for (int[] r : new int[][] {{1, 20}}) { assertEquals(r[1], f(r)); }", []),
        ("assertEquals(ONCE, f());", ["30"]),
        ("assertEquals(TWICE, f());", ["TWICE"]),
    ],
)  # fmt: skip
def test_values_are_altered_where_they_are_written(body: str, found: list[str]) -> None:
    members = (
        "record Case(int a, String want) {}\nstatic final int ONCE = 30;\n"
        "static final int TWICE = 40;\nint other() { return TWICE; }"
    )
    text = f"class T {{\n{members}\n@Test void a() {{\n{body}\n}}\n}}\n"
    values = [m for m in mutations_of(text, PATH) if m.kind == "value"]
    assert [text[m.start : m.end] for m in values] == found


def test_in_junit_4_the_message_comes_first() -> None:
    imports = "import static org.junit.Assert.assertEquals;"
    assert values('assertEquals("why", 3, f());', imports) == []
    assert values("assertEquals(3, f());", imports) == ["3"]


def test_bare_assertions_of_junit_4_stay_there() -> None:
    imports = "import static org.junit.Assert.assertTrue;"
    assert mutated("assertTrue(a);", imports=imports) == ["org.junit.Assert.assertFalse(a);"]


def test_a_test_that_expects_an_exception_is_left_alone() -> None:
    assert mutated("assertTrue(a);", note="@Test(expected = X.class)") == []
    assert mutated("assertTrue(a);", note="@BeforeEach") == []


def test_ids_lines_and_nested_classes() -> None:
    text = (
        "package shop;\nclass CartTest {\n  @Nested class Empty {\n"
        "    @ParameterizedTest void adds(int x) { assertTrue(x > 0); }\n  }\n}\n"
    )
    (only,) = mutations_of(text, PATH)
    assert (only.path, only.line) == (PATH, 4)
    for name in ("shop.CartTest$Empty::adds(int)[1]", "shop.CartTest$Empty::adds"):
        assert re.fullmatch(only.tests, name)
    assert not re.fullmatch(only.tests, "shop.CartTest$Empty::addsMore")


def test_overloads_are_left_alone() -> None:
    text = "class T { @Test void a() { assertTrue(b); } @Test void a(int x) { assertTrue(b); } }"
    assert mutations_of(text, PATH) == []


def test_what_does_not_parse_has_none() -> None:
    assert mutations_of("class T { @Test void a( { assertTrue(b); }", PATH) == []
