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
from sdkbench.test_harness.node.frameworks import PACKAGE_OF
from sdkbench.test_harness.node.pack import LOADER, loaded_with
from sdkbench.test_harness.node.project import NodeProject
from sdkbench.test_harness.node.test_script import script_parts
from sdkbench.test_harness.session import INSIDE, Order

VM_MODULES = "--experimental-vm-modules"
BUILD_SCRIPTS = ("build", "compile", "tsc")
# What npm runs when it has installed, and before the tests: often the build, often something else.
BEFORE_TESTS = ("prepare", "pretest")
QUIET = {
    "NEXT_TELEMETRY_DISABLED": "1",
    "NEXT_IGNORE_INCORRECT_LOCKFILE": "1",
    "DO_NOT_TRACK": "1",
}
ENVIRONMENT = QUIET | {"CI": "true", "NO_COLOR": "1"}
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
    """A command that must succeed, unless it is `optional`: then that it fails is a note."""

    argv: tuple[str, ...]
    cwd: str
    name: str | None = None  # what people call it
    optional: bool = False
    env: dict[str, str] = Field(default_factory=dict)
    first: tuple[str, ...] | None = None  # a quicker way to the same answer; its no is asked again
    sources: str | None = None  # a folder: needless where `first` of another step has read it all


class CoverageOrder(_Part):
    """Which files count; and a tool that counts, where the framework can't."""

    include: str
    c8: str | None = None


class ApartOrder(_Part):
    """Where tests and solution meet, and what may pass between them."""

    peer: str  # the descriptor of this side's end of the pair's socket
    shared: str  # a folder that both sides can write to
    root: str  # the solution's folder, by the same name on both sides
    drivers: tuple[str, ...]  # folders of the sample that run beside the solution
    importer: str  # a module to write, by which packages are found as tests and solution find them
    packages: tuple[str, ...]  # that the tests import: their classes are known on both sides
    profile: str | None  # what the reference's run showed; None while it is found out
    in_process: bool = False  # whether the tests run in the process that reports on them


class OwnCommand(_Part):
    """A test command of the project: `words` and `env` are for a shell to read, and options that
    make the framework report to us go before the word of number `before`.
    """

    framework: str
    words: tuple[str, ...]
    env: tuple[str, ...]
    before: int
    cwd: str


class NodeOrder(Order):
    """For inside/node/boot.mjs: build and test one workspace. All paths are absolute."""

    build_steps: tuple[BuildStep, ...] = ()
    archive_fd: str | None = None  # where a tar file of the built solution goes, if it is wanted
    archive_folder: str
    run_tests: bool
    framework: str
    # The project's test script, part after part, where nobody can read what it runs: it runs, and
    # what it starts is followed. All below counts where it tells of no tests.
    script: tuple[str, ...]
    commands: tuple[OwnCommand, ...]  # instead of all that follows, where there are some
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
    apart: ApartOrder | None = None
    shuffle_seed: int | None = None  # for vitest and jest, and mocha, which runs them backwards


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
    apart: ApartOrder | None = None,
) -> NodeOrder:
    """`compilers` is None where nothing is to be built."""
    project, config, options = node.given, node.trusted_config, node.compiler_options
    return NodeOrder(
        build_steps=build_steps(node, compilers) if compilers else (),
        archive_fd=ARCHIVE if archive else None,
        archive_folder=f"{WORKSPACE}/{project.solution.target}",
        run_tests=run_tests,
        framework=node.framework.value,
        script=_script(node) if run_tests and not coverage else (),
        commands=_own_commands(node),
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
        apart=apart,
    )


def environment(node: NodeProject) -> dict[str, str]:
    """Variables of the frameworks' parent process. A project that is judged on its own tests sees
    none that its author would not.
    """
    if node.commands:
        return QUIET
    variables = QUIET if node.given.has_own_tests else ENVIRONMENT
    return variables | ({"NODE_OPTIONS": VM_MODULES} if _needs_vm_modules(node) else {})


def _needs_vm_modules(node: NodeProject) -> bool:
    return node.framework is TestFramework.JEST and node.esm


def _script(node: NodeProject) -> tuple[str, ...]:
    if not node.unread_script or node.given.tests:
        return ()
    return (_repository(node).removesuffix("; "), *script_parts(node.unread_script))


