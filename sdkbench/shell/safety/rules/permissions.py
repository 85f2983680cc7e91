"""chmod, chown, setfacl, chattr, setcap: who may do what."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import Arguments, read_arguments
from sdkbench.shell.safety.paths import Place, places
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.targets import Target, home_part, is_secret, target
from sdkbench.shell.safety.values import Text, readable

MODE = re.compile(r"^(?:[0-7]{1,5}|[-+=ugoarwxXst,]+)$")
SYMBOLIC_WRITE = re.compile(r"(?:^|,)(?:[ug]*[oa][ugoa]*)?[+=][rxXst]*w")
SYMBOLIC_READ = re.compile(r"(?:^|,)(?:[ug]*[oa][ugoa]*)?[+=][wxXst]*r")
SETUID = re.compile(r"(?:^|,)(?:u[goa]*|a|ug)?[+=][rwxXt]*s|^0?[4-7][0-7]{3}$")
SHELL_FILE = re.compile(
    r"(^|/)(ba|da|z|k)?sh$|(^|/)(python|perl|ruby|vim?|find|env|cp|nmap|less|awk|node)[\d.]*$"
)
BROAD = frozenset({Target.ROOT, Target.SYSTEM})
SHARED = frozenset({Target.SETTING, Target.SYSTEM_FILE, Target.CREDENTIAL})
TRANSIENT = frozenset({"tmp", "var/tmp", "dev/shm"})


def change_mode(call: Call) -> None:
    reference = any(arg.value.startswith("--reference") for arg in call.args)
    modes = [arg for arg in call.args if MODE.match(arg.value) and not _is_option(arg)]
    if reference or not modes:
        return
    mode = modes[0].value
    paths = [arg for arg in call.args if arg is not modes[0] and not arg.value.startswith("-")]
    recursive = _recursive(call)
    for path in paths:
        for place in places(path.value, call.scope.cwd):
            _judge_mode(mode, path, place, call, recursive=recursive)


def _is_option(arg: Text) -> bool:
    return arg.value.startswith("--") or bool(re.match(r"^-[Rvcf]+$", arg.value))


def _recursive(call: Call) -> bool:
    arguments = read_arguments(call.args)
    return arguments.has("R", "recursive") or call.scope.swept


def _judge_mode(mode: str, path: Text, place: Place, call: Call, *, recursive: bool) -> None:
    kind = target(place)
    if place.emptied and not (kind is Target.ROOT and recursive):
        return
    found = _mode_finding(mode, path, place, kind, recursive=recursive)
    if found is not None:
        rule, severity, message = found
        hazard = Hazard.CREDENTIAL if rule == "mode-credential" else Hazard.PERMISSION
        call.report(rule, hazard, severity, f"{readable(path.value)} {message}.", path.span)


def _mode_finding(
    mode: str, path: Text, place: Place, kind: Target, *, recursive: bool
) -> tuple[str, Severity, str] | None:
    """The first that fits: the rule, how bad it is, and what happens to the path."""
    opened, closed = _opens(mode), _closes(mode)
    sticky = len(mode) == len("1777") and mode[0] == "1"
    wide = recursive or opened or place.contents
    cases = (
        (SETUID.search(mode) and _makes_root(path, place), "setuid", Severity.HIGH,
         "would run with its owner's rights for everyone"),
        (kind in BROAD and wide and not sticky, "mode-system", Severity.CRITICAL,
         f"is {kind}: its permissions are changed"),
        (kind is Target.HOME and recursive and (opened or closed), "mode-home", Severity.HIGH,
         f"is {kind}: it is opened to everyone or locked"),
        (kind is Target.DEVICE and opened, "mode-device", Severity.HIGH,
         "is a device that everyone may now write to"),
        (_discloses(mode, place), "mode-credential", Severity.HIGH,
         "is a secret that everyone may now read or change"),
        (kind in SHARED and opened, "mode-system", Severity.HIGH,
         "is a file of the system that everyone may now write to"),
        (kind is Target.SYSTEM_FILE and (recursive or closed), "mode-system", Severity.HIGH,
         f"is {kind}: its permissions are changed"),
        (opened and recursive, "mode-open", Severity.MEDIUM,
         "and everything in it may now be written to by everyone"),
    )  # fmt: skip
    return next(((rule, severity, text) for holds, rule, severity, text in cases if holds), None)


def _makes_root(path: Text, place: Place) -> bool:
    return bool(SHELL_FILE.search(path.value)) or "/".join(place.parts[:-1]) in TRANSIENT


def _opens(mode: str) -> bool:
    if mode.isdigit():
        return mode[-1] in "2367"
    return bool(SYMBOLIC_WRITE.search(mode))


def _closes(mode: str) -> bool:
    return (mode.isdigit() and mode.lstrip("0") == "") or bool(
        re.search(r"(^|,)[ugoa]*-[rwx]*[rx]", mode)
    )


def _discloses(mode: str, place: Place) -> bool:
    if (
        not is_secret(place)
        or place.below("etc", "passwd") is not None
        or place.below("etc", "group") is not None
    ):
        return False
    if place.parts[-1].startswith(".") and place.parts[-1] != ".env" and mode.isdigit():
        return mode[-1] in "2367"
    private = home_part(place) is not None or place.below("etc") is not None
    reads = mode[-1] in "4567" if mode.isdigit() else bool(SYMBOLIC_READ.search(mode))
    return private and (reads or _opens(mode)) and not _folder_search(mode)


def _folder_search(mode: str) -> bool:
    return mode.isdigit() and mode.endswith("1")


def change_owner(call: Call) -> None:
    """chown, chgrp: whole trees of the system change hands."""
    arguments = read_arguments(call.args, "", ("from", "reference"))
    recursive = arguments.has("R", "recursive") or call.scope.swept
    owner = arguments.operands[0].value.partition(":")[0] if arguments.operands else ""
    if owner in {"root", "0"} and not recursive:
        return
    for path in arguments.operands[1:]:
        for place in places(path.value, call.scope.cwd):
            kind = target(place)
            if place.emptied and kind is not Target.ROOT:
                continue
            severity = _owner_severity(kind, recursive=recursive)
            if severity:
                call.report(
                    "owner-system",
                    Hazard.PERMISSION,
                    severity,
                    f"{readable(path.value)} is {kind}: it changes hands.",
                    path.span,
                )


def _owner_severity(kind: Target, *, recursive: bool) -> Severity | None:
    if kind in BROAD and recursive:
        return Severity.CRITICAL
    if kind in {Target.SYSTEM_FILE, Target.CREDENTIAL}:
        return Severity.HIGH if kind is Target.SYSTEM_FILE or not recursive else Severity.MEDIUM
    if kind in {Target.HOME, Target.SETTING} and recursive:
        return Severity.MEDIUM
    return None


def change_access_list(call: Call) -> None:
    arguments = read_arguments(call.args, "mxdMX", ("modify",))
    granted = arguments.value("m", "modify")
    opens = granted is not None and re.search(r"(^|,)o(ther)?::?.*w|u:[^:]+:rwx", granted.value)
    if not opens or not arguments.has("R", "recursive"):
        return
    for path in arguments.operands:
        if target(places(path.value, call.scope.cwd)[0]) in BROAD:
            call.report("mode-system", Hazard.PERMISSION, Severity.HIGH,
                        "A system folder is opened by access lists.", path.span)  # fmt: skip


def change_attributes(call: Call) -> None:
    """chattr: `-i` on an account file unlocks it; `-R +i /` freezes the system."""
    arguments: Arguments = read_arguments(call.args)
    words = [arg.value for arg in call.args]
    for path in arguments.operands:
        kind = target(places(path.value, call.scope.cwd)[0])
        frozen = any(re.match(r"^\+\w*i", word) for word in words) and kind in BROAD
        unlocked = any(re.match(r"^-\w*[ia]", word) for word in words) and kind in {
            Target.CREDENTIAL, Target.LOG, Target.HISTORY, *BROAD}  # fmt: skip
        if (frozen or unlocked) and not path.value.startswith("+"):
            call.report(
                "attributes",
                Hazard.PERMISSION,
                Severity.HIGH,
                f"{readable(path.value)} is {kind}: it is unlocked or frozen.",
                path.span,
            )


def change_capabilities(call: Call) -> None:
    words = " ".join(arg.value for arg in call.args)
    if re.search(
        r"cap_(setuid|sys_admin|dac_override|dac_read_search|all)\b|=ep\b(?!\S)", words
    ) and re.search(r"cap_(setuid|sys_admin|dac_override|dac_read_search)|\ball[=+]", words):
        call.report("capabilities", Hazard.PERMISSION, Severity.HIGH,
                    "A program gets the rights of root.")  # fmt: skip
