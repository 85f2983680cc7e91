"""Cargo projects as strangers bring them: judged as `cargo test` would judge them."""

from sdkbench.core import Fault, Outcome
from tests.support.projects import Judge
from tests.support.seven.rust import LIBRARY, MANIFEST, SEVEN
from tests.support.toolchains import needs

pytestmark = needs("rust")

FAILING = "#[test]\nfn fails() {\n    panic!();\n}\n"


def test_below_a_package_at_the_root_other_members_are_not_tested(judge: Judge) -> None:
    member = MANIFEST.replace('"app"', '"other"')
    files = SEVEN["pass"] | {
        "Cargo.toml": f'{MANIFEST}[workspace]\nmembers = ["other"]\n',
        "other/Cargo.toml": member,
        "other/src/lib.rs": FAILING,
    }
    result = judge(files)
    assert (result.outcome, result.failed_tests, result.error) == (Outcome.PASSED, [], None)


def test_documentation_is_tested_wherever_it_is_written(judge: Judge) -> None:
    readme = "# Double\n\n```\nassert_eq!(app::double(2), 4);\n```\n"
    library = '#![doc = include_str!("../README.md")]\n'
    library += f"/** As said:\n```\nassert_eq!(app::double(3), 6);\n```\n*/\n{LIBRARY}"
    result = judge(SEVEN["pass"] | {"README.md": readme, "src/lib.rs": library})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)
    assert result.test_results
    assert len([name for name in result.test_results.cases if name.startswith("doc: ")]) == 2


def test_manifests_are_taken_as_they_are(judge: Judge) -> None:
    manifest = (
        f'{MANIFEST}[features]\ndefault = ["four"]\nfour = []\n'
        '[lints.rust]\nmissing_docs = "deny"\n'
        '[dependencies]\nitoa = "1"\n[dev-dependencies]\nhelp = { path = "help" }\n'
        '[patch.crates-io]\nitoa = { path = "itoa" }\n'
        '[[test]]\nname = "odd"\npath = "checks/odd.rs"\n'
    )
    odd = '//! Odd.\n#[cfg(feature = "four")]\n#[test]\nfn odd() {\n'
    odd += "    assert_eq!(help::four(), itoa::four());\n}\n"
    files = {
        "Cargo.toml": manifest,
        "src/lib.rs": f"//! Doubles.\n/// It doubles.\n{LIBRARY}",
        "checks/odd.rs": odd,
        "help/Cargo.toml": MANIFEST.replace('"app"', '"help"'),
        "help/src/lib.rs": "pub fn four() -> i32 {\n    4\n}\n",
        "itoa/Cargo.toml": MANIFEST.replace('"app"', '"itoa"').replace('"0.1.0"', '"1.99.0"'),
        "itoa/src/lib.rs": "pub fn four() -> i32 {\n    4\n}\n",
    }
    result = judge(files)
    assert (result.outcome, result.tests_passed, result.error) == (Outcome.PASSED, 1, None)


def test_tests_may_call_cargo_and_know_their_package(judge: Judge) -> None:
    test = (
        "#[test]\nfn it() {\n"
        '    assert_eq!(std::env::var("CARGO_PKG_NAME").unwrap(), "app");\n'
        '    let cargo = std::env::var("CARGO").unwrap();\n'
        '    let words = ["check", "--offline"];\n'
        "    let done = std::process::Command::new(cargo).args(words).status().unwrap();\n"
        "    assert!(done.success());\n}\n"
    )
    result = judge(SEVEN["pass"] | {"tests/app.rs": test})
    assert (result.outcome, result.error) == (Outcome.PASSED, None)


def test_a_build_script_runs_and_its_complaint_is_told_without_warnings(judge: Judge) -> None:
    script = 'fn main() {\n    let unused = 1;\n    println!("cargo::rustc-env=FOUR=4");\n}\n'
    test = '#[test]\nfn it() {\n    assert_eq!(env!("FOUR"), "4");\n}\n'
    files = SEVEN["pass"] | {"build.rs": script, "tests/app.rs": test}
    assert judge(files).outcome is Outcome.PASSED
    broken = script.replace("println!", 'panic!("no luck");\n    #[allow(unused)] println!')
    result = judge(files | {"build.rs": broken})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert (result.error or "").startswith("The build failed: error: failed to run custom build")
    assert "no luck" in (result.error or "")


def test_a_program_that_the_build_lacks_is_a_missing_tool(judge: Judge) -> None:
    words = "Could not find `protoc` installation and this build cannot go on"
    script = f'fn main() {{\n    panic!("{words}");\n}}\n'
    result = judge(SEVEN["pass"] | {"build.rs": script})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "needs protoc" in (result.error or "")


def test_a_newer_rust_than_there_is_is_a_missing_tool(judge: Judge) -> None:
    newer = MANIFEST.replace('edition = "2021"', 'edition = "2021"\nrust-version = "1.999"')
    result = judge(SEVEN["pass"] | {"Cargo.toml": newer})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "1.999" in (result.error or "")


def test_a_panic_is_placed_in_the_project(judge: Judge) -> None:
    library = "pub fn double(n: i32) -> i32 {\n    let none: Option<i32> = None;\n"
    library += "    n * none.unwrap()\n}\n"
    result = judge(SEVEN["pass"] | {"src/lib.rs": library})
    assert result.test_results
    [failure, *_] = result.test_results.failures
    assert (failure.file_path, failure.line_number) == ("src/lib.rs", 3)
