"""What every unit test is given: a folder to fill, and a check that it leaves nothing behind."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests.support.projects import ProjectFactory, write

# Derandomised: a run that was green stays green until the code or the test changes.
settings.register_profile(
    "unit",
    max_examples=60,
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)
settings.load_profile("unit")


@pytest.fixture(autouse=True)
def _process_state_unchanged() -> Iterator[None]:
    """The environment and the working folder are after a test what they were before it."""
    before, folder = _environment(), Path.cwd()
    yield
    assert _environment() == before
    assert Path.cwd() == folder


@pytest.fixture
def project(tmp_path: Path) -> ProjectFactory:
    """`project({"app.py": "…"})` writes the files and returns their folder."""

    return lambda files: write(tmp_path / "project", files)


def _environment() -> dict[str, str]:
    # pytest itself writes the running test and its phase here.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
