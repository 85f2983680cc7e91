"""What a program writes to its standard output: known text if possible, else taints."""

import posixpath
import re
from collections.abc import Callable

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.decoding import DECODED, DECODERS, NETWORK, SECRET, decode
from sdkbench.shell.safety.finding import found_below, split_expression
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.paths import places
from sdkbench.shell.safety.printing import echo, printf
from sdkbench.shell.safety.scope import ENVIRONMENT
from sdkbench.shell.safety.sources import file_stream, holds_secrets
from sdkbench.shell.safety.values import (
    EMPTY,
    MARKS,
    NO_TAINTS,
    OPAQUE,
    SOME,
    STAR,
    UNKNOWN,
    Stream,
    Taint,
)

# Their output says something about the input but is no copy of it.
DIGESTS = frozenset({"wc", "sha256sum", "sha1sum", "sha512sum", "md5sum", "md5", "shasum", "cksum",
                     "b2sum", "sum", "test", "[", "true", "false", "ls", "stat", "file", "sleep",
                     "mkdir", "touch", "chmod", "rm", "cp", "mv", "ln"})  # fmt: skip
# They copy their input in part: text that was known is no longer, and shell code built so hides.
EDITORS = frozenset({"sed", "awk", "cut", "perl", "python", "ruby", "sort", "grep", "fold", "paste",
                     "head", "tail", "fmt", "column", "tac", "jq", "xargs"})  # fmt: skip


# An awk program that looks at what it copies.
PICKS = re.compile(r"[~<>!=]|/.+/|\bif\b")


SUBSTITUTES = re.compile(r"^s(.).*\1.*\1g?$")


def output(call: Call) -> Stream:
    writer = WRITERS.get(call.name)
    if writer is not None:
        return writer(call)
    taints = frozenset(taint for arg in call.args for taint in arg.taints) & SECRET
    if call.name in DIGESTS:
        return OPAQUE
    return Stream(None, _passed(call) | taints)


def _passed(call: Call) -> frozenset[Taint]:
    return call.stdin.taints


def _cat(call: Call) -> Stream:
    """Copies: of files, or of standard input."""
    files = [arg for arg in call.args if not arg.value.startswith("-") or arg.value == "-"]
    if not files:
        return call.stdin
    streams = [call.stdin if file.value == "-" else file_stream(file, call.scope) for file in files]
    taints = frozenset(taint for stream in streams for taint in stream.taints)
    texts = [stream.text for stream in streams]
    known = "".join(text for text in texts if text is not None)
    return Stream(known if all(text is not None for text in texts) else None, taints)


def _edit(call: Call) -> Stream:
    """Filters: text that was written out here and then changed is text in disguise."""
    taints = call.stdin.taints
    for arg in call.args:
        if not arg.value.startswith("-") and "/" in arg.value:
            taints |= SECRET if holds_secrets(arg, call.scope) else NO_TAINTS
        if arg.stream is not None:
            taints |= arg.stream.taints
    if call.stdin.text is not None and set(call.stdin.text.split()) <= MARKS:
        picks = call.name == "grep" or (
            call.name == "awk" and any(PICKS.search(arg.value) for arg in call.args)
        )
        return Stream(SOME if picks else call.stdin.text, taints)
    changed = call.stdin.text is not None and call.name not in {"head", "tail", "grep", "sort"}
    if call.name == "tee":
        return call.stdin
    if changed and call.stdin.text and call.stdin.text.strip():
        taints |= DECODED
    text = call.stdin.text if not changed else None
    # A listing that is only sorted or gets a prefix still names the same files.
    script = call.args[-1].value if call.args else ""
    listing = call.name == "sort" or (call.name == "sed" and SUBSTITUTES.match(script))
    return Stream(text, taints, call.stdin.paths if listing else ())


def _fetch(call: Call) -> Stream:
    """`curl` and wget: to standard output, or into a file that a later command may run."""
    arguments = read_arguments(
        call.args,
        "oOdFTHuXAebPU" if call.name == "curl" else "OPoUe",
        (
            "output",
            "output-document",
            "data",
            "header",
            "user",
            "url",
            "directory-prefix",
            "output-dir",
        ),
    )
    fetched = Stream(None, NETWORK)
    if call.name == "curl":
        file = arguments.value("o", "output")
        remote = arguments.has("O", "remote-name", "remote-name-all")
        last = arguments.value("O")
        names = [text.value for text in (*arguments.operands, *([last] if last else []))]
    else:
        file = arguments.value("O", "output-document")
        remote = file is None
        names = [text.value for text in arguments.operands]
    if file is not None and file.value not in {"-", "/dev/stdout"}:
        call.scope.wrote(file.value, fetched)
        return EMPTY
    if remote:
        prefix = arguments.value("P", "directory-prefix", "output-dir")
        folder = prefix.value if prefix else "."
        for name in names:
            base = name.rstrip("/").rpartition("/")[2].partition("?")[0]
            call.scope.wrote(f"{folder}/{base}", fetched)
        return EMPTY if call.name == "wget" else OPAQUE
    return fetched


def _from_network(call: Call) -> Stream:
    return Stream(None, NETWORK | call.stdin.taints)


def _environment(call: Call) -> Stream:
    return Stream(None, SECRET) if not call.args else Stream(SOME)


