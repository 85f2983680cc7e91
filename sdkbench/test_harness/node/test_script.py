"""A project's own test commands, as the scripts of its package.json have them.

Scripts call scripts, and wrap programs in others (`c8`, `cross-env`, `npx`). What is left in the
end are calls of test frameworks: their words stay as they were written, for a shell to read.
"""

import itertools
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sdkbench.test_harness.models import TestFramework

MAX_SCRIPT = 4096
MAX_DEPTH = 8  # of scripts that call scripts
MAX_COMMANDS = 50
TOKEN = re.compile(
    r"""(?P<operator>&&|\|\||[;&|\n()])|(?P<redirection>\d*[<>]+&?\s*\S*)|"""
    r"""(?P<word>(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|\$\([^()]*\)|[^\s'"\\;&|<>()])+)""",
    re.DOTALL,
)
PACKAGE_PATH = re.compile(r"node_modules/(mocha|jest|vitest)/")
ASSIGNMENT = re.compile(r"^[A-Za-z_]\w*=")
PROGRAMS = {
    "mocha": TestFramework.MOCHA,
    "_mocha": TestFramework.MOCHA,
    "ts-mocha": TestFramework.MOCHA,
    "jest": TestFramework.JEST,
    "vitest": TestFramework.VITEST,
}
# Programs that run tests of their own kind → what their users call it.
UNSUPPORTED = {
    "ava": "ava", "uvu": "uvu", "tap": "tap", "tape": "tape", "tapes": "tape",
    "jasmine": "jasmine", "jasmine-browser-runner": "jasmine", "karma": "Karma",
    "qunit": "QUnit", "lab": "lab", "deno": "Deno", "bun": "Bun", "playwright": "Playwright",
    "cypress": "Cypress", "nightwatch": "Nightwatch", "wdio": "WebdriverIO",
    "testcafe": "TestCafe", "wtr": "Web Test Runner", "web-test-runner": "Web Test Runner",
    "cucumber-js": "Cucumber", "electron-mocha": "electron-mocha", "mochify": "mochify",
    "brittle": "brittle", "brittle-node": "brittle", "poku": "poku", "nodeunit": "nodeunit",
    "zora": "zora", "pta": "zora", "ospec": "ospec", "japa": "Japa", "tstest": "tstest",
    "riteway": "riteway", "baretest": "baretest", "xv": "xv", "intern": "Intern",
    "airtap": "airtap", "rstest": "Rstest", "test262-harness": "test262",
}  # fmt: skip
# `bun run build` and `deno task x` are no tests.
TESTING_WORD = {"bun": "test", "deno": "test", "playwright": "test", "cypress": "run"}
WRAPPERS = frozenset(
    {"cross-env", "cross-env-shell", "env", "npx", "pnpx", "bunx", "c8", "nyc", "dotenv", "env-cmd",
     "time", "exec", "node", "glob", "zx", "start-server-and-test", "xvfb-maybe", "faucet"}
)  # fmt: skip
SCRIPT_CALLERS = frozenset({"npm-run-all", "npm-run-all2", "run-s", "run-p", "concurrently"})
MANAGERS = frozenset({"npm", "pnpm", "yarn", "bun"})
OF_THE_SHELL = frozenset({"cd", "export", "set", "unset", ".", "source", "alias", "umask"})
LOADERS = frozenset({"tsx", "ts-node", "node"})  # programs that take Node's own options
# Options that only say how a run is told, measured or repeated: (without, with) a value of its own.
DROPPED: Mapping[TestFramework, tuple[frozenset[str], frozenset[str]]] = {
    TestFramework.MOCHA: (
        frozenset({"--watch", "-w", "--color", "--colors", "-c", "--no-color"}),
        frozenset({"--reporter", "-R", "--reporter-option", "--reporter-options", "-O"}),
    ),
    TestFramework.JEST: (
        frozenset({"--watch", "--watchAll", "--coverage", "--collectCoverage", "--verbose",
                   "--silent", "--notify"}),
        frozenset({"--reporters", "--coverageReporters", "--coverageDirectory",
                   "--coverageThreshold", "--collectCoverageFrom", "--outputFile"}),
    ),
    TestFramework.VITEST: (
        frozenset({"--watch", "-w", "--coverage", "--run", "--ui", "--open", "--silent",
                   "--coverage.enabled"}),
        frozenset({"--reporter", "--outputFile"}),
    ),
    TestFramework.NODE_TEST: (
        frozenset({"--watch", "--experimental-test-coverage"}),
        frozenset({"--test-reporter", "--test-reporter-destination"}),
    ),
}  # fmt: skip
NOT_TESTS = {TestFramework.VITEST: frozenset({"bench", "typecheck", "list", "init"})}


