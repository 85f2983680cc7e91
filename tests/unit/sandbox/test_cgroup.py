import errno
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sdkbench.sandbox import Limits, cgroup
from sdkbench.sandbox.cgroup import Group, Hierarchy

LIMITS = Limits(memory_bytes=64 * 1024**2, processes=10)
Fake = Callable[[str, str], None]


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Puts the given texts in the place of the kernel's tables."""

    def write(mounts: str, membership: str) -> None:
        (tmp_path / "mounts").write_text(mounts)
        (tmp_path / "membership").write_text(membership)
        monkeypatch.setattr(cgroup, "MOUNTS", tmp_path / "mounts")
        monkeypatch.setattr(cgroup, "MEMBERSHIP", tmp_path / "membership")

    return write


def v1(tmp_path: Path, fake: Fake) -> tuple[Path, Path]:
    memory, pids = tmp_path / "v1/memory", tmp_path / "v1/pids"
    for folder in (memory / "job", pids / "job"):
        folder.mkdir(parents=True)
    fake(
        f"proc /proc proc rw 0 0\n"
        f"cgroup {memory} cgroup rw,nosuid,memory 0 0\n"
        f"cgroup {pids} cgroup rw,nosuid,pids 0 0\n"
        f"cgroup {tmp_path} cgroup rw,cpu,cpuacct 0 0\n",
        "7:pids:/job\n4:memory:/job\n3:cpu,cpuacct:/\n1:name=systemd:/\n",
    )
    return memory / "job", pids / "job"


def v2(tmp_path: Path, fake: Fake, *, controllers: str, enabled: str) -> Path:
    place = tmp_path / "v2/user.slice"
    place.mkdir(parents=True)
    (place / "cgroup.controllers").write_text(controllers)
    (place / "cgroup.subtree_control").write_text(enabled)
    fake(f"cgroup2 {tmp_path / 'v2'} cgroup2 rw,nosuid 0 0\n", "0::/user.slice\n")
    return place


def test_v1_gives_a_folder_for_each_controller(tmp_path: Path, fake: Fake) -> None:
    memory, pids = v1(tmp_path, fake)
    group = cgroup.acquire(LIMITS)
    assert group is not None
    assert group.controllers == {"memory", "pids"}
    assert {folder.parent for folder in group.folders} == {memory, pids}
    by_parent = {folder.parent: folder for folder in group.folders}
    assert (by_parent[memory] / "memory.limit_in_bytes").read_text() == str(64 * 1024**2)
    assert int((by_parent[pids] / "pids.max").read_text()) >= 10
    assert len(group.procs_files) == 2


def test_v1_controllers_mounted_together_share_a_folder(tmp_path: Path, fake: Fake) -> None:
    (tmp_path / "both").mkdir()
    fake(f"cgroup {tmp_path / 'both'} cgroup rw,memory,pids 0 0\n", "4:memory,pids:/\n")
    group = cgroup.acquire(LIMITS)
    assert group is not None
    assert len(group.folders) == 1
    assert group.controllers == {"memory", "pids"}


def test_v2_with_enabled_controllers(tmp_path: Path, fake: Fake) -> None:
    place = v2(tmp_path, fake, controllers="cpu memory pids", enabled="memory pids")
    group = cgroup.acquire(LIMITS)
    assert group is not None
    (folder,) = group.folders
    assert folder.parent == place
    assert group.controllers == {"memory", "pids"}
    assert (folder / "memory.max").read_text() == str(64 * 1024**2)
    assert (place / "cgroup.subtree_control").read_text() == "memory pids"


def test_v2_controllers_are_switched_on_where_we_may(tmp_path: Path, fake: Fake) -> None:
    place = v2(tmp_path, fake, controllers="memory", enabled="")
    assert cgroup.find_hierarchies() == [Hierarchy(2, place, frozenset({"memory"}))]
    assert (place / "cgroup.subtree_control").read_text() == "+memory"


def test_v2_controllers_that_cannot_be_switched_on_do_not_count(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = v2(tmp_path, fake, controllers="memory pids", enabled="pids")
    write_text = Path.write_text

    def busy(self: Path, data: str) -> int:
        if self.name == "cgroup.subtree_control":
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY))
        return write_text(self, data)

    monkeypatch.setattr(Path, "write_text", busy)
    group = cgroup.acquire(LIMITS)
    assert group is not None
    assert group.controllers == {"pids"}
    assert [folder.parent for folder in group.folders] == [place]


