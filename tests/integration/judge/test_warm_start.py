"""Runs that are forked from a process with the packages loaded: as isolated, and as judged, as
those that start an interpreter of their own.
"""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sdkbench.core import Integrity, Outcome
from sdkbench.datasets import Sample
from sdkbench.environments import Cache
from sdkbench.judge.attempt import judge_attempt
from sdkbench.judge.subject import Options, Subject
from sdkbench.sandbox import cgroup
from sdkbench.test_harness import FCorrResult, Harness
from sdkbench.test_harness.warm_start import WarmStarts
from tests.support.processes import descendants
from tests.support.projects import MakeSample, write

APP = "def double(n):\n    return 2 * n\n"
TESTS = {
    "test_app.py": "import json\nfrom expected import app\n"
    "def test_two(): assert app.double(2) == 4\n"
    "def test_three(): assert app.double(3) == 6\n"
}
RIGHT, WRONG = "\ndef double(n): return 2 * n\n", "\ndef double(n): return n\n"


@pytest.fixture(scope="module")
def warm() -> Iterator[WarmStarts]:
    started = WarmStarts()
    yield started
    started.close()


@pytest.fixture
def sample(make_sample: MakeSample) -> Sample:
    return make_sample({"app.py": APP}, TESTS)


def judge(
    harness: Harness, sample: Sample, folder: Path, warm: WarmStarts | None, timeout: float = 60
) -> FCorrResult:
    options = Options(timeout=timeout, integrity=Integrity.CHECKED)
    return judge_attempt(Subject(folder, sample), options, harness._replace(warm=warm))


SOLUTIONS = {
    "right": RIGHT,
    "wrong": WRONG,
    "does not compile": "def double(:\n",
    "raises when it is imported": "raise RuntimeError('no')\n",
    "ends the process": "import os\ndef double(n): os._exit(0)\n",
    "crashes": "import os, signal\ndef double(n): os.kill(os.getpid(), signal.SIGSEGV)\n",
    "kills all it can": "import os\ndef double(n): os.kill(-1, 9); return 2 * n\n",
    "forgets an import": "import xml\ndef double(n): xml.dom.minidom; return 2 * n\n",
    "forgets what the tests import": "def double(n): return json.loads(str(2 * n))\n",
    "takes too much memory": "def double(n): x = bytearray(8 << 30); return 2 * n\n",
    "forks": "import os\nif os.fork() == 0: os._exit(0)\nos.wait()" + RIGHT,
    "leaves a thread": "import threading, time\n"
    "threading.Thread(target=time.sleep, args=(600,)).start()" + RIGHT,
    "leaves a process": "import subprocess\nsubprocess.Popen(['sleep', '600'])" + RIGHT,
    "starts its interpreter": "import subprocess, sys\ndef double(n):\n"
    "    return int(subprocess.check_output([sys.executable, '-c', f'print({n} * 2)']))\n",
    "sets a variable": "import os\nos.environ['X'] = '2'\n"
    "def double(n): return int(os.environ['X']) * n\n",
    "looks for itself": "import os\nassert os.path.isdir(f'/proc/{os.getpid()}')" + RIGHT,
    "prints": "import sys\nprint('out'); print('err', file=sys.stderr)" + RIGHT,
}


@pytest.mark.parametrize("name", SOLUTIONS)
def test_a_verdict_does_not_depend_on_how_a_run_starts(
    harness: Harness, sample: Sample, tmp_path: Path, warm: WarmStarts, name: str
) -> None:
    folder = write(tmp_path / "solution", {"app.py": SOLUTIONS[name]})
    cold, forked = (judge(harness, sample, folder, start) for start in (None, warm))
    assert (forked.outcome, forked.fault, forked.tests_passed) == (
        cold.outcome, cold.fault, cold.tests_passed,
    )  # fmt: skip
    assert forked.error_messages[:1] == cold.error_messages[:1]


