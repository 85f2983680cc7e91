"""What holds for every test: it leaves the environment and the working folder as they were."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import scheduling


def pytest_configure() -> None:
    # A shell starts background jobs with SIGINT ignored; programs under test would inherit that.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: scheduling.rank(item.nodeid))


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
