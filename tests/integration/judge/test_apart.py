"""Tests and solution in two sandboxes: what crosses, what can't, and what can't be forged."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sdkbench.core import Assurance, Integrity, Outcome
from sdkbench.datasets import Sample, load_sample
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.reference import Reference
from sdkbench.judge.subject import Options, Subject
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.warm_start import WarmStarts
from tests.support.places import DATA
from tests.support.projects import MakeSample, write

OPTIONS = Options(timeout=12, integrity=Integrity.APART)
APP = """
class Box:
    def __init__(self): self.items = []
    def add(self, item): self.items.append(item); return len(self.items)
def double(n):
    if n < 0: raise ValueError("negative")
    return 2 * n
def names(): return ["a", "b"]
def save(path, text): open(path, "w").write(text)
def each(function): return [function(1), function(2)]
def box(): return Box()
def change(values): return sorted(values)
"""
TESTS = """
import pathlib, pytest
from expected import app
def test_double(): assert app.double(2) == 4
def test_negative():
    with pytest.raises(ValueError, match="negative"): app.double(-1)
def test_names(): assert app.names() == ["a", "b"]
def test_save(tmp_path):
    app.save(tmp_path / "x", "text")
    assert (tmp_path / "x").read_text() == pathlib.Path(__file__).with_name("words.txt").read_text()
def test_each():
    def more(n):
        assert n in (1, 2)
        return n + 1
    assert app.each(more) == [2, 3]
def test_box():
    box = app.box()
    assert box.add("x") == 1
    assert box.items == ["x"]
def test_change():
    values = [2, 1]
    assert app.change(values) == [1, 2]
    assert values == [2, 1]
"""


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmStarts]:
    started = WarmStarts()
    yield started
    started.close()


@pytest.fixture(params=["warm", "cold"])
def starting(request: pytest.FixtureRequest, harness: Harness, warm: WarmStarts) -> Harness:
    return harness._replace(warm=warm if request.param == "warm" else None)


@pytest.fixture
def started(harness: Harness, warm: WarmStarts) -> Harness:
    return harness._replace(warm=warm)


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": APP}, {"test_app.py": TESTS, "words.txt": "text"})


def judged(harness: Harness, sample: Sample, tmp_path: Path, code: str) -> FCorrResult:
    write(tmp_path / "solution", {"app.py": code})
    return judge_attempt(Subject(tmp_path / "solution", sample), OPTIONS, harness)


def with_changed(name: str, body: str) -> str:
    """The reference with one function that does something else."""
    return f"{APP}\n{body}\nassert {name}\n"


def test_everything_that_tests_do_with_a_solution_crosses(starting: Harness) -> None:
    sample = load_sample(DATA / "apart_zoo")
    proof = Reference(sample, starting, OPTIONS).apart
    assert proof.obstacles == {}
    assert proof.proven


def test_a_right_solution_passes_apart(starting: Harness, sample: Sample, tmp_path: Path) -> None:
    result = judged(starting, sample, tmp_path, APP)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.assurance is Assurance.APART
    assert result.tests_passed == 7


WRONG = {
    "a wrong answer": with_changed("double", "def double(n): return 5"),
    "no exception": with_changed("double", "def double(n): return 2 * n"),
    "another message": with_changed(
        "double", "def double(n):\n    if n < 0: raise ValueError('no')\n    return 2 * n"
    ),
    "does not compile": "def double(:\n",
    "cannot be imported": "import no_such_module_anywhere\n",
    "raises when it is imported": "raise RuntimeError('no')\n",
    "ends its process": with_changed("double", "import os\ndef double(n): os._exit(0)"),
    "leaves when it is imported": "import sys\nsys.exit(0)\n",
    "kills all that it can": with_changed(
        "double", "import os\ndef double(n):\n    os.kill(-1, 9)\n    return 2 * n"
    ),
    "hangs": with_changed("double", "def double(n):\n    while True: pass"),
    "too deep": with_changed(
        "names",
        "def names():\n    x = []\n    for _ in range(500): x = [x]\n    return x",
    ),
    "too large": with_changed("names", "def names(): return ['x' * (70 << 20)]"),
    "a number of many digits": with_changed("double", "def double(n): return 10 ** 200_000"),
    "speaks through the socket": with_changed(
        "double",
        """
import gc, socket
def double(n):
    for each in gc.get_objects():
        if isinstance(each, socket.socket):
            each.sendall(b"\\0" * 100)
    return 2 * n
