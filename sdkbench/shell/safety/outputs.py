"""What a program writes to its standard output: known text if possible, else taints."""

import base64
import binascii
import posixpath
import re
from collections.abc import Callable

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.places import file_stream, holds_secrets, places
from sdkbench.shell.safety.rules.files import downloaded_to
from sdkbench.shell.safety.rules.nested import Search
from sdkbench.shell.safety.scope import ENVIRONMENT
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
    all_taints,
    joined,
    names,
)

NETWORK = frozenset({Taint.NETWORK})
DECODED = frozenset({Taint.DECODED})
SECRET = frozenset({Taint.SECRET})
ENCODERS = names("shell", "encoders")
DIGESTS = names("shell", "digests")
# An awk program that looks at what it copies.
PICKS = re.compile(r"[~<>!=]|/.+/|\bif\b")
SUBSTITUTES = re.compile(r"^s(.).*\1.*\1g?$")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b",
           "E": "\x1b", "\\": "\\", '"': '"', "'": "'"}  # fmt: skip
ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|0?([0-7]{1,3})|(.))", re.DOTALL)
DIRECTIVE = re.compile(r"%(-?\d*(?:\.\d+)?)([%a-zA-Z])")


def output(call: Call) -> Stream:
    writer = WRITERS.get(call.name)
    if writer is not None:
        return writer(call)
    if call.name in DIGESTS:
        return OPAQUE
    return Stream(None, call.stdin.taints | (all_taints(call.args) & SECRET))


def _cat(call: Call) -> Stream:
    """Copies: of files, or of standard input."""
    files = [arg for arg in call.args if not arg.value.startswith("-") or arg.value == "-"]
    if not files:
        return call.stdin
    streams = [call.stdin if file.value == "-" else file_stream(file, call.scope) for file in files]
    taints = frozenset(taint for stream in streams for taint in stream.taints)
    texts = [stream.text for stream in streams if stream.text is not None]
    return Stream("".join(texts) if len(texts) == len(streams) else None, taints)


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
    fetched = Stream(None, NETWORK)
    files = downloaded_to(call)
    if files and files[-1].value not in {"-", "/dev/stdout"}:
        call.scope.wrote(files[-1].value, fetched)
        return EMPTY
    by_name = call.has("O", "remote-name-all") if call.name == "curl" else not files
    if not by_name:
        return fetched
    prefix = call.arguments.value(*(("output-dir",) if call.name == "curl" else ("P", "d")))
    folder = prefix.value if prefix else "."
    for text in call.operands:
        base = text.value.rstrip("/").rpartition("/")[2].partition("?")[0]
        call.scope.wrote(f"{folder}/{base}", fetched)
    return EMPTY if call.name == "wget" else OPAQUE


def _archive(call: Call) -> Stream:
    """tar, zip, dd and their like: a copy of the files named."""
    taints = call.stdin.taints
    for arg in call.args:
        text = arg.saying(arg.value.partition("=")[2]) if "=" in arg.value else arg
        if not text.value.startswith("-") and holds_secrets(text, call.scope):
            taints |= SECRET
    return Stream(None, taints)


def _find(call: Call) -> Stream:
    paths = Search(call.args).paths()
    return Stream(None, call.stdin.taints, tuple(path.value for path in paths))


def _list(call: Call) -> Stream:
    folders = [arg.value for arg in call.plain_words] or ["."]
    return Stream(None, frozenset(), tuple(f"{folder}/{STAR}" for folder in folders))


def _containers(call: Call) -> Stream:
    """`docker ps -aq` names everything there is, unless it is filtered."""
    words = [text.value for text in call.operands]
    if words[:1] not in (["ps"], ["images"]) and words[1:2] not in (["ls"], ["list"]):
        return Stream(None, call.stdin.taints)
    return Stream(SOME if call.has("f", "filter") or words[2:] else STAR)


def _shell_output(call: Call) -> Stream:
    """A shell that reads unknown orders answers whoever is behind them."""
    code = any(arg.value in {"-c", "-lc"} for arg in call.args)
    instructed = call.stdin.text is not None or code or call.plain_words
    return Stream(None, call.stdin.taints | (NO_TAINTS if instructed else {Taint.SHELL}))


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


def _decode(call: Call) -> Stream:
    if call.name == "openssl" and call.args and call.args[0].value in {"s_client", "s_server"}:
        return Stream(None, NETWORK | call.stdin.taints)
    exports = any(o.name.startswith("export-secret") for o in call.arguments.options)
    if call.name == "gpg" and exports:
        return Stream(None, SECRET)
    files = [arg for arg in call.operands if arg.stream or "/" in arg.value or "." in arg.value]
    source = file_stream(files[0], call.scope) if files and call.name != "tr" else call.stdin
    taints = source.taints | call.stdin.taints
    decodes = call.has("d", "D", "decode", "decompress", "r", "revert", "decrypt", "dc")
    # `tr -d` takes characters away, and hides nothing.
    if (call.name in ENCODERS and not decodes) or (call.name == "tr" and call.has("d", "s", "c")):
        return Stream(None, taints)
    return Stream(_decoded(call, source.text), taints | DECODED)


