"""What holds for every test: it leaves the environment and the working folder as they were.

And which tests start first, and on which of pytest-xdist's workers.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

# What takes longest starts first, so that no worker is left alone with it at the end.
SLOWEST_FIRST = (
    "integration/engine/test_ray",
    "integration/engine/test_run_ray",
    "integration/judge/test_attacks",
    "integration/test_harness",
    "integration/datasets",
    "integration/cli",
    "integration/test_plugins",
    "integration",
)
# Long files whose tests share nothing that is costly to start: each worker takes what comes next.
# The tests of every other file stay on one worker, together with the servers they share.
SPREAD = (
    "integration/judge/test_attacks.py",
    "integration/test_harness/test_seven_projects.py",
    "integration/test_harness/node/test_node_frameworks.py",
    "integration/test_harness/node/test_node_projects.py",
    "integration/datasets/",
    "integration/cli/test_cli.py",
    "integration/engine/test_run.py",
)
HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    places = {item: item.path.relative_to(HERE).as_posix() for item in items}
    items.sort(key=lambda item: _rank(places[item]))
    for item in items:
        if item.get_closest_marker("xdist_group") is None and not places[item].startswith(SPREAD):
            item.add_marker(pytest.mark.xdist_group(places[item]))


def _rank(place: str) -> int:
    ranks = (number for number, name in enumerate(SLOWEST_FIRST) if place.startswith(name))
    return next(ranks, len(SLOWEST_FIRST))


@pytest.fixture(autouse=True)
def _process_state_unchanged() -> Iterator[None]:
    before, folder = _environment(), Path.cwd()
    yield
    assert _environment() == before
    assert Path.cwd() == folder


def _environment() -> dict[str, str]:
    # pytest itself writes the running test and its phase here.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
