"""The order for inside/node/boot.mjs, and the node that runs it."""

import hashlib
import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from sdkbench.environments import Cache, Environment
from sdkbench.errors import DiskFault
from sdkbench.sandbox.command import ARCHIVE, WORKSPACE
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.environment import TOOLS, node_program
from sdkbench.test_harness.node.pack import LOADER, loaded_with
from sdkbench.test_harness.node.project import PACKAGE_OF, NodeProject
from sdkbench.test_harness.session import INSIDE, Order

BUILD_SCRIPTS = ("build", "compile", "tsc")
ENVIRONMENT = {
    "CI": "true",
    "NO_COLOR": "1",
    "NEXT_TELEMETRY_DISABLED": "1",
    "NEXT_IGNORE_INCORRECT_LOCKFILE": "1",
    "DO_NOT_TRACK": "1",
}
ALIAS = re.compile(r"[\w@~#$][\w@~#$./-]*")  # no relative path, no pattern, no scheme
# What of tsconfig changes the meaning of code; the rest is the type check's business.
COMPILER_OPTIONS = {
    "experimentalDecorators", "emitDecoratorMetadata", "useDefineForClassFields", "jsxImportSource",
}  # fmt: skip
# The native compiler lives too short for its garbage to matter, up to a limit.
NATIVE_MEMORY = {"GOGC": "off", "GOMEMLIMIT": "1GiB"}
SYNTAX_CHECK = INSIDE / "node" / "syntax_check.mjs"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class BuildStep(_Part):
    """A command that must succeed."""

    argv: tuple[str, ...]
    cwd: str
    env: dict[str, str] = Field(default_factory=dict)
    first: tuple[str, ...] | None = None  # a quicker way to the same answer; its no is asked again
    sources: str | None = None  # a folder: needless where `first` of another step has read it all


class CoverageOrder(_Part):
    """Which files count; and a tool that counts, where the framework can't."""

    include: str
    c8: str | None = None


class NodeOrder(Order):
    """For inside/node/boot.mjs: build and test one workspace. All paths are absolute."""

    build_steps: tuple[BuildStep, ...] = ()
    archive_fd: str | None = None  # where a tar file of the built solution goes, if it is wanted
    archive_folder: str
    run_tests: bool
    framework: str
    files: tuple[str, ...]
    config: str | None  # the framework's configuration, where one counts
    own: bool  # whether the tests are the project's own
    typed: bool
    esm: bool
    jsdom: bool
    aliases: dict[str, str]
    compiler_options: dict[str, bool | int | float | str]
    test_env: dict[str, str]
    coverage: CoverageOrder | None = None


class Compilers(NamedTuple):
    """TypeScript as a program: one that parses, and a native one for a quick first opinion."""

    parser: Path
    pack: Environment
    native: tuple[str, ...] | None = None


def order(
    node: NodeProject,
    *,
    compilers: Compilers | None,
    run_tests: bool,
    archive: bool = False,
    coverage: CoverageOrder | None = None,
) -> NodeOrder:
    """`compilers` is None where nothing is to be built."""
    project, config, options = node.given, node.trusted_config, node.compiler_options
    return NodeOrder(
        build_steps=build_steps(node, compilers) if compilers else (),
        archive_fd=ARCHIVE if archive else None,
        archive_folder=f"{WORKSPACE}/{project.solution.target}",
        run_tests=run_tests,
        framework=node.framework.value,
        files=tuple(f"{WORKSPACE}/{placed.target}" for placed in node.test_files),
        config=f"{WORKSPACE}/{config}" if config else _package_config(node),
        own=project.has_own_tests,
        typed=node.typed,
        esm=node.esm,
        jsdom=node.jsdom,
        aliases=_aliases(node),
        compiler_options={
            name: value
            for name, value in options.items()
            if name in COMPILER_OPTIONS and isinstance(value, bool | int | float | str)
        },
        test_env=_test_environment(node),
        coverage=coverage,
    )


def environment(node: NodeProject) -> dict[str, str]:
    """Variables of the frameworks' parent process."""
    options = ["--enable-source-maps"]
    if node.framework is TestFramework.JEST and node.esm:
        options.append("--experimental-vm-modules")
    return ENVIRONMENT | {"NODE_OPTIONS": " ".join(options)}


def sealed_node(cache: Cache) -> Path:
    """A copy of Node's program that may be run but not read, made once for each Node.

    The kernel lets no process of the same user look into a process whose program that user may not
    read. A framework's parent, which holds the channel's secret, is started from this copy: the
    judged code in its children can then neither read its memory nor take its descriptors.

    Raises DiskFault if it can't be kept in the cache.
    """
    original = Path(node_program()).resolve()
    status = original.stat()
    identity = f"{original}\0{status.st_size}\0{status.st_mtime_ns}"
    folder = cache.root / "sealed" / hashlib.sha256(identity.encode()).hexdigest()[:16]
    sealed = folder / "node"
    if sealed.is_file():
        return sealed
    try:
        folder.mkdir(parents=True, exist_ok=True)
        copy = folder / f"copy-{os.getpid()}-{os.urandom(4).hex()}"
        shutil.copyfile(original, copy)
        copy.chmod(0o111)
        copy.rename(sealed)
    except OSError as error:
        raise DiskFault(f"A copy of {original} cannot be kept in {cache.root}: {error}.") from error
    return sealed


