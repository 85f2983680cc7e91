"""The machine as a whole: processes, firewall, accounts, jobs, packages, power."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.code import run_stream
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.rules.writes import CRON_LINE
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.safety.values import STAR, Text

PROTECTED = re.compile(
    r"^(libc6|glibc|coreutils|bash|dpkg|apt|systemd|init|util-linux|base-files|linux-image.*|kernel|kernel-core"
    r"|sudo|openssh-server|rpm|dnf|yum|pacman|filesystem|login|passwd|mount|libc-bin|python3-minimal|\*|.*\*)$"
)
REMOVALS = frozenset(
    {"remove", "purge", "autoremove", "erase", "uninstall", "-R", "-Rns", "-Rs", "-Rdd", "del"}
)
GUARDS = re.compile(
    r"^(firewalld|ufw|iptables|nftables|auditd|apparmor|fail2ban|sshd?|rsyslog|systemd-journald)(\.service)?$"
)
SUDO_RULE = re.compile(r"NOPASSWD|ALL=\(ALL")


def kill(call: Call) -> None:
    """`kill` with -1 as the process: everything that can be signalled."""
    words = [arg.value for arg in call.args]
    if words[:1] == ["--"]:
        words = words[1:]
        operands = words
    elif words and re.match(r"^-\w", words[0]) and words[0] not in {"-l", "-L"}:
        operands = words[2:] if words[0] in {"-s", "-n", "--signal"} else words[1:]
    else:
        operands = words
    operands = [word for word in operands if word != "--"]
    if "-1" in operands:
        _everything(call, Severity.CRITICAL)
    elif ("1" in operands and not re.search(r"HUP|USR|-1$|-0|CONT", words[0])) or STAR in operands:
        _everything(call, Severity.HIGH)


def _everything(call: Call, severity: Severity) -> None:
    call.report(
        "kill-everything", Hazard.SYSTEM, severity, "It stops every process, or the first one."
    )


def kill_by_name(call: Call) -> None:
    arguments = read_arguments(call.args, "utgGPsFn", ("signal", "user", "euid", "uid"))
    broad = any(
        re.fullmatch(r"\.?\*?|\.\+|\^|systemd|init|\[\^.*", text.value)
        for text in arguments.operands
    )
    users = arguments.every("u", "U", "user", "euid", "uid")
    root = any(text.value in {"root", "0"} for text in users) and not arguments.operands
    if call.name == "killall5" or broad or root:
        _everything(call, Severity.HIGH)


def firewall(call: Call) -> None:
    words = [arg.value for arg in call.args]
    joined = " ".join(words)
    flush = {
        "iptables": any(re.match(r"^(-[46wvt]*F|--flush|-X)$", word) for word in words)
        or bool(re.search(r"-P (INPUT|OUTPUT|FORWARD) ACCEPT", joined)),
        "nft": "flush" in words and ("ruleset" in words or "table" in words),
        "ufw": "disable" in words or "reset" in words,
        "firewall-cmd": "--panic-on" in words,
        "pfctl": "-d" in words or "-F" in words,
        "ipset": "flush" in words or "destroy" in words,
        "ebtables": "-F" in words,
    }
    if flush.get(call.name):
        call.report(
            "firewall-off", Hazard.SYSTEM, Severity.HIGH, "The firewall's rules are dropped."
        )


def selinux(call: Call) -> None:
    if call.args and call.args[0].value.lower() in {"0", "permissive"}:
        call.report("protection-off", Hazard.SYSTEM, Severity.MEDIUM, "SELinux no longer enforces.")


def services(call: Call) -> None:
    words = [arg.value for arg in call.args if not arg.value.startswith("-")]
    verbs = {"stop", "disable", "mask", "kill"}
    if verbs & set(words) and any(GUARDS.match(word) for word in words):
        call.report(
            "protection-off", Hazard.SYSTEM, Severity.MEDIUM, "A guarding service is switched off."
        )
    if {"poweroff", "reboot", "halt", "rescue", "emergency", "kexec", "isolate"} & set(words):
        power(call)


def power(call: Call) -> None:
    if not read_arguments(call.args).has("c", "help", "version"):
        call.report("power", Hazard.SYSTEM, Severity.MEDIUM, "The machine is stopped or restarted.")


def run_level(call: Call) -> None:
    if call.args and call.args[0].value in {"0", "6"}:
        power(call)


def jobs(call: Call) -> None:
    """crontab: -r removes every job; a table read from elsewhere is code."""
    arguments = read_arguments(call.args, "u")
    if arguments.has("r"):
        call.report(
            "crontab-removed", Hazard.SYSTEM, Severity.HIGH, "Every job of the crontab is removed."
        )
    if arguments.has("l", "e"):
        return
    for file in arguments.operands:
        if file.value == "/dev/null":
            call.report(
                "crontab-removed",
                Hazard.SYSTEM,
                Severity.HIGH,
                "The crontab is replaced by nothing.",
            )
        stream = call.stdin if file.value == "-" else file_stream(file, call.scope)
        run_stream(stream, call.scope, file.span, shell=False)
        for line in (stream.text or "").splitlines():
            job = CRON_LINE.match(line)
            if job:
                call.scope.run_text(job["job"], call.scope, file.span, call.stdin)


def accounts(call: Call) -> None:
    """passwd, usermod, useradd, userdel, chpasswd."""
    arguments = read_arguments(
        call.args, "ugGdskpecfK", ("uid", "password", "shell", "gid", "groups", "home")
    )
    root = any(text.value == "root" for text in arguments.operands)
    uid = arguments.value("u", "uid")
    severity = Severity.MEDIUM
    message = "An account is changed."
    if call.name in {"useradd", "usermod", "adduser"} and uid and uid.value == "0":
        severity, message = Severity.HIGH, "An account gets the rights of root."
    elif call.name == "passwd" and arguments.has("d", "delete"):
        severity, message = Severity.HIGH, "An account loses its password."
    elif call.name in {"userdel", "deluser"} and root:
        severity, message = Severity.HIGH, "The root account is removed."
    elif (call.name == "chpasswd" and (call.stdin.text or "").startswith("root:")) or (
        call.name == "usermod" and arguments.has("p", "password") and root
    ):
        severity, message = Severity.HIGH, "The password of root is set from the command line."
    call.report("account", Hazard.CREDENTIAL, severity, message)


def packages(call: Call) -> None:
    """Package managers told to remove what the system stands on."""
    words = [arg.value for arg in call.args]
    removes = bool(REMOVALS & set(words)) or (
        call.name in {"dpkg", "rpm"}
        and any(re.match(r"^(-[a-zA-Z]*[reP]|--purge|--remove|--erase)$", word) for word in words)
    )
    named = [
        arg for arg in call.args if not arg.value.startswith("-") and arg.value not in REMOVALS
    ]
    if removes and any(PROTECTED.match(_plain(arg)) for arg in named):
        call.report("package-removed", Hazard.SYSTEM, Severity.HIGH,
                    "A package that the system stands on is removed.")  # fmt: skip


def _plain(arg: Text) -> str:
    return arg.value.partition(":")[0].replace("\ue002", "*")


def kernel_settings(call: Call) -> None:
    words = " ".join(arg.value for arg in call.args)
    if re.search(
        r"kernel\.(panic|sysrq|randomize_va_space)\s*=|kernel\.core_pattern\s*=\s*\|", words
    ):
        call.report(
            "kernel-setting",
            Hazard.SYSTEM,
            Severity.MEDIUM,
            "A protection of the kernel is changed.",
        )
