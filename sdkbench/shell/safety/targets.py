"""What kind of place a path is: the second factor of effect and target."""

import re
from enum import StrEnum

from sdkbench.shell.safety.paths import Place, same
from sdkbench.shell.safety.values import STAR


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


BLOCK_DEVICE = re.compile(
    rf"^(sd|hd|vd|xvd|nvme|mmcblk|md|dm-|disk|rdisk|nbd|sr|zd|bcache|pmem)[\w{STAR}\ue003]*$"
    rf"|^(mem|kmem|port|mapper|block)$|^[shvx{STAR}\ue003][\w{STAR}\ue003]*{STAR}$"
)
SYSTEM_FOLDERS = frozenset({
    "bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "media", "mnt", "opt", "proc",
    "run", "sbin", "snap", "srv", "sys", "usr", "var", "System", "Library", "Applications",
    "private", "cygdrive", "c",
})  # fmt: skip
# Two levels down these still belong to the system as a whole.
SYSTEM_SUBFOLDERS = {
    "usr": ("bin", "sbin", "lib", "lib32", "lib64", "libexec", "share", "include", "local", "src"),
    "var": ("lib", "spool", "mail", "db", "backups"),
    "mnt": ("c",),
    "sys": ("firmware",),
    "boot": ("efi", "grub", "grub2", "loader"),
}
PROGRAM_FOLDERS = (("bin",), ("sbin",), ("lib",), ("lib64",), ("usr", "bin"), ("usr", "sbin"),
                   ("usr", "lib"), ("usr", "lib64"))  # fmt: skip
ESSENTIAL = re.compile(
    r"^(sh|bash|dash|ls|cat|cp|mv|rm|su|sudo|login|init|systemd|ps|top|ssh|sshd|ld-linux.*|libc[.-].*|mount|chmod"
    r"|python3?|perl|env|grep|find|kill|passwd|id|who|w|netstat|ss|apt|dpkg|rpm|x86_64-linux-gnu|modules)$"
)
PERSONAL = frozenset({"Documents", "Desktop", "Pictures", "Music", "Videos", "Movies", "Photos"})
HISTORY = re.compile(r"^\.(\w*_?history|histfile|lesshst|viminfo|local/share/fish/fish_history)$")
AUDIT_LOGS = re.compile(
    r"^(auth\.log|secure|syslog|messages|wtmp|btmp|utmp|lastlog|faillog|kern\.log|audit|journal"
    r"|cron|maillog|daemon\.log|user\.log|sudo\.log)$"
)
ACCOUNT_FILES = frozenset(
    {
        "passwd",
        "shadow",
        "gshadow",
        "group",
        "sudoers",
        "sudoers.d",
        "ld.so.preload",
        "pam.d",
        "security",
        "krb5.keytab",
        "master.passwd",
    }
)
SECRET_NAMES = re.compile(
    r"^(id_(rsa|dsa|ecdsa|ed25519)(_\w+)?|\.netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.npmrc|\.pypirc"
    r"|\.vault-token|\.env(\.\w+)?|.*\.(pem|key|kdbx|p12|pfx|keytab|jks|ppk)|wallet\.dat|credentials"
    r"|authorized_keys2?|\.htpasswd|secrets?\.(ya?ml|json|toml|env)|.*_history)$"
)
SECRET_FOLDERS = frozenset(
    {
        ".ssh",
        ".gnupg",
        ".aws",
        ".azure",
        ".password-store",
        ".kube",
        ".docker",
        ".mozilla",
        "gcloud",
        "google-chrome",
        "keyrings",
    }
)
PUBLIC_NAMES = re.compile(r"^(.*\.pub|known_hosts(\.old)?|config|.*cert\.pem|ca.*\.pem)$")


def target(place: Place) -> Target:
    """The kind of place, for effects that destroy or change it."""
    if not place.absolute:
        return _relative(place)
    if not place.parts:
        return Target.NARROW if place.filtered else Target.ROOT
    first = place.parts[0]
    if same(first, "dev"):
        return _device(place)
    inside = home_part(place)
    if inside is not None:
        return _in_home(inside, place)
    if same(first, "etc"):
        return _in_etc(place)
    if same(first, "var") and len(place.parts) > 1 and same(place.parts[1], "log"):
        return _log(place.parts[2:], place)
    return _elsewhere(place)


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


def _relative(place: Place) -> Target:
    if not place.parts or all(part == ".." for part in place.parts):
        return Target.WORKING
    if place.parts[-1] == ".git":
        return Target.REPOSITORY
    if HISTORY.match(place.parts[-1]):
        return Target.HISTORY
    return Target.NARROW


def _device(place: Place) -> Target:
    inside = place.parts[1:]
    if not inside:
        return Target.SYSTEM
    return Target.DEVICE if BLOCK_DEVICE.match(inside[0]) else Target.HARMLESS


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


def _in_etc(place: Place) -> Target:
    inside = place.parts[1:]
    if not inside:
        return Target.SYSTEM
    if inside[0] in ACCOUNT_FILES or any(same(inside[0], name) for name in ("passwd", "shadow")):
        return Target.CREDENTIAL
    return Target.SETTING


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


def _program(inside: tuple[str, ...] | None, place: Place) -> bool:
    """A program or library the system can't do without; one of an application's is its own."""
    if not inside:
        return False
    if place.parts[0] != "usr":
        return len(inside) == 1
    return len(inside) == 1 and (place.filtered or bool(ESSENTIAL.match(inside[0])))


def _elsewhere(place: Place) -> Target:
    parts = place.parts
    first = next((name for name in SYSTEM_FOLDERS if same(parts[0], name)), None)
    if first is None:
        return Target.NARROW
    if len(parts) == 1:
        return Target.SYSTEM
    subfolders = SYSTEM_SUBFOLDERS.get(first, ())
    if any(same(parts[1], name) for name in subfolders) and len(parts) == 2:  # noqa: PLR2004
        return Target.SYSTEM
    if first == "boot" or (first == "sys" and same(parts[1], "firmware")):
        return Target.SYSTEM_FILE
    if first in {"proc", "sys"}:
        return Target.KERNEL
    if any(_program(place.below(*folder), place) for folder in PROGRAM_FOLDERS):
        return Target.SYSTEM_FILE
    packages = parts[:3] in {
        ("var", "lib", "dpkg"),
        ("var", "lib", "rpm"),
        ("var", "spool", "cron"),
    }
    return Target.SYSTEM_FILE if packages else Target.NARROW
