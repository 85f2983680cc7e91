"""What doctor reads of a container's rules."""

from pathlib import Path

from sdkbench.sandbox.container import container_items, container_kind
from tests.support.projects import write

PLAIN = "proc /proc proc rw 0 0\nsys /sys sysfs ro 0 0\n"
MASKED = f"{PLAIN}tmpfs /proc/acpi tmpfs ro 0 0\n"


def names(root: Path, *, works: bool) -> list[str]:
    return [
        f"{item.name}: {item.found or item.lack}"
        for item in container_items(works=works, root=root)
    ]


def test_outside_of_a_container_there_is_nothing_to_say(tmp_path: Path) -> None:
    root = write(tmp_path, {"proc/1/cgroup": "0::/init.scope\n", "proc/self/mounts": PLAIN})
    assert container_kind(root) == ""
    assert names(root, works=True) == []
    assert names(root, works=False) == []


def test_dockers_rules_are_named_with_what_to_do(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            ".dockerenv": "",
            "proc/self/status": "Name:\tx\nSeccomp:\t2\n",
            "proc/self/mounts": MASKED,
        },
    )
    assert names(root, works=True) == ["container: Docker"]
    assert names(root, works=False) == [
        "container: Docker",
        "system calls: forbidden",
        "/proc: forbidden",
    ]
    advice = [item.advice for item in container_items(works=False, root=root) if not item.ok]
    assert all("--security-opt" in each for each in advice)


def test_kinds_of_containers(tmp_path: Path) -> None:
    assert container_kind(write(tmp_path / "a", {"run/.containerenv": ""})) == "Podman"
    pods = {"proc/1/cgroup": "11:memory:/kubepods/besteffort/pod1\n"}
    assert container_kind(write(tmp_path / "b", pods)) == "kubepods"


def test_settings_of_the_kernel(tmp_path: Path) -> None:
    root = write(
        tmp_path,
        {
            "proc/sys/user/max_user_namespaces": "0\n",
            "proc/sys/kernel/unprivileged_userns_clone": "0\n",
            "proc/sys/kernel/apparmor_restrict_unprivileged_userns": "1\n",
        },
    )
    advice = [item.advice for item in container_items(works=False, root=root)]
    assert [
        word in text
        for word, text in zip(("max_user", "userns_clone", "AppArmor"), advice, strict=True)
    ] == [True] * 3
    assert container_items(works=True, root=root) == []
