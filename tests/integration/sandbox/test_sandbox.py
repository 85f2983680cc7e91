"""Limits and isolation, against programs that try to break them."""

import shutil
import threading
import time
from pathlib import Path

import pytest

from sdkbench.core import Placement
from sdkbench.errors import Cancelled, SandboxFault
from sdkbench.sandbox import (
    Cancellation,
    Command,
    Completed,
    Limits,
    Mount,
    Sandbox,
    StoppedBy,
    choose,
)
from sdkbench.sandbox.command import CHANNEL, MESSAGE
from tests.support.processes import processes_with

LEVELS = ["bubblewrap", "plain"]
MIB = 1024**2


@pytest.fixture(params=LEVELS)
def level(request: pytest.FixtureRequest) -> Sandbox:
    if request.param == "bubblewrap":
        request.getfixturevalue("sandbox")  # skips where it does not work
    return choose(request.param)


def run(sandbox: Sandbox, code: str, **limits: float) -> Completed:
    limits = {"wall_seconds": 20} | limits
    return sandbox.run(
        Command(argv=("python3", "-I", "-c", code), limits=Limits.model_validate(limits))
    )


def test_exit_code_and_output_come_back(level: Sandbox) -> None:
    done = run(level, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)")
    assert (done.exit_code, done.stdout, done.stderr) == (3, "out\n", "err\n")
    assert done.level == level.level.value


def test_an_endless_sleep_is_stopped(level: Sandbox) -> None:
    done = run(level, "import time; time.sleep(1000)", wall_seconds=0.5)
    assert done.stopped_by is StoppedBy.WALL
    assert done.duration_seconds < 500  # of the 1000 that it would sleep


def test_a_process_that_ignores_term_is_killed(level: Sandbox) -> None:
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)"
    done = run(level, code, wall_seconds=0.5)
    assert done.stopped_by is StoppedBy.WALL


def test_cpu_time_is_limited(level: Sandbox) -> None:
    done = run(level, "while True: pass", cpu_seconds=1)
    assert done.stopped_by is StoppedBy.CPU


def test_memory_is_limited(level: Sandbox) -> None:
    done = run(level, "x = []\nwhile True: x.append(bytearray(10**7))", memory_bytes=200 * MIB)
    assert done.stopped_by is StoppedBy.MEMORY


def test_a_fork_bomb_meets_the_process_limit_and_leaves_nothing(level: Sandbox) -> None:
    code = (
        "import os, time\nwhile 1:\n  try: os.fork()\n  except OSError: time.sleep(0.1)  # bomb-7"
    )
    done = run(level, code, wall_seconds=2, processes=50)
    assert done.stopped_by is StoppedBy.WALL
    assert any("50 processes" in note for note in done.notes)
    assert processes_with("bomb-7") == []


def test_a_child_that_leaves_its_session_dies_too(level: Sandbox) -> None:
    code = (
        "import os, time\n"
        "if os.fork() == 0:\n  os.setsid()\n  time.sleep(1000)  # leaver-8\n"
        "print('parent gone')"
    )
    done = run(level, code)
    assert done.exit_code == 0
    assert processes_with("leaver-8") == []


def test_endless_output_costs_bounded_memory_and_ends(level: Sandbox) -> None:
    done = run(level, "while True: print('y' * 1000)", output_bytes=10_000, output_stop_bytes=10**6)
    assert done.stopped_by is StoppedBy.OUTPUT
    assert done.truncated
    assert len(done.stdout) < 20_000
    assert "bytes left out" in done.stdout


def test_one_file_cannot_grow_past_its_limit(level: Sandbox) -> None:
    done = run(level, "open('big', 'wb').write(b'x' * 2_000_000)", file_bytes=1_000_000)
    assert not done.ok


def test_many_files_cannot_fill_the_disk(sandbox: Sandbox) -> None:
    code = "for n in range(100): open(f'f{n}', 'wb').write(b'x' * 10**6)"
    done = run(sandbox, code, disk_bytes=10 * MIB)
    assert "No space left on device" in done.stderr


@pytest.mark.parametrize("folder", ["/tmp", "/dev/shm", "/home/user"])
def test_every_scratch_folder_has_a_size(sandbox: Sandbox, folder: str) -> None:
    done = run(sandbox, f"open('{folder}/f', 'wb').write(b'x' * 10**8)", disk_bytes=10 * MIB)
    assert "No space left on device" in done.stderr


