"""The Cargo manifests that we write, around what was read of a stranger's."""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sdkbench.test_harness.rust.manifest import Dependencies, Package, Table

# Quick to compile and link; a panic tells its place without debug information.
PROFILE = {"dev": {"debug": 0, "incremental": False}, "test": {"debug": 0, "incremental": False}}
# An `extern` block, though it holds nothing, names files for the linker: any machine code. If it
# says that it is unsafe, it falls under the first lint; if it does not, under the second.
UNSAFE = ("unsafe_code", "missing_unsafe_on_extern")
NO_OTHER_TARGETS = {"autotests": False, "autoexamples": False, "autobenches": False}


def workspace_manifest(
    members: Sequence[str], resolver: str, profile: Mapping[str, Any] | None = None
) -> str:
    workspace = {"members": list(members), "resolver": resolver or "2"}
    return toml_document({"workspace": workspace, "profile": profile or PROFILE})


def judged_manifest(package: Package, *, has_library: bool = True) -> str:
    """A solution's package as we build it: its library and programs, and nothing that runs while
    building. Only safe Rust: what shares a process with its tests must not reach into memory.
    """

    def section(table: Dependencies) -> Dependencies:
        return _moved(table, lambda path: os.path.relpath(path, package.folder))

    return _package_manifest(
        package,
        {"build": False, **NO_OTHER_TARGETS},
        {
            "lib": {**package.lib, "test": False, "doctest": False, "bench": False}
            if has_library
            else {},
            "bin": [{**target, "test": False, "bench": False} for target in package.bins],
            "features": package.features,
            "dependencies": section(package.dependencies),
            "target": {
                platform: {"dependencies": section(sections["dependencies"])}
                for platform, sections in package.targets.items()
            },
            "lints": {"rust": dict.fromkeys(UNSAFE, "forbid")},
        },
    )


def tests_manifest(dependencies: Dependencies, tests: Mapping[str, str], edition: str) -> str:
    """A package that holds a sample's tests: name of each test target → its file."""
    package = {"name": "sdkbench-tests", "version": "0.0.0", "edition": edition, "build": False}
    return toml_document(
        {
            "package": {**package, **NO_OTHER_TARGETS},
            "test": [{"name": name, "path": path} for name, path in tests.items()],
            "dependencies": dependencies,
        }
    )


def skeleton(
    packages: Sequence[Package], resolver: str, profile: Mapping[str, Any]
) -> dict[str, str]:
    """Files of a project with the same dependencies and no code, for compiling them ahead."""
    folders = {package.folder: f"p{number}" for number, package in enumerate(packages)}
    files = {"Cargo.toml": workspace_manifest(list(folders.values()), resolver, profile)}
    for package in packages:
        home = folders[package.folder]
        files[f"{home}/src/lib.rs"] = ""
        scripted = bool(package.build_dependencies) or any(
            sections["build-dependencies"] for sections in package.targets.values()
        )
        if scripted:
            files[f"{home}/build.rs"] = "fn main() {}\n"
        files[f"{home}/Cargo.toml"] = _skeleton_manifest(package, folders, scripted=scripted)
    return files


def _skeleton_manifest(package: Package, folders: Mapping[str, str], *, scripted: bool) -> str:
    def section(table: Dependencies) -> Dependencies:
        return _moved(table, lambda path: f"../{folders[path]}")

    return _package_manifest(
        package,
        {"build": "build.rs" if scripted else False},
        {
            "lib": {"proc-macro": True} if package.is_macro else {},
            "features": package.features,
            "dependencies": section(package.dependencies),
            "dev-dependencies": section(package.dev_dependencies),
            "build-dependencies": section(package.build_dependencies),
            "target": {
                platform: {name: section(table) for name, table in sections.items() if table}
                for platform, sections in package.targets.items()
            },
        },
    )


def _package_manifest(package: Package, settings: Table, tables: Table) -> str:
    name = {"name": package.name, "version": package.version, "edition": package.edition}
    whole = {"package": {**name, **settings}, **tables}
    return toml_document({name: table for name, table in whole.items() if table})


def _moved(table: Dependencies, place: Callable[[str], str]) -> Dependencies:
    """The same dependencies, those with a path where `place` says it is."""
    return {
        name: {**spec, "path": place(spec["path"])} if "path" in spec else spec
        for name, spec in table.items()
    }


def toml_document(tables: Mapping[str, Any]) -> str:
    """One line for each key at the top; tables below it are written inline."""
    return "".join(f"{_key(name)} = {toml_value(value)}\n" for name, value in tables.items())


def toml_value(value: object) -> str:
    """Raises TypeError for what TOML cannot hold."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    if isinstance(value, Mapping):
        pairs = [f"{_key(name)} = {toml_value(item)}" for name, item in value.items()]
        return f"{{ {', '.join(pairs)} }}" if pairs else "{}"
    raise TypeError(f"TOML has no {type(value).__name__}")


def _key(name: str) -> str:
    return name if name.isascii() and name.replace("-", "_").isidentifier() else _text(name)


def _text(value: str) -> str:
    # JSON's strings are TOML's, but for one control character that JSON leaves as it is.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
