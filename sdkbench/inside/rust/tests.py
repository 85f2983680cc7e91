"""Runs inside the sandbox: one process for each test of the programs that were built before.

A test's verdict comes on a descriptor of its own, carries a nonce that only this process and the
harness in the test program have seen, and must agree with the exit code.
"""

import json
import os
import secrets
import subprocess
import tempfile
import time
from contextlib import suppress
from typing import Any, NamedTuple, TypedDict

from ..channel import Channel, given_order
from ..processes import check_mark, end_group, ending, protect
from ..protocol import Begin, Case, Collected, End, Order, RunError, Start, Tampered
from .crates import HOME, offer_crates

MAX_OUTPUT = 64 * 1024
TARGET = os.path.join(tempfile.gettempdir(), "target")
RETURNED_ERROR = "the test returned a termination value"


class RustTestProgram(TypedDict):
    file: str
    source: str
    bare: bool  # it has a main of its own: its exit code is all it says
    cwd: str
    env: dict[str, str]


class RustTestOrder(Order):
    out: str
    programs: list[RustTestProgram]
    failed_before: bool  # doc tests run where the build does
    environment: str  # for tests that call cargo; empty: none does


class Ended(NamedTuple):
    """One run of a test program: what it said on its descriptor, and how it ended."""

    said: list[dict[str, Any]]
    forged: bool
    code: int
    output: str
    seconds: float


def main() -> int:
    protect()
    check_mark()
    order: RustTestOrder = given_order()
    channel = Channel(order)
    channel.send(Begin(kind="begin"))
    os.symlink(order["out"], TARGET)  # programs find each other where they were built
    if order["environment"]:
        offer_crates(order["environment"])
        os.environ["CARGO_HOME"] = HOME
    clean = not order["failed_before"]
    for program in order["programs"]:
        clean = run_program(order, program, channel) and clean
    status = 0 if clean else 1
    channel.send(End(kind="end", status=status))
    return status


def run_program(order: RustTestOrder, program: RustTestProgram, channel: Channel) -> bool:
    """All tests of one program; whether nothing failed."""
    if program["bare"]:  # it has a main of its own: its exit code is its word
        channel.send(Collected(kind="collected", ids=[program["source"]]))
        channel.send(Start(kind="start", id=program["source"]))
        ended = run(order, program, None)
        failed = None if ended.code == 0 else ending(ended.code)
        return tell(channel, program["source"], ended, failed, {})
    listed = run(order, program, "list")
    if listed.forged or listed.code != 0:
        text = f"its tests could not be listed: {ending(listed.code)}\n{listed.output}".strip()
        channel.send(RunError(kind="run_error", id=program["source"], message=text))
        return False
    ids = [f"{program['source']}::{test['name']}" for test in listed.said]
    channel.send(Collected(kind="collected", ids=ids))
    clean = True
    for number, (name, test) in enumerate(zip(ids, listed.said, strict=True)):
        if test["ignored"]:
            channel.send(
                Case(
                    kind="case",
                    id=name,
                    status="skipped",
                    expected_failure=False,
                    seconds=0.0,
                    reason=test["reason"] or "ignored",
                )
            )
            continue
        channel.send(Start(kind="start", id=name))
        ended = run(order, program, str(number))
        if ended.forged:
            text = f"somebody else wrote to the verdict of {name}"
            channel.send(Tampered(kind="tampered", message=text))
        clean = tell(channel, name, ended, judged(ended), test) and clean
    return clean


def judged(ended: Ended) -> str | None:
    """Why the test failed; None if its verdict and its exit code say that it passed."""
    verdict = ended.said[0] if len(ended.said) == 1 else {}
    if verdict.get("verdict") == "failed":
        message = str(verdict["message"])
        lines = ended.output.splitlines() if message.startswith(RETURNED_ERROR) else []
        return next((line for line in reversed(lines) if line.startswith("Error: ")), message)
    if verdict.get("verdict") == "passed" and ended.code == 0:
        return None
    return f"the test's process ended before the test did: {ending(ended.code)}"


def tell(
    channel: Channel, name: str, ended: Ended, failed: str | None, test: dict[str, Any]
) -> bool:
    verdict = ended.said[0] if ended.said else {}
    # What panicked in a library is placed where the test begins.
    place = test if os.path.isabs(str(verdict.get("file") or "/")) else verdict
    output = "" if failed is None else ended.output
    channel.send(
        Case(
            kind="case",
            id=name,
            status="passed" if failed is None else "failed",
            expected_failure=False,
            seconds=ended.seconds,
            reason="",
            message=failed or "",
            path=os.path.normpath(str(place["file"])) if place.get("file") else "",
            line=place.get("line"),
            trace=output,
            output=output,
        )
    )
    return failed is None


def run(order: RustTestOrder, program: RustTestProgram, word: str | None) -> Ended:
    """One process. `word` is what the harness in it is asked for; None where there is none."""
    nonce = secrets.token_hex(16)
    reader, writer = os.pipe()
    order_r, order_w = os.pipe()
    began = time.monotonic()
    with tempfile.TemporaryFile() as output:
        os.set_inheritable(writer, True)
        child = subprocess.Popen(
            [os.path.join(TARGET, program["file"])],
            stdin=order_r,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=os.path.join(order["workspace"], program["cwd"]),
            env={**os.environ, **program["env"]},
            close_fds=False,  # every other descriptor of ours is closed on exec
            start_new_session=True,
        )
        os.close(writer)
        os.close(order_r)
        with suppress(BrokenPipeError), open(order_w, "wb") as stream:
            stream.write(f"{writer} {nonce} {word}\n".encode() if word else b"")
        with open(reader, "rb") as stream:
            data = stream.read()
        code = child.wait()
        end_group(child.pid)  # what the test left running
        seconds = time.monotonic() - began
        size = output.seek(0, os.SEEK_END)
        output.seek(max(0, size - MAX_OUTPUT))
        text = output.read().decode("utf-8", "replace").strip()
    said, forged = understood(data, nonce)
    return Ended(said, forged, code, text, seconds)


def understood(data: bytes, nonce: str) -> tuple[list[dict[str, Any]], bool]:
    """The lines that carry the nonce, and whether there was anything else.

    A last line without its end is a harness that was killed in mid-word.
    """
    said = []
    for line in data.split(b"\n")[:-1]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            return [], True
        if not isinstance(record, dict) or record.get("nonce") != nonce:
            return [], True
        said.append(record)
    return said, False
