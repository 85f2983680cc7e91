"""Cargo projects: real toolchain, real crates; what passes, what doesn't, and what has no say."""

from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.judge.mutants import apply
from sdkbench.test_harness import TestRunnerRegistry
from sdkbench.test_harness.rust.expectations import mutations_of
from tests.support.projects import Files, Judge, MakeSample
from tests.support.seven.rust import LIBRARY, MANIFEST, SEVEN
from tests.support.toolchains import needs

needs_cargo = needs("rust")


def passing(test: str = "doubles") -> str:
    return f"#[test]\nfn {test}() {{\n    assert_eq!(app::double(2), 4);\n}}\n"


@needs_cargo
def test_every_kind_of_test_is_counted_and_reported_with_its_place(judge: Judge) -> None:
    library = (
        "/// ```\n/// assert_eq!(app::double(2), 4);\n/// ```\n"
        f"/// ```\n/// assert_eq!(app::double(2), 5);\n/// ```\n{LIBRARY}"
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn inside() {\n"
        "        assert_eq!(super::double(1), 2);\n    }\n}\n"
    )
    tests = (
        f"{passing()}#[test]\n#[ignore]\nfn later() {{}}\n"
        '#[test]\n#[should_panic(expected = "boom")]\nfn booms() { panic!("boom!") }\n'
        '#[test]\n#[should_panic(expected = "boom")]\nfn booms_otherwise() { panic!("bang") }\n'
        '#[test]\nfn returns() -> Result<(), String> {\n    Err("no".to_string())\n}\n'
        'mod deep {\n    #[test]\n    fn wrong() {\n        println!("seen");\n'
        "        assert_eq!(app::double(3), 7);\n    }\n}\n"
        '#[test]\nfn runs_the_program() {\n    let program = env!("CARGO_BIN_EXE_app");\n'
        "    let out = std::process::Command::new(program).output().unwrap();\n"
        '    assert_eq!(out.stdout, b"4");\n}\n'
    )
    files = {
        "Cargo.toml": f'{MANIFEST}[[test]]\nname = "bare"\nharness = false\n',
        "src/lib.rs": library,
        "src/main.rs": 'fn main() {\n    print!("{}", app::double(2));\n}\n',
        "tests/app.rs": tests,
        "tests/bare.rs": "fn main() {\n    assert_eq!(app::double(2), 4);\n}\n",
    }
    result = judge(files)
    counts = result.test_results
    assert counts
    assert (counts.passed, counts.skipped, counts.failed) == (6, 1, 4), counts.failures
    failures = {f.test_name: f for f in counts.failures}
    wrong = failures["tests/app.rs::deep::wrong"]
    assert (wrong.file_path, wrong.line_number) == ("tests/app.rs", 1 + _line(tests, "double(3)"))
    assert "right: 7" in wrong.error_message
    assert "seen" in wrong.output
    assert failures["tests/app.rs::returns"].error_message == 'Error: "no"'
    assert "bang" in failures["tests/app.rs::booms_otherwise"].error_message
    # Doc tests are counted apart: their ids begin with a word of their own.
    assert [name for name in failures if name.startswith("doc: src/lib.rs")]


def _line(text: str, part: str) -> int:
    return next(number for number, line in enumerate(text.splitlines()) if part in line)


@needs_cargo
def test_a_workspace_with_inherited_settings_is_judged_as_a_whole(judge: Judge) -> None:
    member = "version.workspace = true\nedition.workspace = true\n"
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nresolver = "2"\n'
        '[workspace.package]\nversion = "1.2.3"\nedition = "2021"\n'
        '[workspace.dependencies]\nitoa = { version = "1", default-features = false }\n',
        "crates/base/Cargo.toml": f'[package]\nname = "base"\n{member}'
        "[dependencies]\nitoa = { workspace = true }\n",
        "crates/base/src/lib.rs": "pub fn text(n: i32) -> String {\n"
        "    itoa::Buffer::new().format(n).to_string()\n}\n",
        "crates/top/Cargo.toml": f'[package]\nname = "top"\n{member}'
        '[dependencies]\nbase = { path = "../base" }\n',
        "crates/top/src/lib.rs": 'pub fn shout(n: i32) -> String {\n    base::text(n) + "!"\n}\n',
        "crates/top/tests/top.rs": "#[test]\nfn shouts() {\n"
        '    assert_eq!(top::shout(4), "4!");\n'
        '    assert!(std::fs::read_to_string("Cargo.toml").unwrap().contains("top"));\n}\n',
    }
    result = judge(files)
    assert (result.outcome, result.tests_total) == (Outcome.PASSED, 1), result.error


@needs_cargo
@pytest.mark.parametrize(
    "body",
    [
        "",
        'println!("test doubles ... ok\\n\\ntest result: ok. 1 passed; 0 failed");',
        'println!("{{\\"type\\":\\"test\\",\\"event\\":\\"ok\\",\\"name\\":\\"doubles\\"}}");',
    ],
)
def test_a_run_that_ends_early_does_not_pass_whatever_it_prints(judge: Judge, body: str) -> None:
    library = f"pub fn double(_: i32) -> i32 {{\n    {body}\n    std::process::exit(0)\n}}\n"
    result = judge(SEVEN["pass"] | {"src/lib.rs": library})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert "ended before the test did" in (result.error or "")


