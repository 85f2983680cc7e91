"""How a project is installed: its build backend, and what that one says of the project."""

import email.parser
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from packaging.markers import InvalidMarker, Marker, UndefinedEnvironmentName
from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from sdkbench.core import Project, checkout
from sdkbench.environments import Environment
from sdkbench.sandbox import Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.python import manifest
from sdkbench.test_harness.session import INSIDE, Boot, Order, Record, run_session

PROGRAM = "python.backend"
LEGACY = "setuptools.build_meta:__legacy__"  # what PEP 517 says where a project says nothing
SETUPTOOLS = ("setuptools>=61",)
MAX_LIST = 100
# By which names backends are told a version that they would ask version control for: the folder
# that is judged is a copy without its history.
VERSION_VARIABLES = (
    "SETUPTOOLS_SCM_PRETEND_VERSION", "PBR_VERSION", "PDM_BUILD_SCM_VERSION",
    "POETRY_DYNAMIC_VERSIONING_BYPASS", "UV_DYNAMIC_VERSIONING_BYPASS", "VERSIONINGIT_FOR_PACKAGE",
)  # fmt: skip
UNKNOWN_VERSION = "0.0.0"
# How builds say that this machine lacks a program.
MISSING_TOOL = re.compile(
    r"command '(?P<a>[\w./+-]+)' failed: No such file|(?P<b>[\w./+-]+): (?:command )?not found|"
    r"No such file or directory: '(?P<c>[\w.+-]+)'|can't find (?P<d>Rust) compiler|"
    r"(?:Could not find|Unable to find|requires) .{0,40}?(?P<e>CMake|Ninja|Meson|Bazel|SWIG|Go)\b"
)


class BuildSystem(NamedTuple):
    requires: tuple[str, ...]
    backend: str
    backend_path: tuple[str, ...] = ()
    is_declared: bool = True  # False: nothing says that the project is meant to be installed


class BackendOrder(Order):
    """For inside/python/backend.py."""

    backend: str
    backend_path: tuple[str, ...]
    tag: str | None


class Described(Record):
    """What the backend needs besides its requirements, and the project's metadata."""

    kind: Literal["described"]
    requires: tuple[str, ...]
    metadata: str


class Metadata(NamedTuple):
    """A project by its own backend's word."""

    name: str = ""
    requires_python: str = ""
    requirements: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()


def read(root: Path) -> BuildSystem | None:
    """None for a folder that is not meant to be installed, or says so in words we can't read."""
    data: Mapping[str, Any] = {}
    try:
        if (root / "pyproject.toml").is_file():
            data = manifest.toml_of(root / "pyproject.toml")
    except manifest.Problem:
        return None
    tool = manifest.table_or_empty(data, "tool")
    poetry, uv = (manifest.table_or_empty(tool, name) for name in ("poetry", "uv"))
    if poetry.get("package-mode") is False or uv.get("package") is False:
        return None
    system = manifest.table_or_empty(data, "build-system")
    has_setup = (root / "setup.py").is_file() or _has_name(root / "setup.cfg")
    if not system and not has_setup and "project" not in data:
        return None
    requires, backend, path = (
        system.get(name) for name in ("requires", "build-backend", "backend-path")
    )
    return BuildSystem(
        _strings(requires) if isinstance(requires, list) else SETUPTOOLS,
        backend if isinstance(backend, str) and backend else LEGACY,
        _strings(path),
        bool(system) or has_setup,
    )


def _strings(value: object) -> tuple[str, ...]:
    items = value if isinstance(value, list) else []
    return tuple(item for item in items[:MAX_LIST] if isinstance(item, str))


def _has_name(setup_cfg: Path) -> bool:
    try:
        return bool(manifest.cfg_of(setup_cfg).get("metadata", "name", fallback=""))
    except manifest.Problem:
        return False


def variables(project: Project) -> dict[str, str]:
    """For the backend: the version that the project's history gives, where it has one."""
    version = checkout.version_of(project.tag or "")
    return dict.fromkeys(VERSION_VARIABLES, version or UNKNOWN_VERSION)


def describe(
    project: Project,
    system: BuildSystem,
    environment: Environment,
    sandbox: Sandbox,
    limits: Limits,
) -> tuple[Completed, Described | None]:
    """Ask the backend, in a sandbox without network."""
    python = environment.path / "venv" / "bin" / "python"
    boot = Boot(
        argv=(str(python), "-s", "-P", str(INSIDE), PROGRAM),
        mounts=(Mount(path=environment.path),),
        env=variables(project),
        search_path=(python.parent,),
        own_records=(Described,),
    )
    order = BackendOrder(backend=system.backend, backend_path=system.backend_path, tag=project.tag)
    completed, records = run_session(sandbox, boot, project.placements, order, limits)
    return completed, next(records.of(Described), None)


def lacking(requires: Collection[str], environment: Environment) -> tuple[str, ...]:
    """Those that apply here and that the environment does not have."""
    present = {canonicalize_name(each.partition("==")[0]) for each in environment.packages}
    return tuple(
        _plain(line)
        for line in filter(None, map(_requirement, requires))
        if _applies(line.marker, ()) and canonicalize_name(line.name) not in present
    )


def metadata_from(text: str, extras: tuple[str, ...]) -> Metadata:
    """What METADATA says the project needs, `extras` and those that they ask for included."""
    message = email.parser.HeaderParser().parsestr(text)
    name = canonicalize_name(str(message.get("Name", "")))
    lines = [_requirement(str(line)) for line in message.get_all("Requires-Dist", [])]
    known = {canonicalize_name(str(extra)) for extra in message.get_all("Provides-Extra", [])}
    chosen = {canonicalize_name(extra) for extra in extras} & known
    taken: dict[str, None] = {}
    for _ in range(MAX_LIST):  # extras may ask for extras of the project itself
        before = len(chosen)
        for line in filter(None, lines):
            if not _applies(line.marker, chosen):
                continue
            if canonicalize_name(line.name) == name:
                chosen |= {canonicalize_name(extra) for extra in line.extras} & known
            else:
                taken[_plain(line)] = None
        if len(chosen) == before:
            break
    return Metadata(
        name, str(message.get("Requires-Python", "")), tuple(taken), tuple(sorted(known))
    )


def _requirement(line: str) -> Requirement | None:
    try:
        return Requirement(line)
    except InvalidRequirement:
        return None


def _applies(marker: Marker | None, extras: Collection[str]) -> bool:
    try:
        return marker is None or any(marker.evaluate({"extra": e}) for e in (*extras, ""))
    except (UndefinedEnvironmentName, InvalidMarker):
        return False


def _plain(line: Requirement) -> str:
    """Without its marker, which holds: what is left must not ask for an extra of nobody."""
    line.marker = None
    return str(line)


def missing_tool(output: str) -> str | None:
    """The program that a failed build looked for in vain."""
    match = MISSING_TOOL.search(output)
    return next(filter(None, match.groups()), None) if match else None
