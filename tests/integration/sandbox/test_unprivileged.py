"""A user who may write no control group, and machines that forbid what the sandbox is made of."""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sdkbench.sandbox.levels import probe
from tests.support.places import ROOT
from tests.support.processes import processes_with

USER = "54321"
# What is run as that user: a command at a level, with small limits, and how it ended.
PROGRAM = """
import json, sys
from sdkbench.sandbox import Command, Limits, choose
level, code = sys.argv[1:]
limits = Limits(wall_seconds=60, memory_bytes=200 << 20, processes=40)
python = __import__("sdkbench.sandbox.bubblewrap", fromlist=["x"]).interpreter()
done = choose(level).run(Command(argv=(python, "-c", code), limits=limits))
print(json.dumps(dict(
    level=done.level, stopped_by=done.stopped_by, exit_code=done.exit_code, held_by=done.held_by,
    unapplied=done.unapplied, output=done.output[-300:],
)))
"""
# Each process is below its own limit: only together they are beyond it.
GREEDY = """
import os, time
# {mark}
for _ in range(4):
    if os.fork() == 0:
        held = bytearray(b"x") * (90 << 20)
        time.sleep(60)
time.sleep(60)
"""
BOMB = """
import os, time
# {mark}
refused = 0
for _ in range(300):
    try:
        if os.fork() == 0:
            time.sleep(60)
    except OSError:
        refused += 1
print("refused", refused)
time.sleep(5 if refused else 60)
"""


# Another user's Python finds what this one has.
SEARCHED = os.pathsep.join([str(ROOT), *(path for path in sys.path if "site-packages" in path)])


WRITES = "open('out', 'w').write('x'); print(6 * 7)"


@pytest.fixture(scope="module")
def as_user() -> list[str]:
    """The Python of another user without any right, which may be the system's own."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root can become another user, by setpriv")
    own = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--bounding-set=-all"]
    code = "import sdkbench.sandbox as s; s.choose('plain').run(s.Command(argv=('true',)))"
    system = f"/usr/bin/python3.{sys.version_info.minor}"
    for python in (os.path.realpath(sys.executable), system):
        words = [*own, python]
        if Path(python).exists() and _run([*words, "-c", code]).returncode == 0:
            return words
    pytest.skip("another user can't read a Python that has our packages")


def _run(words: list[str], **variables: str) -> "subprocess.CompletedProcess[str]":
    environment = {
        **os.environ,
        "HOME": "/nonexistent",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": SEARCHED,
        **variables,
    }
    return subprocess.run(
        words, capture_output=True, text=True, check=False, cwd="/", env=environment
    )


def run_as(words: list[str], level: str, code: str, mark: str) -> dict[str, object]:
    done = _run([*words, "-c", PROGRAM, level, code.replace("{mark}", mark)])
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    deadline = time.monotonic() + 20  # on a busy machine, who is killed may take a while to go
    while processes_with(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes_with(mark) == []
    return result


@pytest.mark.parametrize("level", ["bubblewrap", "plain"])
def test_a_greedy_tree_is_ended_by_the_watcher(as_user: list[str], level: str) -> None:
    if level == "bubblewrap" and not probe().works:
        pytest.skip("bubblewrap does not work here")
    result = run_as(as_user, level, GREEDY, f"greedy-{level}-{os.getpid()}")
    assert (result["level"], result["stopped_by"]) == (level, "memory"), result
    held = result["held_by"]
    assert isinstance(held, dict)
    assert held["memory"] == "watcher"
    assert "memory of the whole tree (each process is limited)" not in str(result["unapplied"])


@pytest.mark.parametrize("level", ["bubblewrap", "plain"])
def test_a_fork_bomb_is_held(as_user: list[str], level: str) -> None:
    if level == "bubblewrap" and not probe().works:
        pytest.skip("bubblewrap does not work here")
    result = run_as(as_user, level, BOMB, f"bomb-{level}-{os.getpid()}")
    held = result["held_by"]
    assert isinstance(held, dict)
    if level == "plain":
        assert (result["stopped_by"], held["process count"]) == ("process count", "watcher"), result
    else:  # the kernel counts for each user namespace, and refuses what is too much
        assert held["process count"] == "user namespace"
        assert "refused" in str(result["output"])
        assert "refused 0" not in str(result["output"])


def test_doctor_says_what_holds(as_user: list[str], tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    cache = tmp_path / "cache"
    cache.mkdir(mode=0o777)
    cache.chmod(0o777)
    done = _run([*as_user, "-m", "sdkbench", "doctor", "--json"], SDKBENCH_CACHE=str(cache))
    assert done.stdout, done.stderr
    items = {item["name"]: item for item in _items(json.loads(done.stdout))}
    assert items["memory (whole tree)"]["found"].startswith("by a watcher")


def _items(report: object) -> list[dict[str, str]]:
    """Whatever has a name, wherever it stands in the report."""
    if isinstance(report, dict):
        own = [report] if "name" in report else []
        return own + [item for value in report.values() for item in _items(value)]
    if isinstance(report, list):
        return [item for value in report for item in _items(value)]
    return []


def test_namespaces_that_are_forbidden_are_named() -> None:
    """As in a container whose rules allow none."""
    if not probe().user_namespace or shutil.which("unshare") is None:
        pytest.skip("no user namespaces here to forbid")
    script = (
        "echo 0 > /proc/sys/user/max_user_namespaces && "
        'exec setpriv --bounding-set=-all --inh-caps=-all "$@"'
    )
    words = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh"]
    tried = subprocess.run([*words, "true"], capture_output=True, check=False)
    if tried.returncode:
        pytest.skip(f"namespaces can't be forbidden here: {tried.stderr.decode()[-200:]}")
    done = subprocess.run(
        [*words, sys.executable, "-m", "sdkbench", "doctor", "--json"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    items = {item["name"]: item for item in _items(json.loads(done.stdout))}
    assert not items["bubblewrap"]["ok"]
    assert "max_user_namespaces" in items["user namespaces"]["advice"]
    asked = subprocess.run(
        [*words, sys.executable, "-c", PROGRAM, "bubblewrap", "pass"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert "bubblewrap does not work here" in asked.stderr
    plain = subprocess.run(
        [*words, sys.executable, "-c", PROGRAM, "auto", "print(6 * 7)"],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    result = json.loads(plain.stdout)
    assert (result["level"], result["output"]) == ("plain", "42")
    assert "network isolation" in result["unapplied"]


def test_a_root_that_can_not_be_written(tmp_path: Path) -> None:
    """As `docker run --read-only --tmpfs /tmp`: the sandbox needs nothing but /tmp."""
    if not probe().works:
        pytest.skip("bubblewrap does not work here")
    outer = [
        "bwrap", "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--dev-bind", "/dev", "/dev",
        "--bind", "/proc", "/proc", "--ro-bind", str(ROOT), str(ROOT), "--cap-add", "ALL", "--",
    ]  # fmt: skip
    done = subprocess.run(
        [*outer, sys.executable, "-c", PROGRAM, "auto", WRITES],
        capture_output=True, text=True, check=False, cwd="/",
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    assert (result["level"], result["output"]) == ("bubblewrap", "42")
    del tmp_path