def test_secrets_of_the_environment_are_not_passed_on(
    level: Sandbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDKBENCH_TEST_SECRET", "hunter2")
    done = run(level, "import os; print(dict(os.environ))")
    monkeypatch.undo()
    assert "hunter2" not in done.stdout


def test_the_users_home_is_not_visible(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("hunter2")
    done = run(sandbox, f"print(open({str(tmp_path / 'secret')!r}).read())")
    assert "FileNotFoundError" in done.stderr


def test_there_is_no_network(sandbox: Sandbox) -> None:
    code = "import socket; socket.create_connection(('192.0.2.1', 80), 2)"
    assert "Network is unreachable" in run(sandbox, code).stderr


def test_loopback_works(sandbox: Sandbox) -> None:
    code = (
        "import socket; s = socket.create_server(('127.0.0.1', 0));"
        "c = socket.create_connection(s.getsockname()); print('connected')"
    )
    assert run(sandbox, code).stdout == "connected\n"


def test_the_system_is_read_only(sandbox: Sandbox) -> None:
    assert "Read-only file system" in run(sandbox, "open('/usr/x', 'w')").stderr


def test_killing_the_parent_kills_nothing_of_ours(sandbox: Sandbox) -> None:
    done = run(sandbox, "import os; os.kill(os.getppid(), 9); os.kill(1, 9); print('still here')")
    assert done.stdout == "still here\n"


def test_a_read_only_placement_cannot_be_changed_and_a_copied_one_is_private(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    tests, work = tmp_path / "tests", tmp_path / "work"
    for folder in (tests, work):
        folder.mkdir()
        (folder / "file").write_text("original")
    command = Command(
        argv=("sh", "-c", "echo changed > work/file; cat work/file; echo changed > tests/file"),
        placements=(
            Placement(source=work, target="work"),
            Placement(source=tests, target="tests", read_only=True),
        ),
    )
    done = sandbox.run(command)
    assert done.stdout == "changed\n"
    assert "Read-only" in done.stderr
    assert (work / "file").read_text() == (tests / "file").read_text() == "original"


def test_message_goes_in_and_channel_comes_out(level: Sandbox) -> None:
    code = (
        "import os, sys; m = os.fdopen(int(sys.argv[1]), 'rb').read();"
        "os.write(int(sys.argv[2]), m[::-1])"
    )
    command = Command(
        argv=("python3", "-I", "-c", code, MESSAGE, CHANNEL), message=b"hello", channel=True
    )
    assert level.run(command).channel == b"olleh"


def test_a_channel_is_bounded(level: Sandbox) -> None:
    code = "import os, sys; os.write(int(sys.argv[1]), b'x' * 5000)"
    command = Command(
        argv=("python3", "-I", "-c", code, CHANNEL), channel=True, limits=Limits(channel_bytes=1000)
    )
    done = level.run(command)
    assert (len(done.channel), done.channel_truncated) == (1000, True)


def test_a_missing_program_is_code_127(level: Sandbox) -> None:
    done = level.run(Command(argv=("no-such-program",)))
    assert done.exit_code == 127
    assert "no-such-program" in done.stderr


def test_a_sandbox_that_cannot_start_is_our_fault(sandbox: Sandbox) -> None:
    command = Command(argv=("true",), mounts=(Mount(path=Path("/no/such/path")),))
    with pytest.raises(SandboxFault, match="did not start"):
        sandbox.run(command)


def test_plain_says_what_it_does_not_hold() -> None:
    done = run(choose("plain"), "pass")
    assert {"network isolation", "file system isolation"} <= set(done.unapplied)


def test_cancelling_ends_a_running_command_at_once() -> None:
    cancellation = Cancellation()
    sandbox = choose("auto", cancellation)
    timer = threading.Timer(0.5, cancellation.cancel)
    timer.start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        run(sandbox, "import time; time.sleep(1000)")
    timer.join()
    assert time.monotonic() - began < 500  # of the 1000 that it would sleep


def test_a_crash_is_reported_with_its_signal(level: Sandbox) -> None:
    done = run(level, "import os; os.kill(os.getpid(), 11)")
    assert (done.exit_code, done.signal, done.ending()) == (None, 11, "killed by SIGSEGV")


def test_processes_are_not_files_where_a_command_wants_none(sandbox: Sandbox) -> None:
    look = Command(argv=("test", "-e", "/proc/self/mem"), limits=Limits(wall_seconds=20))
    assert sandbox.run(look).exit_code == 0
    assert sandbox.run(look.model_copy(update={"process_files": False})).exit_code == 1


DOWNLOADS = {
    "pip": ("python3 -m pip install --target /tmp/packages left-pad", "No matching distribution"),
    "npm": ("npm install --prefix /tmp/packages left-pad", "only-if-cached"),
}


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_download_is_not_tried_over_and_over(sandbox: Sandbox, name: str) -> None:
    line, reason = DOWNLOADS[name]
    if shutil.which(line.split()[0]) is None:
        pytest.skip(f"no {name} here")
    done = sandbox.run(Command(argv=("sh", "-c", line), limits=Limits(wall_seconds=120)))
    assert not done.ok
    assert reason in done.output
    assert "retry" not in done.output.lower()


def test_a_command_of_its_own_mind_about_downloads_is_heard(level: Sandbox) -> None:
    code = "import os; print(os.environ['HF_HUB_OFFLINE'], os.environ['UV_OFFLINE'])"
    argv = ("python3", "-I", "-c", code)
    assert level.run(Command(argv=argv)).stdout == "1 1\n"
    assert level.run(Command(argv=argv, env={"UV_OFFLINE": "0"})).stdout == "1 0\n"
