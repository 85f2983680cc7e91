"""Programs that run another program named in their arguments."""

from dataclasses import dataclass

from sdkbench.shell.safety.values import Text


@dataclass(frozen=True, slots=True)
class Wrapper:
    """How to find the inner command: options that take an argument, then operands to skip."""

    letters: str = ""
    names: frozenset[str] = frozenset()
    skip: int = 0
    assignments: bool = False
    joined: bool = False  # the words are joined to one text and given to a shell
    code: tuple[str, ...] = ()  # options whose argument is shell text


def _wrapper(
    letters: str = "",
    names: str = "",
    *,
    skip: int = 0,
    assignments: bool = False,
    joined: bool = False,
    code: tuple[str, ...] = (),
) -> Wrapper:
    return Wrapper(letters, frozenset(names.split()), skip, assignments, joined, code)


PLAIN = Wrapper()
WRAPPERS: dict[str, Wrapper] = {
    "sudo": _wrapper(
        "ugpChrtTUDR", "user group prompt chdir host role type chroot close-from other-user",
        assignments=True,
    ),
    "doas": _wrapper("uC"), "pkexec": _wrapper("", "user"),
    "env": _wrapper("uC", "unset chdir", assignments=True, code=("S", "split-string")),
    "nohup": PLAIN, "timeout": _wrapper("ks", "kill-after signal", skip=1),
    "nice": _wrapper("n", "adjustment"), "ionice": _wrapper("cnpPu", "class classdata pid"),
    "chrt": _wrapper("TPD", "", skip=1), "taskset": _wrapper("", "", skip=1),
    "numactl": _wrapper("NmCiP", "cpunodebind membind interleave physcpubind preferred"),
    "setsid": PLAIN, "stdbuf": _wrapper("ioe", "input output error"),
    "time": _wrapper("fo", "format output"), "command": PLAIN, "builtin": PLAIN,
    "exec": _wrapper("a"), "noglob": PLAIN, "nocorrect": PLAIN,
    "chroot": _wrapper("", "userspec groups", skip=1),
    "unshare": _wrapper("SGR", "setuid setgid root wd"),
    "nsenter": _wrapper("tSG", "target setuid setgid wd"),
    "strace": _wrapper("oepsuEaIbOSPX", "output trace attach user env"),
    "ltrace": _wrapper("oepsuan", "output"), "gosu": _wrapper(skip=1),
    "su-exec": _wrapper(skip=1), "setpriv": _wrapper("", "reuid regid groups"),
    "flock": _wrapper("wE", "timeout wait conflict-exit-code", skip=1, code=("c", "command")),
    "watch": _wrapper("nq", "interval", joined=True), "busybox": PLAIN, "toybox": PLAIN,
    "fakeroot": PLAIN, "torsocks": PLAIN, "torify": PLAIN, "proxychains": _wrapper("f"),
    "proxychains4": _wrapper("f"), "unbuffer": PLAIN, "rlwrap": PLAIN,
    "setarch": _wrapper(skip=1), "linux32": PLAIN, "linux64": PLAIN,
    "xvfb-run": _wrapper("nesf", "server-num server-args"), "dbus-run-session": PLAIN,
    "dbus-launch": PLAIN, "firejail": PLAIN,
    "systemd-run": _wrapper("pHMuE", "unit property slice description setenv on-active"),
    "systemd-inhibit": _wrapper("", "what who why mode"), "caffeinate": _wrapper("tw"),
    "chronic": PLAIN, "ts": PLAIN, "cpulimit": _wrapper("lpe", "limit pid exe"),
    "prlimit": _wrapper("p", "pid"), "eatmydata": PLAIN, "faketime": _wrapper("f", skip=1),
    "choom": _wrapper("pn"), "dotenv": _wrapper("f"), "entr": PLAIN,
    "hyperfine": _wrapper("wrmMpc", "warmup runs min-runs max-runs prepare cleanup", joined=True),
    "su": _wrapper("sgGw", "shell group", skip=1, code=("c", "command")),
    "runuser": _wrapper("uGgsw", "user group shell", code=("c", "command")),
    "sg": _wrapper("", "", skip=1, code=("c",)),
    "script": _wrapper("EIOBTomt", "", skip=9, code=("c", "command")),
    "tmux": _wrapper("LSfcnstxyF", "", joined=True), "screen": _wrapper("SchtTpeL", ""),
    "coproc": PLAIN, "aa-exec": _wrapper("pn", "profile namespace"),
    "capsh": _wrapper("", "", code=("c",)), "cgexec": _wrapper("g"),
    "chpst": _wrapper("ubUem/nlL"), "setuidgid": _wrapper(skip=1), "sshpass": _wrapper("pfdP"),
    "parallel": _wrapper("jNnILPS", "jobs max-args delay results joblog colsep", joined=True),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Unwrapped:
    """`fields` is the inner command line, `code` shell text given to an option."""

    fields: tuple[Text, ...]
    code: tuple[Text, ...] = ()
    assignments: tuple[Text, ...] = ()
    flags: frozenset[str] = frozenset()


def unwrap(wrapper: Wrapper, args: tuple[Text, ...]) -> Unwrapped:
    code: list[Text] = []
    flags: set[str] = set()
    at = 0
    while at < len(args) and args[at].value.startswith("-") and args[at].value != "-":
        value = args[at].value
        at += 1
        if value == "--":
            break
        name, given = _option(value, wrapper)
        flags.add(name)
        flags.update(value[1:] if value[1] != "-" else ())
        if name not in wrapper.code and name not in wrapper.names and name not in wrapper.letters:
            continue
        argument = args[at - 1].saying(given)
        if not given and at < len(args):
            argument = args[at]
            at += 1
        if name in wrapper.code:
            code.append(argument)
    return _operands(wrapper, args[at:], tuple(code), frozenset(flags))


def _option(value: str, wrapper: Wrapper) -> tuple[str, str]:
    """The option's name, and the argument that stands in the same word.

    Of a cluster it is the first letter that takes an argument, if any does.
    """
    if value.startswith("--"):
        name, _, given = value[2:].partition("=")
        return name, given
    for at, letter in enumerate(value[1:], start=2):
        if letter in wrapper.letters or letter in wrapper.code:
            return letter, value[at:]
    return value[1], ""


def _operands(
    wrapper: Wrapper, rest: tuple[Text, ...], code: tuple[Text, ...], flags: frozenset[str]
) -> Unwrapped:
    found: list[Text] = []
    at = 0
    while wrapper.assignments and at < len(rest) and _assigns(rest[at].value):
        found.append(rest[at])
        at += 1
    # `su root -c 'code'`, `flock file -c 'code'`: the option stands behind the operand.
    tail = rest[at:]
    for here, text in enumerate(tail[:-1]):
        if wrapper.skip and not code and text.value in {f"-{letter}" for letter in wrapper.code}:
            return Unwrapped((), (tail[here + 1],), tuple(found), flags)
    return Unwrapped(tail[wrapper.skip :], code, tuple(found), flags)


def _assigns(value: str) -> bool:
    name, equals, _ = value.partition("=")
    return bool(equals) and name.isidentifier()