class TestCommand(NamedTuple):
    """One call of a framework. `words` and `env` are as a shell reads them."""

    framework: TestFramework
    words: tuple[str, ...]
    env: tuple[str, ...]  # NAME=value
    before: int  # options of ours may stand before this word
    folder: str = ""  # of a workspace's member; "" is the project itself

    @property
    def selects(self) -> bool:
        """Whether it may name some of the tests: anything but options may."""
        rest = self.words[self.before :]
        return any(not word.startswith("-") for word in rest)


class ReadScripts(NamedTuple):
    commands: tuple[TestCommand, ...]
    unsupported: tuple[str, ...]  # frameworks that are called, and that nobody here can run
    programs: tuple[TestCommand, ...]  # `node FILE`: tests only if that file uses node:test


def read_scripts(scripts: Mapping[str, str], *, name: str = "test") -> ReadScripts:
    """The calls of test frameworks in the script `name`, and in those that it calls."""
    commands: list[TestCommand] = []
    unsupported: list[str] = []
    programs: list[TestCommand] = []
    for env, words in itertools.islice(_simple_commands(scripts, name, (), 0), MAX_COMMANDS):
        framework = _unsupported(words)
        command = None if framework else _framework_call(env, words)
        if command is not None:
            commands.append(command)
        elif framework:
            unsupported.append(framework)
        elif _name(words[0]) in LOADERS and len(words) > 1:
            call = (words[0], "--test", *words[1:])
            programs.append(TestCommand(TestFramework.NODE_TEST, call, env, before=1))
    return ReadScripts(tuple(commands), tuple(unsupported), tuple(programs))


def chosen(commands: Sequence[TestCommand]) -> tuple[TestCommand, ...]:
    """Those to run, of the framework that comes first: the one that runs everything where there is
    one, else each that names tests.
    """
    same = [one for one in commands if one.framework is commands[0].framework]
    whole = [one for one in same if not one.selects]
    return tuple(whole[:1]) or tuple(dict.fromkeys(same))


def script_parts(text: str) -> tuple[str, ...]:
    """A script as commands that run one after the other, each only if the last went well: what
    comes after the tests, a check of sizes say, can then be told from them. One that does anything
    else, or what a later part depends on, stays in one piece.
    """
    ands = [token for token in TOKEN.finditer(text) if token["operator"]]
    ends = [0, *(place for token in ands for place in token.span()), len(text)]
    parts = [text[start:end].strip() for start, end in zip(ends[::2], ends[1::2], strict=True)]
    plain = all(token["operator"] == "&&" for token in ands) and all(parts)
    if plain and not any(part.split()[0] in OF_THE_SHELL for part in parts):
        return tuple(parts)
    return (text,)


def _simple_commands(
    scripts: Mapping[str, str], name: str, more: tuple[str, ...], depth: int
) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Variables and words of each command, with scripts that are called put in their place."""
    text = scripts.get(name, "")[:MAX_SCRIPT]
    if not text or depth > MAX_DEPTH:
        return
    parts = list(_split(text))
    for number, part in enumerate(parts):
        env, words = _unwrapped(part + (more if number == len(parts) - 1 else ()), scripts)
        called = list(_called_scripts(words, scripts))
        for script, arguments in called:
            for inner, rest in _simple_commands(scripts, script, arguments, depth + 1):
                yield (*env, *inner), rest
        if not called and words:
            yield env, words


def _split(text: str) -> Iterator[tuple[str, ...]]:
    words: list[str] = []
    for token in TOKEN.finditer(text):
        if token["word"]:
            words.append(token["word"])
        elif token["operator"] and words:
            yield tuple(words)
            words = []
    if words:
        yield tuple(words)


def _unwrapped(
    words: Sequence[str], scripts: Mapping[str, str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Variables that are set, and the words from the program on that matters."""
    env: list[str] = []
    rest = list(words)
    while rest:
        if ASSIGNMENT.match(rest[0]):
            env.append(rest.pop(0))
        elif _name(rest[0]) in WRAPPERS and (start := _inner_program(rest)):
            env += [word for word in rest[1:start] if ASSIGNMENT.match(word)]
            rest = rest[start:]
        elif _name(rest[0]) in MANAGERS and len(rest) > 1 and rest[1] in {"exec", "x", "dlx"}:
            rest = [word for word in rest[2:] if word != "--"]
        elif _name(rest[0]) in {"pnpm", "yarn"} and _calls_program(rest, scripts):
            rest = rest[1:]
        else:
            break
    return tuple(env), tuple(rest)


def _calls_program(words: Sequence[str], scripts: Mapping[str, str]) -> bool:
    """Whether a manager calls an installed program: a script of that name would come first."""
    name = words[1] if len(words) > 1 else ""
    return name not in scripts and (name in PROGRAMS or name in UNSUPPORTED or name in WRAPPERS)


