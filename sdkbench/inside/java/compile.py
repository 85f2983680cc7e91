"""A task of boot.py: the solution, then the tests, from sources to two jars. Runs no judged code.

The solution's jar and the tests' resources are mounted read-only where the tests run; the tests'
classes are given to our launcher alone. Jars leave by the channel.
"""

import base64
import io
import os
import re
import zipfile
from typing import Literal, TypedDict

from ..protocol import Built, Order
from .guarded_classes import guarded
from .session import Session

DIAGNOSTIC = re.compile(r"^(\S.*?\.java):(\d+): error: (.*)$", re.MULTILINE)
MAX_OUTPUT = 64 * 1024
FIRST_STATUS = 10  # of Compile: 10 says the first argument file failed, 11 the second
TIME_LIMIT = b"imeout"  # @Timeout, @Test(timeout = …), a rule
STAMP = (1980, 1, 1, 0, 0, 0)  # the same classes make the same jar


class JavaStage(TypedDict):
    """A call of javac: options may say {tmp} for our own folder."""

    name: str
    options: list[str]
    sources: list[str]


class CompileOrder(Order):
    task: Literal["compile"]
    compiler: list[str]
    stages: list[JavaStage]
    protected_jars: list[str]  # no class of the solution may stand in one of their packages
    solution_resources: dict[str, str]  # name in the jar → file
    test_resources: dict[str, str]


class Classes(TypedDict):
    """The names of the outer test classes, and jars in base64."""

    kind: Literal["classes"]
    names: list[str]
    solution: str
    tests: str
    test_resources: str
    threads: bool  # tests have time limits, for which JUnit may run them in threads of their own


def run(order: CompileOrder, session: Session) -> int:
    tmp = os.environ["TMPDIR"]
    main, tests = os.path.join(tmp, "main"), os.path.join(tmp, "tests")
    stages = [stage for stage in order["stages"] if stage["sources"]]
    for folder in (main, tests, os.path.join(tmp, "empty")):
        os.mkdir(folder)
    files = [_argument_file(stage, os.path.join(tmp, stage["name"] + ".args")) for stage in stages]
    log = os.path.join(tmp, "javac.txt")
    status = session.run([*order["compiler"], *files], {}, output=log) if files else 0
    errors = _errors(log, status, order["workspace"]) if status else []
    errors = errors or _trespasses(main, tests, order["protected_jars"])
    session.send(Built(kind="built", errors=errors))
    if errors:
        return 1
    classes = _read(tests)
    names = sorted(name for name in classes if "$" not in name)
    session.send(
        Classes(
            kind="classes",
            names=[name.removesuffix(".class").replace("/", ".") for name in names],
            solution=_jar(_read(main) | _contents(order["solution_resources"])),
            tests=_jar({name: guarded(data) for name, data in classes.items()}),
            test_resources=_jar(_contents(order["test_resources"])),
            threads=any(TIME_LIMIT in data for data in classes.values()),
        )
    )
    return 0


def _argument_file(stage: JavaStage, path: str) -> str:
    words = [word.replace("{tmp}", os.environ["TMPDIR"]) for word in stage["options"]]
    with open(path, "w", encoding="utf-8") as stream:
        for word in [*words, *stage["sources"]]:
            escaped = word.replace("\\", "\\\\").replace('"', '\\"')
            stream.write(f'"{escaped}"\n')
    return path


def _errors(log: str, status: int, workspace: str) -> list[str]:
    with open(log, encoding="utf-8", errors="replace") as stream:
        output = stream.read(MAX_OUTPUT).replace(f"{workspace}/", "")
    errors = [f"{path}:{line}: {message}" for path, line, message in DIAGNOSTIC.findall(output)]
    ending = "" if status >= FIRST_STATUS else f"javac ended with {status}\n"
    return errors or [f"{ending}{output.strip()}"]


def _trespasses(main: str, tests: str, jars: list[str]) -> list[str]:
    """Classes of the solution under names that belong to the tests or to what runs them."""
    packages = {"sdkbench/launcher", "sdkbench/entry", "sdkbench/loader"}
    for path in jars:
        with zipfile.ZipFile(path) as jar:
            packages |= {os.path.dirname(name) for name in jar.namelist()} - {""}
    theirs = set(_files(tests))
    return [
        f"{name.removesuffix('.class').replace('/', '.')}: this name belongs to the tests"
        for name in _files(main)
        if name in theirs or (os.path.dirname(name) in packages)
    ]


def _read(folder: str) -> dict[str, bytes]:
    """The classes below a folder, by their names in a jar."""
    return _contents({name: os.path.join(folder, name) for name in _files(folder)})


def _contents(files: dict[str, str]) -> dict[str, bytes]:
    contents = {}
    for name, path in files.items():
        with open(path, "rb") as stream:
            contents[name] = stream.read()
    return contents


def _jar(entries: dict[str, bytes]) -> str:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as jar:
        for name, content in sorted(entries.items()):
            jar.writestr(zipfile.ZipInfo(name, STAMP), content)
    return base64.b64encode(data.getvalue()).decode("ascii")


def _files(folder: str) -> list[str]:
    return sorted(
        os.path.relpath(os.path.join(current, name), folder)
        for current, _, names in os.walk(folder)
        for name in names
    )
