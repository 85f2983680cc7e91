"""Projects as strangers bring them: installed by their own backend, tested as they say."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.test_harness import FCorrResult, Harness, PythonTestRunner
from tests.support.projects import Files, Judge

Project = Callable[[Files], Path]

SETUPTOOLS = """[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
"""
HATCHLING = '[build-system]\nrequires = ["hatchling"]\nbuild-backend = "hatchling.build"\n'
UNDER_TEST = "def test_it(): assert True\n"


def passed(result: FCorrResult, count: int) -> None:
    assert (result.outcome, result.tests_passed) == (Outcome.PASSED, count), result.error


def test_a_project_has_metadata_scripts_and_entry_points(judge: Judge) -> None:
    manifest = (
        HATCHLING
        + '[project]\nname = "greeter-tool"\nversion = "4.5.6"\n'
        + '[project.scripts]\ngreet = "greeter.cli:main"\n'
        + '[project.entry-points."greeter.words"]\nhi = "greeter:WORD"\n'
        + '[tool.hatch.build.targets.wheel]\npackages = ["src/greeter"]\n'
    )
    test = """
import importlib.metadata, subprocess, sys

def test_metadata():
    assert importlib.metadata.version("greeter-tool") == "4.5.6"

def test_entry_point():
    (entry,) = importlib.metadata.entry_points(group="greeter.words")
    assert entry.load() == "hi"

def test_script():
    assert subprocess.check_output(["greet"], text=True) == "hi\\n"

def test_another_process_finds_it_too():
    words = [sys.executable, "-c", "import greeter; print(greeter.WORD)"]
    assert subprocess.check_output(words, text=True, cwd="/") == "hi\\n"
"""
    result = judge(
        {
            "pyproject.toml": manifest,
            "src/greeter/__init__.py": "WORD = 'hi'\n",
            "src/greeter/cli.py": "import greeter\ndef main(): print(greeter.WORD)\n",
            "tests/test_greeter.py": test,
        }
    )
    passed(result, 4)
    assert result.notes == []


def test_a_layout_that_only_its_backend_knows(judge: Judge) -> None:
    manifest = SETUPTOOLS + (
        '[project]\nname = "x"\nversion = "1"\n[tool.setuptools.packages.find]\nwhere = ["lib"]\n'
    )
    test = "import inner.deep\ndef test_it(): assert inner.deep.ONE == 1\n"
    files = {
        "pyproject.toml": manifest,
        "lib/inner/__init__.py": "",
        "lib/inner/deep.py": "ONE = 1\n",
        "tests/test_inner.py": test,
    }
    passed(judge(files), 1)


def test_requirements_that_setup_py_computes(judge: Judge) -> None:
    setup = (
        "from setuptools import setup\n"
        "needs = [line for line in open('needs.txt')]\n"
        "setup(name='x', version='1', py_modules=['x'], install_requires=needs,\n"
        "      extras_require={'test': ['six' if True else 'none']})\n"
    )
    files = {
        "setup.py": setup,
        "needs.txt": "iniconfig\n",
        "x.py": "import iniconfig\n",
        "test_x.py": "import six, x\n" + UNDER_TEST,
    }
    passed(judge(files), 1)


def test_a_version_from_history_that_the_copy_lacks(project: Project, harness: Harness) -> None:
    manifest = (
        '[build-system]\nrequires = ["setuptools>=77", "setuptools-scm>=8"]\n'
        'build-backend = "setuptools.build_meta"\n'
        '[project]\nname = "dated"\ndynamic = ["version"]\n'
        '[tool.setuptools]\npy-modules = ["dated"]\n'
        '[tool.setuptools_scm]\nversion_file = "_made.py"\n'
    )
    test = (
        "from importlib.metadata import version\nimport _made\n"
        "def test_it(): assert version('dated') == _made.version == '2.10.0'\n"
    )
    folder = project(
        {
            "pyproject.toml": manifest,
            "dated.py": "",
            "test_dated.py": test,
            ".git/packed-refs": f"{'0' * 40} refs/tags/v2.9.1\n{'1' * 40} refs/tags/v2.10.0\n",
        }
    )
    assert PythonTestRunner(folder, harness=harness).run_tests().passed == 1


def test_a_compiled_extension_is_built(judge: Judge) -> None:
    source = """
#define PY_SSIZE_T_CLEAN
#include <Python.h>
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "fast", NULL, -1, NULL};
PyMODINIT_FUNC PyInit_fast(void) {
    PyObject *made = PyModule_Create(&module);
    PyModule_AddIntConstant(made, "ANSWER", 42);
    return made;
}
"""
    setup = (
        "from setuptools import Extension, setup\n"
        "setup(name='x', version='1', ext_modules=[Extension('fast', ['fast.c'])])\n"
    )
    files = {
        "pyproject.toml": SETUPTOOLS,
        "setup.py": setup,
        "fast.c": source,
        "test_fast.py": "import fast\ndef test_it(): assert fast.ANSWER == 42\n",
    }
    passed(judge(files), 1)


def test_a_package_without_a_wheel_is_built_where_the_user_allows_it(judge: Judge) -> None:
    files = {
        "requirements.txt": "docopt==0.6.2\n",  # has never had a wheel
        "test_x.py": "import docopt\n" + UNDER_TEST,
    }
    for manifest in ("requirements.txt", "requirements-test.txt"):
        result = judge({manifest: files.pop("requirements.txt", "docopt==0.6.2\n"), **files})
        assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
        assert "--allow-build" in (result.error or "")
    passed(judge(files, allow_build=True), 1)


def test_what_only_the_tests_want_and_nobody_has_is_told(judge: Judge) -> None:
    files = {
        "requirements-test.txt": "docopt==0.6.2\npytest\n",
        "test_x.py": UNDER_TEST,
    }
    result = judge(files)
    passed(result, 1)
    assert "docopt==0.6.2" in result.notes[0]


def test_a_build_that_lacks_a_program_is_the_machine_s_fault(judge: Judge) -> None:
    setup = "import subprocess\nsubprocess.run(['swig-of-old', '--version'])\n"
    files = {
        "pyproject.toml": SETUPTOOLS,
        "setup.py": setup,
        "test_x.py": "import made_by_the_build\n" + UNDER_TEST,
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_TOOL)
    assert "swig-of-old" in (result.error or "")


def test_tests_that_do_not_need_the_build_count_all_the_same(judge: Judge) -> None:
    files = {
        "pyproject.toml": SETUPTOOLS,
        "setup.py": "raise RuntimeError('not on a Monday')\n",
        "test_x.py": UNDER_TEST,
    }
    result = judge(files)
    passed(result, 1)
    assert "not on a Monday" in result.notes[0]


def test_a_build_that_fails_is_named_beside_the_tests_that_suffer(judge: Judge) -> None:
    files = {
        "pyproject.toml": SETUPTOOLS,
        "setup.py": "raise RuntimeError('not on a Monday')\n",
        "test_x.py": "import made_by_the_build\n" + UNDER_TEST,
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.BUILD)
    assert "not on a Monday" in result.notes[0]


def test_a_project_is_used_in_place_of_the_package_of_its_name(judge: Judge) -> None:
    """pytest needs iniconfig; this one is the project."""
    manifest = HATCHLING + (
        '[project]\nname = "iniconfig"\nversion = "99"\n'
        '[tool.hatch.build.targets.wheel]\npackages = ["src/iniconfig"]\n'
    )
    files = {
        "pyproject.toml": manifest,
        "src/iniconfig/__init__.py": "OWN = True\nclass ParseError(Exception): pass\n"
        "class SectionWrapper: pass\n"
        "class IniConfig:\n  def __init__(self, *words, **more): self.sections = {}\n"
        "  def __contains__(self, name): return False\n"
        "  def get(self, *words): return None\n",
        "tests/test_own.py": "import iniconfig\ndef test_it(): assert iniconfig.OWN\n",
    }
    passed(judge(files), 1)
    result = judge({"src/iniconfig/__init__.py": "import deep_in_the_sea\n"})
    assert (
        "pytest cannot be imported: ModuleNotFoundError: No module named 'deep" in f"{result.error}"
    )


def test_the_plugin_that_the_project_is_works_in_its_own_tests(judge: Judge) -> None:
    manifest = SETUPTOOLS + (
        '[project]\nname = "pytest-seven"\nversion = "1"\ndependencies = ["pytest"]\n'
        '[project.entry-points.pytest11]\nseven = "seven"\n'
        '[tool.setuptools]\npy-modules = ["seven"]\n'
    )
    plugin = "import pytest\n@pytest.fixture\ndef seven(): return 7\n"
    files = {
        "pyproject.toml": manifest,
        "seven.py": plugin,
        "tests/test_seven.py": "def test_it(seven): assert seven == 7\n",
    }
    passed(judge(files), 1)


def test_a_package_named_like_a_standard_module_is_found_first(judge: Judge) -> None:
    files = {
        "csv/__init__.py": "from csv.inner import *\n",
        "csv/inner.py": "reader = DictReader = writer = None\nOWN = True\n",
        "tests/test_csv.py": "import csv\ndef test_it(): assert csv.OWN\n",
    }
    passed(judge(files), 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pytest.ini", "[pytest]\ntestpaths = checks\npython_files = *_spec.py\n"),
        (".pytest.ini", "[pytest]\ntestpaths = checks\npython_files = *_spec.py\n"),
        ("tox.ini", "[pytest]\ntestpaths = checks\npython_files = *_spec.py\n"),
        ("setup.cfg", "[tool:pytest]\ntestpaths = checks\npython_files = *_spec.py\n"),
        (
            "pyproject.toml",
            "[tool.pytest.ini_options]\ntestpaths = ['checks']\npython_files = ['*_spec.py']\n",
        ),
    ],
)
def test_the_project_says_which_files_are_tests(judge: Judge, name: str, text: str) -> None:
    files = {
        name: text,
        "checks/app_spec.py": "import unittest\nclass C(unittest.TestCase):\n"
        "  def test_it(self): pass\n",
        "checks/test_data.py": "raise SystemExit('this is data')\n",
        "test_elsewhere.py": "raise SystemExit('not among the test paths')\n",
    }
    passed(judge(files), 1)


def test_doctests_that_the_project_asks_for(judge: Judge) -> None:
    files = {
        "setup.cfg": "[tool:pytest]\naddopts = --doctest-modules --doctest-glob=*.rst\n",
        "app.py": 'def double(n):\n    """\n    >>> double(2)\n    4\n    """\n    return 2 * n\n',
        "README.rst": ">>> 1 + 1\n2\n",
    }
    passed(judge(files), 2)


def test_load_tests_of_a_unittest_suite(judge: Judge) -> None:
    test = """
