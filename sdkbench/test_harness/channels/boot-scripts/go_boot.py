"""Runs inside the sandbox: builds a Go project, then runs its tests and reports by the channel.

Started as `python -E -s -S go_boot.py MESSAGE_FD`. The order comes from the message descriptor;
results go out as numbered JSON lines on the channel descriptor that carry the run's nonce. No
judged code runs in this process. A sample's tests run one a process: each is given a secret that
only our part of it can have read, and says by it what became of the test. A project's own tests
are run by `go test -json`. Imports nothing of sdkbench.
"""

import contextlib
import ctypes
import fcntl
import json
import os
import re
import secrets
import shutil
import signal
import sys
import threading
import time
from typing import Any

MAX_TEXT = 64 * 1024  # of what one test or one build printed
FULL_FAILURES = 50  # told at full length; a suite that fails as a whole must not flood the channel
SHORT_TEXT = 2 * 1024
PR_SET_DUMPABLE, PR_SET_CHILD_SUBREAPER = 4, 36
HIGH_FD = 64  # above those that a test process is given
SECRET_FD, VERDICT_FD, BINARY_FD = 3, 4, 5
MAX_VERDICT = 4096
ROUNDS = 200  # of killing what a test left behind
MARK = "\x16"  # stands before the lines of -test.v=test2json that are the framework's own
ERROR_LINE = re.compile(r"^(?:vet: )?(\S+\.go:\d+(?::\d+)?: .*)$")


class Channel:
    """The writing end; closed on exec, so that no child has it."""

    def __init__(self, fd: int, nonce: str) -> None:
        self._fd = fd
        self._nonce = nonce
        self._number = 0
        os.set_inheritable(fd, False)

    def send(self, kind: str, **fields: object) -> None:
        record = {"nonce": self._nonce, "number": self._number, "kind": kind, **fields}
        self._number += 1
        data = json.dumps(record).encode("utf-8", "backslashreplace") + b"\n"
        while data:
            data = data[os.write(self._fd, data) :]


class Printed:
    """The first and the last of what a process prints; all of it is passed on to our own output."""

    def __init__(self) -> None:
        self.read_fd, self.write_fd = os.pipe()
        self._head = b""
        self._tail = b""
        self._thread = threading.Thread(target=self._read, daemon=True)

    def start(self) -> None:
        os.close(self.write_fd)
        self._thread.start()

    def text(self) -> str:
        self._thread.join(timeout=5)
        gap = b"" if len(self._head) < MAX_TEXT else b"\n"
        return (self._head + gap + self._tail).decode("utf-8", "replace")

    def _read(self) -> None:
        with open(self.read_fd, "rb", buffering=0) as stream:
            while chunk := stream.read(1 << 16):
                self.take(chunk)

    def take(self, chunk: bytes) -> None:
        os.write(1, chunk.replace(MARK.encode(), b""))
        room = MAX_TEXT - len(self._head)
        self._head += chunk[:room]
        self._tail = (self._tail + chunk[room:])[-MAX_TEXT:]


class Events(Printed):
    """`go test -json` of a project's own tests, told as records while it runs."""

    def __init__(self, channel: Channel) -> None:
        super().__init__()
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
            self._channel.send("start", id=f"{package}::{test}")
        elif test and action in {"pass", "fail", "skip"}:
            status = {"pass": "passed", "fail": "failed", "skip": "skipped"}[action]
            self._failed |= {package} if action == "fail" else set()
            text = self._texts.pop(key, "")
            self._told += action == "fail"
            size = MAX_TEXT if self._told <= FULL_FAILURES else SHORT_TEXT
            tell_case(
                self._channel, f"{package}::{test}", status, event.get("Elapsed", 0.0), text[-size:]
            )
        elif action == "fail" and package not in self._failed:
            self._channel.send("run_error", id=package, text=self._texts.get((package, ""), ""))


def tell_case(channel: Channel, name: str, status: str, seconds: float, text: str) -> None:
    channel.send(
        "case",
        id=name,
        status=status,
        expected_failure=False,
        seconds=seconds,
        reason="",
        text=text,
    )


def spawn(
    argv: list[str], env: dict[str, str], printed: Printed, *, path: str = "", **given: int
) -> int:
    """Start a process that prints to `printed` and has no other descriptors than those given."""
    actions: list[Any] = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_DUP2, printed.write_fd, 1),
        (os.POSIX_SPAWN_DUP2, printed.write_fd, 2),
    ]
    wanted = {"secret": SECRET_FD, "verdict": VERDICT_FD, "binary": BINARY_FD}
    actions += [(os.POSIX_SPAWN_DUP2, fd, wanted[name]) for name, fd in given.items()]
    pid = os.posix_spawn(path or argv[0], argv, env, file_actions=actions)
    printed.start()
    return pid


