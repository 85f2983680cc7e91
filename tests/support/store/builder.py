"""Attempts for tests of the store and of what reads it."""

import hashlib

from sdkbench.core import Outcome
from sdkbench.store import Artefact, Attempt, Suite, TestRow

FILES = (
    Artefact(kind="solution", name="app.py", data=b"print('hello')\n" * 40),
    Artefact(kind="solution", name="pkg/empty.py", data=b""),
    Artefact(kind="output", name="test_results", data=bytes(range(256)) * 4),
)


def key(number: int) -> str:
    return hashlib.sha256(str(number).encode()).hexdigest()


def attempt(number: int, **changes: object) -> Attempt:
    """The `number`th of a run; all have their key and sample from it."""
    values = {
        "key": key(number),
        "suite": Suite.SDK,
        "sdk": "demo",
        "sample": f"demo_{number:03}",
        "task_type": str(1 + number % 5),
        "model": "model-a",
        "outcome": Outcome.PASSED,
        "score": 100.0,
        "duration_seconds": 1.5,
        "input_tokens": 100,
        "result": {"number": number, "text": "a\0b"},
        "tests": (
            TestRow(test_id=f"tests/test_app.py::test_{number}", status="passed"),
            TestRow(
                test_id="tests/test_app.py::test_two", status="failed", message="assert 1 == 2"
            ),
        ),
    }
    return Attempt.model_validate(values | changes)