""",
    ),
    "answers twice": with_changed(
        "double",
        """
import gc, json, socket, struct
def double(n):
    body = json.dumps(["returned", 4, [], ["", ""], [], []]).encode()
    for each in gc.get_objects():
        if isinstance(each, socket.socket):
            each.sendall(struct.pack("<II", len(body), 0) + body)
    raise ValueError("negative")
""",
    ),
    "swallows what the test raises": with_changed(
        "each",
        """
def each(function):
    try: function("x")
    except BaseException: pass
    return [2, 3]
""",
    ),
    "a link to the tests' own file": with_changed(
        "save",
        """
import os
def save(path, text): os.symlink("/w/tests/words.txt", path)
""",
    ),
    "fills the shared folder": with_changed(
        "save",
        """
def save(path, text):
    while True:
        with open(path, "ab") as stream: stream.write(bytes(1 << 24))
""",
    ),
    "folders without end": with_changed(
        "save",
        """
import os
def save(path, text):
    os.chdir(os.path.dirname(path))
    for _ in range(3000):
        os.mkdir("d"); os.chdir("d")
""",
    ),
    "looks for the tests": with_changed(
        "names",
        """
import glob
def names(): return glob.glob("/w/tests/*") + glob.glob("/w/*/test_*.py")
""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_solution_fails(
    started: Harness, sample: Sample, tmp_path: Path, name: str
) -> None:
    result = judged(started, sample, tmp_path, WRONG[name])
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}, result.error


DEPARTING = {
    "equal to everything": """
class Any:
    def __eq__(self, other): return True
    def __len__(self): return 2
    def __iter__(self): return iter(["x", "y"])
def names(): return Any()
""",
    "a list that is equal to everything": """
class Same(list):
    def __eq__(self, other): return True
    def told(self): return True
def names(): return Same()
""",
    "a named tuple with a function in it": """
import typing
class Pair(typing.NamedTuple):
    a: object
    b: object
def names(): return Pair(lambda: 1, lambda: 2)
""",
    "exceptions of every kind": """
class Every(ValueError, KeyError, OSError): pass
def double(n):
    if n < 0: raise Every("negative")
    return 2 * n
""",
}


CHANGING = """
from expected import app
def test_doubled():
    numbers = [1, 2]
    assert list(app.doubled(numbers)) == [n * 2 for n in numbers]
"""
DOUBLED = "def doubled(numbers): return (n * 2 for n in numbers)\n"


