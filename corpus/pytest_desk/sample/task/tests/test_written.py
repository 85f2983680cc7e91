"""What the desk writes for others to run."""

import doctest
import pickle
import subprocess
import sys
import timeit

from expected import app


def test_formula():
    assert eval(app.formula(1, 2)) == 3


def test_saved(tmp_path):
    app.save(tmp_path / "kept", {"a": 1})
    with open(tmp_path / "kept", "rb") as stream:
        assert pickle.load(stream) == {"a": 1}


def test_script(tmp_path):
    app.script(tmp_path / "seven.py", 7)
    words = [sys.executable, str(tmp_path / "seven.py")]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "7\n"


def test_formula_fed():
    text = f"print({app.formula(2, 3)})\n"
    done = subprocess.run([sys.executable], input=text, capture_output=True, text=True, check=True)
    assert done.stdout == "5\n"


def test_formula_timed():
    seen = []
    timeit.timeit(f"seen.append({app.formula(3, 4)})", globals={"seen": seen}, number=1)
    assert seen == [7]


def test_formula_as_example():
    text = f">>> {app.formula(4, 5)}\n9\n"
    example = doctest.DocTestParser().get_doctest(text, {}, "formula", None, None)
    assert doctest.DocTestRunner(verbose=False).run(example).failed == 0
