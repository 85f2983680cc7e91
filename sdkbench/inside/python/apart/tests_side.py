"""The tests' process: the solution's package is made of stand-ins, and a plugin of pytest's sees to
it that no test passes where something could not be decided.
"""

import os
import socket
import sys
from pathlib import Path

import pytest
from _pytest import tmpdir

from ...protocol import Crossing
from ..boot import ApartOrder
from .code_run import CodeRun
from .exceptions import Broken
from .hidden_sources import hide_loaded
from .link import Link
from .modules import SolutionFinder
from .profile import Profile
from .standins import Standins, tell_trace
from .surroundings import import_nothing_from, use_scratch


class Apart:
    """A run's link to its solution, and pytest's plugin."""

    def __init__(self, order: ApartOrder, fd: int | None = None) -> None:
        """`fd` is where the order's descriptor was moved to, if it was."""
        stream = socket.socket(fileno=int(order["peer_fd"]) if fd is None else fd)
        stream.set_inheritable(False)
        use_scratch(order["scratch"])
        import_nothing_from(order["scratch"])
        os.makedirs(order["folder"], exist_ok=True)
        os.chdir(order["folder"])
        standins = Standins()
        self.link = standins.link = Link(stream, Profile(order["profile"]), standins)
        sys.meta_path.insert(0, SolutionFinder(self.link, order["package"]))
        sys.meta_path.append(SolutionFinder(self.link, None))
        CodeRun(self.link, order["scratch"]).listen()

    def pytest_configure(self) -> None:
        # The folder of `tmp_path` is named after its test, and a title may tell what is expected.
        if hasattr(tmpdir, "_mk_tmp"):
            tmpdir._mk_tmp = _unnamed_folder  # noqa: SLF001

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        if not hide_loaded(str(session.config.rootpath)):
            self.link.undecidable("The tests' own sources can't be hidden from what they look at")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.link.begin(nodeid)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_setup(self) -> None:
        self._check()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_call(self) -> None:
        self._check()
        self.link.tell_all()
        self._check()

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_teardown(self) -> None:
        self._check()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        for caught in (call.excinfo, *(getattr(item, "_excinfo", None) or ())):
            tell_trace(caught and caught.value)

    def _check(self) -> None:
        """A test may catch everything; what went wrong stays wrong."""
        __tracebackhide__ = True
        trouble = self.link.trouble or self.link.gone
        if trouble:
            raise Broken(trouble)

    def crossing(self) -> Crossing:
        profile = self.link.profile
        return Crossing(
            kind="crossing",
            profile=profile.text(),
            departures=list(profile.departures),
            changes=list(profile.changes),
            obstacles=dict(self.link.obstacles),
        )


def _unnamed_folder(request: pytest.FixtureRequest, factory: pytest.TempPathFactory) -> Path:
    del request
    return factory.mktemp("test", numbered=True)
