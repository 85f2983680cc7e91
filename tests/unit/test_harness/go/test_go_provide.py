"""Whose fault it was that modules could not be had."""

from pathlib import Path

import pytest

from sdkbench.environments.installation import Unresolvable, go_environment
from sdkbench.errors import EnvironmentFault
from sdkbench.sandbox import Completed
from sdkbench.test_harness.go.environment import GoRequest, explain


def _failed(stderr: str) -> Completed:
    return Completed(
        exit_code=1, signal=None, stopped_by=None, stdout="", stderr=stderr, truncated=False,
        channel=b"", channel_truncated=False, duration_seconds=0.1, level="plain", unapplied=(),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("go: example.com/x@v1.0.0: reading proxy/x: 404 Not Found", Unresolvable),
        ("go: example.com/x@v9.9.9: invalid version: unknown revision v9.9.9", Unresolvable),
        ("go: errors parsing go.mod:\n/f/go.mod:3: unknown directive", Unresolvable),
        ("go: example.com/x@v1.0.0: Get proxy: dial tcp: lookup proxy: no such host",
         EnvironmentFault),
        ("go: reading proxy/x: 403 Forbidden", EnvironmentFault),
        ("go: reading proxy/x: 503 Service Unavailable", EnvironmentFault),
        ("write /m/cache: no space left on device", EnvironmentFault),
    ],
)  # fmt: skip
def test_a_failing_machine_is_not_blamed_on_the_requirements(
    words: str, fault: type[Exception]
) -> None:
    found = explain(
        _failed(f"go: downloading example.com/x v1.0.0\n{words}"), "resolve", Path("/f")
    )
    assert type(found) is fault
    assert "downloading" not in str(found)


def test_a_request_is_a_module_of_its_own() -> None:
    request = GoRequest("1.21", (("a.b/c", "v1.0.0"),), ("a.b/c/d",), excludes=(("x.y/z", "v2"),))
    assert request.go_mod().splitlines() == [
        "module sdkbench.request", "go 1.21", "require a.b/c v1.0.0", "exclude x.y/z v2",
    ]  # fmt: skip
    assert 'import _ "a.b/c/d"' in request.source()


def test_settings_written_by_go_itself_count_after_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = tmp_path / "env"
    written.write_text("# go env -w\nGOPROXY=https://a.test\nGOPRIVATE=b.test\nGOFLAGS=-x\n")
    monkeypatch.setenv("GOENV", str(written))
    monkeypatch.setenv("GOPRIVATE", "c.test")
    for name in ("GOPROXY", "GOVCS"):
        monkeypatch.delenv(name, raising=False)
    found = go_environment()
    assert (found["GOPROXY"], found["GOPRIVATE"]) == ("https://a.test", "c.test")
    assert found["GOVCS"] == "*:off"
    assert "GOFLAGS" not in found