def _inner_program(words: Sequence[str]) -> int | None:
    """Where the program starts that a wrapper calls; None where it calls none that matters."""
    if _name(words[0]) == "node" and _is_node_call(words):
        return None
    for place, word in enumerate(words[1:], start=1):
        name = _name(word)
        known = name in PROGRAMS or name in UNSUPPORTED or name in LOADERS
        if known or name in MANAGERS or name in WRAPPERS or name in SCRIPT_CALLERS:
            return place
    return None


def _is_node_call(words: Sequence[str]) -> bool:
    """Whether it is Node itself that runs tests, or a framework's own program."""
    return "--test" in words or _framework_place(words) is not None


def _framework_place(words: Sequence[str]) -> int | None:
    """Where the framework's program stands in a call of Node, which may have options before."""
    for place, word in enumerate(words[1:], start=1):
        if word.startswith("-") or "/" not in _plain(word):
            continue
        return place if _name(word) in PROGRAMS else None
    return None


def _called_scripts(
    words: tuple[str, ...], scripts: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The scripts that a command runs, each with what is added to it."""
    program = _name(words[0]) if words else ""
    plain = [_plain(word) for word in words[1:]]
    if program in SCRIPT_CALLERS:
        for word in plain:
            caller = word.removeprefix("npm:")
            yield from ((name, ()) for name in _matching(caller, scripts))
    elif program in MANAGERS:
        place = next((n for n, word in enumerate(plain) if not word.startswith("-")), None)
        if place is None:
            return
        if plain[place] in {"run", "run-script"} and place + 1 < len(plain):
            place += 1
        elif plain[place] in {"t", "tst"} and program == "npm":
            plain[place] = "test"
        elif program == "npm" and plain[place] != "test":
            return
        elif program == "bun" and plain[place] == "test":
            return  # its own tests
        rest = tuple(word for word in words[place + 2 :] if word != "--")
        yield from ((name, rest) for name in _matching(plain[place], scripts))


def _matching(pattern: str, scripts: Mapping[str, str]) -> list[str]:
    """Scripts by name, by npm-run-all's `test:*`, or by pnpm's `/^test:/`."""
    if pattern in scripts:
        return [pattern]
    if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/"):  # noqa: PLR2004
        start = pattern.strip("/").removeprefix("^").removesuffix("$").removesuffix(".*")
        return [name for name in scripts if start.isascii() and name.startswith(start)]
    if pattern.endswith("*"):
        return [name for name in scripts if name.startswith(pattern.rstrip("*"))]
    return []


def _unsupported(words: Sequence[str]) -> str | None:
    name = _name(words[0])
    testing = TESTING_WORD.get(name)
    if name not in UNSUPPORTED or (testing and testing not in words[1:3]):
        return None
    return UNSUPPORTED[name]


def _framework_call(env: tuple[str, ...], words: tuple[str, ...]) -> TestCommand | None:
    name = _name(words[0])
    place = _framework_place(words) if name == "node" else 0
    if name in LOADERS and "--test" in words:
        place, framework = 0, TestFramework.NODE_TEST
    elif place is not None and _name(words[place]) in PROGRAMS:
        framework = PROGRAMS[_name(words[place])]
    else:
        return None
    rest = words[place + 1 :]
    if rest and rest[0] in NOT_TESTS.get(framework, ()):
        return None
    modes = rest[:1] if framework is TestFramework.VITEST and rest[:1] == ("run",) else ()
    kept = _kept(framework, rest[len(modes) :])
    start = (*words[: place + 1], *modes)
    return TestCommand(framework, (*start, *kept), env, before=len(start))


def _kept(framework: TestFramework, words: Sequence[str]) -> tuple[str, ...]:
    """`words` without the options that only say how a run is told, measured or repeated."""
    alone, valued = DROPPED[framework]
    kept: list[str] = []
    skip = False
    for word in words:
        option, equals, _ = word.partition("=")
        if skip and not word.startswith("-"):
            skip = False
            continue
        skip = option in valued and not equals
        coverage = option.startswith(("--coverage.", "--coverage="))
        if option not in alone and option not in valued and not coverage:
            kept.append(word)
    return tuple(kept)


def _plain(word: str) -> str:
    """The word without its quotes."""
    try:
        parts = shlex.split(word)
    except ValueError:
        return word
    return parts[0] if len(parts) == 1 else word


def _name(word: str) -> str:
    """What a word calls, if it is a program: `node_modules/.bin/mocha` and `mocha.js` are mocha."""
    plain = _plain(word)
    if package := PACKAGE_PATH.search(plain):
        return package[1]
    if "/" in plain and "node_modules" not in plain and "bin" not in plain.split("/"):
        return plain
    return re.sub(r"\.([cm]?js|cmd)$", "", plain.rpartition("/")[2])