@pytest.fixture
def changing(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": DOUBLED}, {"test_app.py": CHANGING})


@pytest.mark.parametrize(
    "code",
    [
        "def doubled(numbers):\n    numbers.clear()\n    return []\n",
        "def doubled(numbers):\n    numbers.clear()\n    return\n    yield\n",
    ],
    ids=["at once", "later"],
)
def test_what_a_test_expects_is_not_worked_out_from_what_the_solution_left(
    started: Harness, changing: Sample, tmp_path: Path, code: str
) -> None:
    result = judged(started, changing, tmp_path, code)
    assert result.outcome is Outcome.FAILED
    assert result.assurance is Assurance.APART
    assert "changes what it was given" in (result.error or "")


def test_arguments_may_be_changed_where_that_does_not_matter(
    started: Harness, make_sample: MakeSample, tmp_path: Path
) -> None:
    tests = "from expected import app\ndef test(): assert app.tidy([2, 1]) == [1, 2]\n"
    sample = make_sample({"app.py": "def tidy(x): return sorted(x)\n"}, {"test_app.py": tests})
    code = "def tidy(x):\n    x.sort()\n    return x\n"
    result = judged(started, sample, tmp_path, code)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.assurance is Assurance.APART


def test_a_changed_argument_is_seen_by_the_test_that_looks_at_it(
    started: Harness, sample: Sample, tmp_path: Path
) -> None:
    same_list = f"{APP}\ndef change(values):\n    values.sort()\n    return values\n"
    result = judged(started, sample, tmp_path, same_list)
    assert result.outcome is Outcome.FAILED
    assert result.test_results is not None
    assert [f.test_name[-11:] for f in result.test_results.failures] == ["test_change"]


@pytest.mark.parametrize("name", DEPARTING)
def test_what_the_reference_does_not_give_is_not_believed(
    started: Harness, sample: Sample, tmp_path: Path, name: str
) -> None:
    result = judged(started, sample, tmp_path, f"{APP}\n{DEPARTING[name]}")
    assert result.assurance is not Assurance.APART or result.outcome is not Outcome.PASSED
    if result.outcome is Outcome.PASSED:
        assert any("not judged apart" in note for note in result.notes)


def test_honest_values_of_another_kind_are_taken_as_plain_data(
    started: Harness, sample: Sample, tmp_path: Path
) -> None:
    code = f"""{APP}
import collections
class Names(collections.UserList): pass
def names(): return Names(["a", "b"])
class Number(int):
    def shown(self): return str(self)
def change(values): return tuple(sorted(values)) and sorted(values)
"""
    result = judged(started, sample, tmp_path, code)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.assurance is Assurance.APART


def test_the_folder_of_a_test_does_not_tell_its_title(
    started: Harness, make_sample: MakeSample, tmp_path: Path
) -> None:
    sample = make_sample(
        {"app.py": "def answer(path): return 42\n"},
        {"test_app.py": "import pytest\nfrom expected import app\n"
                        "@pytest.mark.parametrize('n', [42])\n"
                        "def test_answer(n, tmp_path): assert app.answer(tmp_path) == n\n"},
    )  # fmt: skip
    assert Reference(sample, started, OPTIONS).is_apart
    reads_it = """
import os, re
def answer(path):
    seen = " ".join(str(each) for each in os.walk("/shared")) + str(path)
    found = re.findall(r"answer.(\\d+)", seen)
    return int(found[0]) if found else 0
"""
    result = judged(started, sample, tmp_path, reads_it)
    assert result.outcome is Outcome.FAILED


def test_the_solution_sees_neither_tests_nor_the_name_of_one(
    started: Harness, sample: Sample, tmp_path: Path
) -> None:
    code = with_changed(
        "double",
        """
import os
def double(n):
    seen = [k for k in os.environ if "PYTEST" in k]
    seen += [f for _, _, files in os.walk("/w") for f in files if f != "app.py"]
    seen += [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 50]
    if seen: raise RuntimeError(str(seen))
    if n < 0: raise ValueError("negative")
    return 2 * n
""",
    )
    result = judged(started, sample, tmp_path, code)
    assert result.outcome is Outcome.PASSED, result.error


def test_a_sample_that_cannot_be_apart_says_why_test_by_test(
    started: Harness, make_sample: MakeSample
) -> None:
    sample = make_sample(
        {"app.py": "class Thing:\n    def __eq__(self, other): return True\n"
                   "def make(): return Thing()\ndef two(): return 2\n"},
        {"test_app.py": "from expected import app\n"
                        "def test_same(): assert app.make() == app.make()\n"
                        "def test_two(): assert app.two() == 2\n"},
    )  # fmt: skip
    reference = Reference(sample, started, OPTIONS)
    assert not reference.is_apart
    (reason,) = [r for test, r in reference.apart.obstacles.items() if test.endswith("test_same")]
    assert "==" in reason
    assert "compare" in reason
    assert reference.assurance is not Assurance.APART
    assert any("not judged apart" in note for note in reference.notes)


def test_failures_show_the_solutions_own_lines(
    started: Harness, sample: Sample, tmp_path: Path
) -> None:
    code = with_changed("double", "def double(n):\n    return unknown_name")
    result = judged(started, sample, tmp_path, code)
    assert result.outcome is Outcome.FAILED
    assert result.test_results is not None
    failure = next(f for f in result.test_results.failures if f.test_name.endswith("test_double"))
    assert "NameError" in failure.error_message
    assert "return unknown_name" in (failure.stack_trace or "")


RECORDS = """
import dataclasses
@dataclasses.dataclass
class Item:
    name: str
    count: int = 1
def item(name): return Item(name)
"""
RECORD_TESTS = """
from expected import app
def test_item():
    made = app.item("nut")
    assert made == app.Item("nut")
def test_same():
    own = app.Item("nut")
    assert own != app.Item("bolt", 2)
    assert own.count == 1
"""
ADOPTS = """
made = []
class Item:
    def __init__(self, name, count=1):
        self.name, self.count = name, count
        for other in made:
            other.__dict__.update(vars(self))
        made.append(self)
def item(name):
    return Item("wrong", 7)
import dataclasses
Item = dataclasses.dataclass(type("Item", (), {
    "__annotations__": {"name": str, "count": int}, "__init__": Item.__init__,
}))
"""
LAST_ONE = """
import dataclasses
@dataclasses.dataclass
class Item:
    name: str
    count: int = 1
    def __new__(cls, *arguments):
        return last[0] if last else object.__new__(cls)
last = []
last.append(Item("wrong", 7))
def item(name):
    return last[0]
"""


@pytest.mark.parametrize("code", [ADOPTS, LAST_ONE], ids=["adopts", "the last one"])
def test_what_a_test_compares_with_is_not_told_beforehand(
    started: Harness, make_sample: MakeSample, tmp_path: Path, code: str
) -> None:
    sample = make_sample({"app.py": RECORDS}, {"test_app.py": RECORD_TESTS})
    assert judged(started, sample, tmp_path, RECORDS).assurance is Assurance.APART
    assert judged(started, sample, tmp_path, code).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "tests",
    [
        "from expected import app\ndef test_item(): assert app.Item('x') != app.Item('y')\n",
        "from expected import app\nX = app.Item('x')\ndef test_item(): assert X == app.Item('x')\n",
    ],
    ids=["in the test", "in its module"],
)
def test_an_object_that_a_test_makes_must_be_one_that_the_solution_can_make(
    started: Harness, make_sample: MakeSample, tmp_path: Path, tests: str
) -> None:
    sample = make_sample({"app.py": RECORDS}, {"test_app.py": tests})
    refuses = "    def __post_init__(self): raise ValueError(self.name)\n"
    broken = RECORDS.replace("    count: int = 1\n", f"    count: int = 1\n{refuses}")
    assert judged(started, sample, tmp_path, RECORDS).outcome is Outcome.PASSED
    assert judged(started, sample, tmp_path, broken).outcome is Outcome.FAILED


