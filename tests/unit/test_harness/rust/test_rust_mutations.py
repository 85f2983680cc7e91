"""Where Rust tests expect something, and what they could expect instead."""

import re

import pytest

from sdkbench.judge.mutants import apply
from sdkbench.test_harness.rust.expectations import mutations_of


def mutated(body: str, attributes: str = "#[test]") -> list[str]:
    """The body's lines after each mutation, as far as they differ; OTHER for another value."""
    text = f"{attributes}\nfn it() {{\n{body}\n}}\n"
    found = []
    for mutation in mutations_of(text, "tests/a.rs"):
        assert mutation.replacement != text[mutation.start : mutation.end]
        shown = {"replacement": "OTHER"} if mutation.kind == "value" else {}
        after = apply(text, [mutation.model_copy(update=shown)]).splitlines()
        assert len(after) == len(text.splitlines())
        found.append(after[mutation.line - 1].strip())
    return found


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("assert_eq!(f(1), 4);", ["assert_eq!(f(1), OTHER);"]),
        ("assert_eq!(x, 255u8);", ["assert_eq!(x, OTHER);"]),
        ('assert_eq!(x, "a7");', ["assert_eq!(x, OTHER);"]),
        (
            'assert_eq!(x, Some(true), "why");',
            ['assert_eq!(x, Some(OTHER), "why");'],
        ),
        (
            'assert_eq!(vec![("ä".to_string(), -2)], x);',
            [
                "assert_eq!(vec![(OTHER.to_string(), -2)], x);",
                'assert_eq!(vec![("ä".to_string(), -OTHER)], x);',
            ],
        ),
        # The value of a call may be the same for other arguments.
        ("assert_eq!(x, f(4));", ["sdkbench_otherwise!(x, f(4));"]),
        ("assert_eq!(x, None);", ["sdkbench_otherwise!(x, None);"]),
        ("assert_eq!(x, 1.5);", ["sdkbench_otherwise!(x, 1.5);"]),
        (r'assert_eq!(x, "a\n");', [r'sdkbench_otherwise!(x, "a\n");']),
        ("assert_ne!(x, 4);", ["sdkbench_otherwise!(x, 4);"]),
        ("assert!(x.is_ok());", ["sdkbench_otherwise!(x.is_ok());"]),
        ('assert!(a || b, "{}", 1);', ['sdkbench_otherwise!(a || b, "{}", 1);']),
        ('assert!(f::<A, B>(), "no");', ['sdkbench_otherwise!(f::<A, B>(), "no");']),
        ("assert_eq!(x, 0x10);", ["sdkbench_otherwise!(x, 0x10);"]),
        ("if x { assert_eq!(x, 1); }", []),
        ("for x in y { assert_eq!(x, 1); }", []),
        ("let f = || { assert_eq!(x, 1); };", []),
        ("other::assert_eq!(x, 1);", []),
    ],
)
def test_statements(statement: str, expected: list[str]) -> None:
    forms = mutated(statement)
    values = [form for form in forms if "OTHER" in form]
    assert (values or forms) == expected
    assert len(forms) == len(values) + bool(forms)  # and the opposite


ROWS = '("a", 10), ("b", 20)'
LOOP = '{ assert_eq!(f(input), want, "{want}"); }'


@pytest.mark.parametrize(
    "body",
    [
        f"for (input, want) in [{ROWS}] {LOOP}",
        f"for (input, want) in vec![{ROWS}] {LOOP}",
        f"let cases = vec![{ROWS}]; for &(input, want) in cases.iter() {LOOP}",
        f"for &(input, want) in ALL {LOOP}\n}}\nconst ALL: &[(&str, i32)] = &[{ROWS}];\nfn g() {{",
        "for c in [Case { a: 1, want: 10 }, Case { want: 20 }] { assert_eq!(f(c.a), c.want); }",
    ],
)
def test_the_expected_column_of_a_table_is_altered(body: str) -> None:
    values = [form for form in mutated(body) if "OTHER" in form]
    assert len(values) == 2
    for form, number in zip(values, ("10", "20"), strict=True):
        assert number not in form


@pytest.mark.parametrize(
    "body",
    [
        f"for (input, want) in [{ROWS}] {{ assert_eq!(f(input, want), want); }}",
        f"for (input, want) in [{ROWS}] {{ if f() {{ break; }} assert_eq!(f(input), want); }}",
        f"let cases = [{ROWS}]; g(&cases); for (input, want) in cases {LOOP}",
    ],
)
def test_a_column_that_is_an_input_too_is_left_alone(body: str) -> None:
    assert not [form for form in mutated(body) if "OTHER" in form]


def test_a_name_that_is_only_compared_is_altered_where_it_gets_its_value() -> None:
    assert "let want = OTHER;" in mutated("let want = 10;\nassert_eq!(f(), want);")
    assert mutated("let want = 10;\nput(want);\nassert_eq!(f(), want);") == [
        "sdkbench_otherwise!(f(), want);"
    ]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("assert_eq!(x, 4);", "value"),
        ("assert_eq!(x, None);", "sense"),
        ("assert!(x);", "sense"),
        ('assert!(text.contains("balance"));', "value"),
        ('assert!(text().starts_with("balance"), "why");', "value"),
        ('assert!(text.contains("no"));', "sense"),  # may be anywhere
        ('assert!(!text.contains("balance"));', "sense"),
        ('assert!(x || text.contains("balance"));', "sense"),
    ],
)
def test_another_value_and_the_opposite_are_distinguished(statement: str, kind: str) -> None:
    first, *_ = mutations_of(f"#[test]\nfn it() {{\n{statement}\n}}\n", "tests/a.rs")
    assert first.kind == kind


def test_after_a_way_out_nothing_is_certain_to_run() -> None:
    assert mutated("if x { return; }\nassert!(x);") == []
    assert mutated("assert!(x);\nif x { return; }\nassert!(y);") == ["sdkbench_otherwise!(x);"]
    assert mutated("let y = f()?;\nassert!(x);\nOk(())") == ["sdkbench_otherwise!(x);"]


@pytest.mark.parametrize("attribute", ["#[should_panic]", '#[ignore = "later"]'])
def test_tests_that_do_not_simply_pass_are_left_alone(attribute: str) -> None:
    assert mutated("assert!(x);", f"#[test]\n{attribute}") == []
    assert mutated("assert!(x);", "#[inline]") == []


def test_ids_name_the_modules_around_a_test() -> None:
    text = (
        "mod a {\n    mod b {\n        /// Words.\n        #[tokio::test]\n"
        "        // more words\n        async fn it() { assert!(x); }\n    }\n}\n"
        "#[test]\nfn it() { assert!(x); }\n"
    )
    first, second = mutations_of(text, "tests/a.rs")
    assert re.fullmatch(first.tests, "tests/a.rs::a::b::it")
    assert re.fullmatch(second.tests, "tests/a.rs::it")
    assert not re.fullmatch(second.tests, "tests/a.rs::a::b::it")


def test_text_that_does_not_parse_has_none() -> None:
    assert mutations_of("#[test]\nfn it() { assert!(x; }\n", "tests/a.rs") == []