def ended(pid: int) -> int:
    """The exit code of `pid`, negative for a signal."""
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def end_strays() -> bool:
    """Kill whatever a test left running: all of it is our child, or becomes so."""
    for _ in range(ROUNDS):
        children = [pid for pid in all_pids() if parent_of(pid) == os.getpid()]
        if not children:
            return True
        for pid in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                os.waitpid(pid, 0)
    return False


def all_pids() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()] if LINUX else []


def parent_of(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stream:
            return int(stream.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError):
        return 0


def protect() -> None:
    """No other process may look into this one; orphans of its children become its own."""
    with contextlib.suppress(AttributeError, OSError):
        prctl = ctypes.CDLL(None).prctl
        prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def farm(source: str, target: str) -> None:
    """A build cache that can be written to, of links into the shared one."""
    for folder in os.scandir(source):
        if folder.is_dir():
            os.makedirs(f"{target}/{folder.name}")
            for entry in os.scandir(folder.path):
                os.symlink(entry.path, f"{target}/{folder.name}/{entry.name}")


def high(fd: int) -> int:
    """The same open file at a number that no test process uses for something else."""
    moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH_FD)
    os.close(fd)
    return moved


class Judged:
    """The project as it is built: where things are, and how go is called there."""

    def __init__(self, order: dict[str, Any]) -> None:
        self.order = order
        self.scratch = os.path.join(os.environ["TMPDIR"], "sdkbench-go")
        self.env = {**os.environ, "GOCACHE": f"{self.scratch}/cache"}
        os.makedirs(self.scratch)
        farm(order["build_cache"], self.env["GOCACHE"])
        self.modules = [(m["folder"], self._mod_file(n, m)) for n, m in enumerate(order["modules"])]

    def _mod_file(self, number: int, module: dict[str, str]) -> str:
        path = f"{self.scratch}/module{number}"
        write(f"{path}.mod", module["go_mod"])
        write(f"{path}.sum", module["go_sum"])
        if not os.path.exists(f"{module['folder']}/go.mod"):
            write(f"{module['folder']}/go.mod", module["go_mod"])  # marks the module's root
        return f"{path}.mod"

    def go(self, jobs: list[tuple[str, list[str]]]) -> list[str]:
        """Run go in these folders, all at once; the errors of those that went wrong."""
        started = []
        for folder, words in jobs:
            os.chdir(folder)
            printed = Printed()
            started.append((spawn([self.order["go"], *words], self.env, printed), words, printed))
        found = []
        for pid, words, printed in started:
            status = ended(pid)
            if status:
                found += self._errors(printed.text(), words, status)
        return found

    def _errors(self, text: str, words: list[str], status: int) -> list[str]:
        for real, shown in self.order["shown"].items():
            text = text.replace(real.replace("{scratch}", self.scratch), shown)
        lines = [match[1] for line in text.splitlines() if (match := ERROR_LINE.match(line))]
        return list(dict.fromkeys(lines)) or [f"go {words[0]}: exit code {status}\n{text.strip()}"]