import doctest, unittest
import app

class Kept(unittest.TestCase):
    def test_kept(self): pass

class LeftOut(unittest.TestCase):
    def test_left_out(self): raise AssertionError("nobody asked for this one")

def load_tests(loader, tests, pattern):
    suite = unittest.TestSuite(loader.loadTestsFromTestCase(Kept))
    suite.addTests(doctest.DocTestSuite(app))
    return suite
"""
    source = 'def double(n):\n    """\n    >>> double(2)\n    4\n    """\n    return 2 * n\n'
    result = judge({"app.py": source, "tests/__init__.py": "", "tests/test_app.py": test})
    passed(result, 2)
    assert result.framework == "unittest"
    result = judge({"app.py": source.replace("2 * n", "3 * n")})
    assert (result.outcome, result.tests_passed) == (Outcome.FAILED, 1)
    assert "double(2) gave 6, not 4" in (result.error or "")


def test_a_package_may_say_what_its_tests_are_whatever_its_files_are_called(judge: Judge) -> None:
    files = {
        "app/__init__.py": "def double(n): return 2 * n\n",
        "app/checks/__init__.py": "def load_tests(loader, tests, pattern):\n"
        "  from app.checks import doubling\n"
        "  return loader.loadTestsFromModule(doubling)\n",
        "app/checks/doubling.py": "import unittest\nfrom app import double\n"
        "class Doubling(unittest.TestCase):\n"
        "  def test_two(self): self.assertEqual(double(2), 4)\n"
        "  @unittest.skip('later')\n"
        "  def test_three(self): self.fail()\n"
        "  @unittest.expectedFailure\n"
        "  def test_four(self): self.fail()\n"
        "  @classmethod\n"
        "  def setUpClass(cls): cls.five = 5\n"
        "  def test_five(self): self.assertEqual(self.five, 5)\n",
    }
    result = judge(files)
    passed(result, 2)
    assert (result.framework, result.tests_skipped) == ("unittest", 2)
    result = judge({"app/__init__.py": "def double(n): return 3 * n\n"})
    assert (result.outcome, result.tests_passed) == (Outcome.FAILED, 1)
    assert "6 != 4" in (result.error or "")


def test_a_unittest_suite_meets_no_rules_of_pytest(judge: Judge) -> None:
    test = (
        "import unittest, warnings\nfrom unittest import TestSuite\n"
        "warnings.simplefilter('error')\n"
        "class C(unittest.TestCase):\n  def test_it(self): assert TestSuite()\n"
    )
    passed(judge({"tests/test_c.py": test}), 1)


def test_a_fixture_that_is_no_python_is_no_broken_build(judge: Judge) -> None:
    files = {
        "tests/data/broken.py": "def (:\n",
        "tests/test_parser.py": "import pathlib\ndef test_it():\n"
        "  assert (pathlib.Path(__file__).parent / 'data/broken.py').read_text() == 'def (:\\n'\n",
    }
    passed(judge(files), 1)


def test_the_cache_and_its_options_are_there(judge: Judge) -> None:
    files = {"pytest.ini": "[pytest]\naddopts = --failed-first\n", "test_x.py": UNDER_TEST}
    passed(judge(files), 1)


def test_tests_of_one_name_are_numbered(judge: Judge) -> None:
    text = ">>> 1\n1\n"
    files = {
        "pytest.ini": "[pytest]\naddopts = --keep-duplicates test_x.py test_x.py\n",
        "test_x.py": UNDER_TEST,
        "notes.txt": text,
    }
    result = judge(files)
    passed(result, 2)
    assert result.test_results
    assert list(result.test_results.cases) == ["test_x.py::test_it", "test_x.py::test_it (2)"]


@pytest.mark.parametrize("words", ["--cov=app --cov-fail-under=100", "--cov-fail-under=100 --cov"])
def test_what_the_project_asks_of_itself_is_a_failure_not_tampering(
    judge: Judge, words: str
) -> None:
    files = {
        "requirements-test.txt": "pytest-cov==7.0.0\n",
        "pytest.ini": f"[pytest]\naddopts = {words}\n",
        "app.py": "def never():\n    return 1\n",
        "test_x.py": "import app\n" + UNDER_TEST,
    }
    result = judge(files)
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST), result.error
    assert "tamper" not in (result.error or "")


def test_a_usage_error_is_told_in_pytest_s_words(judge: Judge) -> None:
    result = judge({"pytest.ini": "[pytest]\naddopts = --no-such-word\n", "test_x.py": UNDER_TEST})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert "--no-such-word" in (result.error or "")


def test_a_conftest_that_does_not_load_is_told_by_its_cause(judge: Judge) -> None:
    result = judge({"conftest.py": "import not_there_at_all\n", "test_x.py": UNDER_TEST})
    assert (result.outcome, result.fault) == (Outcome.FAILED, Fault.TEST)
    assert "not_there_at_all" in (result.error or "")


def test_where_no_tests_are_the_files_are_named(judge: Judge) -> None:
    result = judge({"tests/test_a.py": "x = 1\n", "app.py": ""})
    assert "tests/test_a.py" in (result.error or "")
    result = judge({"tests/test_a.py": "x = 1\n", "pytest.ini": "[pytest]\npython_files = chk_*\n"})
    assert "chk_*" in (result.error or "")


def test_a_failure_names_the_project_s_deepest_line_and_the_cause(judge: Judge) -> None:
    source = (
        "import json\n\ndef load(text):\n    try:\n        return json.loads(text)\n"
        "    except ValueError as error:\n        raise RuntimeError('no settings') from error\n"
    )
    files = {
        "app.py": source,
        "test_app.py": "import app, json\ndef test_cause(): app.load('{')\n"
        "def test_deep(): json.loads('{')\n",
    }
    result = judge(files)
    assert result.test_results
    cause, deep = result.test_results.failures
    assert (cause.file_path, cause.line_number) == ("app.py", 7)
    assert cause.error_message.startswith(
        "RuntimeError: no settings (caused by JSONDecodeError: Expecting property name"
    )
    assert (deep.file_path, deep.line_number) == ("test_app.py", 3)
    assert "caused by JSONDecodeError" in (result.error or "")
    for failure in (cause, deep):
        assert "/.sdkbench/" not in f"{failure.stack_trace}{failure.error_message}"


def test_the_point_of_a_long_message_is_in_the_reason(judge: Judge) -> None:
    test = "def test_it():\n  raise ValueError('2 problems:\\n  name: missing\\n  age: negative')\n"
    result = judge({"test_app.py": test})
    assert "ValueError: 2 problems: name: missing age: negative" in (result.error or "")


def test_a_test_file_that_does_not_load_is_told_by_its_cause(judge: Judge) -> None:
    files = {
        "app.py": "try:\n  import not_there_at_all\nexcept ImportError as e:\n"
        "  raise RuntimeError('install it') from e\n",
        "test_app.py": "import app\n" + UNDER_TEST,
    }
    result = judge(files)
    assert "not_there_at_all" in (result.error or "")
    assert "install it" in (result.error or "")
    assert result.test_results
    assert result.test_results.failures[0].file_path == "app.py"


@pytest.mark.parametrize(
    ("name", "line"),
    [("ward", "from ward import test"), ("nose", "from nose.tools import assert_equal")],
)
def test_a_framework_that_nobody_runs_is_named(judge: Judge, name: str, line: str) -> None:
    result = judge({"tests/test_x.py": f"{line}\n{UNDER_TEST}"})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert name in (result.error or "")
    assert "add-a-runner" in (result.error or "")


MEMBER = {
    "libs/six/pyproject.toml": '[project]\nname = "six"\nversion = "0"\ndependencies = ["attrs"]\n',
    "libs/six/src/six/__init__.py": "import attr\nOURS = True\n",
    "tests/test_it.py": "import six\ndef test_it(): assert six.OURS\n",
}


@pytest.mark.parametrize(
    "manifest",
    [
        HATCHLING
        + '[project]\nname = "shop"\nversion = "0"\ndependencies = ["six"]\n'
        + "[tool.hatch.build.targets.wheel]\nbypass-selection = true\n"
        + "[tool.uv.sources]\nsix = { workspace = true }\n"
        + '[tool.uv.workspace]\nmembers = ["libs/*"]\n',
        '[tool.uv.workspace]\nmembers = ["libs/*"]\n',
        (
            '[project]\nname = "shop"\nversion = "0"\ndependencies = ["six"]\n'
            '[tool.uv.sources]\nsix = { path = "libs/six" }\n[tool.setuptools]\npackages = []\n'
        ),
    ],
)
def test_a_package_of_the_workspace_is_not_that_of_the_index(judge: Judge, manifest: str) -> None:
    passed(judge({**MEMBER, "pyproject.toml": manifest}), 1)


DJANGO_TEST = """from django.test import SimpleTestCase
class TestIt(SimpleTestCase):
    def test_it(self): pass
