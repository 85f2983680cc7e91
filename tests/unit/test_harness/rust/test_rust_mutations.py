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
                'assert_eq!(vec![("ä".to_string(), -OTHER)], x);',
            ],
        ),
        # The value of a call may be the same for other arguments.
        ("assert_eq!(x, f(4));", ["assert_ne!(x, f(4));"]),
        ("assert_eq!(x, None);", ["assert_ne!(x, None);"]),
        ("assert_eq!(x, 1.5);", ["assert_ne!(x, 1.5);"]),
        (r'assert_eq!(x, "a\n");', [r'assert_ne!(x, "a\n");']),
        ("assert_ne!(x, 4);", ["assert_eq!(x, 4);"]),
        ("assert!(x.is_ok());", ["assert!(!(x.is_ok()));"]),
        ('assert!(a || b, "{}", 1);', ['assert!(!(a || b), "{}", 1);']),
        # The first comma may belong to the type's parameters.
        ('assert!(f::<A, B>(), "no");', []),
        ("assert_eq!(x, 0x10);", ["assert_ne!(x, 0x10);"]),
        ("if x { assert_eq!(x, 1); }", []),
        ("for x in y { assert_eq!(x, 1); }", []),
        ("let f = || { assert_eq!(x, 1); };", []),
        ("other::assert_eq!(x, 1);", []),
    ],
)
def test_statements(statement: str, expected: list[str]) -> None:
    assert mutated(statement) == expected


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
    (only,) = mutations_of(f"#[test]\nfn it() {{\n{statement}\n}}\n", "tests/a.rs")
    assert only.kind == kind


def test_after_a_way_out_nothing_is_certain_to_run() -> None:
    assert mutated("if x { return; }\nassert!(x);") == []
    assert mutated("assert!(x);\nif x { return; }\nassert!(y);") == ["assert!(!(x));"]
    assert mutated("let y = f()?;\nassert!(x);\nOk(())") == ["assert!(!(x));"]


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
