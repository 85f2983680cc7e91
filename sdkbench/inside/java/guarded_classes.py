"""Class files of tests in which methods begin with a call of our guard.

Only methods that JUnit may run, and bodies of lambdas: others are called by whom they like. Four
bytes go before a method's code: jumps are relative and switches stay aligned, so that only tables
with absolute places change. The format is chapter 4 of the Java Virtual Machine Specification.
"""

import struct
from typing import NamedTuple

GUARD_CLASS, GUARD_METHOD, GUARD_TYPE = b"sdkbench/entry/Entry", b"check", b"()V"
UTF8, CLASS, METHOD, NAME_AND_TYPE = 1, 7, 10, 12
TWO_PLACES = (5, 6)  # long and double take two numbers of the pool
SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4,
         19: 2, 20: 2}  # fmt: skip
INVOKE_STATIC, NO_OPERATION = 0xB8, 0x00
SHIFT = 4
MAX_CODE = MAX_POOL = 0xFFFF
SYNTHETIC = 0x1000
LAMBDA_BODY = b"lambda$"
NEW_OBJECT, UNINITIALIZED = 7, 8  # kinds of a verified type that have a number
SAME, SAME_WITH_ONE, WIDE_SAME_WITH_ONE, WIDE_SAME, FULL = 64, 128, 247, 251, 255


class Reader:
    """Numbers of a class file, one after the other."""

    def __init__(self, data: bytes, at: int = 0) -> None:
        self.data = data
        self.at = at

    def number(self, size: int) -> int:
        return int.from_bytes(self.bytes(size), "big")

    def bytes(self, size: int) -> bytes:
        self.at += size
        return self.data[self.at - size : self.at]


class Pool(NamedTuple):
    size: int
    texts: dict[int, bytes]
    end: int


def guarded(data: bytes) -> bytes:
    """The class with the guard in its methods; as it is where there is no room for that."""
    pool = _pool(data)
    if pool.size + 6 > MAX_POOL:
        return data
    guard = pool.size + 5
    added = struct.pack(">BH", UTF8, len(GUARD_CLASS)) + GUARD_CLASS
    added += struct.pack(">BH", UTF8, len(GUARD_METHOD)) + GUARD_METHOD
    added += struct.pack(">BH", UTF8, len(GUARD_TYPE)) + GUARD_TYPE
    added += struct.pack(">BH", CLASS, pool.size)
    added += struct.pack(">BHH", NAME_AND_TYPE, pool.size + 1, pool.size + 2)
    added += struct.pack(">BHH", METHOD, pool.size + 3, pool.size + 4)
    reader = Reader(data, pool.end + 6)  # after the class's own names
    reader.bytes(2 * reader.number(2))  # interfaces
    for _ in range(reader.number(2)):  # fields
        reader.bytes(6)
        _attributes(reader)
    start = reader.at
    methods = [_method(reader, pool.texts, guard) for _ in range(reader.number(2))]
    head = data[:8] + struct.pack(">H", pool.size + 6) + data[10 : pool.end] + added
    count = struct.pack(">H", len(methods))
    return head + data[pool.end : start] + count + b"".join(methods) + data[reader.at :]


def _pool(data: bytes) -> Pool:
    reader = Reader(data, 8)
    count, number, texts = reader.number(2), 1, {}
    while number < count:
        tag = reader.number(1)
        if tag == UTF8:
            texts[number] = reader.bytes(reader.number(2))
        else:
            reader.bytes(SIZES[tag])
        number += 2 if tag in TWO_PLACES else 1
    return Pool(count, texts, reader.at)


def _attributes(reader: Reader) -> list[tuple[int, bytes]]:
    """The number of each one's name, and what it holds."""
    return [(reader.number(2), reader.bytes(reader.number(4))) for _ in range(reader.number(2))]


def _joined(attributes: list[tuple[int, bytes]]) -> bytes:
    parts = [struct.pack(">HI", name, len(content)) + content for name, content in attributes]
    return struct.pack(">H", len(attributes)) + b"".join(parts)


