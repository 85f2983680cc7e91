"""Reading Cargo.toml, and the manifests of ours that come of it."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdkbench.test_harness.rust import our_manifests
from sdkbench.test_harness.rust.manifest import Manifests, Package, read_manifests
from sdkbench.test_harness.rust.our_manifests import toml_document, toml_value
from tests.support.projects import ProjectFactory

PACKAGE = '[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n'


def read(project: ProjectFactory, files: dict[str, str]) -> Manifests:
    found = read_manifests(project(files))
    assert found is not None
    return found


def test_no_manifest_is_none(project: ProjectFactory) -> None:
    assert read_manifests(project({"src/lib.rs": ""})) is None


def test_dependencies_are_kept_with_what_matters(project: ProjectFactory) -> None:
    text = (
        f'{PACKAGE}[dependencies]\nserde = "1"\n'
        'json = { package = "serde_json", version = "1", default-features = false,'
        ' features = ["std"] }\n'
        '[dev-dependencies]\ntempfile = "=3.1.0"\n'
        "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n"
    )
    found = read(project, {"Cargo.toml": text})
    (package,) = found.packages
    assert (found.refused, found.resolver, package.edition) == ((), "2", "2021")
    assert package.dependencies == {
        "serde": {"version": "1"},
        "json": {
            "package": "serde_json",
            "version": "1",
            "default-features": False,
            "features": ["std"],
        },
    }
    assert package.dev_dependencies == {"tempfile": {"version": "=3.1.0"}}
    assert package.targets["cfg(unix)"]["dependencies"] == {"libc": {"version": "0.2"}}


def test_a_workspace_hands_down_its_settings(project: ProjectFactory) -> None:
    files = {
        "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\nexclude = ["crates/old"]\n'
        'resolver = "2"\n[workspace.package]\nedition = "2024"\nversion = "2.0.0"\n'
        "[workspace.dependencies]\n"
        'serde = { version = "1", features = ["std"] }\nb = { path = "crates/b" }\n',
        "crates/a/Cargo.toml": '[package]\nname = "a"\nedition.workspace = true\n'
        "version.workspace = true\n[dependencies]\nb.workspace = true\n"
        'serde = { workspace = true, features = ["derive"] }\n',
        "crates/b/Cargo.toml": '[package]\nname = "b"\n',
        "crates/old/Cargo.toml": '[package]\nname = "old"\n',
    }
    found = read(project, files)
    assert [package.folder for package in found.packages] == ["crates/a", "crates/b"]
    first, second = found.packages
    assert (first.edition, first.version, second.edition) == ("2024", "2.0.0", "2015")
    assert first.dependencies["serde"]["features"] == ["std", "derive"]
    assert first.dependencies["b"]["path"] == "crates/b"


def test_packages_that_a_path_leads_to_belong_to_the_project(project: ProjectFactory) -> None:
    files = {
        "Cargo.toml": f'{PACKAGE}[dependencies]\nhelper = {{ path = "helper" }}\n',
        "helper/Cargo.toml": '[package]\nname = "helper"\n[lib]\nproc-macro = true\n',
        "helper/build.rs": "fn main() {}",
    }
    helper = read(project, files).packages[1]
    assert (helper.folder, helper.is_macro, helper.has_build_script) == ("helper", True, True)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[package\n", "not TOML"),
        ("[dependencies]\n", "neither [package] nor members"),
        ('[package]\nname = "../x"\n', "no name for a package"),
        (
            f'{PACKAGE}[dependencies]\nx = {{ git = "https://example.org" }}\n',
            "not of the registry",
        ),
        (
            f'{PACKAGE}[dependencies]\nx = {{ version = "1", registry = "r" }}\n',
            "not of the registry",
        ),
        (f'{PACKAGE}[dependencies]\nx = {{ path = "../.." }}\n', "no package at"),
        (f'{PACKAGE}[dependencies]\nx = "1; rm"\n', "is not a version"),
        (f"{PACKAGE}[dependencies]\nx = 3\n", "is not a version"),
        (f'{PACKAGE}[patch.crates-io]\nserde = {{ path = "s" }}\n', "[patch]"),
        ('[workspace]\nmembers = ["../other"]\n', "outside of the project"),
    ],
)
def test_what_we_do_not_build_is_refused_with_a_reason(
    project: ProjectFactory, text: str, reason: str
) -> None:
    found = read(project, {"Cargo.toml": text})
    assert any(reason in sentence for sentence in found.refused), found.refused


def test_a_solution_is_built_without_build_script_and_unsafe_code(project: ProjectFactory) -> None:
    text = (
        f'{PACKAGE}build = "build.rs"\n[lints.rust]\nunsafe_code = "allow"\n'
        "[lib]\nharness = false\n"
    )
    (package,) = read(project, {"Cargo.toml": text, "build.rs": ""}).packages
    ours = tomllib.loads(our_manifests.judged_manifest(package))
    assert ours["package"]["build"] is False
    assert ours["lints"] == {
        "rust": {"unsafe_code": "forbid", "missing_unsafe_on_extern": "forbid"}
    }
    assert "harness" not in ours["lib"]
    assert ours["lib"]["test"] is False


def test_odd_values_are_left_out_of_what_we_write(project: ProjectFactory) -> None:
    text = (
        f'{PACKAGE}[dependencies]\nx = {{ version = "1", optional = 1979-05-27, features = [1] }}\n'
        "[profile.dev]\nopt-level = 1\ndebug = 1979-05-27\n"
    )
    found = read(project, {"Cargo.toml": text})
    assert found.packages[0].dependencies == {"x": {"version": "1"}}
    assert found.profile == {"dev": {"opt-level": 1}}


def test_a_skeleton_has_all_dependencies_and_no_code() -> None:
    packages = [
        Package(
            folder=".",
            name="a",
            dependencies={"b": {"path": "sub/b"}},
            build_dependencies={"cc": {"version": "1"}},
        ),
        Package(folder="sub/b", name="b", is_macro=True),
    ]
    files = our_manifests.skeleton(packages, "2", {})
    first = tomllib.loads(files["p0/Cargo.toml"])
    assert first["dependencies"] == {"b": {"path": "../p1"}}
    assert first["build-dependencies"] == {"cc": {"version": "1"}}
    assert files["p0/build.rs"] == "fn main() {}\n"
    assert tomllib.loads(files["p1/Cargo.toml"])["lib"] == {"proc-macro": True}
    assert tomllib.loads(files["Cargo.toml"])["workspace"]["members"] == ["p0", "p1"]


def test_test_targets_point_to_the_samples_files() -> None:
    text = our_manifests.tests_manifest({"x": {"version": "1"}}, {"t_0": "../tests/app.rs"}, "2024")
    ours = tomllib.loads(text)
    assert ours["test"] == [{"name": "t_0", "path": "../tests/app.rs"}]
    assert ours["package"]["edition"] == "2024"


_VALUES = st.recursive(
    st.booleans() | st.integers(-(2**62), 2**62) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(st.text(), _VALUES, max_size=4))
def test_what_is_written_as_toml_reads_the_same(tables: dict[str, Any]) -> None:
    assert tomllib.loads(toml_document(tables)) == tables


def test_toml_has_no_null() -> None:
    with pytest.raises(TypeError):
        toml_value(None)
