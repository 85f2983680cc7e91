"""Programs that write files: tee, cp, install, ln, dd, truncate, sed -i."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.paths import places
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.rules.deletion import judge_deletion
from sdkbench.shell.safety.rules.permissions import SETUID
from sdkbench.shell.safety.rules.writes import judge_write
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.safety.targets import Target, target
from sdkbench.shell.safety.values import EMPTY, Stream, Taint, Text

NOTHING = frozenset({"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"})
MAX_SCRIPT = 2000  # the patterns below try every pair of marks
SED_SHELL = re.compile(r"(?:^|[;\d$/}])e\s+(?P<job>[^\n;]+)")
SED_RUN = re.compile(r"^s(?P<mark>.)(?:.*?)(?P=mark)(?P<job>.*)(?P=mark)[gimp0-9]*e[gimp0-9]*$")


def tee(call: Call) -> None:
    arguments = read_arguments(call.args)
    for path in arguments.operands:
        judge_write(path, call.scope, appending=arguments.has("a", "append"), content=call.stdin)
        call.scope.wrote(path.value, call.stdin)


def copy(call: Call) -> None:
    """cp, install, ln: the last operand (or -t) is written."""
    arguments = read_arguments(call.args, "tSmog", ("target-directory", "suffix", "mode", "owner"))
    into = arguments.value("t", "target-directory")
    operands = arguments.operands
    goal = into or (operands[-1] if operands[1:] else None)
    sources = operands if into else operands[:-1]
    if goal is None or (call.name == "install" and arguments.has("d", "directory")):
        return
    mode = arguments.value("m", "mode")
    if mode and SETUID.search(mode.value):
        call.report(
            "setuid",
            Hazard.PERMISSION,
            Severity.HIGH,
            "The copy would run with its owner's rights for everyone.",
            mode.span,
        )
    source = sources[0] if sources else goal
    if source.value in NOTHING:
        _emptied(goal, call)
        return
    for path in sources:
        base = path.value.rstrip("/").rpartition("/")[2]
        folder = len(sources) > 1 or into is not None or goal.value.endswith("/")
        written = goal.saying(f"{goal.value.rstrip('/')}/{base}") if folder else goal
        judge_write(written, call.scope, appending=False)
        call.scope.wrote(goal.value, file_stream(path, call.scope))


def _emptied(goal: Text, call: Call) -> None:
    judge_write(goal, call.scope, appending=False, content=EMPTY)
    for place in places(goal.value, call.scope.cwd):
        if target(place) in {Target.SYSTEM, Target.HOME, Target.ROOT} and not place.emptied:
            judge_deletion(goal, call, recursive=True)


def truncate(call: Call) -> None:
    arguments = read_arguments(call.args, "sr", ("size", "reference"))
    for path in arguments.operands:
        judge_write(path, call.scope, appending=False, content=EMPTY)


def convert(call: Call) -> None:
    """dd: only `of=` is written; without `count=` an endless source fills the disk."""
    keys = dict(arg.value.partition("=")[::2] for arg in call.args)
    endless = keys.get("if") in NOTHING - {"/dev/null"} and "count" not in keys
    if endless and not keys.get("of", "/dev/null").startswith("/dev/"):
        call.report(
            "disk-full", Hazard.EXHAUSTION, Severity.HIGH, "An endless source fills the disk."
        )
    for arg in call.args:
        key, _, value = arg.value.partition("=")
        if key == "of":
            judge_write(arg.saying(value), call.scope, appending=False, content=call.stdin)


def edit_stream(call: Call) -> None:
    """sed: `-i` changes files, the `e` command and flag run a shell."""
    arguments = read_arguments(call.args, "efl", ("expression", "file", "line-length"))
    scripts = arguments.every("e", "expression")
    operands = arguments.operands
    if not scripts and operands:
        scripts, operands = [operands[0]], operands[1:]
    for script in scripts:
        for pattern in (SED_RUN, SED_SHELL):
            found = pattern.search(script.value[:MAX_SCRIPT])
            if found:
                job = re.sub(r"\\(.)", r"\1", found["job"])
                call.scope.run_text(job, call.scope, script.span, call.stdin)
    if arguments.has("i", "in-place"):
        for path in operands:
            judge_write(path, call.scope, appending=False, edit=True)


def archive(call: Call) -> None:
    """`tar` runs programs at checkpoints, and can remove what it packed."""
    arguments = read_arguments(call.args, "fCXTI", ("file", "directory", "exclude"), permute=True)
    for text in (
        *arguments.every("checkpoint-action"),
        *arguments.every("to-command", "use-compress-program", "I"),
    ):
        call.run_code(text.saying(text.value.removeprefix("exec=")))
    if arguments.has("remove-files"):
        for path in arguments.operands:
            judge_deletion(path, call, recursive=True)


def download(call: Call) -> None:
    """`curl` -o and wget -O write where they are told."""
    letters = "odFTHuXAeb" if call.name == "curl" else "OPoUe"
    arguments = read_arguments(call.args, letters, ("output", "output-document"))
    names = ("o", "output") if call.name == "curl" else ("O", "output-document")
    for path in arguments.every(*names):
        if path.value not in {"-", "/dev/stdout", "/dev/null"}:
            fetched = Stream(taints=frozenset({Taint.NETWORK}))
            judge_write(path, call.scope, appending=False, content=fetched)


def editor(call: Call) -> None:
    """`vim` -c ':!cmd', ex and ed with a shell escape."""
    for arg in call.args:
        found = re.match(r"^\+?:?\s*(?:silent\s+)?!(?P<job>.+)$", arg.value)
        if found:
            call.scope.run_text(found["job"], call.scope, arg.span, call.stdin)


def mount_over(call: Call) -> None:
    """Something mounted over a system folder hides it until the next boot."""
    arguments = read_arguments(call.args, "otLU", ("types", "options", "source", "target"))
    if arguments.operands[1:]:
        place = places(arguments.operands[-1].value, call.scope.cwd)[0]
        if target(place) in {Target.ROOT, Target.SYSTEM} and place.parts[:1] not in {
            ("mnt",),
            ("media",),
            ("proc",),
            ("sys",),
            ("dev",),
            ("boot",),
            ("run",),
            ("opt",),
            ("srv",),
            ("var",),
        }:
            call.report("mount-over", Hazard.SYSTEM, Severity.MEDIUM,
                        "A file system is mounted over a system folder.")  # fmt: skip
