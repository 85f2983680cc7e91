"""A sample's tests judge; a solution's own tests, configuration and tricks have no say."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from sdkbench.cli.fcorr import show_table
from sdkbench.core import Assurance, Fault, Integrity, Outcome
from sdkbench.datasets import Sample
from tests.support.projects import Judge, MakeSample

APP = "def double(n):\n    return 2 * n\n"
WRONG = "def double(n):\n    return n\n"
TESTS = {
    "test_app.py": "from expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_three(): assert app.double(3) == 6\n"
}

# Writes to every descriptor it can find, the channel among them.
FORGE = (
    'import os\nfor fd in range(3, 64):\n  try: os.write(fd, b\'{"kind": "end"}\\n\')\n'
    "  except OSError: pass\n"
)


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": APP}, TESTS)


def test_right_passes_and_wrong_fails(judge: Judge, sample: Sample) -> None:
    right = judge({"app.py": APP}, sample)
    assert (right.outcome, right.assurance, right.sample_id) == (
        Outcome.PASSED, Assurance.CHECKED, "demo_task_001",
    )  # fmt: skip
    wrong = judge({"app.py": WRONG}, sample)
    assert (wrong.outcome, wrong.tests_passed, wrong.tests_total) == (Outcome.FAILED, 0, 2)


@pytest.mark.parametrize(
    "trick",
    [
        {"conftest.py": "import pytest\ndef pytest_collection_modifyitems(items): items.clear()\n"},
        {"pytest.ini": "[pytest]\naddopts = --collect-only\n"},
        {"pyproject.toml": "[tool.pytest.ini_options]\naddopts = '--co'\n"},
        {"sitecustomize.py": "import os; os._exit(0)\n"},
        {"pytest.py": "def main(*a, **k): return 0\n"},
        {"tests/test_app.py": "def test_two(): pass\ndef test_three(): pass\n"},
        {"test_own.py": "def test_mine(): pass\n"},
    ],
)
def test_a_solutions_own_test_configuration_has_no_say(
    judge: Judge, sample: Sample, trick: dict[str, str]
) -> None:
    assert judge({"app.py": WRONG, **trick}, sample).outcome is Outcome.FAILED


@pytest.mark.parametrize("trick", ["test_own.py", "conftest.py"])
def test_stray_test_files_do_not_harm_a_right_solution(
    judge: Judge, sample: Sample, trick: str
) -> None:
    result = judge({"app.py": APP, trick: "def test_broken(): assert False\n"}, sample)
    assert result.outcome is Outcome.PASSED


@pytest.mark.parametrize(
    "attack",
    [
        "import os\nos._exit(0)\n",
        "import sys\nsys.exit(0)\n",
        "import pytest\npytest.skip('no', allow_module_level=True)\n",
        "import pytest\ndef double(n): pytest.skip('no')\n",
        "import pytest\ndef double(n): pytest.xfail('no')\n",
        "import os\ndef double(n): os._exit(0)\n",
        "import pytest\ndef double(n): pytest.exit('done', returncode=0)\n",
        "print('2 passed in 0.01s')\nimport os\nos._exit(0)\n",
        "import atexit\natexit.register(print, '2 passed')\ndef double(n): raise ValueError\n",
        "import glob\nfor f in glob.glob('tests/*'): open(f, 'w').write('def test_two(): 1')\n",
    ],
)
def test_a_trick_does_not_pass(judge: Judge, sample: Sample, attack: str) -> None:
    result = judge({"app.py": attack}, sample)
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}
    assert result.score == 0
    assert result.error


def test_writing_to_the_channel_makes_the_verdict_invalid(judge: Judge, sample: Sample) -> None:
    result = judge({"app.py": FORGE + APP}, sample)
    assert (result.outcome, result.fault) == (Outcome.INVALID, Fault.TAMPERING)


def test_a_solution_that_cannot_be_imported_is_a_build_failure(
    judge: Judge, sample: Sample
) -> None:
    result = judge({"app.py": "import no_such_module\n"}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "no_such_module" in (result.error or "")


def test_a_sample_whose_reference_fails_is_our_error(judge: Judge, make_sample: MakeSample) -> None:
    sample = make_sample({"app.py": WRONG}, TESTS)
    result = judge({"app.py": APP}, sample)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.SAMPLE)
    assert "reference" in (result.error or "")
    without = judge({"app.py": APP}, sample, integrity=Integrity.OFF)
    assert (without.outcome, without.assurance) == (Outcome.PASSED, Assurance.PLAIN)


def test_modules_beside_each_other_and_data_beside_the_code_work(
    judge: Judge, sample: Sample
) -> None:
    app = (
        "from pathlib import Path\nfrom helper import two\n"
        "(Path(__file__).parent / 'data.txt').write_text('x')\n"
        "def double(n): return two() * n\n"
    )
    assert judge({"app.py": app, "helper.py": "def two(): return 2\n"}, sample).passed


def test_shared_files_of_the_sdk_stand_beside_the_tests(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(
        {"app.py": APP},
        {"test_app.py": "from support import names\n"
         "def test_it(factor, double): assert double(factor) == 4 and names.ANY\n"},
        {"conftest.py": "import pytest\n@pytest.fixture\ndef factor(): return 2\n"
         "@pytest.fixture\ndef double():\n  from expected.app import double\n  return double\n",
         "support/names.py": "ANY = 1\n"},
    )  # fmt: skip
    assert judge({"app.py": APP}, sample).passed


def test_packages_that_only_the_tests_need_are_brought_along(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(
        {"app.py": APP, "requirements.txt": "six==1.17.0\n"},
        {"test_app.py": "import six, pytest\nfrom expected import app\n"
         "@pytest.mark.asyncio\nasync def test_it(): assert app.double(2) == 4\n"},
    )  # fmt: skip
    result = judge({"app.py": APP, "requirements.txt": "# nothing\n"}, sample)
    assert result.passed
    assert result.install_results
    added = " ".join(result.install_results.completed_with)
    assert "six==1.17.0" in added
    assert "pytest-asyncio" in added


def test_links_out_of_the_folder_are_not_followed(
    judge: Judge, sample: Sample, tmp_path: Path
) -> None:
    secret = tmp_path / "secret.py"
    secret.write_text("TOKEN = 'hunter2'\n")
    folder = tmp_path / "solution"
    folder.mkdir()
    (folder / "secret.py").symlink_to(secret)
    result = judge({"app.py": "from .secret import TOKEN\n" + APP}, sample)
    assert result.outcome is Outcome.FAILED
    assert "secret" in (result.error or "")


@pytest.mark.parametrize(
    ("code", "fault", "reason"),
    [
        ("import os\nwhile 1:\n  try: os.fork()\n  except OSError: 1\n", Fault.TIMEOUT, "wall"),
        ("import time\ntime.sleep(10000)\n", Fault.TIMEOUT, "wall"),
        ("import time\nwhile 1: print('y' * 10**5); time.sleep(0.01)\n", Fault.TIMEOUT, "wall"),
        ("n = 0\nwhile True:\n  n += 1; open(f'f{n}', 'wb').write(b'x' * 10**7)\n", Fault.BUILD,
         "No space left"),
        ("import os\nprint(open(os.path.expanduser('~root/.profile')).read())\n", Fault.BUILD,
         "FileNotFoundError"),
        ("import socket\nsocket.create_connection(('192.0.2.1', 80), 3)\n", Fault.BUILD,
         "unreachable"),
    ],
)  # fmt: skip
def test_hostile_solutions_end_within_their_limits_and_harm_nobody(
    judge: Judge, sample: Sample, code: str, fault: Fault, reason: str
) -> None:
    # What ends by itself must not meet the limit on a busy machine.
    result = judge({"app.py": code + APP}, sample, timeout=6 if fault is Fault.TIMEOUT else 60)
    assert (result.outcome, result.fault) == (Outcome.FAILED, fault)
    assert reason in (result.error or "")
    assert judge({"app.py": APP}, sample).passed


def test_a_solution_that_eats_memory_is_stopped_at_its_limit(judge: Judge, sample: Sample) -> None:
    result = judge({"app.py": "x = []\nwhile True: x.append(bytearray(10**8))\n"}, sample)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.RESOURCE_LIMIT)
    assert "memory" in (result.error or "")


def test_a_solution_that_floods_its_output_is_stopped(judge: Judge, sample: Sample) -> None:
    # pytest captures what is printed; a child with the real descriptor is not captured.
    code = (
        "import os, subprocess, sys\n"
        "os.dup2(next(fd for fd in range(3, 64) if _is_real(fd)), 1)\n"
        "while True: os.write(1, b'y' * 10**6)\n"
    )
    find = (
        "import os\n"
        "def _is_real(fd):\n"
        "  try: return os.readlink(f'/proc/self/fd/{fd}').startswith('pipe')\n"
        "  except OSError: return False\n"
    )
    result = judge({"app.py": find + code}, sample)
    assert result.outcome in {Outcome.FAILED, Outcome.INVALID}
    assert result.score == 0


def test_a_solution_that_kills_its_parent_changes_nothing(judge: Judge, sample: Sample) -> None:
    code = "import os\nos.kill(os.getppid(), 9)\nos.kill(1, 9)\n"
    assert judge({"app.py": code + APP}, sample).passed


def test_the_tests_own_helpers_come_before_the_solutions(
    judge: Judge, make_sample: MakeSample
) -> None:
    sample = make_sample(
        {"app.py": APP},
        {"helpers.py": "def check(n): assert n == 4\n",
         "test_app.py": "from helpers import check\nfrom expected import app\n"
         "def test_it(): check(app.double(2))\n"},
    )  # fmt: skip
    planted = {"app.py": WRONG, "helpers.py": "def check(n): pass\n"}
    assert judge(planted, sample).outcome is Outcome.FAILED


def test_a_file_its_owner_cannot_read_does_not_stop_the_judge(
    judge: Judge, sample: Sample, tmp_path: Path
) -> None:
    folder = tmp_path / "solution"
    folder.mkdir()
    (folder / "secret.txt").write_text("x")
    (folder / "secret.txt").chmod(0)
    result = judge({"app.py": WRONG}, sample)
    assert result.outcome is Outcome.FAILED


def test_what_judged_code_says_cannot_steer_the_terminal(judge: Judge, sample: Sample) -> None:
    code = "def double(n): raise ValueError('\\x1b[2J\\x1b]0;owned\\x07')\n"
    result = judge({"app.py": code}, sample)
    console = Console(width=200, file=io.StringIO(), force_terminal=True)
    show_table(console, [("", result)])
    assert isinstance(console.file, io.StringIO)
    assert "\x1b[2J" not in console.file.getvalue()
    assert "\x07" not in console.file.getvalue()