def _decoded(call: Call, text: str | None) -> str | None:
    if text is None:
        return None
    try:
        if call.name == "base64":
            return base64.b64decode("".join(text.split()) + "==", validate=False).decode("latin-1")
        if call.name == "base32":
            return base64.b32decode("".join(text.split())).decode("latin-1")
        if call.name == "xxd":
            return bytes.fromhex("".join(text.split())).decode("latin-1")
    except (binascii.Error, ValueError):
        return None
    if call.name == "rev":
        return "\n".join(line[::-1] for line in text.split("\n"))
    if call.name == "tr" and len(call.operands) == 2:  # noqa: PLR2004 - from and to
        source, to = (_characters(operand.value) for operand in call.operands)
        if source and to:
            to = to.ljust(len(source), to[-1])
            return text.translate(dict(zip(map(ord, source), to, strict=False)))
    return None


def _characters(value: str) -> str:
    def between(span: re.Match[str]) -> str:
        first, last = ord(span[1]), ord(span[2])
        return "".join(map(chr, range(first, min(last, first + 256) + 1)))

    return re.sub(r"(.)-(.)", between, _unescape(value))


def _echo(call: Call) -> Stream:
    args = list(call.args)
    flags = ""
    while args and re.fullmatch(r"-[neE]+", args[0].value):
        flags += args.pop(0).value
    text = _unescape(joined(args)) if "e" in flags else joined(args)
    return Stream(text + ("" if "n" in flags else "\n"), all_taints(args))


def _printf(call: Call) -> Stream:
    args = list(call.args)
    if args and args[0].value == "-v":
        if len(args) > 2:  # noqa: PLR2004 - name and format
            text = _formatted(args[2].value, [arg.value for arg in args[3:]])
            call.scope.assign(args[1].value, text)
        return EMPTY
    args = args[1:] if args and args[0].value == "--" else args
    if not args:
        return EMPTY
    return Stream(_formatted(args[0].value, [arg.value for arg in args[1:]]), all_taints(args))


def _formatted(form: str, values: list[str]) -> str:
    pieces: list[str] = []
    left = list(values)
    for _ in range(max(1, len(values))):

        def fill(directive: re.Match[str]) -> str:
            if directive[2] == "%":
                return "%"
            value = left.pop(0) if left else ""
            if directive[2] == "b":
                return _unescape(value)
            return value[:1] if directive[2] == "c" else value

        pieces.append(DIRECTIVE.sub(fill, _unescape(form)))
        if not left or not DIRECTIVE.search(form):
            break
    return "".join(pieces)


def _unescape(text: str) -> str:
    def one(escape: re.Match[str]) -> str:
        if escape[1] or escape[2]:
            return chr(int(escape[1] or escape[2], 16))
        if escape[3]:
            return chr(int(escape[3], 8) % 256)
        return ESCAPES.get(escape[4], "\\" + escape[4])

    return ESCAPE.sub(one, text) if "\\" in text else text


def _constant(value: str) -> Callable[[Call], Stream]:
    return lambda _: Stream(value)


def _which(call: Call) -> Stream:
    words = call.plain_words
    return Stream(f"/usr/bin/{words[0].value}\n") if words else OPAQUE


def _split_path(call: Call) -> Stream:
    words = call.plain_words
    if not words or UNKNOWN in words[0].value:
        return Stream(SOME)
    split = posixpath.dirname if call.name == "dirname" else posixpath.basename
    return Stream((split(words[0].value.rstrip("/")) or ".") + "\n")


def _resolved(call: Call) -> Stream:
    words = call.plain_words
    known = bool(words) and words[0].known
    return Stream(places(words[0].value, call.scope.cwd)[0].path if known else SOME)


def _network(call: Call) -> Stream:
    return Stream(None, NETWORK | call.stdin.taints)


def _environment(call: Call) -> Stream:
    return Stream(SOME) if call.args else Stream(None, SECRET)


_WRITERS: dict[Callable[[Call], Stream], str] = {
    _echo: "echo print",
    _printf: "printf",
    _cat: "cat",
    _find: "find",
    _list: "ls",
    _fetch: "curl wget aria2c",
    _network: "fetch http https lynx w3m links nc socat telnet ftp tftp GET dig nslookup host s3cmd"
    " gsutil xh",
    # They copy their input in part: text that was known is no longer, and code built so hides.
    _edit: "tac tee sed awk cut perl python ruby sort grep fold paste head tail fmt column jq"
    " xargs",
    _decode: "base64 base32 uudecode xxd gunzip zcat bzcat xzcat gzip bzip2 xz openssl gpg rev tr"
    " uncompress unxz bunzip2 zstd zstdcat lz4 ascii85 basenc",
    _archive: "tar zip dd 7z cpio",
    _environment: "env printenv",
    _processes: "ps",
    _which: "which command type whence",
    _split_path: "dirname basename",
    _resolved: "realpath readlink",
    _secret_keeper: "history pass security kubectl vault",
    _containers: "docker",
    _shell_output: "sh bash zsh dash",
    lambda call: Stream(call.scope.cwd or "."): "pwd",
    _constant(f"{ENVIRONMENT['TMPDIR']}/{SOME}\n"): "mktemp",
    _constant(""): ": true",
    _constant("me\n"): "whoami logname",
    _constant(SOME): "date hostname uname nproc id seq uuidgen arch getconf lsb_release git",
}
WRITERS = {name: writer for writer, written in _WRITERS.items() for name in written.split()}
