"""What tests demand and no text states, in every language."""

import json
from pathlib import Path

import pytest

from sdkbench.datasets import load_sample
from sdkbench.validation.behaviour import readings
from sdkbench.validation.demands import unstated
from sdkbench.validation.explanations import Explanations, Implied
from tests.support.projects import write


def sample_root(tmp_path: Path, files: dict[str, str], description: str = "") -> Path:
    root = tmp_path / "demo" / "demo_001"
    write(root, files)
    metadata = {
        "sample_id": "demo_001",
        "sdk": "demo",
        "task_type": 1,
        "description": description,
    }
    (root / "expected" / "metadata.json").write_text(json.dumps(metadata))
    return root


def demands(
    tmp_path: Path,
    reference: tuple[str, str],
    tests: tuple[str, str],
    description: str = "",
    starter: str = "",
    implied: tuple[str, ...] = (),
) -> set[tuple[str, str]]:
    files = {
        f"expected/{reference[0]}": reference[1],
        f"input/{reference[0]}": starter,
        f"tests/{tests[0]}": tests[1],
    }
    sample = load_sample(sample_root(tmp_path, files, description))
    known = tuple(Implied(what=what, reason="everybody knows") for what in implied)
    found = unstated(sample, Explanations(implied=known))
    return {(literal.kind, literal.value) for literal in found}


PYTHON = (
    "app.py",
    """
class Missing(KeyError): ...

def status(name):
    if name == "ada":
        return {"state": "open", "code": 404}
    raise Missing(f"no such person: {name}")
""",
)
PYTHON_TESTS = (
    "test_app.py",
    """
import pytest
from expected import app

def test_open():
    assert app.status("ada") == {"state": "open", "code": 404}
    assert len(app.status("ada")) == 2

def test_missing():
    with pytest.raises(app.Missing, match="no such person"):
        app.status("eve")
""",
)


def test_python_names_numbers_and_messages(tmp_path: Path) -> None:
    assert demands(tmp_path, PYTHON, PYTHON_TESTS) == {
        ("name", "status"),
        ("name", "Missing"),
        ("text", "state"),
        ("text", "open"),
        ("text", "code"),
        ("number", "404"),
        ("text", "no such person"),
    }


def test_what_is_stated_or_implied_is_no_demand(tmp_path: Path) -> None:
    starter = 'def status(name):\n    """`{"state": "open"}`; else Missing."""\n'
    description = 'The code is 404, and the message "no such person".'
    assert demands(tmp_path, PYTHON, PYTHON_TESTS, description, starter) == set()
    found = demands(tmp_path, PYTHON, PYTHON_TESTS, "", starter, implied=("404", "code"))
    assert found == {("text", "no such person")}


def test_what_tests_hand_in_or_compute_is_no_demand(tmp_path: Path) -> None:
    reference = "app.py", "def double(n):\n    return n * 2\n"
    tests = (
        "test_app.py",
        (
            "from expected.app import double\n"
            "def test_double():\n    assert double(21) == 42\n    assert double('ab') == 'abab'\n"
        ),
    )
    assert demands(tmp_path, reference, tests, starter="def double(n): ...") == set()


@pytest.mark.parametrize(
    "read",
    [
        'asked.headers["x-trace"] == "7"',
        'asked.headers.get("x-trace") == "7"',
        'asked.headers == {"x-trace": "7"}',
        'asked.header("x-trace") == "7"',
    ],
)
def test_headers_are_the_same_in_any_case(read: str, tmp_path: Path) -> None:
    reference = "app.py", "def ask(send):\n    send({'X-Trace': '7', 'accept': 'text/plain'})\n"
    tests = (
        "test_app.py",
        f"def test_ask():\n    assert {read}\n    assert asked.headers['Accept']\n",
    )
    starter = 'def ask(send):\n    """Sends X-TRACE and ACCEPT."""\n'
    assert demands(tmp_path, reference, tests, starter=starter) == set()
    assert demands(tmp_path, reference, tests, starter="def ask(send): ...") == {
        ("text", "x-trace"),
        ("text", "Accept"),
    }


def test_other_texts_are_not_the_same_in_another_case(tmp_path: Path) -> None:
    reference = "app.py", "def state():\n    return 'read-only'\n"
    tests = (
        "test_app.py",
        "from expected import app\n\ndef test_a():\n    assert app.state() == 'read-only'\n",
    )
    assert demands(tmp_path, reference, tests, starter="state() is READ-ONLY") == {
        ("text", "read-only")
    }


TYPESCRIPT = (
    "src/app.ts",
    "export function refuse() { return { status: 401, error: 'Unauthorized' } }\n",
)


@pytest.mark.parametrize(
    "assertion",
    [
        "expect(refuse()).toEqual({ status: 401, error: 'Unauthorized' })",
        "assert.deepEqual(refuse(), { status: 401, error: 'Unauthorized' })",
        "check(refuse(), { status: 401, error: 'Unauthorized' })",
        "it.each([[401, 'Unauthorized', { status: 1, error: 1 }]])('x', () => {})",
    ],
)
def test_javascript_demands_in_every_kind_of_assertion(assertion: str, tmp_path: Path) -> None:
    helper = "function check(a: object, b: object) { expect(a).toEqual(b) }\n"
    tests = "app.test.ts", f"import {{ refuse }} from '../expected/src/app'\n{helper}{assertion}\n"
    assert demands(tmp_path, TYPESCRIPT, tests) == {
        ("name", "refuse"),
        ("name", "status"),
        ("name", "error"),
        ("number", "401"),
        ("text", "Unauthorized"),
    }