def write(path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as stream:
        stream.write(text)


def build_own(judged: Judged) -> list[str]:
    errors: list[str] = []
    for folder, mod_file in judged.modules:
        for verb in ("build", "vet"):
            words = [verb, "-mod=readonly", f"-modfile={mod_file}", "./..."]
            errors += [] if errors else judged.go([(folder, words)])
    return errors


def test_own(judged: Judged, channel: Channel) -> int:
    status = 0
    for (folder, mod_file), module in zip(judged.modules, judged.order["modules"], strict=True):
        if not module["patterns"]:
            continue
        words = ["test", "-json", "-count=1", "-timeout=0", "-vet=off", "-mod=readonly"]
        words += [f"-modfile={mod_file}", *module["patterns"]]
        os.chdir(folder)
        events = Events(channel)
        pid = spawn([judged.order["go"], *words], judged.env, events)
        status = 1 if ended(pid) else status
        events.text()
    return status


def build_sample(judged: Judged, *, check: bool, compile_tests: bool) -> list[str]:
    """Our own tree: the solution's sources, the sample's tests and our guard, each a module."""
    order, scratch = judged.order, judged.scratch
    solution, tests = f"{scratch}/solution", f"{scratch}/tests"
    left_out = shutil.ignore_patterns("*_test.go", "go.mod", "go.sum", "go.work*", "vendor")
    shutil.copytree(order["solution"], solution, symlinks=True, ignore=left_out)
    write(f"{solution}/go.mod", order["modules"][0]["go_mod"])
    write(f"{solution}/go.sum", order["modules"][0]["go_sum"])
    if check:
        errors = judged.go([(solution, ["build", "-mod=readonly", "./..."])])
        if errors:
            return errors
    jobs = [(solution, ["vet", "-mod=readonly", "./..."])] if check else []
    if compile_tests:
        shutil.copytree(order["guard"], f"{scratch}/guard")
        for name, text in order["guard_files"].items():
            write(f"{scratch}/guard/{name}", text)
        if os.path.isdir(order["tests"]):  # what tests read: embedded files too
            shutil.copytree(order["tests"], tests)
        for name, text in order["test_files"].items():
            write(f"{tests}/{name}", text)
        write(f"{tests}/go.mod", order["tests_go_mod"].replace("{scratch}", scratch))
        write(f"{tests}/go.sum", order["modules"][0]["go_sum"])
        for number, package in enumerate(order["packages"]):
            words = ["test", "-c", "-vet=off", "-mod=readonly", "-ldflags=-s -w"]
            words += ["-o", f"{scratch}/test{number}", f"./{package['folder']}"]
            jobs.append((tests, words))
    return judged.go(jobs)


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


def test_sample(judged: Judged, channel: Channel) -> int:
    packages = judged.order["packages"]
    channel.send("collected", ids=[c["id"] for package in packages for c in package["cases"]])
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


def run_case(program: int | str, case: dict[str, str], channel: Channel, size: int) -> bool:
    """One test in a process of its own; whether it may count as passed or skipped."""
    channel.send("start", id=case["id"])
    began = time.monotonic()
    secret = secrets.token_hex(32)
    secret_r, secret_w = map(high, os.pipe())
    verdict_r, verdict_w = map(high, os.pipe())
    os.write(secret_w, secret.encode())
    os.close(secret_w)
    path = f"/proc/self/fd/{BINARY_FD}" if isinstance(program, int) else program
    words = [path, f"-test.run=^{case['name']}$", "-test.v=test2json", "-test.paniconexit0"]
    words += ["-test.timeout=0", "-test.count=1"]
    printed = Printed()
    given = {"secret": secret_r, "verdict": verdict_w}
    given |= {"binary": program} if isinstance(program, int) else {}
    env = {name: value for name, value in os.environ.items() if not name.startswith("GO")}
    pid = spawn(words, env | {"SDKBENCH_WATCHED": "1"}, printed, path=path, **given)
    os.close(secret_r)
    os.close(verdict_w)
    code = ended(pid)
    if not end_strays():
        channel.send("tampered", message=f"{case['id']} left processes that could not be ended")
    os.set_blocking(verdict_r, False)
    try:
        verdict = os.read(verdict_r, MAX_VERDICT)
    except BlockingIOError:
        verdict = b""
    os.close(verdict_r)
    text = printed.text()
    status = settle(case, secret, verdict, code, text, channel)
    seconds = time.monotonic() - began
    shown = text.replace(MARK, "") + ("" if code in {0, 1} else f"\nended with {ending(code)}")
    tell_case(channel, case["id"], status, seconds, shown[-size:])
    return status != "failed"


def settle(
    case: dict[str, str], secret: str, verdict: bytes, code: int, text: str, channel: Channel
) -> str:
    """What our watcher, the exit code and the printed lines say together."""
    name = case["name"]
    told = {f"{secret} {word} {name}\n".encode(): word for word in ("passed", "skipped", "failed")}
    told[f"{secret} left {name}\n".encode()] = "failed"
    if verdict and verdict not in told:
        channel.send("tampered", message=f"the verdict of {case['id']} is not of our writing")
        return "failed"
    word = told.get(verdict, "failed")
    printed = {"passed": "PASS", "skipped": "SKIP"}.get(word)
    if printed is None or code != 0:
        return "failed"
    lines = re.findall(rf"{MARK}--- (\w+): {name} \(", text)
    if lines != [printed]:
        return "failed"
    return word


def ending(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name


LINUX = sys.platform == "linux"


def main() -> None:
    protect()
    with os.fdopen(int(sys.argv[1]), "rb") as stream:
        order: dict[str, Any] = json.load(stream)
    channel = Channel(high(int(order["channel_fd"])), order["nonce"])
    channel.send("begin")
    judged = Judged(order)
    own = order["own"]
    if own:
        errors = build_own(judged) if order["build"] else []
    else:
        errors = build_sample(judged, check=order["build"], compile_tests=order["run_tests"])
    channel.send("built", errors=errors)
    status = 0
    if order["run_tests"] and not errors:
        status = test_own(judged, channel) if own else test_sample(judged, channel)
        channel.send("end", status=status)
    sys.stdout.flush()
    os._exit(status)


if __name__ == "__main__":
    main()
