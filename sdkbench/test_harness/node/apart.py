"""Tests and solution in two sandboxes: the orders for both, and files that stand for a solution."""

import contextlib
import dataclasses
import itertools
import json
import re
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO

from sdkbench.core import Placement, tree
from sdkbench.sandbox.command import SHARED, WORKSPACE
from sdkbench.sandbox.pair import PEER
from sdkbench.test_harness.models import TestFramework
from sdkbench.test_harness.node.project import PACKAGE_OF, SOURCE, NodeProject, read, sources
from sdkbench.test_harness.node.session import (
    ApartOrder,
    Compilers,
    NodeOrder,
    build_steps,
    order,
)
from sdkbench.test_harness.recognition import text_of
from sdkbench.test_harness.session import INSIDE

SERVE = INSIDE / "node" / "apart" / "serve.mjs"
IN_PROCESS = (
    "--unhandled-rejections=strict",
    f"--test-reporter={INSIDE / 'node' / 'apart' / 'node_test.mjs'}",
    "--test-reporter-destination=stdout",
)
OFFERED = frozenset(
    {TestFramework.NODE_TEST, TestFramework.MOCHA, TestFramework.VITEST, TestFramework.JEST}
)
IMPORTER = f"{WORKSPACE}/.sdkbench-import.mjs"
MOST_FILES = 5000
MAX_DATA_BYTES = 1024 * 1024
# What a test may read or import and no program runs.
DATA = frozenset(
    {
        ".json",
        ".md",
        ".txt",
        ".html",
        ".css",
        ".svg",
        ".csv",
        ".yml",
        ".yaml",
        ".toml",
        ".sql",
        ".graphql",
    }
)
# A folder of the sample that calls the solution for the tests, in the solution's own sandbox.
DRIVER = "solution_driver"
# Ways of tests to run what is not written in them.
RUNS_CODE = re.compile(
    r"(?<![\w.$])(?:eval|new Function)\s*\(|[\"'](?:node:)?(?:child_process|vm|repl)[\"']"
    r"|\._compile\(|data:text/javascript"
)
WRITES = re.compile(r"\bwriteFile|\bcreateWriteStream|\bappendFile")
LOADS = re.compile(r"\b(?:import|require)\s*\(\s*[^\s\"')][^)]*\)")
# Packages that tests have and that no class of a solution's errors comes from.
TESTING = frozenset({*PACKAGE_OF.values(), "chai", "sinon", "supertest", "react", "react-dom"})


def with_copies(profile: str) -> str:
    """The tests keep their own of what the solution changes, and the reference does not."""
    return json.dumps([*json.loads(profile), "copies"])


def as_tests_see_it(node: NodeProject) -> NodeProject | None:
    """The project as its tests' sandbox has it: the reference decides on packages and settings.

    None where such tests can't run apart. What stands in the way of single tests shows on running.
    """
    given = node.given
    if given.has_own_tests or not given.manifest_fallbacks:
        return None
    tests = _of_reference(node, given.manifest_fallbacks[-1])
    return None if _obstacle(tests) else tests


def why_not(node: NodeProject) -> str | None:
    """Why tests of this kind can't run apart from the solution, where they can't."""
    fallbacks = node.given.manifest_fallbacks
    return _obstacle(_of_reference(node, fallbacks[-1])) if fallbacks else None


def _of_reference(node: NodeProject, source: Path) -> NodeProject:
    given = node.given
    reference = Placement(source=source, target=given.solution.target)
    return read(given.model_copy(update={"solution": reference}))


def _obstacle(tests: NodeProject) -> str | None:
    if tests.jsdom:
        return (
            "its tests look at a page (jsdom) that the solution's components draw in the same "
            "process; what they draw can be tested apart as text, by a server's rendering"
        )
    if tests.framework not in OFFERED:
        return f"the level is not offered for {tests.framework}"
    # A configuration in the tests' own folder could not be shown to the solution's side alone.
    config = tests.trusted_config
    if config is not None and all(placed.target != config for placed in tests.given.trusted):
        return f"its configuration ({config}) is among the tests; put it beside their folder"
    return _code_of_tests(tests)


def _code_of_tests(tests: NodeProject) -> str | None:
    """Code or commands that a solution answers would run beside the tests. In JavaScript nobody
    hears of it when it happens, so tests that could do so tell by their text.
    """
    for placement in tests.given.trusted:
        for path in sources(placement.source) if placement.source.is_dir() else ():
            text = text_of(path)
            found = RUNS_CODE.search(text)
            if found is None and WRITES.search(text):
                found = LOADS.search(text)
            if found is not None:
                return (
                    f"its tests may run code or programs that the solution answers ({path.name}: "
                    f"{found[0].strip()}); a test can look at the text, or be a black-box one"
                )
    return None


