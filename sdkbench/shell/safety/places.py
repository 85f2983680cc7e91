"""A path to its place: normalised, followed as far as the text allows, and what kind it is."""

import re
from dataclasses import replace
from enum import StrEnum
from fnmatch import fnmatchcase

from sdkbench.core.values import small_value
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import (
    ANY,
    EMPTY,
    OPAQUE,
    SOME,
    STAR,
    UNKNOWN,
    Stream,
    Taint,
    Text,
    load,
    names,
    pattern,
)


class Target(StrEnum):
    ROOT = "the root folder"
    HOME = "a home folder"
    PERSONAL = "a folder of personal files"
    SYSTEM = "a system folder"
    SYSTEM_FILE = "a file of the system"
    SETTING = "a configuration file"
    DEVICE = "a device"
    CREDENTIAL = "a credential"
    HISTORY = "a shell history"
    LOG = "the system's logs"
    APPLICATION_LOG = "a log"
    REPOSITORY = "a repository's history"
    WORKING = "everything in the working folder"
    KERNEL = "a kernel interface"
    HARMLESS = "a pseudo device"
    NARROW = "a named path"


# Components that match every name in a folder: `*`, `.*`, `?*`, `.[!.]*`, `..?*`.
EVERYTHING = re.compile(rf"^\.?\.?{ANY}*{STAR}+$|^\.{{0,2}}{ANY}*{STAR}+{ANY}*$")
BLOCK_DEVICE = re.compile(
    rf"^(sd|hd|vd|xvd|nvme|mmcblk|md|dm-|disk|rdisk|nbd|sr|zd|bcache|pmem)[\w{STAR}{ANY}]*$"
    rf"|^(mem|kmem|port|mapper|block)$|^[shvx{STAR}{ANY}][\w{STAR}{ANY}]*{STAR}$"
)
SYSTEM_FOLDERS = names("places", "system_folders")
SYSTEM_SUBFOLDERS = {
    folder: names.split() for folder, names in load("places")["system_subfolders"].items()
}
PROGRAM_FOLDERS = [tuple(folder.split("/")) for folder in load("places")["program_folders"].split()]
PACKAGE_FOLDERS = {tuple(folder.split("/")) for folder in load("places")["package_folders"].split()}
PERSONAL, ACCOUNT_FILES = names("places", "personal"), names("places", "account_files")
SECRET_FOLDERS, STARTUP_FOLDERS = (
    names("places", "secret_folders"),
    names("places", "startup_folders"),
)
ONE_LINERS, MOUNT_POINTS = names("places", "one_liners"), names("places", "mount_points")
ESSENTIAL = pattern("places", "essential", whole=True)
HISTORY = pattern("places", "history", whole=True)
AUDIT_LOGS = pattern("places", "audit_logs", whole=True)
SECRET_NAMES = pattern("places", "secret_names", whole=True)
PUBLIC_NAMES = pattern("places", "public_names", whole=True)
STARTUP = pattern("places", "startup", whole=True)


@small_value
class Place:
    """`parts` are the names from the root (or, if not absolute, from the working folder).

    `contents`: the path ended in a wildcard for everything in there. `filtered`: in one for some
    of it. `emptied`: this is the place that is meant if an unset variable expands to nothing.
    """

    absolute: bool
    parts: tuple[str, ...]
    contents: bool = False
    filtered: bool = False
    emptied: bool = False
    wild: bool = True  # False: no part holds a wildcard

    @property
    def path(self) -> str:
        joined = "/".join(self.parts)
        return f"/{joined}" if self.absolute else joined or "."

    def below(self, *folders: str) -> tuple[str, ...] | None:
        """What follows the folders if the place is there or deeper, else None.

        A wildcard in the place stands for any name it can match.
        """
        if not self.absolute or len(self.parts) < len(folders):
            return None
        if not self.wild:
            return self.parts[len(folders) :] if self.parts[: len(folders)] == folders else None
        if all(same(mine, theirs) for mine, theirs in zip(self.parts, folders, strict=False)):
            return self.parts[len(folders) :]
        return None


def same(component: str, name: str) -> bool:
    """Whether a component, which may hold wildcards, can be this name."""
    if component == name:
        return True
    if STAR not in component and ANY not in component:
        return False
    if component.startswith((STAR, ANY)) and name.startswith("."):
        return False
    return fnmatchcase(name, component.replace(STAR, "*").replace(ANY, "?"))


def places(value: str, cwd: str) -> list[Place]:
    """Where the value may lead: one place, or two if a variable in it may be empty."""
    if UNKNOWN not in value:
        return [_place(value, cwd)]
    named = [_place(value.replace(UNKNOWN, SOME), cwd)]
    emptied = value.replace(UNKNOWN, "")
    return [*named, replace(_place(emptied, cwd), emptied=True)] if emptied else named


def _place(value: str, cwd: str) -> Place:
    if not value.startswith("/") and cwd:
        value = f"{cwd}/{value}"
    absolute = value.startswith("/")
    parts: list[str] = []
    for name in value.split("/"):
        if name in {"", "."}:
            continue
        if name != "..":
            parts.append(name)
        elif parts and parts[-1] != "..":
            parts.pop()
        elif not absolute:
            parts.append(name)
    contents = filtered = False
    wild = STAR in value or ANY in value
    while wild and parts and EVERYTHING.match(parts[-1]):
        contents = True
        parts.pop()
    if parts and not contents and (STAR in parts[-1] or ANY in parts[-1]):
        filtered = True
    return Place(absolute, tuple(parts), contents, filtered, wild=wild)


