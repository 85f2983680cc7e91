"""package.json as a stranger wrote it: names and versions are kept, other sources refused."""

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

MAX_BYTES = 2 * 1024 * 1024
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
    overrides: dict[str, Any]
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


def _checked(data: dict[str, Any]) -> PackageJson:
    refused: list[str] = []
    found: dict[str, dict[str, str]] = {}
    for section in SECTIONS:
        found[section] = _dependencies(data.get(section), section, refused)
    overrides = data.get("overrides") or data.get("resolutions") or {}
    if not isinstance(overrides, dict) or not _all_specs(overrides):
        refused.append("package.json: overrides may name versions only")
        overrides = {}
    scripts = data.get("scripts")
    workspaces = data.get("workspaces")
    if isinstance(workspaces, dict):
        workspaces = workspaces.get("packages")
    return PackageJson(
        dependencies={**found["optionalDependencies"], **found["dependencies"]},
        dev_dependencies=found["devDependencies"],
        scripts=_texts(scripts),
        is_module=data.get("type") == "module",
        workspaces=tuple(w for w in workspaces if isinstance(w, str))
        if isinstance(workspaces, list)
        else (),
        overrides=overrides,
        jest=isinstance(data.get("jest"), dict),
        refused=tuple(refused),
        name=_label(data.get("name"), NAME),
        version=_label(data.get("version"), VERSION),
    )


def _dependencies(table: object, section: str, refused: list[str]) -> dict[str, str]:
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


def _all_specs(overrides: dict[str, Any], depth: int = 0) -> bool:
    return depth < 10 and all(  # noqa: PLR2004 - deeper than any real override
        _all_specs(value, depth + 1)
        if isinstance(value, dict)
        else isinstance(value, str) and SPEC.match(value.lstrip("$")) is not None
        for value in overrides.values()
    )


def _label(value: object, pattern: re.Pattern[str]) -> str:
    return value if isinstance(value, str) and pattern.match(value) else ""


def _texts(table: object) -> dict[str, str]:
    if not isinstance(table, dict):
        return {}
    return {name: text for name, text in table.items() if isinstance(text, str)}


def _refused(reason: str) -> PackageJson:
    return EMPTY._replace(refused=(f"package.json: {reason}",))


def _kind(value: object) -> str:
    return {list: "an array", str: "a string", type(None): "null"}.get(type(value), "a number")