def test_v2_without_our_controllers_gives_no_group(tmp_path: Path, fake: Fake) -> None:
    place = v2(tmp_path, fake, controllers="cpu io", enabled="cpu")
    assert cgroup.acquire(LIMITS) is None
    assert [p.name for p in place.iterdir() if p.is_dir()] == []


def test_our_place_is_the_mount_where_our_path_is_hidden(tmp_path: Path, fake: Fake) -> None:
    mount = tmp_path / "v1"
    mount.mkdir()
    fake(f"cgroup {mount} cgroup rw,memory 0 0\n", "4:memory:/docker/abc\n")
    assert cgroup.find_hierarchies() == [Hierarchy(1, mount, frozenset({"memory"}))]


def test_where_nothing_is_writable_there_is_no_group(tmp_path: Path, fake: Fake) -> None:
    (tmp_path / "file").write_text("no folder can be made in here")
    fake(f"cgroup {tmp_path / 'file'} cgroup rw,memory 0 0\n", "4:memory:/\n")
    assert len(cgroup.find_hierarchies()) == 1
    assert cgroup.acquire(LIMITS) is None


def test_a_group_whose_limits_are_refused_is_removed(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory, pids = v1(tmp_path, fake)

    def refuse(_self: Path, _data: str) -> int:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(Path, "write_text", refuse)
    assert cgroup.acquire(LIMITS) is None
    assert [*memory.iterdir(), *pids.iterdir()] == []


def test_without_control_groups_there_are_no_hierarchies(
    tmp_path: Path, fake: Fake, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake("proc /proc proc rw 0 0\n", "0::/\n")
    assert cgroup.find_hierarchies() == []
    monkeypatch.setattr(cgroup, "MOUNTS", tmp_path / "missing")
    assert cgroup.find_hierarchies() == []
    assert cgroup.acquire(LIMITS) is None


def test_every_group_has_a_name_of_its_own(tmp_path: Path, fake: Fake) -> None:
    v1(tmp_path, fake)
    first, second = cgroup.acquire(LIMITS), cgroup.acquire(LIMITS)
    assert first is not None
    assert second is not None
    assert not set(first.folders) & set(second.folders)


def test_groups_of_processes_that_are_gone_are_swept_up(tmp_path: Path, fake: Fake) -> None:
    memory, _ = v1(tmp_path, fake)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    dead, alive = memory / f"sdkbench-{gone.pid}-0", memory / f"sdkbench-{os.getpid()}-x"
    other = memory / "another"
    for folder in (dead, alive, other):
        folder.mkdir()
    cgroup.acquire(LIMITS)
    assert not dead.exists()
    assert alive.exists()
    assert other.exists()


@pytest.mark.parametrize("name", ["memory.oom_control", "memory.events"])
def test_kills_for_memory_are_counted(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("oom_kill_disable 0\nunder_oom 0\noom 5\noom_kill 3\n")
    assert Group((tmp_path,), frozenset({"memory"})).memory_kills() == 3


def test_refused_forks_are_counted(tmp_path: Path) -> None:
    (tmp_path / "pids.events").write_text("max 7\n")
    assert Group((tmp_path / "none", tmp_path), frozenset({"pids"})).refused_forks() == 7


@pytest.mark.parametrize("text", ["", "oom_kill\n", "oom_kill x\n", "oom_kill -1\n"])
def test_a_counter_that_cannot_be_read_is_zero(tmp_path: Path, text: str) -> None:
    group = Group((tmp_path,), frozenset({"memory"}))
    assert group.memory_kills() == 0
    (tmp_path / "memory.events").write_text(text)
    assert group.memory_kills() == 0


def test_removing_a_group_ends_its_members(tmp_path: Path) -> None:
    folder = tmp_path / "group"
    folder.mkdir()
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as member:
        (folder / "cgroup.procs").write_text(f"{member.pid}\n")
        Group((folder,), frozenset()).kill()
        assert member.wait(timeout=10) == -9


def test_an_empty_group_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "group"
    folder.mkdir()
    Group((folder, tmp_path / "gone"), frozenset()).remove()
    assert not folder.exists()
