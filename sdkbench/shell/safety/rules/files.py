"""What it means to delete or write a path, and the programs that do it: rm, cp, dd, tar, mkfs."""

import re

from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import (
    ESSENTIAL,
    MOUNT_POINTS,
    ONE_LINERS,
    STARTUP,
    STARTUP_FOLDERS,
    Place,
    Target,
    file_stream,
    home_part,
    places,
    target,
    targets,
)
from sdkbench.shell.safety.report import finding_kinds
from sdkbench.shell.safety.rules.permissions import SETUID
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import (
    EMPTY,
    OPAQUE,
    UNKNOWN,
    Stream,
    Taint,
    Text,
    names,
    readable,
)

CRON_LINE = re.compile(r"^\s*(?:@\w+|(?:\S+\s+){5})\s*(?:root\s+)?(?P<job>.+)$")
NOTHING = frozenset({"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"})
MAX_SCRIPT = 2000  # the patterns below try every pair of marks
SED_SHELL = re.compile(r"(?:^|[;\d$/}])e\s+(?P<job>[^\n;]+)")
SED_RUN = re.compile(r"^s(?P<mark>.)(?:.*?)(?P=mark)(?P<job>.*)(?P=mark)[gimp0-9]*e[gimp0-9]*$")
EDITOR_SHELL = re.compile(r"^\+?:?\s*(?:silent\s+)?!(?P<job>.+)$")
SHOWS = names("shell", "shows")


def judge_deletion(path: Text, call: Call, *, recursive: bool) -> None:
    for place, kind in targets(path, call.scope):
        rule = f"delete-{kind.name.lower().replace('_', '-')}"
        if place.emptied:
            # `$x/etc` is not feared, `/etc/$x` is.
            feared = kind in {Target.ROOT, Target.HOME} or not path.value.startswith(UNKNOWN)
            cases = [f"{rule}.emptied"] if feared and not place.filtered else []
        else:
            cases = [rule, f"{rule}.tree"] if recursive else [rule, f"{rule}.file", f"{rule}.tree"]
        name = next((case for case in cases if case in finding_kinds()), None)
        if name is not None:
            call.report(name, path, path=readable(path.value), kind=kind)


def judge_write(
    path: Text, scope: Scope, *, appending: bool = False, content: Stream = OPAQUE,
    edit: bool = False,
) -> None:  # fmt: skip
    """`edit`: parts of the file are changed in place, the rest stays."""
    if path.stream is not None:
        return
    done = "extended" if appending else "changed" if edit else "overwritten"
    for place, kind in targets(path, scope):
        if place.emptied:
            continue
        _startup(place, scope, content, path)
        emptied = content.text == "" and not appending
        name = _write_finding(kind, place, appending=appending, edit=edit, emptied=emptied)
        if name:
            scope.report(name, path.span, path=readable(path.value), kind=kind, done=done)


def _write_finding(
    kind: Target, place: Place, *, appending: bool, edit: bool, emptied: bool
) -> str:
    """The finding's name; empty where writing there is nothing special."""
    name = place.parts[-1] if place.parts else ""
    if name.startswith("authorized_keys"):
        return "authorized-keys"
    match kind:
        case Target.DEVICE:
            return "device-write.file"
        case Target.CREDENTIAL:
            own_folder = home_part(place) is not None and (appending or not edit)
            mild = own_folder and name not in {"id_rsa", "id_ed25519"}
            return "credential-write.own" if mild else "credential-write.system"
        case Target.HISTORY | Target.LOG if not appending:
            return f"wipe-{kind.name.lower()}.file"
        case Target.APPLICATION_LOG if not appending:
            return "wipe-log.application"
        case Target.SETTING:
            whole = emptied or _is_whole_setting(place, appending=appending, edit=edit)
            return "system-setting.whole" if whole else "system-setting.part"
        case Target.SYSTEM_FILE:
            severe = bool(ESSENTIAL.match(name)) or place.parts[0] == "boot" or place.filtered
            return "system-file.essential" if severe else "system-file.other"
        case Target.KERNEL:
            memory = name in {"mem", "kcore", "core_pattern", "kmem"}
            trigger = place.below("proc", "sysrq-trigger") is not None
            return "sysrq" if trigger else "kernel-memory" if memory else "kernel-setting.file"
        case _:
            return ""


