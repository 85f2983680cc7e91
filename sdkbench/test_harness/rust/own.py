"""A project that is judged on its own tests, without its code: for cargo to say what it needs.

The manifests are the project's own, so that features, patches, workspaces and profiles are what
they are. Each file that a crate begins with becomes an empty one.
"""

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sdkbench.core import tree
from sdkbench.test_harness.rust.manifest import MAX_BYTES
from sdkbench.test_harness.rust.our_manifests import toml_document

PROGRAM = "fn main() {}\n"
LIBRARY = ""  # not even a function that nobody calls: a project may forbid it
# Where cargo looks for crates of a package, besides those that its manifest names.
ROOTS = ("src/lib.rs", "src/main.rs", "build.rs")
FOLDERS = ("src/bin", "tests", "examples", "benches")
CONFIGS = (".cargo/config.toml", ".cargo/config")


def own_skeleton(root: Path) -> dict[str, str]:
    """Texts by their paths below `root`."""
    files: dict[str, str] = {}
    for path in tree.files(root):
        name = path.relative_to(root).as_posix()
        if name in CONFIGS:
            files[name] = _read(path)
        elif path.name == "Cargo.toml":
            files |= _package(path, root)
    return files


def _package(path: Path, root: Path) -> dict[str, str]:
    text = _read(path)
    try:
        manifest = tomllib.loads(text)
        written = toml_document(_without_lints(manifest))
    except (tomllib.TOMLDecodeError, RecursionError, TypeError):
        manifest, written = {}, text  # for cargo to complain of
    home = path.parent
    stubs = {}
    for crate in {*_conventional(home), *_named(manifest, home)}:
        if tree.is_file(crate) and tree.is_below(crate, root):
            empty = crate.name == "lib.rs" or crate in _libraries(manifest, home)
            inner = crate.resolve().relative_to(root.resolve()).as_posix()
            stubs[inner] = LIBRARY if empty else PROGRAM
    return {path.relative_to(root).as_posix(): written, **stubs}


def _without_lints(manifest: Mapping[str, Any]) -> dict[str, Any]:
    """What a project minds in its code has no place in code of ours."""
    kept = {name: table for name, table in manifest.items() if name != "lints"}
    workspace = kept.get("workspace")
    if isinstance(workspace, dict):
        kept["workspace"] = {name: t for name, t in workspace.items() if name != "lints"}
    return kept


def _conventional(home: Path) -> Iterator[Path]:
    yield from (home / name for name in ROOTS)
    for name in FOLDERS:
        folder = home / name
        if tree.is_folder(folder):
            yield from folder.glob("*.rs")
            yield from folder.glob("*/main.rs")


def _named(manifest: Mapping[str, Any], home: Path) -> Iterator[Path]:
    package = manifest.get("package")
    script = package.get("build") if isinstance(package, dict) else None
    if isinstance(script, str):
        yield home / script
    yield from _libraries(manifest, home)
    for section in ("bin", "test", "example", "bench"):
        targets = manifest.get(section)
        for target in targets if isinstance(targets, list) else []:
            if isinstance(target, dict) and isinstance(target.get("path"), str):
                yield home / target["path"]


def _libraries(manifest: Mapping[str, Any], home: Path) -> list[Path]:
    library = manifest.get("lib")
    path = library.get("path") if isinstance(library, dict) else None
    return [home / path] if isinstance(path, str) else []


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig") if path.stat().st_size <= MAX_BYTES else ""
    except (OSError, UnicodeDecodeError):
        return ""
