"""What a JavaScript or TypeScript project needs installed, and how bun or npm installs it.

The solution's dependencies are completed by the tools that its tests need to run at all. Both
managers run in a sandbox that has the network but neither secrets nor the user's files.
"""

import functools
import json
import platform
import re
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from pydantic import JsonValue

from sdkbench.core import tree
from sdkbench.environments import Cache, Environment, installation
from sdkbench.environments.installation import registry_environment, registry_mounts
from sdkbench.errors import EnvironmentFault, MissingTool
from sdkbench.sandbox import Command, Completed, Limits, Mount, Sandbox
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.frameworks import PACKAGE_OF
from sdkbench.test_harness.node.manifest import LOCKS, read_members, read_package_json
from sdkbench.test_harness.node.project import NodeProject
from sdkbench.test_harness.programs import find_program, search_path, tool_mounts
from sdkbench.test_harness.recognition import text_of
from sdkbench.test_harness.runner import Harness

BUN = "1.3.5"  # from its npm package; its binaries are packages too, so no script has to run
ADVICE = "Install Node.js with npm (Debian and Ubuntu: apt-get install nodejs npm)."
RECIPE = "2"  # another one when environments are made in another way: old ones must not be found
# What npm can't read, and bun not always: where it can't, versions are chosen anew.
# What bun says of a lock that lacks an optional package which the registry doesn't have.
FROZEN = "lockfile had changes, but lockfile is frozen"
FOREIGN_RECIPE = f"{RECIPE} 3"
FOREIGN_LOCKS = frozenset({"pnpm-lock.yaml", "yarn.lock"})
# Folders that tools insist on writing to; where the tree is used, something empty stands there.
SCRATCH = (".vite", ".vite-temp", ".cache")
# Pinned, so that a verdict does not hang on the day it was made; all run on Node 20.
TOOLS = {
    "jest": "30.2.0",
    "@jest/globals": "30.2.0",
    "jest-environment-jsdom": "30.2.0",
    "@swc/jest": "0.2.39",
    "@swc/core": "1.15.8",
    "vitest": "3.2.7",
    "jsdom": "26.1.0",
    "mocha": "11.7.5",
    "tsx": "4.21.0",
    "typescript": "5.9.3",
    "@types/node": "20.19.43",
    "@types/react": "19.2.7",
    "@types/react-dom": "19.2.3",
    "@types/jest": "30.0.0",
    "@types/mocha": "10.0.10",
    # Only where the tests import them and nobody declares them.
    "chai": "6.2.1",
    "@testing-library/react": "16.3.3",
    "@testing-library/dom": "10.4.2",
    "@testing-library/jest-dom": "6.9.1",
    "@testing-library/user-event": "14.6.9",
    "supertest": "7.1.4",
    "sinon": "21.0.0",
}
PARSER = {"typescript": TOOLS["typescript"]}
VITEST_COVERAGE = "@vitest/coverage-v8"
NPM_SIGNS = installation.InstallerSigns(
    # npm's own code of the error, not words that may quote a package's name.
    network=re.compile(
        r"^npm error code (?:ENOTFOUND|EAI_AGAIN|ETIMEDOUT|ECONNREFUSED|ECONNRESET|ENETUNREACH|"
        r"ERR_SOCKET_TIMEOUT|SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|E401|E403|E429|E50[0-9])$",
        re.MULTILINE,
    ),
    disk=re.compile(r"^npm error code (?:ENOSPC|EROFS|EDQUOT)$", re.MULTILINE),
    noise=("npm error A complete log", "npm error     /", "npm notice", "npm warn"),
)


def node_program() -> str:
    """Where node is; MissingTool says how to get it."""
    return find_program("node", "JavaScript projects", ADVICE)


class PackageManager(NamedTuple):
    """A program with the words that make a lock, and those that install one."""

    name: str
    program: str
    lock: str
    resolve: tuple[str, ...]
    install: tuple[str, ...]
    mounts: tuple[Mount, ...] = ()

    def run(
        self,
        words: tuple[str, ...],
        folder: Path,
        cache: Cache,
        sandbox: Sandbox,
        *,
        offline: bool = False,
        private: bool = False,
    ) -> Completed:
        """One call in `folder`, which is below the cache. `private` keeps the shared downloads out
        of sight: code of packages may run.

        Both programs look into their downloads first. They may use the network all the same:
        without it, bun leaves out optional packages that it lacks (a compiler's native half, say)
        and says nothing.
        """
        store = folder / "private-store" if private else cache.store("node")
        # Hard links work only within one mount: downloads and the new tree share one.
        visible = folder if private else store.parent
        return sandbox.run(
            Command(
                argv=(*installation.IN_FOLDER, str(folder), self.program, *words),
                env={
                    **registry_environment(),
                    "BUN_INSTALL_CACHE_DIR": str(store / "bun"),
                    "npm_config_cache": str(store / "npm"),
                    "npm_config_fund": "false",
                    "BUN_CONFIG_SKIP_SAVE_LOCKFILE": "0",
                    "DO_NOT_TRACK": "1",
                    "CI": "true",
                },
                mounts=(
                    *self.mounts,
                    *tool_mounts("node"),
                    Mount(path=visible, writable=True),
                    Mount(path=folder, writable=True),
                    *registry_mounts(),
                ),
                search_path=search_path("node", "npm"),
                network=not offline,
                limits=installation.LIMITS,
            )
        )


