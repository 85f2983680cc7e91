"""package.json as a stranger wrote it: names and versions are kept, other sources refused."""

import json
import re
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.core import tree
from sdkbench.test_harness.node.pnpm import PnpmWorkspace, read_workspace

MAX_BYTES = 2 * 1024 * 1024
MAX_MEMBERS = 200  # of one pattern of a workspace
MAX_SHOWN = 200  # characters of what is refused
SECTIONS = ("dependencies", "devDependencies", "optionalDependencies")
TOOL_SECTIONS = ("jest", "mocha", "babel", "vitest")
NAME = re.compile(r"^(@[a-z0-9~._-]+/)?[a-z0-9~._-]+$", re.IGNORECASE)
# A range, a tag, an alias of the registry or a sibling of the workspace; never a URL or a path.
SPEC = re.compile(r"^(?:npm:[^:/]*(?:/[^:/]*)?|workspace:[^:/]*|[^:/]*)$")
SIBLING = "workspace:"
VERSION = re.compile(r"^\d+\.\d+\.\d+[\w.+-]*$")
LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "bun.lock", "pnpm-lock.yaml", "yarn.lock")


class PackageJson(NamedTuple):
    """What matters of a manifest. `refused` holds a sentence for each thing we don't install,
    `refused_tools` one for each that a project's own tests are tried without.
    """

    dependencies: dict[str, str]
    dev_dependencies: dict[str, str]
    scripts: dict[str, str]
    is_module: bool  # "type": "module"
    workspaces: tuple[str, ...]
    overrides: dict[str, JsonValue]
    jest: bool  # has a "jest" section of its own
    refused: tuple[str, ...]
    name: str = ""
    version: str = ""
    sections: tuple[str, ...] = ()  # of tools that may be configured here
    node_range: str = ""  # the versions of Node that it is for
    refused_tools: tuple[str, ...] = ()

    @property
    def all_dependencies(self) -> dict[str, str]:
        return {**self.dev_dependencies, **self.dependencies}


EMPTY = PackageJson({}, {}, {}, False, (), {}, False, ())  # noqa: FBT003


def read_package_json(folder: Path, pnpm_root: Path | None = None) -> PackageJson | None:
    """The manifest in `folder`, or None where there is none. `pnpm_root` is the folder of the
    workspace that it is a member of.
    """
    path = folder / "package.json"
    if not tree.is_file(path):
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            return _refused(f"it is larger than {MAX_BYTES // 2**20} MiB")
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        return _refused(f"it is not JSON: {error.msg} at line {error.lineno}")
    except (OSError, ValueError, RecursionError) as error:
        return _refused(f"it cannot be read: {error}")
    if not isinstance(data, dict):
        return _refused(f"it must hold a JSON object, not {_kind(data)}")
    return _checked(data, read_workspace(pnpm_root or folder))


def _refused(reason: str) -> PackageJson:
    return EMPTY._replace(refused=(f"package.json: {reason}",))


def _checked(data: dict[str, JsonValue], pnpm: PnpmWorkspace) -> PackageJson:
    refused: list[str] = []
    tools: list[str] = []
    data = {
        **data,
        **{name: _with_catalogs(data.get(name), pnpm) for name in SECTIONS if name in data},
    }
    usual, development, optional = (
        _dependencies(data, name, tools if name == "devDependencies" else refused)
        for name in SECTIONS
    )
    overrides = data.get("overrides") or data.get("resolutions") or {}
    if not isinstance(overrides, dict) or not _all_specs(overrides):
        tools.append("package.json: overrides may name versions only")
        overrides = {}
    # npm installs what a package wants its users to have, unless it is optional.
    peers = {
        name: spec
        for name, spec in _dependencies(data, "peerDependencies", refused).items()
        if not _is_optional_peer(data, name)
    }
    scripts, workspaces = data.get("scripts"), data.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    patterns = workspaces if isinstance(workspaces, list) else list(pnpm.packages)
    scripts = scripts if isinstance(scripts, dict) else {}
    return PackageJson(
        dependencies={**optional, **usual},
        dev_dependencies={**peers, **development},
        scripts={name: text for name, text in scripts.items() if isinstance(text, str)},
        is_module=data.get("type") == "module",
        workspaces=tuple(pattern for pattern in patterns if isinstance(pattern, str)),
        overrides=overrides,
        jest=isinstance(data.get("jest"), dict),
        refused=tuple(refused),
        name=_label(data.get("name"), NAME),
        version=_label(data.get("version"), VERSION),
        sections=tuple(name for name in TOOL_SECTIONS if data.get(name)),
        node_range=_node_range(data.get("engines")),
        refused_tools=tuple(tools),
    )


