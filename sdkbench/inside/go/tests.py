"""Tests of a Go sample, one a process.

Each test of a sample is given a secret that only our part of it can have read, and says by it what
became of the test.
"""

import fcntl
import os
import re
import secrets
import shutil
import time

from ..channel import Channel
from ..hidden_proc import hide_proc
from ..processes import (
    LINUX,
    Printed,
    check_mark,
    end_children,
    ending,
    exit_code,
    high,
    spawn_after,
)
from ..protocol import Case, Collected, Start, Status, Tampered
from .build import MAX_TEXT, GoCase, GoSample, Judged

FULL_FAILURES = 50  # at full length; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024
MAX_VERDICT = 4096
SECRET_FD, VERDICT_FD, PROGRAM_FD = 3, 4, 5
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


def test_sample(judged: Judged, sample: GoSample, channel: Channel) -> int:
    packages = sample["packages"]
    ids = [case["id"] for package in packages for case in package["cases"]]
    channel.send(Collected(kind="collected", ids=ids))
    status, failures = 0, 0
    check_mark()
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
            kept = sample["tests_start_themselves"]
            passed = run_case(judged, program, case, channel, size, kept=kept)
            status, failures = (status, failures) if passed else (1, failures + 1)
    return status


def sealed(path: str) -> int:
    """The program as an open file that nobody can change, and nobody can read but by running it:
    not even its own user.
    """
    with open(path, "rb") as stream:
        program = stream.read()
    os.unlink(path)
    fd = os.memfd_create("test", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    with open(fd, "wb", closefd=False) as stream:
        stream.write(program)
    seals = fcntl.F_SEAL_WRITE | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_SEAL
    fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)
    os.fchmod(fd, 0o111)
    return high(fd)


def run_case(
    judged: Judged, program: int | str, case: GoCase, channel: Channel, size: int, *, kept: bool
) -> bool:
    """One test in a process of its own; whether it may count as passed or skipped.

    Its program stays open there only if it is to be `kept` for tests that start it again.
    """
    channel.send(Start(kind="start", id=case["id"]))
    began = time.monotonic()
    secret = secrets.token_hex(32)
    secret_r, secret_w = map(high, os.pipe())
    verdict_r, verdict_w = map(high, os.pipe())
    os.write(secret_w, secret.encode())
    os.close(secret_w)
    number = PROGRAM_FD if kept else program  # ours is closed once the program runs
    path = f"/proc/self/fd/{number}" if isinstance(program, int) else program
    words = [path, f"-test.run=^{case['name']}$", "-test.v=test2json", "-test.paniconexit0"]
    words += ["-test.timeout=0", "-test.count=1"]
    printed = Printed(MAX_TEXT, MARK.encode())
    given = {1: printed.write_fd, 2: printed.write_fd, SECRET_FD: secret_r, VERDICT_FD: verdict_w}
    given |= {PROGRAM_FD: program} if kept and isinstance(program, int) else {}
    env = {name: value for name, value in os.environ.items() if not name.startswith("GO")}
    env |= {} if LINUX else {"SDKBENCH_WATCHED": "1"}
    pid = spawn_after(hide_proc, words, env, given, path=path)
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
    send_case(channel, case["id"], status, seconds, judged.shown(shown[-size:]))
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
        again = f"{secret} again {name}\n".encode() in verdict
        what = "was run more than once" if again else "has a verdict that is not of our writing"
        text = f"{case['id']} {what}"
        channel.send(Tampered(kind="tampered", message=text))
        return "failed"
    word = verdicts.get(verdict, "failed")
    lines = re.findall(rf"{MARK}--- (\w+): {name} \(", text)
    agree = code == 0 and lines == [{"passed": "PASS", "skipped": "SKIP"}.get(word)]
    return word if agree else "failed"
