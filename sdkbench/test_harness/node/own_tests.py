"""A project's own tests: the framework that they are written for, and the commands that run them.

The project's test script decides, then what its tests import, then what it declares. Where the
framework would find or load nothing without help of ours (TypeScript that nobody compiles, say),
there are no commands: the tests are found by their names, and run with settings of ours.
"""

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sdkbench.core import tree
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.frameworks import (
    BARE_TESTS,
    CONFIGS,
    DENO,
    IMPORT_SIGNS,
    PACKAGE_OF,
    SIGNS,
    UNSUPPORTED_IMPORT,
    UNSUPPORTED_PACKAGES,
)
from sdkbench.test_harness.node.manifest import PackageJson, member_packages
from sdkbench.test_harness.node.test_script import (
    ReadScripts,
    TestCommand,
    chosen,
    read_scripts,
)
from sdkbench.test_harness.recognition import Unsupported, text_of

BABEL = re.compile(r"^(babel\.config\.([cm]?js|json|[cm]?ts)|\.babelrc(\.[cm]?js|\.json)?)$")
LOADER_OPTION = re.compile(
    r"^(--import|--require|-r|--loader|--experimental-(loader|strip|trans).*)$"
)
TYPED = re.compile(r"\.([cm]?ts|[jt]sx)$")
MODULE = re.compile(r"^\s*(import\s[^(]|export\s)", re.MULTILINE)
MOCHA_DEFAULT = {"test", "test.js", "test.cjs", "test.mjs"}  # where it looks on its own
DEEP = {TestFramework.MOCHA: ("--recursive",)}  # what makes a folder mean all that is below it
# Tests of mocha's other style, which it does not find out by itself.
TDD, BDD = (re.compile(rf"^\s*{word}\(", re.MULTILINE) for word in ("suite", "describe"))
NO_TESTS_YET = "no test specified"  # npm's script for a new project
BARE_WORDS = {
    TestFramework.VITEST: ("vitest", "run"),
    TestFramework.JEST: ("jest",),
    TestFramework.MOCHA: ("mocha",),
}


class TestSources(NamedTuple):
    """Files that look like tests: where they are below the project, and what they say."""

    names: Sequence[str]
    texts: Sequence[str]

    @property
    def typed(self) -> bool:
        """Whether there is none that Node reads as it is."""
        return bool(self.names) and all(TYPED.search(name) for name in self.names)


class OwnTests(NamedTuple):
    framework: TestFramework | None  # None: nothing says which
    commands: tuple[TestCommand, ...] = ()
    unsupported: Unsupported | None = None
    unread: str = ""  # a test script in which no framework is called that we can see


def own_tests(solution: Path, package: PackageJson, tests: TestSources, *, jsdom: bool) -> OwnTests:
    scripts = read_scripts(package.scripts)
    programs = [one for one in scripts.programs if _uses_node_test(solution, one)]
    commands = chosen(scripts.commands) or tuple(programs)
    if commands:
        framework = commands[0].framework
        works = _works_as_it_is(solution, package, commands, tests, jsdom=jsdom)
        return OwnTests(framework, _found(solution, package, commands, tests) if works else ())
    if members := _member_commands(solution, package):
        return OwnTests(members[0].framework, members)
    if unsupported := _unsupported(solution, package, scripts, tests):
        return OwnTests(None, unsupported=unsupported)
    declared = [framework for framework in PACKAGE_OF if _declares(package, framework)]
    known = _imported(tests) or next(iter(declared), None)
    script = package.scripts.get("test", "")
    unread = "" if NO_TESTS_YET in script else script
    if known in declared:
        words = BARE_WORDS[known]
        style = _style(tests) if known is TestFramework.MOCHA and unread else ()
        commands = (TestCommand(known, (*words, *style), (), before=len(words)),)
        if _works_as_it_is(solution, package, commands, tests, jsdom=jsdom):
            return OwnTests(known, _found(solution, package, commands, tests), unread=unread)
    return OwnTests(known, unread=unread)


def narrowed(commands: tuple[TestCommand, ...], tests: Sequence[str]) -> tuple[TestCommand, ...]:
    """The commands for some of the tests, by their paths; none where they name others."""
    if not tests:
        return commands
    if any(command.selects or command.folder for command in commands):
        return ()
    paths = [shlex.quote(path) for path in tests]
    return tuple(
        command._replace(words=(*command.words, *DEEP.get(command.framework, ()), *paths))
        for command in commands
    )


def _member_commands(solution: Path, package: PackageJson) -> tuple[TestCommand, ...]:
    """The test commands of a workspace's members, where the workspace itself has none: its own
    script calls theirs, one way or another.
    """
    listed: list[TestCommand] = []
    packages, _ = member_packages(solution, package.workspaces)
    for folder, member in packages.items():
        commands = chosen(read_scripts(member.scripts).commands)
        have = {**package.all_dependencies, **member.all_dependencies}
        listed += [
            command._replace(folder=folder)
            for command in commands
            if PACKAGE_OF.get(command.framework, "") in {"", *have}
        ]
    return tuple(listed)


