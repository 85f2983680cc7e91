"""Runs inside the sandbox: checks a Perl project's syntax, runs its tests, reports by the channel.

No judged code runs in this process: each test file is a child whose results SdkbenchReporter.pm
brings. Of sdkbench only `sdkbench.inside` is there.
"""

import json
import os
import secrets
import select
import subprocess
import sys
import tempfile
import time
from typing import Any

from sdkbench.inside.channel import Channel, given_order
from sdkbench.inside.processes import end_group, ending, protect
from sdkbench.inside.protocol import Built, Case, End, Order, RunError, Start, Tampered

HERE = os.path.dirname(os.path.abspath(__file__))
MAX_TEXT = 64 * 1024  # of what one test file says
MAX_TRACE = 4 * 1024  # of one failing test; there may be thousands
MAX_PIPE = 16 * 1024 * 1024  # of one test file's results
TOP_STATUS = 254  # Test2 exits with the number of failed tests, up to this


class PerlOrder(Order):
    check: list[str]
    tests: list[str]
    run_tests: bool
    libraries: list[str]
    libraries_first: bool
    solution: str | None


class File:
    """One run of a test file: what came by its pipe, what it said, how it ended."""

    def __init__(self, name: str, order: PerlOrder) -> None:
        self.name = name
        self._solution = order["solution"]
        self._started = time.monotonic()
        self._secret = secrets.token_hex(16)
        order_out, order_in = os.pipe()
        results_out, results_in = os.pipe()
        letter = {
            "libraries": order["libraries"],
            "libraries_first": order["libraries_first"],
            "pipe": results_in,
            "secret": self._secret,
        }
        os.write(order_in, json.dumps(letter).encode())
        os.close(order_in)
        with tempfile.TemporaryFile() as said:
            words = ["perl", "-I", HERE, f"-MSdkbenchReporter={order_out}", "--", name]
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stderr=said, start_new_session=True,
                pass_fds=(order_out, results_in),
            )  # fmt: skip
            os.close(order_out)
            os.close(results_in)
            data = read(results_out, process)
            self.status = process.wait()
            end_group(process.pid)  # what it left running has no part in this
            said.seek(0)
            self.said = said.read(MAX_TEXT).decode("utf-8", "replace")
        sys.stderr.write(self.said)
        self.records = [self._record(line) for line in data.split(b"\n")[:-1]]

    @property
    def tampering(self) -> str | None:
        """A sentence on results that are not the tests' own, if there are any."""
        if None in self.records:
            return f"{self.name} wrote what our reporter did not"
        paths = [os.path.join(os.getcwd(), str(test["path"])) for test in self.of_kind("test")]
        if self._solution and any(path.startswith(self._solution) for path in paths):
            return f"the solution itself called a test function while {self.name} was running"
        return None

    def _record(self, line: bytes) -> dict[str, Any] | None:
        """None for what our reporter cannot have written."""
        try:
            record = json.loads(line)
            return record if record.pop("secret") == self._secret and record["kind"] else None
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [record for record in self.records if record and record["kind"] == kind]

    def fault(self, tests: int, failed: int) -> str | None:
        """Why the results don't count as they are; None if plan, numbers and ends agree."""
        plans, done = self.of_kind("plan"), self.of_kind("done")
        if not done or self.records[-1] != done[0] or done[0]["status"] & 255 != self.status:
            return f"It ended before its end ({ending(self.status)})."
        if not tests and not failed and (self.status == 0 or (plans and not plans[0]["count"])):
            return None  # no tests: for the verdict to say
        if [test["number"] for test in self.of_kind("test")] != list(range(1, tests + 1)):
            return "Its tests are not numbered from 1 on."
        if len(plans) != 1 or plans[0]["count"] != tests:
            planned = plans[0]["count"] if plans else "none"
            return f"It planned {planned} and ran {tests} tests ({ending(self.status)})."
        if self.status != min(failed, TOP_STATUS):
            return f"{failed} of its tests failed, but it ended with {ending(self.status)}."
        return None

    def report(self, channel: Channel) -> bool:
        """Send what became of the tests; whether all is well."""
        tampering = self.tampering
        if tampering:
            channel.send(Tampered(kind="tampered", message=tampering))
        cases: list[Case] = []
        for record in self.records:
            if record and record["kind"] == "test":
                cases.append(self._case(record))
            elif record and record["kind"] == "said" and cases and cases[-1]["status"] == "failed":
                cases[-1]["trace"] = (cases[-1]["trace"] + record["text"] + "\n")[:MAX_TRACE]
        for case in cases:
            case["message"] = message_of(case["trace"])
            channel.send(case)
        skips = [plan["skip"] for plan in self.of_kind("plan") if plan["skip"] is not None]
        if skips:
            channel.send(self._skipped(skips[0]))
        failed = sum(case["status"] == "failed" for case in cases)
        fault = self.fault(len(cases), failed)
        if fault:
            lines = [line for line in self.said.splitlines() if not line.startswith("#")]
            reason = "\n".join([*lines[:1], fault]).strip()
            channel.send(
                RunError(
                    kind="run_error", id=self.name, message=reason, path=self.name, trace=self.said
                )
            )
        return not (tampering or failed or fault)

    def _case(self, test: dict[str, Any]) -> Case:
        aside = test["aside"]
        return Case(
            kind="case",
            id=f"{self.name}::{test['number']} {test['title']}".rstrip(),
            status="skipped" if aside is not None else "passed" if test["pass"] else "failed",
            reason=aside or "",
            expected_failure=False,
            seconds=0.0,
            path=test["path"],
            line=test["line"],
            trace="",
        )

    def _skipped(self, reason: str) -> Case:
        seconds = time.monotonic() - self._started
        return Case(
            kind="case", id=self.name, status="skipped", reason=reason, seconds=seconds,
            expected_failure=False,
        )  # fmt: skip


