"""package.json as a stranger wrote it: names and versions are kept, other sources refused."""

import json
import re
from pathlib import Path
from typing import NamedTuple

from pydantic import JsonValue

MAX_BYTES = 2 * 1024 * 1024
MAX_MEMBERS = 200  # of one pattern of a workspace
SECTIONS = ("dependencies", "devDependencies", "optionalDependencies")
NAME = re.compile(r"^(@[a-z0-9~._-]+/)?[a-z0-9~._-]+$", re.IGNORECASE)
# A range, a tag, an alias of the registry or a sibling of the workspace; never a URL or a path.
SPEC = re.compile(r"^(?:npm:[^:/]*(?:/[^:/]*)?|workspace:[^:/]*|[^:/]*)$")
VERSION = re.compile(r"^\d+\.\d+\.\d+[\w.+-]*$")
LOCKS = ("package-lock.json", "npm-shrinkwrap.json", "bun.lock", "pnpm-lock.yaml", "yarn.lock")


class PackageJson(NamedTuple):
    """What matters of a manifest. `refused` holds a sentence for each thing we don't install."""

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

    @property
    def all_dependencies(self) -> dict[str, str]:
        return {**self.dev_dependencies, **self.dependencies}


EMPTY = PackageJson({}, {}, {}, False, (), {}, False, ())  # noqa: FBT003


def read_package_json(folder: Path) -> PackageJson | None:
    """The manifest in `folder`, or None where there is none."""
    path = folder / "package.json"
    if not path.is_file():
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
    return _checked(data)


def _refused(reason: str) -> PackageJson:
    return EMPTY._replace(refused=(f"package.json: {reason}",))


def _checked(data: dict[str, JsonValue]) -> PackageJson:
    refused: list[str] = []
    usual, development, optional = (_dependencies(data, name, refused) for name in SECTIONS)
    overrides = data.get("overrides") or data.get("resolutions") or {}
    if not isinstance(overrides, dict) or not _all_specs(overrides):
        refused.append("package.json: overrides may name versions only")
        overrides = {}
    scripts, workspaces = data.get("scripts"), data.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    patterns = workspaces if isinstance(workspaces, list) else []
    scripts = scripts if isinstance(scripts, dict) else {}
    return PackageJson(
        dependencies={**optional, **usual},
        dev_dependencies=development,
        scripts={name: text for name, text in scripts.items() if isinstance(text, str)},
        is_module=data.get("type") == "module",
        workspaces=tuple(pattern for pattern in patterns if isinstance(pattern, str)),
        overrides=overrides,
        jest=isinstance(data.get("jest"), dict),
        refused=tuple(refused),
        name=_label(data.get("name"), NAME),
        version=_label(data.get("version"), VERSION),
    )


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


def _all_specs(overrides: dict[str, JsonValue], depth: int = 0) -> bool:
    return depth < 10 and all(  # noqa: PLR2004 - deeper than any real override
        _all_specs(value, depth + 1)
        if isinstance(value, dict)
        else isinstance(value, str) and SPEC.match(value.lstrip("$")) is not None
        for value in overrides.values()
    )


def _label(value: object, pattern: re.Pattern[str]) -> str:
    return value if isinstance(value, str) and pattern.match(value) else ""


def _kind(value: object) -> str:
    return {list: "an array", str: "a string", type(None): "null"}.get(type(value), "a number")


def read_members(
    solution: Path, patterns: tuple[str, ...]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """The packages of a workspace that `patterns` name, none of them outside of `solution`: their
    manifests by path, reduced to what was checked, and what was refused.
    """
    manifests: dict[str, str] = {}
    refused: list[str] = []
    for pattern in patterns:
        try:
            folders = sorted(solution.glob(pattern.removeprefix("./").rstrip("/")))
        except (ValueError, NotImplementedError) as error:
            refused.append(f"package.json: workspaces: {pattern!r}: {error}")
            continue
        for folder in folders[:MAX_MEMBERS]:
            inside = folder.is_dir() and folder.resolve().is_relative_to(solution.resolve())
            package = read_package_json(folder) if inside else None
            if package is not None:
                name = (folder.relative_to(solution) / "package.json").as_posix()
                refused += [f"{name}: {sentence}" for sentence in package.refused]
                manifests[name] = json.dumps(
                    {
                        "name": package.name or folder.name,
                        "version": package.version or "0.0.0",
                        "dependencies": package.dependencies,
                        "devDependencies": package.dev_dependencies,
                    }
                )
    return manifests, tuple(refused)
