"""The files that a container is made from fit each other and the package."""

import json
import re
import tomllib
from fnmatch import fnmatch

import yaml

from tests.support.places import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text()
COPIED = re.findall(r"^COPY (?!--from)(.+) \S+$", DOCKERFILE, re.MULTILINE)
# What bubblewrap, our first process and the tools for them call.
NEEDED = {
    "clone", "clone3", "unshare", "setns", "mount", "umount2", "pivot_root", "sethostname",
    "prctl", "seccomp", "keyctl", "chroot", "pidfd_open", "pidfd_send_signal", "ptrace",
    "landlock_create_ruleset", "process_vm_readv", "memfd_create",
}  # fmt: skip


def test_what_is_copied_is_there_and_not_left_out() -> None:
    rules = (ROOT / ".dockerignore").read_text().split()
    assert rules[0] == "*"
    kept = {rule[1:] for rule in rules if rule.startswith("!")}
    names = {name for words in COPIED for name in words.split()}
    assert names == kept
    assert all((ROOT / name).exists() for name in names)


def test_all_that_the_wheel_holds_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    names = {name.split("/")[0] for name in (*wheel["packages"], *wheel["force-include"])}
    copied = {name for words in COPIED for name in words.split()}
    assert names <= copied
    extras = re.search(r'^ARG EXTRAS="(.+)"$', DOCKERFILE, re.MULTILINE)
    assert extras is not None
    assert set(extras[1].split(",")) <= project["project"]["optional-dependencies"].keys()


def test_the_filter_allows_what_the_sandbox_needs() -> None:
    profile = json.loads((ROOT / "docker" / "seccomp.json").read_text())
    refused = {name for rule in profile["syscalls"] for name in rule["names"]}
    assert profile["defaultAction"] == "SCMP_ACT_ALLOW"
    assert {rule["action"] for rule in profile["syscalls"]} == {"SCMP_ACT_ERRNO"}
    assert refused & NEEDED == set()
    assert {"init_module", "kexec_load", "bpf", "reboot", "swapon"} <= refused


def test_the_service_has_no_right_but_those_it_needs() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    service, store = compose["services"]["service"], compose["services"]["store"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert "privileged" not in service
    assert "cap_add" not in service
    options = dict(option.split("=") for option in service["security_opt"])
    assert (ROOT / options["seccomp"]).is_file()
    assert options["no-new-privileges"] == "true"
    assert [port.split(":")[0] for port in service["ports"]] == ["127.0.0.1"]
    assert "ports" not in store
    assert service["depends_on"]["store"]["condition"] == "service_healthy"
    named = {volume.split(":")[0] for each in (service, store) for volume in each["volumes"]}
    assert named == set(compose["volumes"])
    for folder in ("/data", "/cache"):  # what the image lets its user write
        assert any(volume.endswith(f":{folder}") for volume in service["volumes"])
        assert folder in DOCKERFILE


def test_nobody_is_root_in_the_image() -> None:
    words = [line.split() for line in DOCKERFILE.splitlines() if line]
    users = [line[1] for line in words if line[0] == "USER"]
    assert users == ["judge"]
    after = [line[0] for line in words[[line[:2] for line in words].index(["USER", "judge"]) :]]
    assert "RUN" not in after
    ignored = (ROOT / ".gitignore").read_text().split()
    assert any(fnmatch("/.env", rule) for rule in ignored)