def tests_order(tests: NodeProject, node: NodeProject, profile: str | None) -> NodeOrder:
    """Which names stand for folders of a solution is the reference's choice; for which, its own."""
    own = order(node, compilers=None, run_tests=True).aliases
    made = order(tests, compilers=None, run_tests=True, apart=apart_order(tests, profile))
    aliases = {name: own.get(name, target) for name, target in made.aliases.items()}
    parts = made.apart and made.apart.model_copy(update={"in_process": _fits_one_process(tests)})
    return made.model_copy(update={"aliases": aliases, "apart": parts})


def _fits_one_process(tests: NodeProject) -> bool:
    """Whether all tests may share a process with the program that reports on them: no code of the
    solution's comes there. Each file has one to itself, and loaders of TypeScript want a fresh one.
    """
    plain = tests.framework is TestFramework.NODE_TEST and not tests.typed
    return plain and len(tests.test_files) == 1


def words_for_tests(order: NodeOrder) -> tuple[str, ...]:
    """Of Node, where the tests run in its first process."""
    in_process = order.apart is not None and order.apart.in_process
    return IN_PROCESS if in_process else ()


def solution_order(tests: NodeProject, node: NodeProject, compilers: Compilers | None) -> NodeOrder:
    """The solution is loaded by the framework of the tests, and by its own settings. It is checked
    beside that, unless `compilers` is None.
    """
    same = dataclasses.replace(
        node,
        framework=tests.framework,
        trusted_config=tests.trusted_config,
        esm=tests.esm,
        jsdom=tests.jsdom,
    )
    made = order(same, compilers=None, run_tests=True, apart=apart_order(tests, None))
    steps = build_steps(node, compilers) if compilers else ()
    return made.model_copy(update={"build_steps": steps})


def apart_order(node: NodeProject, profile: str | None) -> ApartOrder:
    shared = frozenset(node.imports) - TESTING
    return ApartOrder(
        peer=PEER,
        shared=SHARED,
        root=f"{WORKSPACE}/{node.given.solution.target}",
        drivers=tuple(f"{WORKSPACE}/{placement.target}" for placement in drivers(node)),
        importer=IMPORTER,
        packages=tuple(sorted(name for name in shared if not name.startswith("@testing-library"))),
        profile=profile,
    )


def given_to_solution(node: NodeProject) -> tuple[Placement, ...]:
    """What the solution's sandbox has besides the solution: how to load it, never a test."""
    names = {node.trusted_config, "package.json"}
    settings = (placement for placement in node.given.trusted if placement.target in names)
    return (*settings, *drivers(node))


def drivers(node: NodeProject) -> tuple[Placement, ...]:
    """The sample's code that may run where the solution runs: beside the tests, or among them."""
    places = (
        placement
        if placement.target == DRIVER
        else placement.model_copy(
            update={"source": placement.source / DRIVER, "target": f"{placement.target}/{DRIVER}"}
        )
        for placement in node.given.trusted
    )
    return tuple(place for place in places if place.source.is_dir())


@contextlib.contextmanager
def stand_in(solution: Placement) -> Iterator[Placement]:
    """A folder with the same names, and with the same data; sources are empty.

    Of these, tests need the names alone, and so nothing of the solution can run beside them.
    """
    with tempfile.TemporaryDirectory(prefix="sdkbench-names-") as folder:
        root = Path(folder)
        if solution.packed:
            _of_archive(solution.source, root)
        else:
            _of_folder(solution.source, root)
        yield Placement(source=root, target=solution.target)


def _of_folder(source: Path, root: Path) -> None:
    for path in sorted(tree.files(source))[:MOST_FILES]:
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as file:
                _place(root / path.relative_to(source), file)


def _of_archive(source: Path, root: Path) -> None:
    """What a build has made. Its tar file may say anything, or break off."""
    with (
        contextlib.suppress(tarfile.TarError, EOFError, ValueError),
        tarfile.open(source) as archive,
    ):
        for member in itertools.islice(archive, MOST_FILES):
            parts = PurePosixPath(member.name).parts
            file = archive.extractfile(member) if member.isfile() else None
            if file and ".." not in parts and not member.name.startswith("/"):
                _place(root.joinpath(*parts), file)


def _place(target: Path, file: IO[bytes]) -> None:
    if "__mocks__" in target.parts:
        return  # jest would put it in place of a package that the tests import
    if SOURCE.search(target.name):
        _write(target, b"")
    elif target.name == "package.json":
        _write(target, _without_way_out(file.read(MAX_DATA_BYTES)))
    elif target.suffix in DATA or target.name == ".env":
        _write(target, file.read(MAX_DATA_BYTES))


def _write(path: Path, data: bytes) -> None:
    with contextlib.suppress(OSError):  # a name that the disk refuses: nobody imports it
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _without_way_out(manifest: bytes) -> bytes:
    """An entry point outside of the package would stand for code that is not the solution's."""
    try:
        fields = json.loads(manifest)
    except (ValueError, RecursionError):
        return b"{}"
    if not isinstance(fields, dict):
        return b"{}"
    for name in ("main", "module", "browser", "exports", "imports", "jest"):
        if ".." in json.dumps(fields.get(name)) or name in {"imports", "jest"}:
            fields.pop(name, None)
    return json.dumps(fields).encode()
