"""Frames that no server writes: lengths without end, unknown forms, types that are code."""

import gc
import json
import random
import socket
import struct

NODES = (
    ["np", "O", [1], "AAAA"],
    ["np", "<i8,(2,3)f4", [1], "AAAA"],
    ["np", "<i8", [1 << 40, 1 << 40], "AAAA"],
    ["pk", "gASVBQAAAAAAAABLAS4="],
    ["at", "AAAA"],
    ["X", "unittest.mock", "_ANY", 3],
    ["X", "_pytest.outcomes", "Skipped", 3],
    ["ob", 5, ["X", "unittest.mock", "_ANY", 3]],
    ["ex", ["X", "_pytest.outcomes", "Skipped", 3], [], "", [], None, "", None],
    ["ex", ["B", "KeyboardInterrupt", 3], [], "", [], None, "", None],
    ["R", 2, ["L"]],
    ["rg", 0, 10**18, 1],
    ["de", "1e999999999"],
)


def answer(value):
    for thing in gc.get_objects():
        if isinstance(thing, socket.socket) and thing.family == socket.AF_UNIX:
            body = json.dumps(["returned", random.choice(NODES), [], ["", ""], [], []]).encode()
            thing.sendall(struct.pack("<II", len(body), 0) + body)
            break
    return value