def _with_catalogs(table: JsonValue, pnpm: PnpmWorkspace) -> JsonValue:
    """Dependencies with the versions that pnpm's catalogs have for them."""
    if not isinstance(table, dict):
        return table
    return {
        name: pnpm.version(name, spec) if isinstance(spec, str) else spec
        for name, spec in table.items()
    }


def _dependencies(data: dict[str, JsonValue], section: str, refused: list[str]) -> dict[str, str]:
    table = data.get(section)
    if table is None:
        return {}
    if not isinstance(table, dict):
        refused.append(f"package.json: {section} must be an object, not {_kind(table)}")
        return {}
    kept = {}
    for name, spec in table.items():
        if not NAME.match(name) or not isinstance(spec, str):
            refused.append(f"package.json: {section}: {name!r}: {spec!r} is not a package")
        elif not SPEC.match(spec):
            refused.append(
                f"package.json: {section}: {name}: {spec!r} is not of the registry; "
                "only versions of published packages are allowed"
            )
        else:
            kept[name] = spec
    return kept


def _is_optional_peer(data: dict[str, JsonValue], name: str) -> bool:
    table = data.get("peerDependenciesMeta")
    meta = table.get(name) if isinstance(table, dict) else None
    return isinstance(meta, dict) and meta.get("optional") is True


def _all_specs(overrides: dict[str, JsonValue], depth: int = 0) -> bool:
    return depth < 10 and all(  # noqa: PLR2004 - deeper than any real override
        _all_specs(value, depth + 1)
        if isinstance(value, dict)
        else isinstance(value, str) and SPEC.match(value.lstrip("$")) is not None
        for value in overrides.values()
    )


def _node_range(engines: JsonValue) -> str:
    wanted = engines.get("node") if isinstance(engines, dict) else None
    return wanted if isinstance(wanted, str) else ""


def _label(value: object, pattern: re.Pattern[str]) -> str:
    return value if isinstance(value, str) and pattern.match(value) else ""


def _kind(value: object) -> str:
    return {list: "an array", str: "a string", type(None): "null"}.get(type(value), "a number")


class Members(NamedTuple):
    """The packages of a workspace: their manifests by path, reduced to what was checked."""

    manifests: dict[str, str]
    versions: dict[str, str]  # by their names
    refused: tuple[str, ...]

    def installable(self, dependencies: dict[str, str]) -> dict[str, str]:
        """Members of the workspace by their versions, as every manager understands it. One that
        is not there, a submodule that was not fetched say, is left out.
        """
        return {
            name: self.versions[name] if spec.startswith(SIBLING) else spec
            for name, spec in dependencies.items()
            if name in self.versions or not spec.startswith(SIBLING)
        }


def read_members(solution: Path, patterns: tuple[str, ...]) -> Members:
    """The packages of a workspace that `patterns` name, none of them outside of `solution`."""
    packages, refused = member_packages(solution, patterns)
    members = Members({}, {p.name: p.version for p in packages.values()}, refused)
    for folder, package in packages.items():
        members.manifests[f"{folder}/package.json"] = json.dumps(
            {
                "name": package.name,
                "version": package.version,
                "dependencies": members.installable(package.dependencies),
                "devDependencies": members.installable(package.dev_dependencies),
            }
        )
    return members


def member_packages(
    solution: Path, patterns: tuple[str, ...]
) -> tuple[dict[str, PackageJson], tuple[str, ...]]:
    """The members by their folders, and what was refused in them."""
    packages: dict[str, PackageJson] = {}
    refused: list[str] = []
    plain = [pattern.removeprefix("./").rstrip("/") for pattern in patterns]
    for pattern, folders in tree.matching(solution, plain):
        if folders is None:
            refused.append(f"package.json: workspaces: {pattern[:MAX_SHOWN]!r} is no such pattern")
            continue
        for folder in folders[:MAX_MEMBERS]:
            package = read_package_json(folder, solution)
            if package is not None:
                name = folder.relative_to(solution).as_posix()
                sentences = (*package.refused, *package.refused_tools)
                refused += [f"{name}/package.json: {sentence}" for sentence in sentences]
                packages[name] = package._replace(
                    name=package.name or folder.name, version=package.version or "0.0.0"
                )
    return packages, tuple(refused)
