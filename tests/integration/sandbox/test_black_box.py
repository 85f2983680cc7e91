"""A program in a sandbox of its own, called from another: real sandboxes, real sockets."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.core import Placement
from sdkbench.errors import SampleError, SandboxFault
from sdkbench.sandbox import Command, Completed, Counterpart, Limits, Program, Sandbox, choose
from sdkbench.sandbox import black_box as broker

PORT = 8765
Call = Callable[..., Completed]

SERVER = """
import http.server, os
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[::-1])
    do_GET = do_POST
    def log_message(self, *words): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Handler).serve_forever()
"""

CLIENT = f"""
import http.client, os, socket, subprocess, sys, time
server = subprocess.Popen(["solution"])
def refused():
    try: socket.create_connection(("127.0.0.1", {PORT})).close()
    except ConnectionRefusedError: return True
deadline = time.time() + 30
while refused() and time.time() < deadline: time.sleep(0.02)
def post(body):
    connection = http.client.HTTPConnection("127.0.0.1", {PORT}, timeout=20)
    connection.request("POST", "/", body)
    return connection.getresponse().read()
"""


@pytest.fixture
def call(sandbox: Sandbox) -> Call:
    """Run a script where `solution` is on the PATH and stands for `program`."""

    def run(
        script: str, program: tuple[str, ...], *, port: int | None = None,
        tests_port: int | None = None, seconds: float = 60,
        placements: tuple[Placement, ...] = (), tests: tuple[Placement, ...] = (),
        on: Sandbox = sandbox,
    ) -> Completed:  # fmt: skip
        whole = Program(program, port, tests_port, placements)
        with Counterpart(on, whole, Limits(wall_seconds=seconds)).serving() as link:
            return on.run(
                Command(
                    argv=(*script_words(script),),
                    placements=tests,
                    mounts=link.mounts,
                    search_path=link.search_path,
                    limits=Limits(wall_seconds=seconds),
                )
            )

    return run


def script_words(script: str) -> tuple[str, ...]:
    if script.lstrip().startswith("import"):
        return ("python3", "-c", script)
    return ("sh", "-c", f'mkdir "$TMPDIR/own"; cd "$TMPDIR/own"; {script}')


def test_arguments_input_output_and_exit_code_go_through(call: Call) -> None:
    code = (
        "import sys; data = sys.stdin.buffer.read(); print(sys.argv[1:], flush=True);"
        "sys.stdout.buffer.write(data[::-1]); sys.stderr.write('oops'); sys.exit(42)"
    )
    done = call(r"printf 'a\0b' | solution 'x y' '' --z=\* ; echo \ $?", ("python3", "-c", code))
    assert done.stdout == "['x y', '', '--z=*']\nb\0a 42\n"
    assert done.stderr == "oops"


def test_a_signal_and_a_missing_program_have_a_shells_exit_codes(call: Call) -> None:
    assert call("solution; echo $?", ("sh", "-c", "kill -9 $$")).stdout == "137\n"
    missing = call("solution; echo $?", ("no-such-program",))
    assert (missing.stdout, missing.stderr) == (
        "127\n", "no-such-program: No such file or directory\n",
    )  # fmt: skip


def test_files_go_there_and_come_back(call: Call) -> None:
    program = ("sh", "-c", "cat in/given; rm in/given; mkdir out; echo made > out/new; ln -s / l")
    script = (
        "mkdir in; echo here > in/given; echo kept > kept; solution; find . | sort; cat out/new"
    )
    assert call(script, program).stdout == "here\n.\n./in\n./kept\n./out\n./out/new\nmade\n"


def test_big_files_and_big_output_arrive_whole(call: Call) -> None:
    program = ("sh", "-c", "cat big; cat big > copy")
    script = "head -c 8000000 /dev/urandom > big; solution > said; cmp big said && cmp big copy"
    assert call(script, program).ok


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("head -c 40000000 /dev/zero > big", "more than 32 MiB"),
        ("yes | head -c 20000000", "printed more than"),
        ("mkdir d; cd d; seq 5000 | xargs touch", "files and folders"),
        ("kill -9 $PPID", "ended without telling how"),
    ],
)
def test_what_goes_beyond_the_bounds_is_a_failed_call(
    call: Call, program: str, reason: str
) -> None:
    done = call("solution > /dev/null; echo $?; ls", ("sh", "-c", program))
    assert done.stdout == "125\n"
    assert reason in done.stderr


def test_a_folder_that_could_hold_tests_never_travels(call: Call, tmp_path: Path) -> None:
    (tmp_path / "test_app.py").write_text("assert solution() == 42")
    tests = (Placement(source=tmp_path, target="tests", read_only=True),)
    program = ("sh", "-c", "find /w /tmp -type f | grep -v /sdkbench/inside/; echo new > made")
    for folder in ("/w", "/w/tests", "/", "/tmp"):
        done = call(f"cd {folder}; solution; ls made", program, tests=tests)
        assert done.stdout == ""


def test_the_solution_sees_nothing_of_the_tests_side(call: Call, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the tests' own")
    look = (
        "id -u; ls /w; grep -c sdkbench /proc/net/unix; ls /proc | grep -c '^[0-9]'; ls /dev/shm;"
        "find / -path /proc -prune -o -name broker -print -o -type s -print 2>/dev/null;"
        "grep -l sleep /proc/[0-9]*/comm"
    )
    tests = (Placement(source=tmp_path, target="tests", read_only=True),)
    script = "sleep 100 & echo x > /dev/shm/mine; id -u; solution; kill $!"
    lines = call(script, ("sh", "-c", look), tests=tests).stdout.splitlines()
    caller, own, workspace, sockets, processes = lines
    assert (caller, own, workspace, sockets) == ("1000", "1001", "work", "0")
    assert int(processes) <= 8  # its own: bwrap, the relay, the shell and what it starts


def test_neither_side_reaches_the_others_ports(call: Call) -> None:
    listen = "import socket, sys; s = socket.create_server(('127.0.0.1', 7000))\n"
    knock = ("python3", "-c", "import socket; socket.create_connection(('127.0.0.1', 7000), 3)")
    script = listen + "import subprocess; print(subprocess.run(['solution']).returncode)"
    done = call(script, knock)
    assert done.stdout == "1\n"
    assert "ConnectionRefusedError" in done.stderr


def test_the_solution_inherits_no_descriptor(call: Call) -> None:
    program = ("python3", "-c", "import os; print(sorted(os.listdir('/proc/self/fd'))[:4])")
    assert call("solution", program).stdout == "['0', '1', '2', '3']\n"  # 3 is the listing itself


def test_a_server_is_reached_over_its_port(call: Call) -> None:
    done = call(CLIENT + "print(post(b'abc')); server.kill()", ("python3", "-c", SERVER), port=PORT)
    assert (done.stdout, done.exit_code) == ("b'cba'\n", 0), done.stderr


def test_the_tests_own_server_is_reached_and_nothing_else(call: Call) -> None:
    serving = (
        "import http.server, subprocess, sys, threading\n"
        "class Handler(http.server.BaseHTTPRequestHandler):\n"
        "    def do_GET(self):\n"
        "        body = self.path.encode() * 50000\n"
        "        self.send_response(200); self.send_header('Content-Length', str(len(body)))\n"
        "        self.end_headers(); self.wfile.write(body)\n"
        "    def log_message(self, *words): pass\n"
        "server = http.server.ThreadingHTTPServer(('127.0.0.1', 7001), Handler)\n"
        "threading.Thread(target=server.serve_forever, daemon=True).start()\n"
        "other = http.server.ThreadingHTTPServer(('127.0.0.1', 7002), Handler)\n"
        "threading.Thread(target=other.serve_forever, daemon=True).start()\n"
        "print(subprocess.run(['solution'], capture_output=True, text=True).stdout)\n"
    )
    asking = (
        "import socket, urllib.request as r\n"
        "from concurrent.futures import ThreadPoolExecutor as P\n"
        "def get(n): return len(r.urlopen(f'http://127.0.0.1:7001/{n}').read())\n"
        "print(list(P(8).map(get, range(20))) == [50000 * len(f'/{n}') for n in range(20)])\n"
        "try: socket.create_connection(('127.0.0.1', 7002), 3)\n"
        "except OSError as error: print(type(error).__name__)\n"
    )
    done = call(serving, ("python3", "-c", asking), tests_port=7001)
    assert done.stdout == "True\nConnectionRefusedError\n\n", done.stderr


def test_a_port_where_the_tests_have_no_server_answers_nothing(call: Call) -> None:
    asking = (
        "import urllib.request as r\n"
        "for _ in range(3):\n"
        "    try: r.urlopen('http://127.0.0.1:7001/')\n"
        "    except OSError: print('nobody')\n"
    )
    done = call("solution", ("python3", "-c", asking), tests_port=7001)
    assert done.stdout == "nobody\n" * 3, done.stderr


def test_big_bodies_and_many_connections_at_once(call: Call) -> None:
    script = CLIENT + (
        "body = os.urandom(5_000_000)\nprint(post(body) == body[::-1])\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "with ThreadPoolExecutor(50) as pool:\n"
        "    print(set(pool.map(lambda n: post(b'ab%d' % n) == (b'ab%d' % n)[::-1], range(200))))\n"
        "server.kill()\n"
    )
    done = call(script, ("python3", "-c", SERVER), port=PORT)
    assert done.stdout == "True\n{True}\n", done.stderr


def test_a_server_ends_with_its_launcher_and_can_be_started_again(call: Call) -> None:
    script = CLIENT + (
        "server.terminate(); server.wait()\n"
        "print(refused())\n"
        "server = subprocess.Popen(['solution'])\n"
        "while refused(): time.sleep(0.02)\n"
        "print(post(b'xyz')); server.kill()\n"
    )
    done = call(script, ("python3", "-c", SERVER), port=PORT)
    assert done.stdout == "True\nb'zyx'\n", done.stderr


def test_a_killed_launcher_takes_the_solution_with_it(call: Call) -> None:
    marker = f"9{os.getpid()}"  # a number of seconds nobody else sleeps
    script = (
        "import subprocess, time\np = subprocess.Popen(['solution'], stdout=subprocess.PIPE)\n"
        "p.stdout.readline(); p.kill(); time.sleep(1.5)\n"
    )
    program = ("sh", "-c", f"setsid sleep {marker} & echo up; sleep {marker}")
    assert call(script, program).ok
    assert not sleepers(marker)


def test_what_a_solution_leaves_running_ends_with_the_call(call: Call) -> None:
    marker = f"8{os.getpid()}"
    program = (
        "sh",
        "-c",
        f"setsid sleep {marker} & setsid sh -c 'sleep {marker} & wait' & echo up",
    )
    assert call("solution; echo $?", program).stdout == "up\n0\n"
    assert not sleepers(marker)


def sleepers(marker: str) -> list[str]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if b"sleep" in words and marker.encode() in words:
            found.append(str(path))
    return found


def test_calls_at_once_do_not_mix(call: Call) -> None:
    script = "for n in $(seq 20); do (echo $n | solution > $n) & done; wait; cat $(seq 20)"
    done = call(script, ("sh", "-c", "sleep 0.1; cat"))
    assert done.stdout.split() == [str(n) for n in range(1, 21)], done.stderr


def test_a_caller_that_leaves_at_once_is_no_fault(call: Call) -> None:
    script = (
        "import subprocess, time\n"
        "for pause in (0, 0.02, 0.05, 0.1, 0.2, 0.4):\n"
        "    p = subprocess.Popen(['solution']); time.sleep(pause); p.kill(); p.wait()\n"
    )
    assert call(script, ("sleep", "60")).ok


def test_a_sandbox_of_ours_that_does_not_start_is_our_fault(call: Call, tmp_path: Path) -> None:
    gone = (Placement(source=tmp_path / "gone", target="expected"),)
    with pytest.raises(SandboxFault, match="did not start"):
        call("solution; true", ("true",), placements=gone)


def test_a_relay_that_does_not_start_is_our_fault(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = broker._endpoint
    monkeypatch.setattr(
        broker, "_endpoint", lambda name: ("false",) if name == "relay" else whole(name)
    )
    with pytest.raises(SandboxFault, match="before its program started"):
        call("solution; true", ("true",))


def test_calls_without_end_are_the_samples_fault(
    call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "MAX_CALLS", 2)
    with pytest.raises(SampleError, match="over 2 times"):
        call("solution; solution; solution; true", ("true",))


def test_without_isolation_a_command_line_still_works(call: Call) -> None:
    done = call("echo hi > f; solution", ("cat", "f"), on=choose("plain"))
    assert done.stdout == "hi\n"