def test_the_end_of_an_iteration_is_not_the_solutions_to_raise(
    started: Harness, make_sample: MakeSample, tmp_path: Path
) -> None:
    reference = "def even(n): return n % 2 == 0\n"
    tests = """
from expected import app
def test_even():
    for answer in map(app.even, (1, 3)): assert answer is False
"""
    sample = make_sample({"app.py": reference}, {"test_app.py": tests})
    assert judged(started, sample, tmp_path, reference).outcome is Outcome.PASSED
    ends = judged(started, sample, tmp_path, "def even(n): raise StopIteration\n")
    assert ends.outcome is Outcome.FAILED
    assert "StopIteration" in (ends.error or "")


def test_other_forms_of_the_same_are_taken_as_the_references(
    started: Harness, make_sample: MakeSample, tmp_path: Path
) -> None:
    reference = """
def numbers(): yield from (1, 2)
def double(n): return 2 * n
def row(): return {"a": [{"b": 1}]}
"""
    tests = """
from expected import app
def test_numbers(): assert list(app.numbers()) == [1, 2]
def test_double(): assert app.double(2) == 4
def test_row(): assert app.row() == {"a": [{"b": 1}]}
"""
    other = """
import functools
class Numbers:
    def __iter__(self): return iter((1, 2))
def numbers(): return Numbers()
class Double:
    def __call__(self, n): return 2 * n
double = Double()
class Row(dict):
    def __getattr__(self, name): return self[name]
def row(): return {"a": [Row(b=1)]}
"""
    sample = make_sample({"app.py": reference}, {"test_app.py": tests})
    result = judged(started, sample, tmp_path, other)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.assurance is Assurance.APART


def test_what_was_decided_apart_needs_no_mutant(
    started: Harness, make_sample: MakeSample, tmp_path: Path
) -> None:
    """One test can't be mutated; the solution departs in another one."""
    reference = "def pair(): return (1, 2)\ndef check(n): return None\n"
    tests = """
from expected import app
def test_pair(): assert app.pair()[1] == 2
def test_check():
    app.check(3)
"""
    departs = """
class Pair:
    def __getitem__(self, index): return (1, 2)[index]
    def __iter__(self): raise TypeError("not a sequence")
def pair(): return Pair()
def check(n): return None
"""
    sample = make_sample({"app.py": reference}, {"test_app.py": tests})
    assert Reference(sample, started, OPTIONS).assurance_together() is Assurance.CHECKED
    result = judged(started, sample, tmp_path, departs)
    assert result.outcome is Outcome.PASSED, result.error
    assert result.assurance is Assurance.TWINNED
