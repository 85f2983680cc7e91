"""A cargo project without its code: its own manifests, and an empty file for each crate."""

from sdkbench.test_harness.rust.own import own_skeleton
from tests.support.projects import ProjectFactory

MANIFEST = """\
[package]
name = "app"
version = "0.1.0"
build = "make.rs"
lints.workspace = true
[workspace]
members = ["member"]
[workspace.lints.rust]
missing_docs = "deny"
[lints.rust]
unsafe_code = "forbid"
[lib]
path = "source/all.rs"
[[bench]]
name = "fast"
path = "measured/fast.rs"
[dependencies]
x = { git = "https://example.invalid/x" }
"""


def test_each_crate_is_there_and_none_of_its_code(project: ProjectFactory) -> None:
    code = "compile_error!();\n"
    names = (
        "make.rs", "source/all.rs", "measured/fast.rs", "tests/it.rs", "tests/deep/main.rs",
        "src/bin/tool.rs", "examples/one.rs", "tests/deep/help.rs", "source/part.rs",
        "member/src/lib.rs",
    )  # fmt: skip
    root = project(dict.fromkeys(names, code) | {
        "Cargo.toml": MANIFEST,
        "member/Cargo.toml": '[package]\nname = "member"\n',
        ".cargo/config.toml": "[build]\n",
    })  # fmt: skip
    files = own_skeleton(root)
    assert "git" in files["Cargo.toml"]
    assert "missing_docs" not in files["Cargo.toml"]
    assert files["member/Cargo.toml"] == 'package = { name = "member" }\n'
    assert files[".cargo/config.toml"] == "[build]\n"
    stubs = {name: text for name, text in files.items() if name.endswith(".rs")}
    assert set(stubs) == {*names} - {"tests/deep/help.rs", "source/part.rs"}
    assert {name for name, text in stubs.items() if not text} == {
        "source/all.rs", "member/src/lib.rs",
    }  # fmt: skip


def test_a_manifest_that_is_none_is_left_for_cargo(project: ProjectFactory) -> None:
    assert own_skeleton(project({"Cargo.toml": "= ="})) == {"Cargo.toml": "= ="}
