"""What every unit test is given: a folder to fill."""

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


@pytest.fixture
def project(tmp_path: Path) -> ProjectFactory:
    """`project({"app.py": "…"})` writes the files and returns their folder."""

    return lambda files: write(tmp_path / "project", files)
