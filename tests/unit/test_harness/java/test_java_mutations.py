"""Which expectations of a JUnit test are mutated, and how."""

import re

import pytest

from sdkbench.judge.mutants import apply
from sdkbench.test_harness.java.expectations import JAVA, mutations_of
from sdkbench.test_harness.mutations import SourceTree

PATH = "tests/shop/CartTest.java"
OTHER = "OTHER"
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
    forms = [
        apply(text, [a if a.kind == "sense" else a.model_copy(update={"replacement": OTHER})])
        for a in found
    ]
    return [form.partition("adds() {\n")[2].rpartition("\n}\n}")[0] for form in forms]


@pytest.mark.parametrize(
    ("body", "forms"),
    [
        ("assertEquals(f(), g());", [f"{JUPITER}assertNotEquals(f(), g());"]),
        ("assertEquals(3, g());", [
            "assertEquals(OTHER, g());", f"{JUPITER}assertNotEquals(3, g());"]),
        ('assertEquals("ü1", g());', [
            "assertEquals(OTHER, g());", f'{JUPITER}assertNotEquals("ü1", g());']),
        ("Assertions.assertTrue(f());", [f"{JUPITER}assertFalse(f());"]),
        ("Assert.assertNull(f());", ["org.junit.Assert.assertNotNull(f());"]),
        ("assertSame(a, b, () -> m());", [f"{JUPITER}assertNotSame(a, b, () -> m());"]),
        ("assertThrows(X.class, () -> f());", [
            "assertThrows(OTHER, () -> f());",
            f"{JUPITER}assertDoesNotThrow(() -> f());"]),
        ("assertThrows(Exception.class, f);", [f"{JUPITER}assertDoesNotThrow(f);"]),
        ("X e = assertThrows(X.class, () -> f());", []),  # somebody uses the exception
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