def _method(reader: Reader, texts: dict[int, bytes], guard: int) -> bytes:
    head = reader.bytes(6)
    access, name = struct.unpack(">HH", head[:4])
    attributes = _attributes(reader)
    names = {texts[number] for number, _ in attributes}
    lambda_body = access & SYNTHETIC and texts[name].startswith(LAMBDA_BODY)
    if b"RuntimeVisibleAnnotations" in names or lambda_body:
        attributes = [
            (number, _code(content, texts, guard) if texts[number] == b"Code" else content)
            for number, content in attributes
        ]
    return head + _joined(attributes)


def _code(content: bytes, texts: dict[int, bytes], guard: int) -> bytes:
    reader = Reader(content)
    sizes = reader.bytes(4)  # of the stack and of the local variables
    code = reader.bytes(reader.number(4))
    if len(code) + SHIFT > MAX_CODE:
        return content
    code = struct.pack(">BHB", INVOKE_STATIC, guard, NO_OPERATION) + code
    handlers = b""
    count = reader.number(2)
    for _ in range(count):
        start, end, handler, kind = struct.unpack(">4H", reader.bytes(8))
        handlers += struct.pack(">4H", start + SHIFT, end + SHIFT, handler + SHIFT, kind)
    attributes = []
    for number, table in _attributes(reader):
        match texts[number]:
            case b"LineNumberTable":
                attributes.append((number, _lines(table)))
            case b"LocalVariableTable" | b"LocalVariableTypeTable":
                attributes.append((number, _variables(table)))
            case b"StackMapTable":
                attributes.append((number, _frames(table)))
            # Annotations of types within code, which nobody can see while it runs, are left out.
    return (
        sizes
        + struct.pack(">I", len(code))
        + code
        + struct.pack(">H", count)
        + handlers
        + _joined(attributes)
    )


def _lines(table: bytes) -> bytes:
    """The first line begins with the guard."""
    reader = Reader(table)
    parts = [table[:2]]
    for _ in range(reader.number(2)):
        start, line = struct.unpack(">HH", reader.bytes(4))
        parts.append(struct.pack(">HH", start + SHIFT if start else 0, line))
    return b"".join(parts)


def _variables(table: bytes) -> bytes:
    reader = Reader(table)
    parts = [table[:2]]
    for _ in range(reader.number(2)):
        start, length = struct.unpack(">HH", reader.bytes(4))
        place = (start + SHIFT, length) if start else (0, length + SHIFT)
        parts.append(struct.pack(">HH", *place) + reader.bytes(6))
    return b"".join(parts)


def _frames(table: bytes) -> bytes:
    """Only the first frame tells its place from the beginning; each other one from the last."""
    reader = Reader(table)
    frames = [_frame(reader, 0 if number else SHIFT) for number in range(reader.number(2))]
    return table[:2] + b"".join(frames)


def _frame(reader: Reader, shift: int) -> bytes:
    kind = reader.number(1)
    if kind < SAME:
        place = kind + shift
        return bytes([place]) if place < SAME else struct.pack(">BH", WIDE_SAME, place)
    if kind < SAME_WITH_ONE:
        place = kind - SAME + shift
        head = struct.pack(">BH", WIDE_SAME_WITH_ONE, place)
        return (bytes([SAME + place]) if place < SAME else head) + _types(reader, 1)
    head = struct.pack(">BH", kind, reader.number(2) + shift)
    if kind == WIDE_SAME_WITH_ONE:
        return head + _types(reader, 1)
    if kind == FULL:
        parts = [head]
        for _ in range(2):  # local variables, then the stack
            count = reader.number(2)
            parts.append(struct.pack(">H", count) + _types(reader, count))
        return b"".join(parts)
    return head + _types(reader, max(0, kind - WIDE_SAME))  # so many more variables


def _types(reader: Reader, count: int) -> bytes:
    parts = []
    for _ in range(count):
        kind = reader.number(1)
        parts.append(bytes([kind]))
        if kind in {NEW_OBJECT, UNINITIALIZED}:
            number = reader.number(2) + (SHIFT if kind == UNINITIALIZED else 0)
            parts.append(struct.pack(">H", number))
    return b"".join(parts)