def target(place: Place) -> Target:
    """The kind of place, for effects that destroy or change it."""
    if not place.absolute:
        return _relative(place)
    if not place.parts:
        return Target.NARROW if place.filtered else Target.ROOT
    first, *inside = place.parts
    if not inside and (same(first, "dev") or same(first, "etc")):
        return Target.SYSTEM
    if same(first, "dev"):
        return Target.DEVICE if BLOCK_DEVICE.match(inside[0]) else Target.HARMLESS
    in_home = home_part(place)
    if in_home is not None:
        return _in_home(in_home, place)
    if same(first, "etc"):
        account = any(same(inside[0], name) for name in ("passwd", "shadow"))
        return Target.CREDENTIAL if account or inside[0] in ACCOUNT_FILES else Target.SETTING
    if same(first, "var") and inside and same(inside[0], "log"):
        return _log(place.parts[2:], place)
    return _elsewhere(place)


def targets(path: Text, scope: Scope) -> list[tuple[Place, Target]]:
    return [(place, target(place)) for place in places(path.value, scope.cwd)]


def home_part(place: Place) -> tuple[str, ...] | None:
    """What of an absolute path lies inside a home folder; empty for the home itself."""
    for folder in ("home", "Users"):
        inside = place.below(folder)
        if inside is not None:
            return inside[1:]
    return place.below("root")


def is_secret(place: Place) -> bool:
    """Whether reading it discloses a secret worth stealing. Public halves of keys are not."""
    parts = place.parts
    if not parts or (PUBLIC_NAMES.match(parts[-1]) and parts[-1] != "config"):
        return False
    etc = place.below("etc")
    if etc and etc[0] in ACCOUNT_FILES:
        return True
    if parts[-1] == "config" and ".kube" not in parts:
        return False
    if SECRET_NAMES.match(parts[-1]) or any(part in SECRET_FOLDERS for part in parts):
        return True
    if place.below("proc") and parts[-1] == "environ":
        return True
    run = place.below("run", "secrets") or place.below("var", "run", "secrets")
    return run is not None


def file_stream(text: Text, scope: Scope) -> Stream:
    """What reading a file yields: text written earlier, a secret, or nothing known."""
    if text.stream is not None:
        return text.stream
    if text.value == "/dev/null":
        return EMPTY
    written = scope.file(text.value)
    if written is not None:
        return written
    secret = any(is_secret(place) for place in places(text.value, scope.cwd))
    return Stream(taints=frozenset({Taint.SECRET})) if secret else OPAQUE


def holds_secrets(text: Text, scope: Scope) -> bool:
    """Whether a file or, taken as a whole, a folder has something worth stealing."""
    for place in places(text.value, scope.cwd):
        if place.emptied:
            continue
        whole_home = place.absolute and home_part(place) == () and not place.filtered
        whole_etc = place.below("etc") == ()
        if is_secret(place) or whole_home or whole_etc or target(place) is Target.ROOT:
            return True
    return False


def _relative(place: Place) -> Target:
    if not place.parts or all(part == ".." for part in place.parts):
        return Target.WORKING
    if place.parts[-1] == ".git":
        return Target.REPOSITORY
    return Target.HISTORY if HISTORY.match(place.parts[-1]) else Target.NARROW


def _in_home(inside: tuple[str, ...], place: Place) -> Target:
    if not inside:
        return Target.HOME
    if HISTORY.match(inside[0]):
        return Target.HISTORY
    kept = inside[0] in SECRET_FOLDERS and (len(inside) == 1 or inside[0] in {".ssh", ".gnupg"})
    if kept or (
        SECRET_NAMES.match(inside[-1]) and (len(inside) == 1 or inside[0] in SECRET_FOLDERS)
    ):
        # Configuration and caches beside the secrets may go.
        narrow = len(inside) > 1 and PUBLIC_NAMES.match(inside[-1])
        return Target.NARROW if narrow or place.filtered else Target.CREDENTIAL
    if inside[-1] == ".git":
        return Target.REPOSITORY
    return Target.PERSONAL if len(inside) == 1 and inside[0] in PERSONAL else Target.NARROW


def _log(inside: tuple[str, ...], place: Place) -> Target:
    if not inside:
        return Target.LOG
    if place.filtered and inside[-1].endswith((".gz", ".old", ".xz", ".bz2")):
        return Target.NARROW
    if AUDIT_LOGS.match(inside[0]):
        return Target.LOG
    if place.filtered and len(inside) == 1:
        rotated = re.search(r"\.(\d|old|gz)", inside[0])
        return Target.NARROW if rotated else Target.LOG
    return Target.APPLICATION_LOG


def _elsewhere(place: Place) -> Target:
    parts = place.parts
    first = next((name for name in SYSTEM_FOLDERS if same(parts[0], name)), None)
    if first is None:
        return Target.NARROW
    subfolder = any(
        same(name, other) for name in parts[1:2] for other in SYSTEM_SUBFOLDERS.get(first, ())
    )
    if len(parts) == 1 or (subfolder and len(parts) == 2):  # noqa: PLR2004 - a folder in a folder
        return Target.SYSTEM
    if first == "boot" or (first == "sys" and same(parts[1], "firmware")):
        return Target.SYSTEM_FILE
    if first in {"proc", "sys"}:
        return Target.KERNEL
    program = any(_is_program(place.below(*folder), place) for folder in PROGRAM_FOLDERS)
    return Target.SYSTEM_FILE if program or parts[:3] in PACKAGE_FOLDERS else Target.NARROW


def _is_program(inside: tuple[str, ...] | None, place: Place) -> bool:
    """A program or library the system can't do without; one of an application's is its own."""
    if not inside or len(inside) > 1:
        return False
    return place.parts[0] != "usr" or place.filtered or bool(ESSENTIAL.match(inside[0]))