def test_go_demands(tmp_path: Path) -> None:
    reference = "notes.go", 'package notes\n\nfunc Title() string { return "untitled" }\n'
    tests = (
        "notes_test.go",
        (
            "package tests\n\nfunc TestTitle(t *testing.T) {\n"
            '\tif got := notes.Title(); got != "untitled" {\n\t\tt.Fatal("wrong title")\n\t}\n}\n'
        ),
    )
    assert demands(tmp_path, reference, tests) == {("name", "Title"), ("text", "untitled")}


def test_rust_demands(tmp_path: Path) -> None:
    reference = "src/lib.rs", 'pub fn title() -> &\'static str { "untitled" }\n'
    tests = (
        "a.rs",
        'use expected::title;\n\n#[test]\nfn t() {\n    assert_eq!(title(), "untitled");\n}\n',
    )
    assert demands(tmp_path, reference, tests) == {("name", "title"), ("text", "untitled")}


def test_java_demands(tmp_path: Path) -> None:
    reference = (
        "src/main/java/a/Notes.java",
        'package a;\npublic class Notes { public String title() { return "untitled"; } }\n',
    )
    tests = (
        "a/NotesTest.java",
        (
            "package a;\nclass NotesTest {\n    @Test\n    void t() {\n"
            '        assertEquals("untitled", new Notes().title());\n    }\n}\n'
        ),
    )
    # The class is told by the starter's file of that name.
    assert demands(tmp_path, reference, tests) == {("name", "title"), ("text", "untitled")}


@pytest.mark.parametrize(
    ("name", "text", "test"),
    [
        ("app.py", "LIMIT_OF_ALL = 5\n", "assert app.LIMIT_OF_ALL"),
        ("app.py", "class Page:\n    total_count: int = 0\n", "assert page().total_count"),
        ("app.py", "class A:\n    def __init__(self):\n        self.size = 1\n", "assert a().size"),
        ("src/a.ts", "export const retries = 3\n", "expect(settings.retries).toBe(3)"),
        ("a.go", "package a\n\ntype Note struct {\n\tTitle string\n}\n", "n.Title"),
        ("src/lib.rs", "pub struct Note {\n    pub title: String,\n}\n", "n.title"),
        ("A.java", "package a;\npublic record A(String title) {}\n", "new A().title()"),
    ],
)
def test_constants_and_fields_are_demands(name: str, text: str, test: str, tmp_path: Path) -> None:
    tests = {
        "py": "test_a.py",
        "ts": "a.test.ts",
        "go": "a_test.go",
        "rs": "a.rs",
        "java": "T.java",
    }
    found = demands(tmp_path, (name, text), (tests[name.rpartition(".")[2]], f"{test}\n"))
    assert any(kind == "name" for kind, _ in found), found


def test_local_variables_are_none(tmp_path: Path) -> None:
    reference = "app.py", "def f():\n    found = 1\n    return found\n"
    tests = "test_a.py", "def test_f():\n    assert rows.found == f()\n"
    assert demands(tmp_path, reference, tests) == {("name", "f")}


READ = {
    "test_a.py": [
        "text = open('../expected/app.py').read()",
        "assert 'x' in (Path('expected') / 'app.py').read_text()",
        "source = inspect.getsource(app.f)",
    ],
    "a.test.ts": ["const text = readFileSync('../expected/src/app.ts', 'utf8')"],
    "a_test.go": ['text, _ := os.ReadFile("../expected/app.go")'],
    "a.rs": ['const TEXT: &str = include_str!("../expected/src/lib.rs");'],
    "A.java": ['String text = Files.readString(Path.of("src/main/java/a/A.java"));'],
}


@pytest.mark.parametrize(("name", "line"), [(n, line) for n, all_ in READ.items() for line in all_])
def test_reading_the_solutions_text_is_found(name: str, line: str, tmp_path: Path) -> None:
    root = sample_root(tmp_path, {"expected/app.py": "", f"tests/{name}": f"\n{line}\n"})
    assert [(found.path, found.line) for found in readings(load_sample(root))] == [
        (f"tests/{name}", 2)
    ]


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("test_a.py", "text = (tmp_path / 'out.txt').read_text()"),
        ("test_a.py", "app = importlib.import_module('expected.app')"),
        ("test_a.py", "expected = json.loads(Path('tests/expected.json').read_text())"),
        ("a.test.ts", "import { load } from '../expected/src/app'"),
        ("a.test.ts", "const notes = readFileSync(join(folder, 'notes.json'), 'utf8')"),
    ],
)
def test_reading_anything_else_is_no_matter(name: str, line: str, tmp_path: Path) -> None:
    root = sample_root(tmp_path, {"expected/app.py": "", f"tests/{name}": f"{line}\n"})
    assert list(readings(load_sample(root))) == []
