"""Tests of a Go project: its own as `go test -json` runs them, a sample's one a process.

Each test of a sample is given a secret that only our part of it can have read, and says by it what
became of the test.
"""

import fcntl
import json
import os
import re
import secrets
import shutil
import time
from typing import Any

from ..channel import Channel
from ..processes import (
    LINUX,
    Printed,
    end_children,
    ending,
    exit_code,
    high,
    spawn,
    spawn_printing,
)
from ..protocol import Case, Collected, RunError, Start, Status, Tampered
from .build import MAX_TEXT, GoCase, GoSample, Judged

STATUSES: dict[str, Status] = {"pass": "passed", "fail": "failed", "skip": "skipped"}
FULL_FAILURES = 50  # at full length; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024
MAX_VERDICT = 4096
SECRET_FD, VERDICT_FD, BINARY_FD = 3, 4, 5
MARK = "\x16"  # stands before the lines of -test.v=test2json that are the framework's own


def send_case(channel: Channel, name: str, status: Status, seconds: float, text: str) -> None:
    channel.send(
        Case(
            kind="case",
            id=name,
            status=status,
            expected_failure=False,
            seconds=seconds,
            reason="",
            output=text,
        )
    )


class Events(Printed):
    """`go test -json` of a project's own tests, sent as records while it runs."""

    def __init__(self, channel: Channel) -> None:
        super().__init__(MAX_TEXT)
        self._channel = channel
        self._unread = b""
        self._texts: dict[tuple[str, str], str] = {}
        self._failed: set[str] = set()
        self._failures = 0

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
        elif test and action in STATUSES:
            self._failed |= {package} if action == "fail" else set()
            self._failures += action == "fail"
            size = MAX_TEXT if self._failures <= FULL_FAILURES else SHORT_TEXT
            text, seconds = self._texts.pop(key, "")[-size:], event.get("Elapsed", 0.0)
            send_case(self._channel, f"{package}::{test}", STATUSES[action], seconds, text)
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


def test_sample(judged: Judged, sample: GoSample, channel: Channel) -> int:
    packages = sample["packages"]
    ids = [case["id"] for package in packages for case in package["cases"]]
    channel.send(Collected(kind="collected", ids=ids))
    status, failures = 0, 0
    programs = [f"{judged.scratch}/test{number}" for number in range(len(packages))]
    sealed_programs = [sealed(path) if LINUX else path for path in programs]
    if LINUX:
        os.chdir("/")
        shutil.rmtree(judged.scratch)  # the tests' sources are not there for judged code to read
    for package, program in zip(packages, sealed_programs, strict=True):
        os.makedirs(package["cwd"], exist_ok=True)
        os.chdir(package["cwd"])
        for case in package["cases"]:
            size = MAX_TEXT if failures < FULL_FAILURES else SHORT_TEXT
            passed = run_case(program, case, channel, size)
            status, failures = (status, failures) if passed else (1, failures + 1)
    return status


def sealed(path: str) -> int:
    """The program as an open file that nobody can change, not even its own user."""
    with open(path, "rb") as stream:
        program = stream.read()
    os.unlink(path)
    fd = os.memfd_create("test", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with open(fd, "wb", closefd=False) as stream:
        stream.write(program)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    return high(fd)


def run_case(program: int | str, case: GoCase, channel: Channel, size: int) -> bool:
    """One test in a process of its own; whether it may count as passed or skipped."""
    channel.send(Start(kind="start", id=case["id"]))
    began = time.monotonic()
    secret = secrets.token_hex(32)
    secret_r, secret_w = map(high, os.pipe())
    verdict_r, verdict_w = map(high, os.pipe())
    os.write(secret_w, secret.encode())
    os.close(secret_w)
    path = f"/proc/self/fd/{BINARY_FD}" if isinstance(program, int) else program
    words = [path, f"-test.run=^{case['name']}$", "-test.v=test2json", "-test.paniconexit0"]
    words += ["-test.timeout=0", "-test.count=1"]
    printed = Printed(MAX_TEXT, MARK.encode())
    given = {1: printed.write_fd, 2: printed.write_fd, SECRET_FD: secret_r, VERDICT_FD: verdict_w}
    given |= {BINARY_FD: program} if isinstance(program, int) else {}
    env = {name: value for name, value in os.environ.items() if not name.startswith("GO")}
    pid = spawn(words, env | {"SDKBENCH_WATCHED": "1"}, given, path=path)
    printed.start()
    os.close(secret_r)
    os.close(verdict_w)
    code = exit_code(pid)
    if not end_children():
        text = f"{case['id']} left processes that could not be ended"
        channel.send(Tampered(kind="tampered", message=text))
    os.set_blocking(verdict_r, False)
    try:
        verdict = os.read(verdict_r, MAX_VERDICT)
    except BlockingIOError:
        verdict = b""
    os.close(verdict_r)
    text = printed.text()
    status = settle(case, secret, verdict, code, text, channel)
    seconds = time.monotonic() - began
    shown = text.replace(MARK, "") + ("" if code in {0, 1} else f"\nended: {ending(code)}")
    send_case(channel, case["id"], status, seconds, shown[-size:])
    return status != "failed"


def settle(
    case: GoCase, secret: str, verdict: bytes, code: int, text: str, channel: Channel
) -> Status:
    """What our watcher, the exit code and the printed lines say together."""
    name = case["name"]
    words: tuple[Status, ...] = ("passed", "skipped", "failed")
    verdicts = {f"{secret} {word} {name}\n".encode(): word for word in words}
    verdicts[f"{secret} left {name}\n".encode()] = "failed"
    if verdict and verdict not in verdicts:
        text = f"the verdict of {case['id']} is not of our writing"
        channel.send(Tampered(kind="tampered", message=text))
        return "failed"
    word = verdicts.get(verdict, "failed")
    lines = re.findall(rf"{MARK}--- (\w+): {name} \(", text)
    agree = code == 0 and lines == [{"passed": "PASS", "skipped": "SKIP"}.get(word)]
    return word if agree else "failed"