def _is_whole_setting(place: Place, *, appending: bool, edit: bool) -> bool:
    """A file straight in /etc belongs to the whole system; deeper ones to one service."""
    inside = place.parts[1:]
    if inside[-1] in {"crontab", "rc.local", "inittab"} and not edit:
        return True
    copy = inside[0].endswith((".bak", ".new", ".old", ".orig", ".save", ".tmp", "~"))
    if len(inside) > 1 or appending or edit or copy or inside[0] in ONE_LINERS:
        return False
    return not inside[0].endswith((".conf", ".cfg", ".repo", ".list", ".json", ".key"))


def _startup(place: Place, scope: Scope, content: Stream, path: Text) -> None:
    """What is written to a start-up file or a crontab is code."""
    parts = place.parts
    if not parts or not (STARTUP.match(parts[-1]) or STARTUP_FOLDERS.intersection(parts[:-1])):
        return
    if Taint.NETWORK in content.taints:
        scope.report("network-to-startup", path.span)
    for line in (content.text or "").splitlines():
        job = CRON_LINE.match(line)
        code = job["job"] if job and "cron" in path.value else line
        scope.run_text(code, scope.child(), path.span, OPAQUE)


@rule("rm unlink rmdir shred srm trash trash-put wipe rimraf del")
def remove(call: Call) -> None:
    if call.has("help", "version"):
        return
    recursive = call.has("r", "R", "recursive") or call.scope.swept
    for path in call.operands:
        if path.value or path.taints:
            judge_deletion(path, call, recursive=recursive)


@rule("rsync")
def synchronise(call: Call) -> None:
    """--delete empties whatever of the target the source does not have."""
    for shell in call.arguments.every("rsh", "rsync-path"):
        call.run_code(shell)
    deletes = any(option.name.startswith("delete") for option in call.arguments.options)
    if call.operands[1:] and deletes and not call.has("dry-run"):
        judge_deletion(call.operands[-1], call, recursive=True)


def _moved(call: Call) -> tuple[list[Text], Text | None]:
    """The sources and the goal of mv, cp, install, ln: the last operand, or the one of -t."""
    into = call.arguments.value("target-directory")
    if into is not None or not call.operands[1:]:
        return call.operands, into
    return call.operands[:-1], call.operands[-1]


@rule("mv")
def move(call: Call) -> None:
    """It takes its source away; into /dev/null for good."""
    sources, goal = _moved(call)
    if goal is None:
        return
    if places(goal.value, call.scope.cwd)[0].path == "/dev/null":
        call.report("move-to-nowhere", goal)
        return
    lost = {Target.ROOT, Target.HOME, Target.SYSTEM, Target.SYSTEM_FILE, Target.CREDENTIAL}
    for path in sources:
        for place, kind in targets(path, call.scope):
            # `mv ~/.ssh/id_rsa ~/.ssh/id_rsa.old`: it stays where it is kept.
            stays = path.value.rpartition("/")[0] == goal.value.rpartition("/")[0]
            renamed = kind is Target.CREDENTIAL and stays
            if kind in lost and not renamed and (kind is Target.ROOT or not place.emptied):
                call.report("move-system", path, path=readable(path.value), kind=kind)


@rule("mv cp install ln")
def copy(call: Call) -> None:
    sources, goal = _moved(call)
    if goal is None or (call.name == "install" and call.has("directory")):
        return
    mode = call.arguments.value("m", "mode")
    if mode and SETUID.search(mode.value):
        call.report("setuid.copy", mode)
    if sources and sources[0].value in NOTHING:
        _emptied(goal, call)
        return
    folder = len(sources) > 1 or call.has("target-directory") or goal.value.endswith("/")
    for path in sources:
        base = path.value.rstrip("/").rpartition("/")[2]
        written = goal.saying(f"{goal.value.rstrip('/')}/{base}") if folder else goal
        judge_write(written, call.scope)
        call.scope.wrote(goal.value, file_stream(path, call.scope))


