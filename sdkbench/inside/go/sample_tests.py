"""A sample's tests for go_boot, one a process.

Each is given a secret that only our part of it can have read, and says by it what became of the
test.
"""

import fcntl
import os
import re
import secrets
import shutil
import time

from ..channel import Channel
from ..processes import LINUX, Printed, end_children, ending, exit_code, high, spawn
from ..protocol import Collected, Start, Status, Tampered
from .build import Judged
from .reporting import FULL_FAILURES, MAX_TEXT, SHORT_TEXT, tell_case

MAX_VERDICT = 4096
SECRET_FD, VERDICT_FD, BINARY_FD = 3, 4, 5
MARK = "\x16"  # stands before the lines of -test.v=test2json that are the framework's own


def test_sample(judged: Judged, channel: Channel) -> int:
    packages = judged.order["packages"]
    channel.send(
        Collected(kind="collected", ids=[c["id"] for package in packages for c in package["cases"]])
    )
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


def run_case(program: int | str, case: dict[str, str], channel: Channel, size: int) -> bool:
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
        channel.send(
            Tampered(
                kind="tampered", message=f"{case['id']} left processes that could not be ended"
            )
        )
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
    tell_case(channel, case["id"], status, seconds, shown[-size:])
    return status != "failed"


def settle(
    case: dict[str, str], secret: str, verdict: bytes, code: int, text: str, channel: Channel
) -> Status:
    """What our watcher, the exit code and the printed lines say together."""
    name = case["name"]
    words: tuple[Status, ...] = ("passed", "skipped", "failed")
    told = {f"{secret} {word} {name}\n".encode(): word for word in words}
    told[f"{secret} left {name}\n".encode()] = "failed"
    if verdict and verdict not in told:
        channel.send(
            Tampered(kind="tampered", message=f"the verdict of {case['id']} is not of our writing")
        )
        return "failed"
    word = told.get(verdict, "failed")
    printed = {"passed": "PASS", "skipped": "SKIP"}.get(word)
    if printed is None or code != 0:
        return "failed"
    lines = re.findall(rf"{MARK}--- (\w+): {name} \(", text)
    if lines != [printed]:
        return "failed"
    return word