def _found(
    solution: Path, package: PackageJson, commands: tuple[TestCommand, ...], tests: TestSources
) -> tuple[TestCommand, ...]:
    """The commands, with files by their names where mocha, which is told nothing, finds none."""
    if commands[0].framework is not TestFramework.MOCHA:
        return commands
    names = [path.name for path in solution.iterdir()]
    told = any(command.selects for command in commands) or _has_config(package, commands, names)
    if told or MOCHA_DEFAULT & {*names}:
        return commands
    files = tuple(shlex.quote(name) for name in tests.names)
    return tuple(command._replace(words=(*command.words, *files)) for command in commands)


def _style(tests: TestSources) -> tuple[str, ...]:
    """What the program that calls mocha must tell it, by the looks of the tests."""
    tdd, bdd = (any(map(sign.search, tests.texts)) for sign in (TDD, BDD))
    return ("--ui=tdd",) if tdd and not bdd else ()


def _has_config(
    package: PackageJson, commands: Sequence[TestCommand], names: Sequence[str]
) -> bool:
    framework = commands[0].framework
    in_file = any(map(CONFIGS[framework].match, names))
    by_option = any("--config" in command.words for command in commands)
    return in_file or by_option or framework.value in package.sections


def _unsupported(
    solution: Path, package: PackageJson, scripts: ReadScripts, tests: TestSources
) -> Unsupported | None:
    if scripts.unsupported:
        return Unsupported(scripts.unsupported[0], "the test script of package.json")
    if _imported(tests):
        return None
    if imported := _unsupported_import(tests):
        return imported
    if any(_declares(package, framework) for framework in PACKAGE_OF):
        return None
    declared = next((n for n in UNSUPPORTED_PACKAGES if n in package.all_dependencies), None)
    if declared:
        return Unsupported(UNSUPPORTED_PACKAGES[declared], "package.json")
    if any(map(BARE_TESTS.search, tests.texts)):
        return None
    if scripts.programs:
        program = scripts.programs[0].words
        words = " ".join(word for word in program if word != "--test")
        return Unsupported(f"no framework but a program (`{words}`)", "package.json")
    deno = next((n for n in ("deno.json", "deno.jsonc") if tree.is_file(solution / n)), None)
    return Unsupported("Deno", deno) if deno and not package.scripts.get("test") else None


def _unsupported_import(tests: TestSources) -> Unsupported | None:
    for name, text in zip(tests.names, tests.texts, strict=True):
        if match := UNSUPPORTED_IMPORT.search(text):
            return Unsupported(UNSUPPORTED_PACKAGES[match[1]], name)
        if DENO.search(text):
            return Unsupported("Deno", name)
    return None


def _uses_node_test(solution: Path, command: TestCommand) -> bool:
    """Whether a file that `node FILE` names uses node:test."""
    for word in command.words[2:]:
        path = solution / word
        for one in (path, path.with_name(f"{path.name}.js"), path / "index.js"):
            if tree.is_file(one) and tree.is_below(one, solution):
                return bool(re.search(r"""['"]node:test['"]""", text_of(one)))
    return False


def _imported(tests: TestSources) -> TestFramework | None:
    signs = SIGNS[:IMPORT_SIGNS]
    return next((f for f, sign in signs if any(map(sign.search, tests.texts))), None)


def _declares(package: PackageJson, framework: TestFramework) -> bool:
    return PACKAGE_OF.get(framework) in package.all_dependencies


def _works_as_it_is(
    solution: Path,
    package: PackageJson,
    commands: Sequence[TestCommand],
    tests: TestSources,
    *,
    jsdom: bool,
) -> bool:
    """Whether the framework, called so, has all that the project's tests need."""
    framework = commands[0].framework
    if framework is not TestFramework.NODE_TEST and not _declares(package, framework):
        return False
    names = [path.name for path in solution.iterdir()]
    loaded = any(map(LOADER_OPTION.match, (w.partition("=")[0] for c in commands for w in c.words)))
    loaded = loaded or any(c.words[0] in {"tsx", "ts-node", "ts-mocha"} for c in commands)
    if framework is TestFramework.NODE_TEST:
        return loaded or not tests.typed
    if _has_config(package, commands, names):
        return True
    if framework is TestFramework.VITEST:
        return not jsdom or "jsdom" in package.all_dependencies
    if framework is TestFramework.MOCHA:
        return loaded or not tests.typed
    compiled = any(map(BABEL.match, names)) or "babel" in package.sections
    native = "vm-modules" in " ".join(w for c in commands for w in (*c.env, *c.words))
    return compiled or native or not (tests.typed or any(map(MODULE.search, tests.texts)))
