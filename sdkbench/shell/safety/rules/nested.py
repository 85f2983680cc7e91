"""Programs that run others on what they find, or elsewhere: find, xargs, ssh, git, docker run."""

import re
from collections.abc import Sequence

from sdkbench.shell.safety.call import Call, rule
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.files import judge_deletion, judge_write
from sdkbench.shell.safety.values import ANY, OPAQUE, SOME, STAR, Stream, Taint, Text
from sdkbench.shell.utilities import Arguments, find_utility, read_arguments
from sdkbench.shell.utilities.table import UNKNOWN, find_words

CODE_SETTINGS = re.compile(r"^core\.(sshCommand|pager|editor|fsmonitor|hooksPath)$", re.IGNORECASE)
# Where programs that run text on other machines have it in their options.
FLEET_OPTIONS = {"ansible": "args", "vagrant": "command", "gcloud": "command"}
FLEET = "ansible salt pdsh clush pssh parallel-ssh dsh adb multipass wsl vagrant gcloud"


class Search:
    """A call of find: where it looks, and how much of that it picks."""

    def __init__(self, args: tuple[Text, ...]) -> None:
        at = 0
        while at < len(args) and re.match(r"-[HLP]$|-[OD]", args[at].value):
            at += 1
        start = at
        while at < len(args) and not re.match(r"-|[()!]$", args[at].value):
            at += 1
        self.roots = args[start:at] or tuple(Text(".", arg.span) for arg in args[:1])
        self.expression = args[at:]
        same = {f"-{other}": f"-{name}" for other, name in find_words().same.items()}
        self.words = [same.get(text.value, text.value) for text in self.expression]

    def paths(self) -> list[Text]:
        """What is found, as paths: everything below the roots, or some of it."""
        words = self.words
        for at in range(len(words) - 1, 0, -1):
            if words[at] in {"-o", "-or"} and words[at - 1] == "-prune":
                words = words[at:]  # what is pruned there is left out, not found
                break
        if not _narrows(words):
            return list(self.roots)
        # An age or a size picks old and empty files anywhere; a name alone picks a kind of file.
        known = find_words()
        aged = any(_is(word, known.ages) for word in words)
        places = (at for at, word in enumerate(words[:-1]) if _is(word, known.patterns))
        pattern = next((words[at + 1] for at in places), "")
        name = SOME if "/" in pattern or not pattern else pattern.replace("*", STAR)
        if "log" not in pattern or aged:
            name = f"{SOME}/{SOME if aged else name}"
        return [root.saying(f"{root.value.rstrip('/')}/{name}") for root in self.roots]


def _is(word: str, names: frozenset[str]) -> bool:
    return word.startswith("-") and word[1:] in names


def _narrows(words: list[str]) -> bool:
    """Whether the tests leave only some of the files; a program asked before -delete is a test."""
    known = find_words()
    if "-delete" in words and "-exec" in words[: words.index("-delete")]:
        return True
    for at, word in enumerate(words):
        argument = words[at + 1] if at + 1 < len(words) else ""
        if word in {"-type", "-xtype"} and argument == "l":
            return True
        if not _is(word, known.narrowing) or (at and words[at - 1] in {"!", "-not"}):
            continue
        matches_all = _is(word, known.patterns) and not argument.strip(f"*?./{STAR}{ANY}")
        if not matches_all and not (word == "-size" and argument in {"+0", "-1000G"}):
            return True
    return False


@rule("find fd")
def find(call: Call) -> None:
    search = Search(call.args)
    paths = search.paths()
    if "-delete" in search.words:
        for path in paths:
            judge_deletion(path, call, recursive=True)
    for at, word in enumerate(search.words):
        rest = search.expression[at + 1 :]
        if word in {"-fprint", "-fprintf", "-fls", "-fprint0"} and rest:
            judge_write(rest[0], call.scope)
        if _is(word, find_words().runs):
            end = next((n for n, text in enumerate(rest) if text.value in {";", "+"}), len(rest))
            for path in paths:
                _run_on(rest[:end], path, call, "{}", swept=True)


