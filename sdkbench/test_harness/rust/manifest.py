"""Cargo.toml as a stranger wrote it: published crates and own folders stay, others are refused."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sdkbench.core import tree

MAX_BYTES = 2 * 1024 * 1024
MAX_PACKAGES = 200
MAX_LINE = 10_000  # characters; a key of dots without end takes their square of time to read
MAX_DEPTH = 8  # of tables in a profile; cargo knows three
MAX_SHOWN = 200  # characters of what is refused
NAME = re.compile(r"^[A-Za-z0-9_][A-Za-z0-9_-]*$")
RANGE = re.compile(r"^[0-9A-Za-z.*^~=<>,+ -]*$")
VERSION = re.compile(r"^\d+\.\d+\.\d+[0-9A-Za-z.+-]*$")
SECTIONS = ("dependencies", "dev-dependencies", "build-dependencies")
KEPT = {
    "version": str,
    "features": list,
    "default-features": bool,
    "optional": bool,
    "package": str,
}
ELSEWHERE = ("git", "registry", "registry-index", "branch", "tag", "rev", "artifact")

Table = Mapping[str, Any]
Dependencies = Mapping[str, dict[str, Any]]  # name → version, features, path and so on
EMPTY: MappingProxyType[str, Any] = MappingProxyType({})


class Package(NamedTuple):
    """One package. A dependency's `path`, if it has one, is relative to the project's root."""

    folder: str  # below the project; "." at its root
    name: str
    version: str = "0.0.0"
    edition: str = "2015"  # what cargo assumes where none is named
    dependencies: Dependencies = EMPTY
    dev_dependencies: Dependencies = EMPTY
    build_dependencies: Dependencies = EMPTY
    targets: Mapping[str, dict[str, dict[str, dict[str, Any]]]] = EMPTY  # for some platforms only
    features: Mapping[str, list[str]] = EMPTY
    lib: Table = EMPTY
    bins: tuple[Table, ...] = ()
    unharnessed: tuple[str, ...] = ()  # test targets with a main of their own
    is_macro: bool = False  # runs inside the compiler
    has_build_script: bool = False


class Manifests(NamedTuple):
    """A project's packages. `refused` holds a sentence for each thing we don't build."""

    packages: tuple[Package, ...] = ()
    profile: Table = EMPTY
    resolver: str = ""
    lock: str = ""
    refused: tuple[str, ...] = ()


def read_manifests(root: Path, *, own: bool = False) -> Manifests | None:
    """All manifests that belong to the one in `root`; None where there is none. Of a project that
    is judged on its `own` tests, cargo itself decides what can be had.
    """
    if not (root / "Cargo.toml").is_file():
        return None
    return _Reader(root, own=own).read()


class _Refused(Exception):
    """A sentence on what cannot be taken as it stands."""


class _Reader:
    def __init__(self, root: Path, *, own: bool) -> None:
        self._root = root.resolve()
        self._own = own
        self._refused: list[str] = []
        self._shared: Table = EMPTY  # [workspace]

    def read(self) -> Manifests:
        try:
            top = self._load(".")
        except _Refused as reason:
            return Manifests(refused=(str(reason),))
        self._shared = _table(top.get("workspace"))
        for section in ("patch", "replace"):
            if top.get(section) and not self._own:
                self._refused.append(f"Cargo.toml: [{section}] puts other code in a crate's place")
        packages = self._packages(top)
        if not packages and not self._refused:
            self._refused.append("Cargo.toml: it has neither [package] nor members")
        return Manifests(
            packages=tuple(packages),
            profile=_simple(_table(top.get("profile"))),
            resolver=_resolver(top),
            lock=_read_text(self._root / "Cargo.lock"),
            refused=tuple(self._refused),
        )

    def _packages(self, top: Table) -> list[Package]:
        waiting = ["."] if "package" in top else []
        waiting += self._members()
        packages: dict[str, Package] = {}
        while waiting:
            folder = waiting.pop(0)
            if folder in packages:
                continue
            if len(packages) == MAX_PACKAGES:
                self._refused.append(f"Cargo.toml: more than {MAX_PACKAGES} packages")
                break
            try:
                packages[folder] = self._package(folder, self._load(folder))
            except _Refused as reason:
                self._refused.append(str(reason))
                continue
            waiting += [d["path"] for d in every_dependency(packages[folder]) if "path" in d]
        return list(packages.values())

    def _members(self) -> list[str]:
        excluded = set(_texts(self._shared.get("exclude")))
        members = []
        patterns = [p for p in _texts(self._shared.get("members")) if p not in {"", "."}]
        for pattern, folders in tree.matching(self._root, patterns):
            if folders is None:
                shown = pattern[:MAX_SHOWN]
                self._refused.append(f"Cargo.toml: member {shown!r} is outside of the project")
                continue
            names = [f.relative_to(self._root).as_posix() for f in folders]
            members += [n for n in names if tree.is_file(self._root / n / "Cargo.toml")]
        return [name for name in members if name not in excluded]

    def _load(self, folder: str) -> dict[str, Any]:
        path = self._root / folder / "Cargo.toml"
        name = path.relative_to(self._root).as_posix() if folder != "." else "Cargo.toml"
        try:
            if path.stat().st_size > MAX_BYTES:
                raise _Refused(f"{name}: it is larger than {MAX_BYTES // 2**20} MiB")
            text = path.read_text(encoding="utf-8-sig")
            if max(map(len, text.splitlines()), default=0) > MAX_LINE:
                raise _Refused(f"{name}: a line of more than {MAX_LINE:,} characters")
            return tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise _Refused(f"{name}: it is not TOML: {error}") from error
        except (OSError, ValueError, RecursionError) as error:
            raise _Refused(f"{name}: it cannot be read: {error}") from error

    def _package(self, folder: str, data: Table) -> Package:
        where = "Cargo.toml" if folder == "." else f"{folder}/Cargo.toml"
        package, lib = _table(data.get("package")), _table(data.get("lib"))
        name = package.get("name")
        if not isinstance(name, str) or not NAME.match(name):
            raise _Refused(f"{where}: {name!r} is no name for a package")
        bins = data.get("bin")
        script = package.get("build", (self._root / folder / "build.rs").is_file())
        return Package(
            folder=folder,
            name=name,
            version=self._inherited(package, "version", VERSION) or "0.0.0",
            edition=self._inherited(package, "edition", re.compile(r"^20\d\d$")) or "2015",
            dependencies=self._dependencies(data, "dependencies", folder),
            dev_dependencies=self._dependencies(data, "dev-dependencies", folder),
            build_dependencies=self._dependencies(data, "build-dependencies", folder),
            targets={
                platform: {s: self._dependencies(_table(tables), s, folder) for s in SECTIONS}
                for platform, tables in _table(data.get("target")).items()
            },
            features={k: _texts(v) for k, v in _table(data.get("features")).items()},
            lib={k: lib[k] for k in ("name", "path") if isinstance(lib.get(k), str)},
            bins=tuple(_bin(b) for b in bins if isinstance(b, dict))
            if isinstance(bins, list)
            else (),
            unharnessed=tuple(_unharnessed(data, name)),
            is_macro=lib.get("proc-macro", lib.get("proc_macro")) is True,
            has_build_script=script is not None and script is not False,
        )

    def _inherited(self, package: Table, key: str, shape: re.Pattern[str]) -> str | None:
        value = package.get(key)
        if isinstance(value, dict) and value.get("workspace") is True:
            value = _table(self._shared.get("package")).get(key)
        return value if isinstance(value, str) and shape.match(value) else None

    def _dependencies(self, data: Table, section: str, folder: str) -> dict[str, dict[str, Any]]:
        kept = {}
        for name, spec in _table(data.get(section, data.get(section.replace("-", "_")))).items():
            try:
                kept[name] = self._dependency(name, spec, folder)
            except _Refused as reason:
                self._refused.append(f"Cargo.toml: {section}: {reason}")
        return kept

    def _dependency(self, name: str, spec: object, folder: str) -> dict[str, Any]:
        if not isinstance(spec, str | dict):
            raise _Refused(f"{name}: {spec!r} is not a version")
        whole = {"version": spec} if isinstance(spec, str) else dict(spec)
        home = folder
        if whole.pop("workspace", False) is True:
            base = _table(self._shared.get("dependencies")).get(name)
            shared = {"version": base} if isinstance(base, str) else dict(_table(base))
            features = [*_texts(shared.get("features")), *_texts(whole.get("features"))]
            whole = {**shared, **whole, **({"features": features} if features else {})}
            home = "."
        package = whole.get("package", name)
        if not NAME.match(name) or not isinstance(package, str) or not NAME.match(package):
            raise _Refused(f"{name!r} is not a crate")
        other = next((key for key in ELSEWHERE if key in whole), None)
        if other is not None and not self._own:
            raise _Refused(f"{name}: {other} = {whole[other]!r} is not of the registry; "
                           "only versions of published crates are allowed")  # fmt: skip
        version = whole.get("version", "*")
        if not isinstance(version, str) or not RANGE.match(version):
            raise _Refused(f"{name}: {version!r} is not a version")
        if "default_features" in whole:
            whole["default-features"] = whole["default_features"]
        kept = {key: whole[key] for key in KEPT if _fits(key, whole.get(key))}
        if "path" in whole:
            return {**kept, "path": self._inside(name, whole["path"], home)}
        return {**kept, "version": version}

    def _inside(self, name: str, path: object, home: str) -> str:
        if isinstance(path, str):
            folder = self._root / home / path
            if tree.is_below(folder, self._root) and tree.is_file(folder / "Cargo.toml"):
                return folder.resolve().relative_to(self._root).as_posix()
        raise _Refused(f"{name}: there is no package at {path!r} in the project")


def every_dependency(package: Package) -> Iterator[dict[str, Any]]:
    """Of all sections and platforms."""
    for table in (package.dependencies, package.dev_dependencies, package.build_dependencies):
        yield from table.values()
    for sections in package.targets.values():
        for table in sections.values():
            yield from table.values()


def _unharnessed(data: Table, package: str) -> Iterator[str]:
    lib = _table(data.get("lib"))
    if lib.get("harness") is False:
        yield str(lib.get("name", package.replace("-", "_")))
    for section in ("bin", "test"):
        entries = data.get(section)
        for entry in entries if isinstance(entries, list) else []:
            if isinstance(entry, dict) and entry.get("harness") is False:
                yield str(entry.get("name"))


def _bin(entry: Table) -> dict[str, Any]:
    kept = {key: entry[key] for key in ("name", "path") if isinstance(entry.get(key), str)}
    needed = _texts(entry.get("required-features"))
    return {**kept, **({"required-features": needed} if needed else {})}


def _resolver(top: Table) -> str:
    """Cargo's rule: what is named, else what the root package's edition brings."""
    package = _table(top.get("package"))
    named = _table(top.get("workspace")).get("resolver", package.get("resolver"))
    if isinstance(named, str) and named in {"1", "2", "3"}:
        return named
    edition = package.get("edition")
    return {"2021": "2", "2024": "3"}.get(edition, "1") if isinstance(edition, str) else "1"


def _fits(key: str, value: object) -> bool:
    if isinstance(value, list):
        return KEPT[key] is list and value == _texts(value)
    return isinstance(value, KEPT[key])


def _simple(table: Table, depth: int = 0) -> dict[str, Any]:
    """What profiles are made of; a date, say, is left out, and tables without end are."""
    return {
        key: _simple(value, depth + 1) if isinstance(value, dict) else value
        for key, value in table.items()
        if isinstance(value, str | bool | int | dict) and depth < MAX_DEPTH
    }


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.stat().st_size <= MAX_BYTES else ""
    except (OSError, UnicodeDecodeError):
        return ""


def _table(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _texts(value: object) -> list[str]:
    return [v for v in value if isinstance(v, str)] if isinstance(value, list) else []
