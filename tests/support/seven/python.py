"""Seven small Python projects with pytest, one for each thing that can become of a test run."""

APP = "def double(n):\n    return 2 * n\n"
TEST = "import app\n\n\ndef test_doubles():\n    assert app.double(2) == 4\n"


def _project(app: str = APP, test: str = TEST) -> dict[str, str]:
    return {"pyproject.toml": PROJECT, "app.py": app, "tests/test_app.py": test}


PROJECT = '[project]\nname = "app"\nversion = "0.1.0"\n'
SEVEN: dict[str, dict[str, str]] = {
    "pass": _project(),
    "fail": _project(test=TEST.replace("4", "5")),
    "skip": _project(
        test="import pytest\n\n\n@pytest.mark.skip('later')\ndef test_doubles(): ...\n"
    ),
    "compile_error": _project("def double(n):\n    return 2 *\n"),
    "panic": _project("def double(n):\n    raise ValueError(n)\n"),
    "endless": _project("def double(n):\n    while n:\n        pass\n"),
    "zero_tests": _project(test="import app\n"),
}
