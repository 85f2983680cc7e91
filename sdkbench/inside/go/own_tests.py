"""A project's own tests for go_boot, as `go test -json` runs them."""

import json
import os
from typing import Any

from ..channel import Channel
from ..processes import Printed, exit_code, spawn_printing
from ..protocol import RunError, Start, Status
from .build import Judged
from .reporting import FULL_FAILURES, MAX_TEXT, SHORT_TEXT, tell_case

STATUSES: dict[str, Status] = {"pass": "passed", "fail": "failed", "skip": "skipped"}


class Events(Printed):
    """`go test -json` of a project's own tests, told as records while it runs."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(MAX_TEXT)
        self._channel = channel
        self._unread = b""
        self._texts: dict[tuple[str, str], str] = {}
        self._failed: set[str] = set()
        self._told = 0

    def take(self, chunk: bytes) -> None:
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        for line in lines:
            try:
                self._event(json.loads(line))
            except ValueError:
                super().take(line + b"\n")  # the go command's own words

    def _event(self, event: dict[str, Any]) -> None:
        action, package, test = event["Action"], event.get("Package", ""), event.get("Test", "")
        key = (package, test)
        if action in {"output", "build-output"}:
            super().take(event["Output"].encode())
            self._texts[key] = (self._texts.get(key, "") + event["Output"])[-MAX_TEXT:]
        elif action == "run":
            self._channel.send(Start(kind="start", id=f"{package}::{test}"))
        elif test and action in {"pass", "fail", "skip"}:
            status = STATUSES[action]
            self._failed |= {package} if action == "fail" else set()
            text = self._texts.pop(key, "")
            self._told += action == "fail"
            size = MAX_TEXT if self._told <= FULL_FAILURES else SHORT_TEXT
            tell_case(
                self._channel, f"{package}::{test}", status, event.get("Elapsed", 0.0), text[-size:]
            )
        elif action == "fail" and package not in self._failed:
            text = self._texts.get((package, ""), "")
            self._channel.send(RunError(kind="run_error", id=package, message=text, trace=text))


def test_own(judged: Judged, channel: Channel) -> int:
    status = 0
    for (folder, mod_file), module in zip(judged.modules, judged.order["modules"], strict=True):
        if not module["patterns"]:
            continue
        words = ["test", "-json", "-count=1", "-timeout=0", "-vet=off", "-mod=readonly"]
        words += [f"-modfile={mod_file}", *module["patterns"]]
        os.chdir(folder)
        events = Events(channel)
        pid = spawn_printing([judged.order["go"], *words], judged.env, events)
        status = 1 if exit_code(pid) else status
        events.text()
    return status
