"""Seven small Rust projects, one for each thing that can become of a test run."""

MANIFEST = '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
LIBRARY = "pub fn double(n: i32) -> i32 {\n    2 * n\n}\n"


def _project(test: str, library: str = LIBRARY) -> dict[str, str]:
    return {"Cargo.toml": MANIFEST, "src/lib.rs": library, "tests/app.rs": test}


SEVEN: dict[str, dict[str, str]] = {
    "pass": _project("#[test]\nfn doubles() {\n    assert_eq!(app::double(2), 4);\n}\n"),
    "fail": _project("#[test]\nfn doubles() {\n    assert_eq!(app::double(2), 5);\n}\n"),
    "skip": _project('#[test]\n#[ignore = "later"]\nfn doubles() {\n    panic!();\n}\n'),
    "compile_error": _project(
        "#[test]\nfn doubles() {\n    assert_eq!(app::double(2), 4);\n}\n",
        library='pub fn double(n: i32) -> i32 {\n    "not a number"\n}\n',
    ),
    "panic": _project(
        "#[test]\nfn doubles() {\n    app::double(2);\n}\n",
        library='pub fn double(n: i32) -> i32 {\n    panic!("cannot double {n}")\n}\n',
    ),
    "endless": _project(
        "#[test]\nfn doubles() {\n    app::double(2);\n}\n",
        library="pub fn double(n: i32) -> i32 {\n    while n > 0 {}\n    n\n}\n",
    ),
    "zero_tests": _project("pub fn nothing() {}\n"),
}