"""


@pytest.mark.parametrize(
    ("files", "sign"),
    [({"manage.py": "import django\n"}, "manage.py"), ({}, "shop/tests.py"),
     ({"setup.cfg": "[tool:pytest]\n"}, "shop/tests.py")],
)  # fmt: skip
def test_tests_that_django_sets_up_are_not_run_without_it(
    judge: Judge, files: Files, sign: str
) -> None:
    result = judge(files | {"shop/__init__.py": "", "shop/tests.py": DJANGO_TEST})
    assert (result.outcome, result.fault) == (Outcome.ERROR, Fault.MISSING_RUNNER)
    assert f"written for Django's own test runner, as {sign} says" in (result.error or "")


@pytest.mark.parametrize(
    "files",
    [
        {"conftest.py": "from django.conf import settings\nsettings.configure()\n"},
        {"setup.cfg": "[tool:pytest]\nDJANGO_SETTINGS_MODULE = site.settings\n"},
    ],
)
def test_tests_that_are_told_how_to_set_django_up_are_run(project: Project, files: Files) -> None:
    root = project(files | {"shop/__init__.py": "", "shop/tests.py": DJANGO_TEST})
    assert PythonTestRunner(root).detect().detected


def test_variables_that_only_a_judge_sets_are_not_there(judge: Judge) -> None:
    test = (
        "import os, sys\ndef test_it():\n"
        "  assert not {'CI', 'NO_COLOR', 'FORCE_COLOR'} & set(os.environ)\n"
        "  assert not sys.flags.safe_path\n"
    )
    passed(judge({"test_x.py": test}), 1)


def test_tracked_sources_in_build_are_not_skipped(project: Project, harness: Harness) -> None:
    folder = project(
        {
            "pyproject.toml": "[tool.pytest.ini_options]\nnorecursedirs = ['.*']\n",
            "build/made.py": "ONE = 1\n",
            "build/test_made.py": "import made\ndef test_it(): assert made.ONE == 1\n",
            "dist/test_left_over.py": "raise SystemExit('made by a tool')\n",
        }
    )
    git = shutil.which("git") or pytest.skip("git is not installed")
    subprocess.run([git, "init", "-q"], cwd=folder, check=True)
    subprocess.run([git, "add", "pyproject.toml", "build"], cwd=folder, check=True)
    runner = PythonTestRunner(folder, harness=harness)
    assert runner.run_tests().passed == 1