def test_an_endless_run_is_judged_again_cold(
    harness: Harness, sample: Sample, tmp_path: Path
) -> None:
    warm = WarmStarts()
    folder = write(tmp_path / "solution", {"app.py": "def double(n):\n    while True: pass\n"})
    result = judge(harness, sample, folder, warm, timeout=4)
    warm.close()
    assert (result.outcome, result.fault) == (Outcome.FAILED, "timeout")
    assert warm.counts["again cold"] == 1


# What a run sees; the sample's own tests look, and the reference is judged.
LOOK = """
import contextlib, ctypes, errno, os, pathlib, socket
import pytest

def test_files():
    mounts = [line.split()[4] for line in open("/proc/self/mountinfo")]
    packages = {place.split("/")[2] for place in mounts if place.startswith("/tmp/")}
    assert set(os.listdir("/tmp")) <= packages
    assert os.listdir("/stage") == [] and os.listdir("/hidden") == []
    environments = pathlib.Path(pytest.__file__).parents[6]
    assert len(list(environments.iterdir())) == 1
    for place in ("/", "/dev", "/stage", "/hidden", str(environments), "/proc/sys/kernel/hostname"):
        try:
            (pathlib.Path(place) / "x").write_text("x")
        except OSError:
            continue
        raise AssertionError(place)

def test_processes():
    pids = {int(n) for n in os.listdir("/proc") if n.isdigit()}
    assert pids == {1, os.getpid()} == {1, 2}
    try:
        open("/proc/1/mem", "rb")
    except OSError as error:
        assert error.errno == errno.EACCES
    else:
        raise AssertionError("the first process can be read")

def test_user_and_rights():
    status = pathlib.Path("/proc/self/status").read_text()
    assert os.getuid() == 1000 and "CapEff:\\t0000000000000000" in status
    assert "NoNewPrivs:\\t1" in status and "Seccomp:\\t2" in status
    libc = ctypes.CDLL(None, use_errno=True)
    assert libc.unshare(0x10000000) == -1 and ctypes.get_errno() == errno.EPERM
    assert libc.mount(b"tmpfs", b"/tmp", b"tmpfs", 0, None) == -1

def test_network():
    assert [name for _, name in socket.if_nameindex()] == ["lo"]
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
    try:
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    except OSError as error:
        assert error.errno == errno.ENETUNREACH
    else:
        raise AssertionError("there is a network")

def test_descriptors():
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):
            assert "socket" not in os.readlink(f"/proc/self/fd/{name}")

def test_nothing_is_left_of_another_run():
    for place in ("/tmp", "/home/user", "/dev/shm", "/w"):
        mark = pathlib.Path(place) / "mark"
        assert not mark.exists()
        mark.write_text("here")
"""


def test_a_forked_run_is_as_isolated_as_any(
    harness: Harness, make_sample: MakeSample, warm: WarmStarts
) -> None:
    sample = make_sample({"app.py": APP}, {"test_look.py": f"from expected import app\n{LOOK}"})
    before = warm.counts["warm"]
    for _ in range(2):
        result = judge(harness, sample, sample.reference_dir, warm)
        assert result.error_messages == []
    assert warm.counts["warm"] >= before + 2


def test_a_killed_zygote_costs_no_verdict(
    harness: Harness, sample: Sample, tmp_path: Path, warm: WarmStarts
) -> None:
    folder = write(tmp_path / "solution", {"app.py": APP})
    assert judge(harness, sample, folder, warm).outcome is Outcome.PASSED
    for pid in warm.pids():
        os.killpg(pid, signal.SIGKILL)
    assert judge(harness, sample, folder, warm).outcome is Outcome.PASSED
    assert judge(harness, sample, write(folder, {"app.py": WRONG}), warm).outcome is Outcome.FAILED


def test_a_zygote_killed_in_the_middle_of_a_run_costs_no_verdict(
    harness: Harness, sample: Sample, tmp_path: Path
) -> None:
    warm = WarmStarts()
    slow = write(tmp_path / "slow", {"app.py": "import time\ntime.sleep(2)" + RIGHT})
    judge(harness, sample, sample.reference_dir, warm)
    [zygote] = warm.pids()
    idle = len(descendants(zygote))
    with ThreadPoolExecutor(1) as pool:
        verdict = pool.submit(judge, harness, sample, slow, warm)
        while len(descendants(zygote)) <= idle:
            assert not verdict.done()
            time.sleep(0.01)
        for pid in warm.pids():
            os.killpg(pid, signal.SIGKILL)
        assert verdict.result().outcome is Outcome.PASSED
    assert warm.counts["again cold"] + warm.counts["refused"] == 1
    warm.close()


