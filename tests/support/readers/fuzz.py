"""Every reader of what a stranger writes, and texts that are nearly right to feed it with.

A reader may refuse what it reads, in words. It may not raise, and it may not take long: either
would be for the stranger to choose.
"""

import contextlib
import functools
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from sdkbench.cli.console import harmless
from sdkbench.core import Assurance, GroundTruth, Outcome, Placement, Project, ScoreMode, Solution
from sdkbench.datasets import lay_out_folder
from sdkbench.environments.installation import InstallerSigns, Unresolvable
from sdkbench.errors import EnvironmentFault, InputError
from sdkbench.generation.answers import read_answer
from sdkbench.inside import processes
from sdkbench.inside.go.own_tests import read_event
from sdkbench.inside.java import tests as java_tests
from sdkbench.inside.rust.tests import understood
from sdkbench.judge.attempt import storable
from sdkbench.judge.pipeline import Stages, result_of
from sdkbench.judge.subject import Options, Subject
from sdkbench.judge.verdict import Expectation, decide, decide_installation
from sdkbench.sandbox import Completed
from sdkbench.sandbox.collect import _report, _taken
from sdkbench.shell.extract import extract
from sdkbench.test_harness import DependencyInstallResult, Examination, PythonTestRunner
from sdkbench.test_harness.evidence import Evidence, case_evidence, examined
from sdkbench.test_harness.go import environment as go_environment
from sdkbench.test_harness.go import own as go_own
from sdkbench.test_harness.go import project as go_project
from sdkbench.test_harness.go import runner as go_runner
from sdkbench.test_harness.go import session as go_session
from sdkbench.test_harness.java import environment as java_environment
from sdkbench.test_harness.java import maven
from sdkbench.test_harness.java import project as java_project
from sdkbench.test_harness.java import skeleton as java_skeleton
from sdkbench.test_harness.java.session import Classes
from sdkbench.test_harness.models import line_of, rows_of
from sdkbench.test_harness.node import checks as node_checks
from sdkbench.test_harness.node import environment as node_environment
from sdkbench.test_harness.node import project as node_project
from sdkbench.test_harness.node import session as node_session
from sdkbench.test_harness.python import environment as python_environment
from sdkbench.test_harness.python import project as python_project
from sdkbench.test_harness.python import records as python_records
from sdkbench.test_harness.python import session as python_session
from sdkbench.test_harness.python import warm
from sdkbench.test_harness.rust import environment as rust_environment
from sdkbench.test_harness.rust import project as rust_project
from sdkbench.test_harness.rust import session as rust_session
from sdkbench.test_harness.session import Record, read_records
from tests.support.evidence_builder import completed
from tests.support.readers.seeds import CONSOLE, GO_OUTPUT, NONCE, RECORDS, SEEDS


class Reader(NamedTuple):
    """`read` is given the text, and a folder of its own that is gone afterwards."""

    name: str
    seeds: tuple[bytes, ...]
    read: Callable[[bytes, Path], object]


def fed(reader: Reader, data: bytes) -> None:
    """Raises what the reader raises."""
    folder = Path(tempfile.mkdtemp(prefix="sdkbench-fuzz-"))
    try:
        reader.read(data, folder)
    finally:
        shutil.rmtree(folder)


def _judged(evidence: Evidence, examination: Examination, folder: Path) -> None:
    """All that is made of evidence: verdicts, counts, and a result that can be printed."""
    expectation = Expectation(must_pass=("tests/a.py::b",))
    evidence.summary()
    installed = DependencyInstallResult(success=True)
    runner = PythonTestRunner(folder)
    for expected in (None, expectation):
        verdict = decide(examination, expected)
        assert verdict.outcome is not Outcome.ERROR
        for mode in ScoreMode:
            stages = Stages(installed, examination, verdict)
            result = result_of(Subject(folder), Options(mode=mode), runner, stages, expected)
            printed = storable(result).model_dump_json()
            harmless(printed)


def _read_evidence(own: tuple[type[Record], ...]) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        records = read_records(data, NONCE, own)
        done = completed(1, stdout=data.decode("utf-8", "replace"))
        makers: list[Callable[..., Evidence]] = [python_records.to_evidence, case_evidence]
        for maker in makers:
            examination = examined(Project.of_folder(folder), done, records, maker, run_tests=True)
            if examination.evidence is not None:
                _judged(examination.evidence, examination, folder)
        known = go_project.read(Project.of_folder(folder))
        explain = functools.partial(go_session.explained, known)
        explained = case_evidence(records, done, explain=explain)
        explained.summary()

    return read


def _read_console(data: bytes, _folder: Path) -> None:
    records = read_records(RECORDS[1], NONCE, python_records.OWN_RECORDS)
    done = completed(0, stdout=data.decode("utf-8", "replace"))
    evidence = python_records.to_evidence(records, done)
    examination = examined(
        Project.of_folder(_folder), done, records, lambda *_: evidence, run_tests=True
    )
    decide(examination, None)