@needs_cargo
@pytest.mark.parametrize(
    ("dependency", "reason"),
    [
        ('x = { version = "1", registry = "elsewhere" }', "elsewhere"),
        ('x = { path = "../outside" }', "no package at"),
        ('itoa = "99"', "itoa"),
    ],
)
def test_dependencies_that_cannot_be_had_are_the_solutions_fault(
    judge: Judge, dependency: str, reason: str
) -> None:
    files = SEVEN["pass"] | {"Cargo.toml": f"{MANIFEST}[dependencies]\n{dependency}\n"}
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.INSTALL)
    assert reason in (result.error or "")


@needs_cargo
def test_a_claim_turned_round_fails_in_the_words_of_the_original(judge: Judge) -> None:
    claims = {
        "assert!(app::double(2) == 4);": "assertion failed: app::double(2) == 4",
        "assert!({ app::double(2) } == 4);": "assertion failed: { app::double(2) } == 4",
        'assert!(app::double(2) == 4, "{} {}", 1, "why");': "1 why",
        "assert_eq!(app::double(2), 2 + 2);":
            "assertion `left == right` failed\n  left: 4\n right: 4",
        'assert_eq!(app::double(2), 2 + 2, "why {}", 2);':
            "assertion `left == right` failed: why 2\n  left: 4\n right: 4",
        "assert_ne!(app::double(2), 2 + 3);":
            "assertion `left != right` failed\n  left: 4\n right: 5",
    }  # fmt: skip
    tests = "".join(f"#[test]\nfn t{n}() {{\n    {c}\n}}\n" for n, c in enumerate(claims))
    turned = [m for m in mutations_of(tests, "tests/app.rs") if m.kind == "sense"]
    assert len(turned) == len(claims)
    result = judge(SEVEN["pass"] | {"tests/app.rs": apply(tests, turned)})
    assert result.test_results, result.error
    said = {f.test_name: f for f in result.test_results.failures}
    for number, words in enumerate(claims.values()):
        failure = said[f"tests/app.rs::t{number}"]
        assert (failure.error_message, failure.line_number) == (words, 4 * number + 3)


@needs_cargo
def test_tests_of_one_folder_can_be_asked_for(judge: Judge) -> None:
    files = SEVEN["pass"] | {"tests/other.rs": passing("other")}
    result = judge(files, test_dir="tests/other.rs")
    assert (result.outcome, result.tests_total) == (Outcome.PASSED, 1), result.error


@needs_cargo
def test_a_samples_tests_have_their_own_needs_files_and_the_solutions_program(
    judge: Judge, make_sample: MakeSample
) -> None:
    reference = {
        "Cargo.toml": MANIFEST,
        "src/lib.rs": LIBRARY,
        "src/main.rs": 'fn main() {\n    print!("{}", app::double(21));\n}\n',
    }
    tests = {
        "Cargo.toml": f'{MANIFEST}[dependencies]\nitoa = "1"\n',
        "data/answer.txt": "42",
        "app.rs": "mod support;\n\n#[test]\nfn it_prints_the_answer() {\n"
        '    let program = env!("CARGO_BIN_EXE_expected");\n'
        "    let done = std::process::Command::new(program).output().unwrap();\n"
        "    let printed = String::from_utf8(done.stdout).unwrap();\n"
        '    assert_eq!(printed, std::fs::read_to_string("tests/data/answer.txt").unwrap());\n'
        "    assert_eq!(printed, support::text(expected::double(21)));\n}\n",
        "support/mod.rs": "pub fn text(n: i32) -> String {\n"
        "    itoa::Buffer::new().format(n).to_string()\n}\n",
    }
    sample = make_sample(reference, tests)
    renamed = MANIFEST.replace('"app"', '"other-app"')
    solution = reference | {
        "Cargo.toml": renamed,
        "src/main.rs": reference["src/main.rs"].replace("app::", "other_app::"),
    }
    assert judge(solution, sample).passed
    wrong = judge(solution | {"src/lib.rs": LIBRARY.replace("2 *", "3 *")}, sample)
    assert (wrong.outcome, wrong.fault) == (Outcome.FAILED, Fault.TEST), wrong.error


def test_detection_says_why_and_how_sure(tmp_path: Path) -> None:
    def surest(files: Files) -> tuple[str, float, list[str]]:
        root = tmp_path / str(len(list(tmp_path.iterdir())))
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text)
        found = TestRunnerRegistry.detect_all(root)[0]
        return found.runner, found.confidence, found.markers_found

    whole = surest(SEVEN["pass"])
    assert whole == ("rust", 0.9, ["Cargo.toml", "tests/app.rs"])
    assert surest({"src/main.rs": "fn main() {}\n"}) == ("rust", 0.1, ["src/main.rs"])
