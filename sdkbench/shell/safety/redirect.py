"""Redirections: where a command reads from, and what becomes of what it writes."""

import re
from dataclasses import dataclass

from sdkbench.shell.safety.expand import expand_parts, expand_single
from sdkbench.shell.safety.places import file_stream
from sdkbench.shell.safety.rules.effects import judge_write
from sdkbench.shell.safety.scope import Scope
from sdkbench.shell.safety.values import EMPTY, Stream, Taint, Text
from sdkbench.shell.syntax import Redirect

SOCKET = re.compile(r"^/dev/(tcp|udp)/")
NETWORK = frozenset({Taint.NETWORK})


@dataclass(frozen=True, slots=True)
class Plumbing:
    stdin: Stream
    outputs: tuple[tuple[Text, bool], ...]  # target, appending
    connected: bool = False  # a socket is among the descriptors


def plumb(redirects: tuple[Redirect, ...], scope: Scope, stdin: Stream) -> Plumbing:
    outputs: list[tuple[Text, bool]] = []
    connected = scope.talks_to
    for redirect in redirects:
        if redirect.heredoc is not None:
            body = expand_parts(redirect.heredoc.parts, scope)
            stdin = Stream(body.value, body.taints)
            continue
        target = expand_single(redirect.target, scope)
        socket = bool(SOCKET.match(target.value))
        connected = connected or socket
        if socket:
            scope.sockets.add(redirect.descriptor or "0")
        match redirect.operator:
            case "<<<":
                stdin = Stream(target.value + "\n", target.taints)
            case "<" | "<>":
                stdin = Stream(taints=NETWORK) if socket else file_stream(target, scope)
            case "<&" | ">&" if target.value.rstrip("-").isdigit() or target.value == "-":
                if target.value.rstrip("-") in scope.sockets:
                    connected = True
                    if redirect.operator == "<&":
                        stdin = Stream(taints=NETWORK)
            case "<&":
                continue
            case _:
                # Errors alone hold nothing of ours, but they overwrite a file all the same.
                outputs.append((target, redirect.operator in {">>", "&>>"}))
    return Plumbing(stdin, tuple(outputs), connected)


def finish(stream: Stream, plumbing: Plumbing, scope: Scope) -> Stream:
    """What is left for the next in the pipe once the files have taken theirs."""
    for target, appending in plumbing.outputs:
        if SOCKET.match(target.value):
            if Taint.SECRET in stream.taints:
                scope.report("secret-to-network.written", target.span)
            continue
        judge_write(target, scope, appending=appending, content=stream)
        if target.stream is None:
            scope.wrote(target.value, stream)
    return EMPTY if plumbing.outputs else stream
