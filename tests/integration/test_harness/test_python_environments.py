"""Requirements that can't be met, and what one installation may not do to another."""

from pathlib import Path

import pytest

from sdkbench.core import Fault, Outcome
from sdkbench.environments import Cache
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Sandbox
from sdkbench.test_harness import Harness
from sdkbench.test_harness.python.environment import PythonRequest, provide, site_packages
from tests.support.projects import Judge

TEST = {"test_app.py": "def test_it(): pass\n"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("no-such-package-of-this-name-93", "was not found in the package registry"),
        ("six==99.0", "no version of six==99.0"),
        ("not a name!!", "parse requirement"),
        ("--index-url https://example.invalid/simple", "--index-url is refused"),
        ("evil @ git+https://example.invalid/evil.git", "is a URL"),
        ("git+https://example.invalid/evil.git", "is a URL"),
        ("../outside", "local path"),
        ("/etc", "local path"),
        ("file:///etc/passwd", "is a URL"),
        ("-r ../../secret.txt", "not a file inside the project"),
        ("six<1,>2", "incompatible"),
    ],
)
def test_a_requirement_that_cannot_be_met_is_an_install_failure_with_its_reason(
    judge: Judge, line: str, reason: str
) -> None:
    result = judge({**TEST, "requirements.txt": f"{line}\n"})
    assert (result.outcome, result.fault, result.score) == (Outcome.FAILED, Fault.INSTALL, 0)
    assert reason in (result.error or "")


def test_a_package_without_wheels_is_refused_unless_the_sample_allows_it(
    harness: Harness, tmp_path: Path
) -> None:
    source_only = "docopt==0.6.2"
    refused = provide(PythonRequest((source_only,)), harness.cache, harness.sandbox)
    assert refused.environment is None
    assert "docopt" in (refused.failure or "")
    cache = Cache(tmp_path / "cache")
    allowed = provide(PythonRequest((source_only,), build_from_source=True), cache, harness.sandbox)
    assert allowed.environment is not None
    assert (site_packages(allowed.environment) / "docopt.py").is_file()


def test_an_environment_is_read_only_inside_the_sandbox(judge: Judge) -> None:
    test = (
        "import pytest, pathlib\n"
        "def test_it():\n"
        "  with pytest.raises(OSError): pathlib.Path(pytest.__file__).write_text('')\n"
    )
    assert judge({"test_app.py": test}).outcome is Outcome.PASSED


def test_the_harness_is_not_importable_from_judged_code(judge: Judge) -> None:
    test = "import pytest\ndef test_it():\n  with pytest.raises(ImportError): import sdkbench\n"
    assert judge({"test_app.py": test}).outcome is Outcome.PASSED


def test_an_index_that_cannot_be_reached_is_our_error(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    with pytest.raises(EnvironmentFault, match="not reachable"):
        provide(PythonRequest(("six",)), Cache(tmp_path / "cache"), sandbox)
    monkeypatch.undo()