def _run_on(
    inner: Sequence[Text], path: Text, call: Call, mark: str, *, swept: bool = False
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


@rule("xargs")
def xargs(call: Call) -> None:
    inner = tuple(call.operands)
    if not inner:
        return
    file = call.arguments.value("arg-file")
    given = _given(file_stream(file, call.scope) if file else call.stdin, inner[0])
    shell = inner[0].value.rpartition("/")[2] in {"sh", "bash", "zsh", "dash", "ksh"}
    if shell and (len(inner) == 1 or inner[-1].value in {"-c", "-lc"}):
        call.scope.run_stream(call.stdin, inner[0].span)
    if call.has("I", "i"):
        mark = call.arguments.value("I", "i")
        for path in given:
            _run_on(inner, path, call, (mark and mark.value) or "{}")
    else:
        scope = call.scope.child()
        scope.run_fields((*inner, *given), scope, OPAQUE)


def _given(stdin: Stream, near: Text) -> list[Text]:
    """The arguments that standard input makes."""
    if stdin.text is not None:
        words = stdin.text.replace("\0", " ").split()
        return [Text(word, near.span, stdin.taints) for word in words]
    if stdin.paths:
        return [Text(path, near.span) for path in stdin.paths]
    return [Text(SOME, near.span, stdin.taints)]


@rule("ssh mosh")
def remote(call: Call) -> None:
    """The words after the host are joined and run by the other side's shell."""
    for option in call.arguments.every("o"):
        name, _, value = option.value.partition("=")
        if name.lower() in {"proxycommand", "localcommand"}:
            call.run_code(option.saying(value))
    if Taint.SECRET in call.stdin.taints:
        call.report("secret-to-network.sent")
    call.run_joined(call.operands[1:], call.scope.child())
    if len(call.operands) == 1:
        call.scope.child().run_stream(call.stdin, call.span)


@rule("git")
def git(call: Call) -> None:
    """Settings and verbs that hold shell text."""
    for setting in call.arguments.every("c"):
        name, _, value = setting.value.partition("=")
        if (name.startswith("alias.") and value.startswith("!")) or CODE_SETTINGS.match(name):
            call.run_code(setting.saying(value.removeprefix("!")))
    words = [text.value for text in call.operands]
    if words[:1] and words[0] in {"submodule", "bisect", "rebase"}:
        for word in {"foreach", "run", "--exec", "-x"}.intersection(words):
            after = call.operands[words.index(word) + 1 :]
            call.run_joined([text for text in after if text.value != "--recursive"])
    setting_words = [text for text in call.operands[1:] if not text.value.startswith("-")]
    if words[:1] == ["config"] and setting_words[1:]:
        option, alias = setting_words[:2]
        if option.value.startswith("alias.") and alias.value.startswith("!"):
            call.run_code(alias.after(1))


@rule("docker kubectl lxc")
def in_container(call: Call) -> None:
    """The command behind the container's name: docker exec and run, kubectl exec."""
    words = [arg.value for arg in call.args]
    verb = next((at for at, word in enumerate(words[:6]) if word in {"exec", "run"}), None)
    if verb is None:
        return
    rest = call.args[verb + 1 :]
    if call.name == "kubectl":
        after = next(
            (at for at, word in enumerate(words) if at > verb and word == "--"), len(words)
        )
        inner = call.args[after + 1 :]
    else:
        options = read_arguments(find_utility("docker run") or UNKNOWN, rest)
        inner = _on_host(options.every("volume"), tuple(options.operands[1:]))
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


def _root_mounted(options: Arguments[Text], call: Call) -> None:
    entered = options.has("privileged") or any(t.value == "chroot" for t in options.operands)
    for volume in options.every("volume"):
        if volume.value.startswith("/:") and not volume.value.endswith(":ro"):
            call.report("host-mounted.entered" if entered else "host-mounted.open", volume)


@rule(FLEET)
def fleet(call: Call) -> None:
    """`ansible -a`, salt cmd.run, pdsh, adb shell and their like."""
    if call.name in FLEET_OPTIONS:
        for text in call.arguments.every(FLEET_OPTIONS[call.name]):
            call.run_code(text)
        return
    operands = call.plain_words
    marks = {"cmd.run", "shell", "exec", "ssh"}
    start = next((at for at, text in enumerate(operands) if text.value in marks), 0)
    inner = operands[start + 1 :]
    for text in inner:
        call.run_code(text)
    call.run_joined(inner)