def read(fd: int, process: "subprocess.Popen[bytes]") -> bytes:
    """All that comes until the process has ended, whoever else holds the pipe open."""
    data = b""
    with open(fd, "rb", buffering=0) as stream:
        while len(data) < MAX_PIPE:
            ended = process.poll() is not None
            ready, _, _ = select.select([stream], [], [], 0 if ended else 0.05)
            chunk = stream.read(1 << 16) if ready else None
            if chunk == b"" or (ended and not ready):
                break
            data += chunk or b""
    return data


def message_of(trace: str) -> str:
    """What was got and what was expected, where Test::More says so."""
    lines = [line.strip() for line in trace.splitlines()]
    telling = [line for line in lines if line.startswith(("got:", "expected:"))]
    return "; ".join(telling) or next((line for line in lines if line), "no message")


def syntax_error(name: str, libraries: list[str]) -> str | None:
    """What `perl -c` says against a file. It runs BEGIN blocks: one that ends early is no error
    here, but brings no results either.
    """
    words = ["perl", *(f"-I{folder}" for folder in libraries), "-c", "--", name]
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode == 0:
        return None
    return f"{name}: {done.stderr.decode('utf-8', 'replace').strip()[:MAX_TEXT]}"


def main() -> int:
    protect()  # children of the same user could otherwise read the nonce in our memory
    order: PerlOrder = given_order()
    channel = Channel(order)
    os.chdir(order["workspace"])
    checked = [syntax_error(name, order["libraries"]) for name in order["check"]]
    errors = [error for error in checked if error]
    channel.send(Built(kind="built", errors=errors))
    if errors or not order["run_tests"]:
        return 1 if errors else 0
    well = True
    for name in order["tests"]:
        channel.send(Start(kind="start", id=name))
        well = File(name, order).report(channel) and well
    status = 0 if well else 1
    channel.send(End(kind="end", status=status))
    return status
