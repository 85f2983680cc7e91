"""From the first word to the program it names."""

import re
from fnmatch import fnmatchcase

from sdkbench.shell.safety.values import ANY, STAR

FOLDERS = ("/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/")
FAMILIES = (
    (re.compile(r"^python[\d.]*$"), "python"),
    (re.compile(r"^pypy[\d.]*$"), "python"),
    (re.compile(r"^perl[\d.]+$"), "perl"),
    (re.compile(r"^ruby[\d.]+$"), "ruby"),
    (re.compile(r"^php[\d.]+$"), "php"),
    (re.compile(r"^lua(jit)?[\d.]*$"), "lua"),
    (re.compile(r"^nodejs$|^bun$|^deno$"), "node"),
    (re.compile(r"^[gmn]awk$|^original-awk$"), "awk"),
    (re.compile(r"^mk(e2fs|dosfs|ntfs|fs\..+)$|^newfs(_\w+)?$"), "mkfs"),
    (re.compile(r"^(nc|ncat|netcat)(\.\w+)?$"), "nc"),
    (re.compile(r"^ip6?tables(-nft|-legacy)?$"), "iptables"),
    (re.compile(r"^(podman|nerdctl)$"), "docker"),
    (re.compile(r"^(oc|k|k3s)$"), "kubectl"),
    (re.compile(r"^(mariadb)$"), "mysql"),
    (re.compile(r"^g(rm|dd|cp|mv|find|xargs|shred|chmod|chown|truncate|base64|tar|sed)$"), ""),
)  # fmt: skip


def program(value: str, known: frozenset[str]) -> str:
    """The program's family name. A wildcard is resolved to a program that we have rules for."""
    if STAR in value or ANY in value:
        value = _matched(value, known)
    name = value.rstrip("/").rpartition("/")[2]
    if name in known:
        return name
    for pattern, family in FAMILIES:
        if pattern.match(name):
            return family or name[1:]
    return name


def _matched(value: str, known: frozenset[str]) -> str:
    pattern = value.replace(STAR, "*").replace(ANY, "?")
    if "/" not in pattern:
        return value
    return next(
        (name for name in sorted(known, key=len) for folder in FOLDERS
         if fnmatchcase(folder + name, pattern)),
        value,
    )  # fmt: skip
