"""Workspaces of packages: which members there are, and what of them can be installed."""

import json

import pytest

from sdkbench.core import Placement, Project
from sdkbench.test_harness.node.environment import absent_package, needs
from sdkbench.test_harness.node.manifest import read_members, read_package_json
from sdkbench.test_harness.node.pnpm import read_workspace
from sdkbench.test_harness.node.project import read
from tests.support.projects import ProjectFactory

WORKSPACE = """
packages:
  - packages/*   # all of them
  - '.'
  - "tools/one"
  - '!**/test/**'
catalog:
  react: ^18.3.1
  "@scope/x": '1.2.3'
catalogs:
  old:
    react: ^16.0.0
onlyBuiltDependencies:
  - esbuild
"""


def test_members_and_catalogs_of_pnpm_are_read(project: ProjectFactory) -> None:
    found = read_workspace(project({"pnpm-workspace.yaml": WORKSPACE}))
    assert found.packages == ("packages/*", "tools/one")
    assert found.catalogs == {
        "default": {"react": "^18.3.1", "@scope/x": "1.2.3"},
        "old": {"react": "^16.0.0"},
    }


def test_what_is_no_such_file_says_nothing(project: ProjectFactory) -> None:
    assert read_workspace(project({"pnpm-workspace.yaml": "- - :\n\t{[\n: :\n"})).packages == ()
    assert read_workspace(project({})).catalogs == {}


def test_members_are_installed_by_their_versions(project: ProjectFactory) -> None:
    dependencies = {"b": "workspace:^", "gone": "workspace:*", "react": "catalog:old"}
    root = project(
        {
            "pnpm-workspace.yaml": WORKSPACE,
            "package.json": json.dumps({"dependencies": {**dependencies, "@scope/x": "catalog:"}}),
            "packages/a/package.json": json.dumps({"name": "a", "devDependencies": dependencies}),
            "packages/b/package.json": '{"name": "b", "version": "2.0.0-beta.1"}',
        }
    )
    package = read_package_json(root)
    assert package is not None
    assert package.refused == ()
    members = read_members(root, package.workspaces)
    assert members.refused == ()
    assert members.installable(package.dependencies) == {
        "b": "2.0.0-beta.1", "react": "^16.0.0", "@scope/x": "1.2.3",
    }  # fmt: skip
    inner = json.loads(members.manifests["packages/a/package.json"])
    assert inner["devDependencies"] == {"b": "2.0.0-beta.1", "react": "^16.0.0"}


def test_a_version_that_no_catalog_has_is_refused(project: ProjectFactory) -> None:
    package = read_package_json(project({"package.json": '{"dependencies": {"a": "catalog:"}}'}))
    assert package is not None
    assert "not of the registry" in package.refused[0]


def test_what_users_are_to_have_is_installed_unless_it_is_optional(project: ProjectFactory) -> None:
    manifest = {
        "peerDependencies": {"react": ">=18", "vue": ">=3", "jest": ">=29"},
        "peerDependenciesMeta": {"vue": {"optional": True}},
        "devDependencies": {"jest": "30.2.0"},
    }
    package = read_package_json(project({"package.json": json.dumps(manifest)}))
    assert package is not None
    assert package.all_dependencies == {"react": ">=18", "jest": "30.2.0"}


@pytest.mark.parametrize(
    ("complaint", "name"),
    [
        ("npm error 404  The requested resource '@a/b@^1.4.1' could not be found", "@a/b"),
        ("npm error notarget No matching version found for one@99.0.0.", "one"),
        ("error: GET https://registry.test/@a/b/-/b-1.17.0.tgz - 404", "@a/b"),
        ("error: GET https://registry.test/npm/one/-/one-1.17.0.tgz - 404", "one"),
        ("error: GET https://registry.test/one/-/one-1.17.0.tgz - 503", ""),
        ("npm error code ECONNRESET", ""),
    ],
)
def test_a_package_that_the_registry_does_not_have_is_told(complaint: str, name: str) -> None:
    assert absent_package(complaint) == name


@pytest.mark.parametrize(
    "section",
    [
        {"overrides": {"a": {"b": "https://example.invalid/"}}},
        {"devDependencies": {"evil": "git+https://example.invalid/x.git"}},
    ],
    ids=["overrides", "tools"],
)
def test_what_is_not_of_the_registry_is_refused_to_a_solution_and_done_without_by_a_project(
    project: ProjectFactory, section: dict[str, object]
) -> None:
    folder = project({"package.json": json.dumps({"name": "x", **section}), "t.test.js": ""})
    solution = Placement(source=folder, target="expected")
    own = needs(read(Project(solution=solution)))
    assert (len(own.refused), len(own.without)) == (0, 1)
    tests = Placement(source=project({"a.test.js": ""}), target="tests", read_only=True)
    judged = needs(read(Project(solution=solution, trusted=(tests,), tests=("tests",))))
    assert (len(judged.refused), len(judged.without)) == (1, 0)
    for asked in (own, judged):
        assert "evil" not in asked.request.dependencies
        assert asked.request.overrides == {}
