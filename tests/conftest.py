"""What holds for every test: it leaves the environment and the working folder as they were."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import scheduling
from tests.support.nightly import is_repetition
from tests.support.places import CACHE


def pytest_configure() -> None:
    # Whatever a test calls finds the environments of the others, and none of the user's.
    os.environ["SDKBENCH_CACHE"] = str(CACHE)
    # A shell starts background jobs with SIGINT ignored; programs under test would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(tryfirst=True)  # before those are left out that are not asked for
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: scheduling.rank(item.nodeid))
    for item in items:
        if is_repetition(item.nodeid):
            item.add_marker("nightly")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> scheduling.SharingServers:
    config.option.loadscopereorder = False  # as they are sorted above
    return scheduling.SharingServers(config, log)


@pytest.fixture(autouse=True)
def _process_state_unchanged() -> Iterator[None]:
    before, folder = _environment(), Path.cwd()
    yield
    assert _environment() == before
    assert Path.cwd() == folder


def _environment() -> dict[str, str]:
    # pytest itself writes the running test and its phase here.
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}