def _own_commands(node: NodeProject) -> tuple[OwnCommand, ...]:
    folder = f"{WORKSPACE}/{node.given.solution.target}".removesuffix("/.")
    return tuple(
        OwnCommand(
            framework=command.framework.value,
            words=command.words,
            env=command.env,
            before=command.before,
            cwd=f"{folder}/{command.folder}".removesuffix("/"),
        )
        for command in node.commands
    )


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
    """The name of the script by which the solution is built; a project that is judged on its own
    tests may have one that npm would run before them.
    """
    scripts = node.package.scripts if node.has_manifest else {}
    names = (*BUILD_SCRIPTS, *BEFORE_TESTS) if node.given.has_own_tests else BUILD_SCRIPTS
    return next((name for name in names if scripts.get(name)), None)


def _script_steps(node: NodeProject, name: str) -> tuple[BuildStep, ...]:
    """The build, and what npm would run before the tests, which may only check the style."""
    steps: tuple[BuildStep, ...] = () if name in BEFORE_TESTS else (_script_step(node, name),)
    more = BEFORE_TESTS[1:] if steps else BEFORE_TESTS
    for before in more if node.given.has_own_tests else ():
        script = node.package.scripts.get(before, "").split()
        needless = script in ([], ["npm", "run", name], ["yarn", name], ["pnpm", name])
        steps = steps if needless else (*steps, _script_step(node, before, optional=True))
    return steps


def _script_step(node: NodeProject, name: str, *, optional: bool = False) -> BuildStep:
    """A script, with what npm would run before and after it."""
    folder = f"{WORKSPACE}/{node.given.solution.target}"
    scripts = node.package.scripts
    parts = [scripts.get(f"pre{name}"), scripts[name], scripts.get(f"post{name}")]
    script = " && ".join(f"( {part} )" for part in parts if part)
    bins = f"{folder}/node_modules/.bin:{WORKSPACE}/node_modules/.bin"
    path = f'PATH="{bins}:$PATH"; export PATH; '
    return BuildStep(
        argv=("sh", "-c", path + _repository(node) + script),
        cwd=folder,
        name=f"npm run {name}",
        optional=optional,
    )


def _repository(node: NodeProject) -> str:
    """An empty one for a project's own scripts: tools that install hooks stop without one."""
    own = node.given.has_own_tests
    return "[ -e .git ] || git init -q --template= . 2>/dev/null || :; " if own else ""


def build_steps(node: NodeProject, compilers: Compilers) -> tuple[BuildStep, ...]:
    """Every source must parse, whatever the solution's own build looks at."""
    folder = f"{WORKSPACE}/{node.given.solution.target}"
    parser = str(compilers.parser / "lib/typescript.js")
    own = ("own",) if node.given.has_own_tests else ()
    syntax = BuildStep(
        argv=("node", "--require", str(LOADER), str(SYNTAX_CHECK), parser, folder, *own),
        cwd=folder,
        env=loaded_with(compilers.pack),
        sources=folder,
    )
    script = build_script(node)
    if script:
        return syntax, *_script_steps(node, script)
    if not node.has_tsconfig:
        return (syntax,)
    # Declarations of packages, some of them brought along by us, are not the author's.
    flags = ("--noEmit", "--skipLibCheck", "--pretty", "false", "-p", folder)
    tsc = ("node", f"{WORKSPACE}/node_modules/typescript/bin/tsc", *flags)
    first = (*compilers.native, "--listFiles", *flags) if compilers.native else None
    # A project that says how it is tested, and not that its types are checked, is not asked for it.
    optional = bool(node.commands or node.unread_script)
    check = BuildStep(argv=tsc, cwd=folder, env=NATIVE_MEMORY, first=first, optional=optional)
    return syntax, check


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
    """For the children that run the tests. Their parent needs no lines of sources: to read the
    maps of all that a framework is made of costs it a quarter of its start.
    """
    if node.commands:
        return {}
    if node.framework not in {TestFramework.MOCHA, TestFramework.NODE_TEST}:
        modules = f" {VM_MODULES}" if _needs_vm_modules(node) else ""
        return {"NODE_OPTIONS": f"--enable-source-maps{modules}"}
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
