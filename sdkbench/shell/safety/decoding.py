"""Programs that turn text back into what it hides: computed where the text is known."""

import base64
import binascii
import re

from sdkbench.shell.safety.call import Call
from sdkbench.shell.safety.options import read_arguments
from sdkbench.shell.safety.printing import unescape
from sdkbench.shell.safety.sources import file_stream
from sdkbench.shell.safety.values import Stream, Taint, Text

NETWORK = frozenset({Taint.NETWORK})
DECODED = frozenset({Taint.DECODED})
SECRET = frozenset({Taint.SECRET})
# These decode only when told to.
ENCODERS = frozenset({
    "base64", "base32", "basenc", "xxd", "gzip", "bzip2", "xz", "zstd", "lz4", "openssl", "gpg",
})  # fmt: skip
DECODERS = frozenset({
    "base64", "base32", "uudecode", "xxd", "gunzip", "zcat", "bzcat", "xzcat", "gzip", "bzip2",
    "xz", "openssl", "gpg", "rev", "tr", "uncompress", "unxz", "bunzip2", "zstd", "zstdcat",
    "lz4", "ascii85", "basenc",
})  # fmt: skip


def decode(call: Call) -> Stream:
    arguments = read_arguments(call.args, "wcsnl")
    if call.name == "openssl" and call.args and call.args[0].value in {"s_client", "s_server"}:
        return Stream(None, NETWORK | call.stdin.taints)
    if call.name == "gpg" and any(flag.startswith("export-secret") for flag in arguments.flags):
        return Stream(None, SECRET)
    files = [
        arg for arg in arguments.operands if "/" in arg.value or arg.stream or "." in arg.value
    ]
    source = file_stream(files[0], call.scope) if files and call.name != "tr" else call.stdin
    taints = source.taints | call.stdin.taints
    decodes = call.name not in {
        "base64",
        "base32",
        "basenc",
        "xxd",
        "gzip",
        "bzip2",
        "xz",
        "zstd",
        "lz4",
        "openssl",
        "gpg",
    }
    if arguments.has("d", "D", "decode", "decompress", "r", "revert", "decrypt", "dc"):
        decodes = True
    if call.name == "tr" and arguments.has("d", "s", "c"):  # takes characters away, hides nothing
        return Stream(None, taints)
    if not decodes:
        return Stream(None, taints)
    return Stream(_decoded(call, source.text, arguments.operands), taints | DECODED)


def _decoded(call: Call, text: str | None, operands: tuple[Text, ...]) -> str | None:
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
    if call.name == "tr" and len(operands) == 2:  # noqa: PLR2004 - from and to
        source, to = (_characters(operand.value) for operand in operands)
        if source and to:
            to = to.ljust(len(source), to[-1])
            return text.translate(dict(zip(map(ord, source), to, strict=False)))
    return None


def _characters(value: str) -> str:
    return re.sub(
        r"(.)-(.)",
        lambda found: "".join(
            map(chr, range(ord(found[1]), min(ord(found[2]), ord(found[1]) + 256) + 1))
        ),
        unescape(value),
    )
