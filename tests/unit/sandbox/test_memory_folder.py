"""Folders in memory: where there is room, and nothing of them left, whoever is killed."""

import subprocess
import sys
from pathlib import Path

import pytest

from sdkbench.sandbox import memory_folder as module
from sdkbench.sandbox.memory_folder import memory_folder

HOLD = """
import sys
from pathlib import Path
from sdkbench.sandbox import memory_folder as module
module.IN_MEMORY = Path(sys.argv[1])
module.os.path.ismount = lambda path: True
with module.memory_folder("sdkbench-x-") as folder:
    (folder / "big").write_bytes(b"x" * 1000)
    print(folder, flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that counts as one in memory."""
    place = tmp_path / "memory"
    place.mkdir()
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(module, "IN_MEMORY", place)
    monkeypatch.setattr(module.os.path, "ismount", lambda path: path == place)
    return place


def test_it_is_in_memory_and_gone_afterwards(memory: Path) -> None:
    with memory_folder("sdkbench-x-") as folder:
        assert folder.is_relative_to(memory)
        (folder / "a").write_text("a")
    assert list(memory.iterdir()) == []


def test_without_room_it_is_on_the_disk(memory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LEAST_BYTES", 1 << 62)
    with memory_folder("sdkbench-x-") as folder:
        assert not folder.is_relative_to(memory)
    assert not folder.exists()


def test_a_chosen_place_for_temporary_files_is_kept(
    memory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with memory_folder("sdkbench-x-") as folder:
        assert not folder.is_relative_to(memory)


def test_what_a_killed_process_left_is_removed_and_what_is_in_use_is_not(memory: Path) -> None:
    (memory / "sdkbench-x-strange").mkdir()  # no lock: nobody knows whose it is
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", HOLD, str(memory)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )
        for _ in range(2)
    ]  # fmt: skip
    killed, alive = processes
    places = [Path(p.stdout.readline().strip()) for p in processes if p.stdout]
    killed.kill()
    killed.communicate()
    assert all(place.is_dir() for place in places)
    with memory_folder("sdkbench-x-") as folder:
        assert not places[0].exists()
        assert (places[1] / "big").is_file()
        assert folder.is_dir()
    alive.communicate()
    assert [path.name for path in memory.iterdir()] == ["sdkbench-x-strange"]