def _read_go_output(data: bytes, _folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    go_session.failure_in(text)
    for line in text.splitlines()[:100]:
        go_runner._problem(line)
    for row in text.split("\n"):
        read_event(row.encode("utf-8", "replace"))


def _projects(name: str, data: bytes, folder: Path, others: Mapping[str, bytes]) -> list[Project]:
    """A folder that holds `data` as `name`, on its own tests and as a solution of a sample."""
    for path, content in {**others, name: data}.items():
        (folder / "solution" / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / "solution" / path).write_bytes(content)
    (folder / "tests").mkdir()
    solution = folder / "solution"
    tests = Placement(source=folder / "tests", target="tests", read_only=True)
    sample = Project(
        solution=Placement(source=solution, target="expected"),
        trusted=(tests,),
        tests=("tests",),
        manifest_fallbacks=(solution,),
    )
    return [Project.of_folder(solution), sample]


def _sent(order: object) -> None:
    """As an order goes into a sandbox, and a request into the cache."""
    json.dumps(order, sort_keys=True, default=str).encode()


def _read_python(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        others = {"more.txt": b"six\n", "app.py": b"import six\n", "test_a.py": b""}
        for project in _projects(name, data, folder, others):
            needs = python_project.needs(project)
            _sent(needs.request)
            "\n".join(needs.request.requirements).encode()
            refused = DependencyInstallResult.refused(needs.refused)
            decide_installation(refused, Assurance.CHECKED)
            warm.can_fork(project)
            python_session._trusted_ini(project)
            runner = PythonTestRunner(project.solution.source, project=project)
            runner.detect()
            runner.quick_check().model_dump_json()

    return read


def _read_node(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        others = {
            "package.json": b'{"workspaces": ["packages/*"]}',
            "packages/a/package.json": b'{"name": "a"}',
            "a.test.ts": b"import { test } from 'vitest'\n",
        }
        for project in _projects(name, data, folder, others):
            node = node_project.read(project)
            needs = node_environment.needs(node)
            _sent([needs.request._replace(manifests=dict(needs.request.manifests)), needs.refused])
            needs.request.write_manifests(folder / "install")
            order = node_session.order(node, compilers=None, run_tests=True)
            json.dumps(order.model_dump()).encode()
            node_session.build_script(node)

    return read


def _read_go(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        others = {"go.mod": b"module a\n", "sub/go.mod": b"module b\n", "a_test.go": b"package a\n"}
        for project in _projects(name, data, folder, others):
            known = go_project.read(project)
            request = go_project.request(known, "1.21")
            _sent([request, known.refused, go_own.own_request(known, "1.21")])
            go_environment.Lock(request.go_mod(), "").parsed  # noqa: B018
            go_project.doubts(known)

    return read


def _read_rust(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        others = {
            "Cargo.toml": b'[package]\nname = "a"\n[workspace]\nmembers = ["m/*"]\n',
            "m/b/Cargo.toml": b'[package]\nname = "b"\nversion = "0.1.0"\n',
            "src/lib.rs": b"#[test]\nfn a() {}\n",
        }
        for project in _projects(name, data, folder, others):
            known = rust_project.read(project)
            if known.refused:
                continue
            request = rust_session.request(known)
            _sent([dict(request.skeleton), request.lock])
            with contextlib.suppress(Unresolvable):
                rust_environment._locked(request.lock)
            rust_session._programs(known)

    return read


def _read_java(name: str) -> Callable[[bytes, Path], None]:
    def read(data: bytes, folder: Path) -> None:
        others = {
            "pom.xml": b"<project><modules><module>m</module></modules></project>",
            "m/pom.xml": b"<project/>",
            "src/test/java/ATest.java": b"package a;\nimport org.junit.Test;\n",
        }
        for project in _projects(name, data, folder, others):
            known = java_project.read(project)
            known.test_classes  # noqa: B018
            _sent(java_skeleton.skeleton(folder))
            if known.refused:
                continue
            needs = java_environment.needs(known)
            _sent(needs)
            java_environment.generated_pom(needs.request.dependencies, needs.request.managed)

    return read


SIGNS: tuple[InstallerSigns, ...] = (
    python_environment.UV_SIGNS,
    node_environment.NPM_SIGNS,
    go_environment.GO_SIGNS,
    rust_environment.CARGO_SIGNS,
    maven.MAVEN_SIGNS,
)


def _read_installer(data: bytes, _folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    done: Completed = completed(1, stdout=text)
    for signs in SIGNS:
        assert isinstance(signs.explain(done, "resolve"), Unresolvable | EnvironmentFault)
    maven.explain(done, "resolve")
    with contextlib.suppress(Unresolvable):
        rust_environment._locked(text)


def _read_checks(data: bytes, _folder: Path) -> None:
    text = data.decode("utf-8", "replace")
    for row in rows_of(text):
        line_of(row.get("line"))
    for _, line, _, _ in node_checks.DIAGNOSTIC.findall(text):
        int(line)


def _read_inside(data: bytes, _folder: Path) -> None:
    """What programs inside read of judged processes: a fault there ends the run, and is judged."""
    with contextlib.suppress(RecursionError):
        understood(data, NONCE)
    with contextlib.suppress(RecursionError):
        java_tests._record(data)
    kept = processes.HeadAndTail(100)
    kept.feed(data)
    kept.text()


def _read_answer(data: bytes, _folder: Path) -> None:
    text = data.decode("utf-8", "surrogateescape")
    read_answer(text, {"app.py": "x = 1\n"})
    extract(text)


def _read_collected(data: bytes, folder: Path) -> None:
    archive = folder / "files.tar"
    archive.write_bytes(data)
    _taken(archive)
    _report(completed(0).model_copy(update={"channel": data}))


def _read_metadata(data: bytes, folder: Path) -> None:
    (folder / "metadata.json").write_bytes(data)
    with contextlib.suppress(InputError):  # in words
        GroundTruth(folder / "metadata.json")


def _read_folder(data: bytes, folder: Path) -> None:
    """File names, as a stranger chose them."""
    root = folder / "solution"
    root.mkdir()
    for number, name in enumerate(data.split(b"\n")[:20]):
        with contextlib.suppress(OSError, ValueError):
            path = root / name.decode("utf-8", "surrogateescape").lstrip("/")
            if path.resolve().is_relative_to(root.resolve()):
                path.parent.mkdir(parents=True, exist_ok=True)
                path.symlink_to("..") if number % 7 == 3 else path.write_bytes(data)
    with contextlib.suppress(InputError):
        solution = Solution(root)
        json.dumps([solution.files, solution.left_out, solution.digest])
        lay_out_folder(root, folder / "copy")


READERS: tuple[Reader, ...] = (
    Reader("pytest evidence", RECORDS, _read_evidence(python_records.OWN_RECORDS)),
    Reader("java and cargo evidence", RECORDS, _read_evidence((Classes, rust_session.Programs))),
    Reader("pytest console", CONSOLE, _read_console),
    Reader("go output", GO_OUTPUT, _read_go_output),
    Reader("requirements.txt", SEEDS["requirements.txt"], _read_python("requirements.txt")),
    Reader("pyproject.toml", SEEDS["pyproject.toml"], _read_python("pyproject.toml")),
    Reader("setup.cfg", SEEDS["setup.cfg"], _read_python("setup.cfg")),
    Reader("setup.py", SEEDS["setup.py"], _read_python("setup.py")),
    Reader("Pipfile", SEEDS["Pipfile"], _read_python("Pipfile")),
    Reader("Pipfile.lock", SEEDS["Pipfile.lock"], _read_python("Pipfile.lock")),
    Reader("Python source", SEEDS["Python source"], _read_python("app.py")),
    Reader("package.json", SEEDS["package.json"], _read_node("package.json")),
    Reader(
        "member's package.json",
        SEEDS["member's package.json"],
        _read_node("packages/a/package.json"),
    ),
    Reader("tsconfig.json", SEEDS["tsconfig.json"], _read_node("tsconfig.json")),
    Reader("package-lock.json", SEEDS["package-lock.json"], _read_node("package-lock.json")),
    Reader("TypeScript test", SEEDS["TypeScript test"], _read_node("a.test.ts")),
    Reader("go.mod", SEEDS["go.mod"], _read_go("go.mod")),
    Reader("go.work", SEEDS["go.work"], _read_go("go.work")),
    Reader("Go source", SEEDS["Go source"], _read_go("a.go")),
    Reader("Cargo.toml", SEEDS["Cargo.toml"], _read_rust("Cargo.toml")),
    Reader("member's Cargo.toml", SEEDS["member's Cargo.toml"], _read_rust("m/b/Cargo.toml")),
    Reader("Cargo.lock", SEEDS["Cargo.lock"], _read_rust("Cargo.lock")),
    Reader("Rust source", SEEDS["Rust source"], _read_rust("src/lib.rs")),
    Reader("pom.xml", SEEDS["pom.xml"], _read_java("pom.xml")),
    Reader("module's pom.xml", SEEDS["module's pom.xml"], _read_java("m/pom.xml")),
    Reader("Java test", SEEDS["Java test"], _read_java("src/test/java/ATest.java")),
    Reader("installer", SEEDS["installer"], _read_installer),
    Reader("type checkers and linters", SEEDS["type checkers and linters"], _read_checks),
    Reader("programs inside", SEEDS["programs inside"], _read_inside),
    Reader("a model's answer", SEEDS["a model's answer"], _read_answer),
    Reader("an agent's files", SEEDS["an agent's files"], _read_collected),
    Reader("metadata.json", SEEDS["metadata.json"], _read_metadata),
    Reader("file names", SEEDS["file names"], _read_folder),
)