def _archive(call: Call) -> Stream:
    """tar, zip, dd and their like: a copy of the files named."""
    taints = call.stdin.taints
    for arg in call.args:
        text = arg.saying(arg.value.partition("=")[2]) if "=" in arg.value else arg
        if not text.value.startswith("-") and holds_secrets(text, call.scope):
            taints |= SECRET
    return Stream(None, taints)


def _find(call: Call) -> Stream:
    roots, expression = split_expression(call.args)
    values = [text.value for text in expression]
    return Stream(None, call.stdin.taints, tuple(found_below(root, values).value for root in roots))


def _list(call: Call) -> Stream:
    folders = [arg.value for arg in call.args if not arg.value.startswith("-")] or ["."]
    return Stream(None, frozenset(), tuple(f"{folder}/{STAR}" for folder in folders))


def _containers(call: Call) -> Stream:
    """`docker ps -aq` names everything there is, unless it is filtered."""
    arguments = read_arguments(call.args, "f", ("filter", "format"))
    words = [text.value for text in arguments.operands[:2]]
    lists = words[:1] in (["ps"], ["images"]) or words[1:] in (["ls"], ["list"])
    if not lists:
        return Stream(None, call.stdin.taints)
    return Stream(
        SOME if arguments.has("f", "filter") or len(arguments.operands) > len("ls") else STAR
    )


def _shell_output(call: Call) -> Stream:
    """A shell that reads unknown orders answers whoever is behind them."""
    orders = call.stdin.text is None and not any(arg.value in {"-c", "-lc"} for arg in call.args)
    script = any(not arg.value.startswith("-") for arg in call.args)
    return Stream(
        None,
        call.stdin.taints | (frozenset({Taint.SHELL}) if orders and not script else frozenset()),
    )


def _processes(call: Call) -> Stream:
    """`ps` names every process, unless it is asked for some."""
    chosen = any(re.match(r"^-?[pCugGtU]$|^--(pid|user|ppid|tty)", arg.value) for arg in call.args)
    return Stream(SOME if chosen else STAR)


def _secret_keeper(call: Call) -> Stream:
    words = [arg.value for arg in call.args]
    tells = (
        call.name in {"history", "pass", "security"}
        or (call.name == "kubectl" and any(word.startswith("secret") for word in words))
        or (call.name == "vault" and "get" in words)
    )
    return Stream(None, SECRET if tells else call.stdin.taints)


def _constant(value: str) -> Callable[[Call], Stream]:
    return lambda _: Stream(value)


def _working_folder(call: Call) -> Stream:
    return Stream(call.scope.cwd or ".")


def _which(call: Call) -> Stream:
    names = [arg.value for arg in call.args if not arg.value.startswith("-")]
    return Stream(f"/usr/bin/{names[0]}\n") if names else OPAQUE


def _temporary(_: Call) -> Stream:
    return Stream(f"{ENVIRONMENT['TMPDIR']}/{SOME}\n")


def _split_path(call: Call) -> Stream:
    operands = [arg for arg in call.args if not arg.value.startswith("-")]
    if not operands or UNKNOWN in operands[0].value:
        return Stream(SOME)
    split = posixpath.dirname if call.name == "dirname" else posixpath.basename
    return Stream((split(operands[0].value.rstrip("/")) or ".") + "\n")


def _resolved(call: Call) -> Stream:
    operands = [arg for arg in call.args if not arg.value.startswith("-")]
    if not operands or not operands[0].known:
        return Stream(SOME)
    return Stream(places(operands[0].value, call.scope.cwd)[0].path)


WRITERS: dict[str, Callable[[Call], Stream]] = {
    "echo": echo, "print": echo, "printf": printf, "cat": _cat, "tac": _edit, "tee": _edit,
    "curl": _fetch, "wget": _fetch, "fetch": _from_network, "aria2c": _fetch,
    "http": _from_network, "https": _from_network, "lynx": _from_network, "w3m": _from_network,
    "links": _from_network, "nc": _from_network, "socat": _from_network, "telnet": _from_network,
    "ftp": _from_network, "tftp": _from_network, "GET": _from_network, "dig": _from_network,
    "nslookup": _from_network, "host": _from_network, "s3cmd": _from_network,
    "gsutil": _from_network, "xh": _from_network, "env": _environment, "printenv": _environment,
    "tar": _archive, "zip": _archive, "dd": _archive, "7z": _archive, "cpio": _archive,
    "find": _find, "ls": _list, "pwd": _working_folder, "which": _which, "command": _which,
    "type": _which, "whence": _which, "dirname": _split_path, "basename": _split_path,
    "realpath": _resolved, "readlink": _resolved,
    "mktemp": _temporary, ":": _constant(""), "true": _constant(""), "whoami": _constant("me\n"),
    "logname": _constant("me\n"), "date": _constant(SOME), "hostname": _constant(SOME),
    "uname": _constant(SOME), "nproc": _constant(SOME), "id": _constant(SOME),
    "seq": _constant(SOME), "uuidgen": _constant(SOME), "arch": _constant(SOME), "ps": _processes,
    "history": _secret_keeper, "pass": _secret_keeper, "security": _secret_keeper,
    "kubectl": _secret_keeper, "vault": _secret_keeper, "docker": _containers,
    "sh": _shell_output, "bash": _shell_output, "zsh": _shell_output, "dash": _shell_output,
    "getconf": _constant(SOME), "lsb_release": _constant(SOME), "git": _constant(SOME),
    **dict.fromkeys(DECODERS, decode), **dict.fromkeys(EDITORS, _edit),
}  # fmt: skip
