"""Whether running a command can decide anything: only files and text are alike in a sandbox."""

import re

from sdkbench.shell.reader import tree
from sdkbench.shell.syntax import parse, walk

# Programs whose effect is in files and streams alone. Others depend on what a sandbox lacks: the
# network, other processes, services, users, devices.
FILE_PROGRAMS = frozenset({
    ".", ":", "[", "awk", "base64", "basename", "bash", "break", "bunzip2", "bzip2", "cat", "cd",
    "chmod", "cksum", "cmp", "column", "comm", "continue", "cp", "csplit", "cut", "dd", "declare",
    "diff", "dirname", "du", "echo", "egrep", "env", "eval", "exit", "expand", "export", "expr",
    "false", "fgrep", "file", "find", "fmt", "fold", "gawk", "git", "grep", "gunzip", "gzip",
    "head", "hexdump", "iconv", "install", "join", "jq", "let", "link", "ln", "local", "ls",
    "mapfile", "md5sum", "mkdir", "mv", "nl", "od", "paste", "patch", "perl", "pr", "printf",
    "pwd", "python3", "read", "readarray", "readlink", "realpath", "rename", "return", "rev",
    "rm", "rmdir", "sed", "seq", "set", "sh", "sha1sum", "sha224sum", "sha256sum", "sha384sum",
    "sha512sum", "shift", "shopt", "sort", "split", "stat", "strings", "sum", "tac", "tail",
    "tar", "tee", "test", "touch", "tr", "tree", "true", "truncate", "tsort", "typeset",
    "unexpand", "uniq", "unlink", "unset", "unxz", "unzip", "wc", "xargs", "xxd", "xz", "xzcat",
    "yes", "zcat", "zgrep", "zip", "zstd",
})  # fmt: skip

# With one of these anywhere, the outcome depends on the outside or on chance: `xargs curl`,
# `sh -c 'ping x'`, `git push`, `sort -R`.
OUTSIDE = frozenset({
    "BASHPID", "EPOCHREALTIME", "EPOCHSECONDS", "PPID", "RANDOM", "SECONDS", "SRANDOM", "apt",
    "apt-get", "brew", "clone", "cron", "crontab", "curl", "df", "dig", "dnf", "docker", "fetch",
    "free", "ftp", "hostname", "htop", "ifconfig", "ip", "ip6tables", "iptables", "journalctl",
    "kill", "killall", "kubectl", "last", "lsblk", "lsof", "mktemp", "mount", "nc", "ncat",
    "netstat", "nohup", "npm", "nslookup", "passwd", "pgrep", "ping", "pip", "pip3", "pkill",
    "podman", "ps", "pull", "push", "random", "rsync", "scp", "service", "sftp", "shuf", "sleep",
    "ss", "ssh", "su", "sudo", "sysctl", "systemctl", "telnet", "top", "umount", "uptime",
    "urandom", "useradd", "uuidgen", "vmstat", "w", "wget", "who", "whoami", "yum",
})  # fmt: skip
# Names, not options: `w` is a program, `-w` is none. What `git stash push` pushes stays here.
TOKEN = re.compile(r"(?<![\w.-])(?<!stash )[A-Za-z0-9_][A-Za-z0-9_.+-]*")
CHANCE = re.compile(r"--random|\bsort\b.*\s-\w*R")


def why_undecidable(command: str) -> str | None:
    """Why an execution would prove nothing; None where it may."""
    script = parse(command).script
    if script is None:
        return "it can't be read"
    outside = next((word for word in TOKEN.findall(command) if word in OUTSIDE), None)
    if outside is not None:
        return f"{outside} depends on what a sandbox does not have"
    if CHANCE.search(command):
        return "it depends on chance"
    return next((reason for node in walk(script) if (reason := _reason(node))), None)


def _reason(node: tree.Node) -> str | None:
    match node:
        case tree.Coproc() | tree.Statement(background=True):
            return "it leaves something running in the background"
        case tree.ProcessSubstitution(direction=">"):
            return "it does not wait for all of its parts"
        case tree.Parameter(name="$" | "!"):
            return "it depends on a process number"
        case tree.Pipeline(timed=timed) if timed:
            return "it measures time"
        case tree.SimpleCommand(words=(first, *_)):
            name = first.constant
            if name is None or name.rsplit("/", 1)[-1] not in FILE_PROGRAMS:
                return f"{name or 'a computed name'} is not known to act on files alone"
    return None