def npm() -> PackageManager:
    quiet = ("--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
    return PackageManager(
        name="npm",
        program=find_program("npm", "JavaScript projects", ADVICE),
        lock="package-lock.json",
        resolve=("install", "--package-lock-only", "--ignore-scripts", *quiet),
        install=("ci", "--prefer-offline", *quiet),
        mounts=tool_mounts("npm"),
    )


def bun(cache: Cache, sandbox: Sandbox) -> PackageManager | None:
    """Bun from the cache; None where none of its builds runs on this machine."""

    def build(folder: Path) -> tuple[str, ...]:
        flags = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-save")
        done = npm().run(("install", f"bun@{BUN}", *flags), folder, cache, sandbox)
        if not done.ok:
            raise EnvironmentFault(f"Cannot fetch bun {BUN} with npm: {done.output}")
        return (f"bun=={BUN}",)

    tools = cache.make("node-tools", f"bun-{BUN}-{platform.machine()}", build)
    builds = (tools.path / "node_modules" / "@oven").glob("bun-*/bin/bun")
    for program in sorted(builds, reverse=True):
        if _runs(program, tools.path, sandbox):
            return PackageManager(
                name="bun",
                program=str(program),
                lock="bun.lock",
                resolve=("install", "--lockfile-only", "--ignore-scripts", "--no-progress"),
                install=(
                    "install", "--frozen-lockfile", "--ignore-scripts", "--linker", "hoisted",
                    "--no-progress", "--backend", "hardlink",
                ),
                mounts=(Mount(path=tools.path),),
            )  # fmt: skip
    return None


@functools.cache
def _runs(program: Path, folder: Path, sandbox: Sandbox) -> bool:
    """Some builds want newer processors or another libc."""
    command = Command(
        argv=(str(program), "--version"),
        mounts=(Mount(path=folder),),
        limits=Limits(wall_seconds=20),
    )
    return sandbox.run(command).ok


ABSENT = re.compile(
    r"The requested resource '(?P<asked>@?[^@'\s]+)@"
    r"|No matching version found for (?P<wanted>@?[^@\s]+)@"
    r"|GET https?://\S+?/(?P<file>(?:@[^/\s]+/)?[^/\s]+)/-/\S+ - 404"
)


class NodeRequest(NamedTuple):
    """What to install. `manifests` are the package.json files of workspace members, by path."""

    dependencies: dict[str, str]
    overrides: dict[str, JsonValue]
    workspaces: tuple[str, ...] = ()
    manifests: Mapping[str, str] = MappingProxyType({})
    lock_name: str | None = None
    lock_text: str = ""
    install_scripts: bool = False

    def without(self, name: str) -> "NodeRequest":
        """The same, but for one package."""
        kept = {one: spec for one, spec in self.dependencies.items() if one != name}
        return self._replace(dependencies=kept)

    def write_manifests(self, folder: Path) -> None:
        """The manifest we install from is ours, with the solution's dependencies in it."""
        data: dict[str, JsonValue] = {"name": "workspace", "private": True, "version": "0.0.0"}
        data["dependencies"] = dict(sorted(self.dependencies.items()))
        if self.overrides:
            data["overrides"] = self.overrides
        if self.workspaces:
            data["workspaces"] = list(self.workspaces)
        for name, text in {"package.json": json.dumps(data, indent=2), **self.manifests}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


class Needs(NamedTuple):
    """What to install, what was added to the solution's own dependencies, and what was refused.

    `without`: why something is not there that the tests may do without.
    """

    request: NodeRequest
    completed_with: tuple[str, ...]
    refused: tuple[str, ...]
    without: tuple[str, ...] = ()


def needs(node: NodeProject, *, with_coverage: bool = False) -> Needs:
    """The solution's dependencies, completed by what the tests need to run at all."""
    project, package = node.given, node.package
    solution = project.solution.source
    dependencies = dict(package.all_dependencies)
    added: list[str] = []
    if not project.has_own_tests:
        # Which tools judge is the sample's business, whatever the solution would like.
        dependencies = {name: spec for name, spec in dependencies.items() if name not in TOOLS}
        for name, spec in _reference_packages(node):
            if name not in dependencies and name not in TOOLS:
                dependencies[name] = spec
                added.append(f"{name}@{spec} (the tests import it, and the reference declares it)")
    for name, spec in node.tests_package.all_dependencies.items():
        # The solution's own dependencies stay; the tools that it asks for give way to the sample's.
        if (name in TOOLS or name not in package.dependencies) and dependencies.get(name) != spec:
            dependencies[name] = spec
            added.append(f"{name}@{spec} (the sample's tests)")
    for name, reason in _missing_tools(node, dependencies):
        dependencies[name] = TOOLS[name]
        added.append(f"{name}@{TOOLS[name]} ({reason})")
    if with_coverage and node.framework is TestFramework.VITEST:
        dependencies[VITEST_COVERAGE] = dependencies["vitest"]  # must be of the same version
    locks = LOCKS if node.has_manifest else ()
    lock = next((name for name in locks if (solution / name).is_file()), None)
    members = read_members(solution, package.workspaces)
    request = NodeRequest(
        dependencies=members.installable(dependencies),
        overrides=package.overrides,
        workspaces=package.workspaces,
        manifests=members.manifests,
        lock_name=lock,
        lock_text=text_of(solution / lock) if lock else "",
        install_scripts=project.permissions.install_scripts,
    )
    refused = package.refused + members.refused
    if project.has_own_tests:
        without = tuple(f"what is refused: {sentence}" for sentence in package.refused_tools)
        return Needs(request, tuple(added), refused, without)
    return Needs(request, tuple(added), refused + package.refused_tools)


def absent_package(complaint: str) -> str:
    """The package that npm or bun looked for and the registry does not have; "" where it is about
    something else.
    """
    match = ABSENT.search(complaint)
    return next(filter(None, match.groups())) if match else ""


def _reference_packages(node: NodeProject) -> list[tuple[str, str]]:
    """Packages that the tests import and the starter or the reference declares."""
    declared: dict[str, str] = {}
    for folder in node.given.manifest_fallbacks:
        manifest = read_package_json(folder)
        declared |= manifest.all_dependencies if manifest else {}
    return sorted((name, spec) for name, spec in declared.items() if name in node.imports)


def _missing_tools(node: NodeProject, have: dict[str, str]) -> list[tuple[str, str]]:
    """Tools nobody declares, each with the reason why it is brought along."""
    wanted = [*_framework_tools(node), *_type_check_tools(node, have)]
    wanted += [(name, "the tests import it") for name in sorted(node.imports) if name in TOOLS]
    missing = {name: reason for name, reason in reversed(wanted) if name not in have}
    return sorted(missing.items())


def _framework_tools(node: NodeProject) -> list[tuple[str, str]]:
    framework = node.framework
    wanted = [(PACKAGE_OF[framework], "test framework")] if framework in PACKAGE_OF else []
    if node.commands:
        return wanted  # the project has what they need
    if framework is TestFramework.JEST:
        if node.trusted_config is None and not node.tests_package.jest:
            wanted += [("@swc/jest", "TypeScript and JSX"), ("@swc/core", "TypeScript and JSX")]
        if node.jsdom:
            wanted.append(("jest-environment-jsdom", "the tests need a browser's document"))
    elif framework is TestFramework.VITEST and node.jsdom:
        wanted.append(("jsdom", "the tests need a browser's document"))
    elif framework in {TestFramework.MOCHA, TestFramework.NODE_TEST} and node.typed:
        wanted.append(("tsx", "TypeScript in tests"))
    return wanted


def _type_check_tools(node: NodeProject, have: dict[str, str]) -> list[tuple[str, str]]:
    if not node.has_tsconfig:
        return []
    names = ["typescript", "@types/node"]
    names += [f"@types/{name}" for name in ("react", "react-dom") if name in have]
    if node.given.has_own_tests and f"@types/{node.framework.value}" in TOOLS:
        names.append(f"@types/{node.framework.value}")
    return [(name, "type check") for name in names]


def tool(packages: dict[str, str], harness: Harness) -> Environment:
    """An environment of tools; it is ours, so failing to get it is our fault."""
    request = NodeRequest(dependencies=packages, overrides={})
    recipe = NodeRecipe(request, harness.cache, harness.sandbox)
    provision = installation.provide(recipe, install=harness.install)
    if provision.environment is None:
        raise EnvironmentFault(f"Cannot install {', '.join(packages)}: {provision.failure}")
    return provision.environment


@functools.cache
def toolchain(sandbox: Sandbox) -> str:
    command = Command(
        argv=(node_program(), "--version"),
        mounts=tool_mounts("node"),
        limits=Limits(wall_seconds=60),
    )
    done = sandbox.run(command)
    if not done.ok:
        raise MissingTool(f"node does not run in the sandbox: {done.ending()}. {done.output}")
    return f"{done.stdout.strip()} {platform.system()} {platform.machine()} {platform.libc_ver()}"


class NodeRecipe(installation.Recipe[NodeRequest]):
    """How installation.provide gets npm's packages. A lock is JSON: who made it, and its text."""

    language = "node"

    def question(self) -> tuple[str, ...]:
        request = self.request._replace(manifests=dict(self.request.manifests))
        way = FOREIGN_RECIPE if request.lock_name in FOREIGN_LOCKS else RECIPE
        return way, toolchain(self.sandbox), json.dumps(request, sort_keys=True)

    def contents(self, lock: str) -> tuple[str, ...]:
        # Besides the lock the manifests: members of a workspace become links, named as they say.
        members = [self.request.workspaces, dict(self.request.manifests)]
        manager, text = json.loads(lock)
        kind = f"{manager} {self.request.install_scripts}"
        kind += " with scratch" if self.request.workspaces else ""
        return RECIPE, toolchain(self.sandbox), kind, json.dumps(members, sort_keys=True), text

    def resolve(self) -> str:
        """Bun first; npm where bun can't, because npm's word is what authors know."""
        request, cache, sandbox = self.request, self.cache, self.sandbox
        quick = None if request.install_scripts else bun(cache, sandbox)
        tries = [(quick, True), (quick, False), (npm(), True)]
        if request.lock_name not in FOREIGN_LOCKS:
            del tries[1]
        for manager, with_lock in ((one, lock) for one, lock in tries if one):
            with self.resolving() as folder:
                request.write_manifests(folder)
                if request.lock_name and with_lock:
                    (folder / request.lock_name).write_text(request.lock_text, encoding="utf-8")
                # Other managers let packages disagree on what they want beside them.
                lenient = ("--force",) if request.lock_name in FOREIGN_LOCKS else ()
                words = (*manager.resolve, *lenient) if manager.name == "npm" else manager.resolve
                done = manager.run(words, folder, cache, sandbox)
                lock = folder / manager.lock
                locked = request.lock_name and with_lock
                if done.ok and lock.is_file() and manager is quick and locked:
                    # What bun makes of another manager's lock is not always readable to itself.
                    check = (*manager.install, "--lockfile-only")
                    first, text = done, lock.read_text(encoding="utf-8")
                    done = manager.run(check, folder, cache, sandbox, offline=True)
                    if FROZEN in done.output:
                        done = manager.run(manager.resolve, folder, cache, sandbox)
                        done = first if lock.read_text(encoding="utf-8") == text else done
                if done.ok and lock.is_file():
                    return json.dumps([manager.name, lock.read_text(encoding="utf-8")])
                if done.ok and not request.dependencies:
                    return json.dumps([manager.name, ""])
        raise NPM_SIGNS.explain(done, "resolve")

    def well_known(self) -> NodeRequest:
        # By npm alone, as where scripts may run: bun would have to be fetched first.
        return NodeRequest(dependencies=PARSER, overrides={}, install_scripts=True)

    def install(self, folder: Path, lock: str) -> tuple[str, ...]:
        name, text = json.loads(lock)
        self.request.write_manifests(folder)
        scratch = [folder / "node_modules" / name for name in SCRATCH]
        for path in scratch:
            path.mkdir(parents=True)
        if text:
            manager, with_scripts = self._manager(name), self.request.install_scripts
            (folder / manager.lock).write_text(text, encoding="utf-8")
            words = manager.install
            if manager.name == "npm" and not with_scripts:
                words = (*words, "--ignore-scripts")
            done = manager.run(words, folder, self.cache, self.sandbox, private=with_scripts)
            if FROZEN in done.output:
                words = tuple(word for word in words if word != "--frozen-lockfile")
                done = manager.run(words, folder, self.cache, self.sandbox, private=with_scripts)
            if not done.ok:
                raise NPM_SIGNS.explain(done, "install")
        for modules in (folder / "node_modules", *nested_modules(folder)):
            for one in SCRATCH:
                (modules / one).mkdir(exist_ok=True)
        return _installed(folder / "node_modules")

    def _manager(self, name: str) -> PackageManager:
        quick = bun(self.cache, self.sandbox) if name == "bun" else None
        return quick or npm()


def nested_modules(root: Path) -> list[Path]:
    """The node_modules of a workspace's members."""
    top = root / "node_modules"
    return [
        path
        for path in root.glob("*/**/node_modules")
        if not path.is_relative_to(top) and path.parent.name not in tree.VENDORED
    ]


def _installed(node_modules: Path) -> tuple[str, ...]:
    """name==version of what stands at the top of the tree."""
    packages = []
    for path in [*node_modules.glob("*/package.json"), *node_modules.glob("@*/*/package.json")]:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, str):
            packages.append(f"{path.parent.relative_to(node_modules).as_posix()}=={version}")
    return tuple(sorted(packages))