def _emptied(goal: Text, call: Call) -> None:
    judge_write(goal, call.scope, content=EMPTY)
    for place, kind in targets(goal, call.scope):
        if kind in {Target.SYSTEM, Target.HOME, Target.ROOT} and not place.emptied:
            judge_deletion(goal, call, recursive=True)


@rule("tee sponge")
def tee(call: Call) -> None:
    for path in call.operands:
        judge_write(path, call.scope, appending=call.has("a", "append"), content=call.stdin)
        call.scope.wrote(path.value, call.stdin)


@rule("truncate fallocate")
def truncate(call: Call) -> None:
    for path in call.operands:
        judge_write(path, call.scope, content=EMPTY)


@rule("dd dcfldd")
def convert(call: Call) -> None:
    """Only `of=` is written; without `count=` an endless source fills the disk."""
    keys = dict(arg.value.partition("=")[::2] for arg in call.args)
    endless = keys.get("if") in NOTHING - {"/dev/null"} and "count" not in keys
    if endless and not keys.get("of", "/dev/null").startswith("/dev/"):
        call.report("disk-full")
    for arg in call.args:
        key, _, value = arg.value.partition("=")
        if key == "of":
            judge_write(arg.saying(value), call.scope, content=call.stdin)


@rule("sed")
def edit_stream(call: Call) -> None:
    """`-i` changes files, the `e` command and flag run a shell."""
    scripts, paths = call.arguments.every("expression"), call.operands
    if not scripts:
        scripts, paths = paths[:1], paths[1:]
    for script in scripts:
        for pattern in (SED_RUN, SED_SHELL):
            if runs := pattern.search(script.value[:MAX_SCRIPT]):
                call.run_code(script.saying(re.sub(r"\\(.)", r"\1", runs["job"])))
    if call.has("in-place"):
        for path in paths:
            judge_write(path, call.scope, edit=True)


@rule("tar")
def archive(call: Call) -> None:
    """It runs programs at checkpoints, and can remove what it packed."""
    runs = call.arguments.every("checkpoint-action")
    for text in (*runs, *call.arguments.every("to-command", "use-compress-program")):
        call.run_code(text.saying(text.value.removeprefix("exec=")))
    if call.has("remove-files"):
        for path in call.operands:
            judge_deletion(path, call, recursive=True)


@rule("vim vi ex ed nvim")
def editor(call: Call) -> None:
    """`vim -c ':!cmd'`, ex and ed with a shell escape."""
    for arg in call.args:
        if escape := EDITOR_SHELL.match(arg.value):
            call.run_code(arg.saying(escape["job"]))


@rule("mount")
def mount_over(call: Call) -> None:
    """Something mounted over a system folder hides it until the next boot."""
    for path in call.operands[1:][-1:]:
        place = places(path.value, call.scope.cwd)[0]
        broad = target(place) in {Target.ROOT, Target.SYSTEM}
        if broad and not MOUNT_POINTS.intersection(place.parts[:1]):
            call.report("mount-over")


@rule("curl wget aria2c")
def download(call: Call) -> None:
    """`curl -o` and `wget -O` write where they are told."""
    for path in downloaded_to(call):
        if path.value not in {"-", "/dev/stdout", "/dev/null"}:
            judge_write(path, call.scope, content=Stream(taints=frozenset({Taint.NETWORK})))


def downloaded_to(call: Call) -> list[Text]:
    """The files that curl, wget or aria2c is told to write."""
    return call.arguments.every("O" if call.name == "wget" else "o")


@rule("mkfs mkswap")
def format_device(call: Call) -> None:
    """On a device; a file system made inside an image file is fine."""
    for path in call.args:
        if _is_device(path, call) and call.name == "mkfs":
            call.report("make-filesystem", path)
        elif _is_device(path, call):
            call.report("destroy-device.contents")


@rule("fdisk gdisk cfdisk sfdisk")
def partition(call: Call) -> None:
    """A partition tool that is fed with a script."""
    fed = call.stdin.text is not None or call.stdin.taints
    shows = any(option.name in SHOWS for option in call.arguments.options)
    if fed and not shows and any(_is_device(path, call) for path in call.operands):
        call.report("destroy-device.table")


def _is_device(path: Text, call: Call) -> bool:
    return any(kind is Target.DEVICE for _, kind in targets(path, call.scope))
