"""What the boot script makes of a test program's words on its descriptor, and of its end."""

import importlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

NONCE = "0123456789abcdef"
PASSED = {"nonce": NONCE, "verdict": "passed"}
FAILED = {"nonce": NONCE, "verdict": "failed", "message": "no", "file": "", "line": 0}


@pytest.fixture
def boot(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ModuleType]:
    """The script as a module; in the sandbox it is a program of its own."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    yield importlib.import_module("sdkbench.inside.rust.tests")
    sys.modules.pop("sdkbench.inside.rust.tests")  # it has read the environment


def lines(*records: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def judged(boot: ModuleType, data: bytes, code: int, output: str = "") -> str | None:
    said, forged = boot.understood(data, NONCE)
    assert not forged
    reason: str | None = boot.judged(boot.Ended(said, forged, code, output, 0.0))
    return reason


def test_a_verdict_and_its_exit_code_make_a_pass(boot: ModuleType) -> None:
    assert judged(boot, lines(PASSED), 0) is None


@pytest.mark.parametrize(
    ("data", "code", "reason"),
    [
        (b"", 0, "ended before the test did: exit code 0"),
        (b"", -6, "ended before the test did: killed by SIGABRT"),
        (lines(PASSED)[:-1], 0, "ended before the test did"),  # cut off
        (lines(PASSED), 3, "ended before the test did: exit code 3"),
        (lines(PASSED, PASSED), 0, "ended before the test did"),
        (lines(FAILED), 101, "no"),
        (lines(FAILED), 0, "no"),
        (lines({"nonce": NONCE, "verdict": "fine"}), 0, "ended before the test did"),
    ],
)
def test_anything_less_is_a_failure(boot: ModuleType, data: bytes, code: int, reason: str) -> None:
    assert reason in (judged(boot, data, code) or "")


def test_an_error_that_a_test_returned_is_reported_with_its_output(boot: ModuleType) -> None:
    returned = {**FAILED, "message": "the test returned a termination value with a non-zero …"}
    assert judged(boot, lines(returned), 101, 'words\nError: "nope"') == 'Error: "nope"'


@pytest.mark.parametrize(
    "data",
    [
        b"garbage\n",
        b"[]\n",
        lines({"verdict": "passed"}),
        lines({"nonce": "another", "verdict": "passed"}),
        lines(PASSED, {"nonce": "another", "verdict": "passed"}),
    ],
)
def test_lines_without_the_nonce_are_not_the_harnesss(boot: ModuleType, data: bytes) -> None:
    assert boot.understood(data, NONCE) == ([], True)
