"""What the desk writes for others to run."""

import pickle
import subprocess
import sys

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
