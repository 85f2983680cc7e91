"""Programs that run others on what they find or elsewhere: find, xargs, ssh, docker exec."""

import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.code import run_stream
from sdkbench.shell.safety.finding import found_below, split_expression
from sdkbench.shell.safety.options import Arguments, read_arguments
from sdkbench.shell.safety.report import Hazard, Severity
from sdkbench.shell.safety.rules.deletion import judge_deletion
from sdkbench.shell.safety.rules.writes import judge_write
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.safety.values import OPAQUE, SOME, Stream, Taint, Text

EXEC = frozenset({"-exec", "-execdir", "-ok", "-okdir"})


def find(call: Call) -> None:
    roots, expression = split_expression(call.args)
    values = [text.value for text in expression]
    found = [found_below(root, values) for root in roots]
    if "-delete" in values:
        for path in found:
            judge_deletion(path, call, recursive=True)
    for at, value in enumerate(values):
        if value in {"-fprint", "-fprintf", "-fls", "-fprint0"} and at + 1 < len(expression):
            judge_write(expression[at + 1], call.scope, appending=False)
        if value in EXEC:
            end = next(
                (here for here in range(at, len(values)) if values[here] in {";", "+"}), len(values)
            )
            for path in found:
                _run_on(expression[at + 1 : end], path, call, "{}", swept=True)


def _run_on(
    inner: tuple[Text, ...], path: Text, call: Call, mark: str, *, swept: bool = False
) -> None:
    """The inner command with the found path in place of its mark."""
    fields = tuple(
        Text(text.value.replace(mark, path.value), text.span, text.taints | path.taints)
        if mark in text.value
        else text
        for text in inner
    )
    scope = call.scope.child()
    scope.swept = swept
    scope.run_fields(fields, scope, OPAQUE)


def xargs(call: Call) -> None:
    arguments = read_arguments(
        call.args,
        "aEIiLlnPsd",
        ("replace", "max-args", "max-procs", "delimiter", "arg-file", "max-lines"),
        permute=False,
    )
    inner = arguments.operands
    if not inner:
        return
    mark = arguments.value("I", "i", "replace")
    file = arguments.value("a", "arg-file")
    given = _given(file_stream(file, call.scope) if file else call.stdin, inner[0])
    shell = inner[0].value.rpartition("/")[2]
    if shell in {"sh", "bash", "zsh", "dash", "ksh"} and (
        len(inner) == 1 or inner[-1].value in {"-c", "-lc"}
    ):
        run_stream(call.stdin, call.scope, inner[0].span)
    for paths in given:
        if mark is not None:
            for path in paths:
                _run_on(inner, path, call, mark.value or "{}")
        else:
            scope = call.scope.child()
            scope.run_fields((*inner, *paths), scope, OPAQUE)


def _given(stdin: Stream, near: Text) -> list[tuple[Text, ...]]:
    """The argument lists that standard input makes."""
    if stdin.text is not None:
        words = stdin.text.replace("\0", " ").split()
        return [tuple(Text(word, near.span, stdin.taints) for word in words)]
    if stdin.paths:
        return [tuple(Text(path, near.span) for path in stdin.paths)]
    return [(Text(SOME, near.span, stdin.taints),)]


def remote(call: Call) -> None:
    """`ssh` host command: the words are joined and run by the other side's shell."""
    arguments = read_arguments(call.args, "bcDEeFIiJLlmOopQRSWw", permute=False)
    for option in arguments.every("o"):
        name, _, value = option.value.partition("=")
        if name.lower() in {"proxycommand", "localcommand"}:
            call.run_code(option.saying(value))
    words = arguments.operands[1:]
    if Taint.SECRET in call.stdin.taints:
        call.report("secret-to-network", Hazard.EXFILTRATION, Severity.HIGH,
                    "A secret leaves the machine over the network.")  # fmt: skip
    if words:
        text = " ".join(word.value for word in words)
        call.scope.run_text(text, call.scope.child(), words[0].span, call.stdin)
    elif arguments.operands:
        run_stream(call.stdin, call.scope.child(), call.span)


CONTAINER_LETTERS = "euwvpmhlac"
CONTAINER_NAMES = (
    "env", "user", "workdir", "volume", "name", "network", "publish", "mount", "entrypoint",
    "env-file", "hostname", "memory", "cpus", "label", "platform", "pid", "cap-add", "device",
    "restart", "add-host", "security-opt", "gpus",
)  # fmt: skip


def in_container(call: Call) -> None:
    """The command behind the container's name: docker exec and run, kubectl exec."""
    words = [arg.value for arg in call.args]
    verbs = [at for at, word in enumerate(words[:6]) if word in {"exec", "run"}]
    if not verbs:
        return
    rest = call.args[verbs[0] + 1 :]
    if call.name == "kubectl":
        after = [at for at, text in enumerate(rest) if text.value == "--"]
        inner = rest[after[0] + 1 :] if after else ()
    else:
        options = read_arguments(rest, CONTAINER_LETTERS, CONTAINER_NAMES, permute=False)
        inner = _on_host(options.every("v", "volume"), options.operands[1:])
        _root_mounted(options, call)
    if inner:
        scope = call.scope.child()
        scope.run_fields(inner, scope, call.stdin)


def _on_host(volumes: list[Text], inner: tuple[Text, ...]) -> tuple[Text, ...]:
    """The command with the container's paths replaced by the host's that are mounted there."""
    for volume in volumes:
        host, _, rest = volume.value.partition(":")
        inside, _, mode = rest.partition(":")
        if not inside.startswith("/") or len(inside) < 2 or "ro" in mode.split(","):  # noqa: PLR2004
            continue
        path = re.compile(rf"(?<![\w/.]){re.escape(inside.rstrip('/'))}(?=/|\W|$)")
        shown = host.rstrip("/").replace("\\", r"\\")
        inner = tuple(
            text.saying(path.sub(shown, text.value) or "/") if path.search(text.value) else text
            for text in inner
        )
    return inner


def _root_mounted(options: Arguments, call: Call) -> None:
    for volume in options.every("v", "volume"):
        if volume.value.startswith("/:") and not volume.value.endswith(":ro"):
            entered = "privileged" in options.flags or any(
                text.value == "chroot" for text in options.operands
            )
            call.report(
                "host-mounted",
                Hazard.CONTAINER,
                Severity.HIGH if entered else Severity.MEDIUM,
                "The host's root folder is open to the container.",
                volume.span,
            )


# Programs that run text on other machines: where in their arguments it stands.
FLEET_OPTIONS = {
    "ansible": ("a", "args"),
    "vagrant": ("c", "command"),
    "gcloud": ("command",),
    "knife": (),
}


def fleet(call: Call) -> None:
    """`ansible` -a, salt cmd.run, pdsh, adb shell and their like."""
    names = FLEET_OPTIONS.get(call.name)
    if names is not None:
        letters = "amiuefltcbM"
        for text in read_arguments(call.args, letters, (*names, "args", "inventory")).every(*names):
            call.run_code(text)
        return
    operands = [arg for arg in call.args if not arg.value.startswith("-")]
    words = [arg.value for arg in operands]
    marks = [at for at, word in enumerate(words) if word in {"cmd.run", "shell", "exec", "ssh"}]
    inner = operands[marks[0] + 1 :] if marks else operands[1:]
    for text in inner:
        call.run_code(text)
    if inner:
        joined = " ".join(text.value for text in inner)
        call.scope.run_text(joined, call.scope, inner[0].span, call.stdin)