# Killed between the start of its second process and that one's tie to it, bubblewrap leaves the
# second behind: here it never ties, and the first is gone at once.
ORPHANING_BWRAP = """#!{sh}
case " $* " in *" --die-with-parent "*python.zygote*) ;; *) exec {bwrap} "$@" ;; esac
for word; do
    shift
    [ "$word" = --die-with-parent ] || set -- "$@" "$word"
done
{bwrap} "$@" &
kill -9 $$
"""


def test_a_zygote_whose_sandbox_was_killed_while_it_started_forks_nothing(
    harness: Harness, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ORPHANING_BWRAP.format(sh=shutil.which("sh"), bwrap=shutil.which("bwrap"))
    program = write(tmp_path / "bin", {"bwrap": text}) / "bwrap"
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    warm = WarmStarts()
    assert judge(harness, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    assert warm.counts["warm"] == 0
    assert warm.counts["refused"] >= 1
    assert warm.pids() == []
    warm.close()


def test_a_fork_that_fails_costs_no_verdict(harness: Harness, sample: Sample) -> None:
    warm = WarmStarts()
    groups = own_groups()
    assert judge(harness, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    limits = [path / "pids.max" for path in own_groups() - groups if (path / "pids.max").is_file()]
    if not limits:
        pytest.skip("this machine gives us no control group that limits processes")
    for limit in limits:
        limit.write_text("1")
    assert judge(harness, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    assert warm.counts["refused"] == 1
    warm.close()


def test_no_room_for_a_runs_files_costs_no_verdict(
    harness: Harness, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    warm = WarmStarts()
    assert judge(harness, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    [stage] = tmp_path.glob("sdkbench-zygote-*")
    stage.rmdir()
    assert judge(harness, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    assert warm.counts["refused"] == 1
    warm.close()


def test_an_environment_removed_under_a_zygote_is_made_again(
    harness: Harness, sample: Sample, tmp_path: Path
) -> None:
    warm, cache = WarmStarts(), Cache(tmp_path / "cache")
    own = harness._replace(cache=cache)
    assert judge(own, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    assert cache.gc(0)
    assert judge(own, sample, sample.reference_dir, warm).outcome is Outcome.PASSED
    warm.close()


def own_groups() -> set[Path]:
    own = f"{cgroup.PREFIX}{os.getpid()}-*"
    return {path for h in cgroup.find_hierarchies() for path in h.folder.glob(own)}


def test_nothing_is_left_behind(
    harness: Harness, sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr("tempfile.tempdir", None)
    warm = WarmStarts()
    leaving = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(600)" + RIGHT
    folder = write(tmp_path / "solution", {"app.py": leaving})
    descriptors, groups = len(list(Path("/proc/self/fd").iterdir())), own_groups()
    for _ in range(5):
        assert judge(harness, sample, folder, warm).outcome is Outcome.PASSED
    assert warm.counts["warm"] >= 5
    pids = warm.pids()
    warm.close()
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
    assert list(scratch.iterdir()) == []
    assert len(list(Path("/proc/self/fd").iterdir())) <= descriptors
    assert own_groups() <= groups


def test_a_solution_with_packages_of_its_own_starts_warm_too(
    harness: Harness, make_sample: MakeSample, tmp_path: Path, warm: WarmStarts
) -> None:
    sample = make_sample({"app.py": APP, "requirements.txt": ""}, TESTS)
    using = "import toolz\ndef double(n): return sum(toolz.take(2, [n] * 9))\n"
    folder = write(tmp_path / "solution", {"app.py": using, "requirements.txt": "toolz\n"})
    before = warm.counts["warm"]
    result = judge(harness, sample, folder, warm)
    assert (result.outcome, result.error_messages) == (Outcome.PASSED, [])
    assert warm.counts["warm"] > before