def build_script(node: NodeProject) -> str | None:
    """The solution's own build, with what npm would run before and after it."""
    scripts = node.package.scripts if node.has_manifest else {}
    name = next((name for name in BUILD_SCRIPTS if scripts.get(name)), None)
    if name is None:
        return None
    parts = [scripts.get(f"pre{name}"), scripts[name], scripts.get(f"post{name}")]
    return " && ".join(f"( {part} )" for part in parts if part)


def build_steps(node: NodeProject, compilers: Compilers) -> tuple[BuildStep, ...]:
    """Every source must parse, whatever the solution's own build looks at."""
    folder = f"{WORKSPACE}/{node.given.solution.target}"
    parser = str(compilers.parser / "lib/typescript.js")
    words = ("node", "--require", str(LOADER), str(SYNTAX_CHECK), parser, folder)
    pack = loaded_with(compilers.pack)
    syntax = BuildStep(argv=words, cwd=folder, env=pack, sources=folder)
    script = build_script(node)
    if script:
        bins = f"{folder}/node_modules/.bin:{WORKSPACE}/node_modules/.bin:"
        words = ("sh", "-c", f'PATH="{bins}$PATH"; export PATH; {script}')
        return syntax, BuildStep(argv=words, cwd=folder)
    if not node.has_tsconfig:
        return (syntax,)
    # Declarations of packages, some of them brought along by us, are not the author's.
    flags = ("--noEmit", "--skipLibCheck", "--pretty", "false", "-p", folder)
    tsc = ("node", f"{WORKSPACE}/node_modules/typescript/bin/tsc", *flags)
    first = (*compilers.native, "--listFiles", *flags) if compilers.native else None
    return syntax, BuildStep(argv=tsc, cwd=folder, env=NATIVE_MEMORY, first=first)


def _package_config(node: NodeProject) -> str | None:
    """Jest's configuration may also stand in package.json: the sample's, or an own project's."""
    if node.framework is not TestFramework.JEST:
        return None
    if node.given.has_own_tests:
        return f"{WORKSPACE}/package.json" if node.package.jest else None
    for placement in node.given.trusted if node.tests_package.jest else ():
        if placement.target == "package.json":
            return f"{WORKSPACE}/package.json"
        if (placement.source / "package.json").is_file():
            return f"{WORKSPACE}/{placement.target}/package.json"
    return None


def _test_environment(node: NodeProject) -> dict[str, str]:
    """For the children that run the tests, where the framework itself runs TypeScript as it is."""
    if node.framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST}:
        return {}
    # A rejection nobody handles is an error, also in mocha's workers.
    options = "--enable-source-maps --unhandled-rejections=strict"
    if not node.typed:
        return {"NODE_OPTIONS": options}
    # By its file: a child that the tests start in another folder must find it too.
    loader = f"file://{WORKSPACE}/node_modules/tsx/dist/loader.mjs"
    env = {"NODE_OPTIONS": f"{options} --import {loader}"}
    if node.has_tsconfig:
        env["TSX_TSCONFIG_PATH"] = f"{WORKSPACE}/{node.given.solution.target}/tsconfig.json"
    return env


def _aliases(node: NodeProject) -> dict[str, str]:
    """Tsconfig's `paths`: what an import begins with → a folder of the workspace.

    A solution's aliases may not stand in for what its tests import.
    """
    paths, base = node.compiler_options.get("paths"), node.compiler_options.get("baseUrl")
    root = Path(node.given.solution.target, base if isinstance(base, str) else ".")
    aliases: dict[str, str] = {}
    for pattern, targets in paths.items() if isinstance(paths, dict) else ():
        if isinstance(targets, list) and targets and isinstance(targets[0], str):
            target = root / targets[0].removesuffix("/*")
            end = "/" if pattern.endswith("/*") else ""
            alias = pattern.removesuffix("/*") + end
            if ".." not in target.parts and (node.given.has_own_tests or _is_free(alias, node)):
                aliases[alias] = f"{WORKSPACE}/{target.as_posix()}{end}"
    return aliases


def _is_free(alias: str, node: NodeProject) -> bool:
    words = alias.rstrip("/").split("/")
    package = "/".join(words[: 2 if alias.startswith("@") and words[0] != "@" else 1])
    taken = {*node.imports, *TOOLS, *PACKAGE_OF.values()}
    return bool(ALIAS.fullmatch(alias)) and package not in taken
