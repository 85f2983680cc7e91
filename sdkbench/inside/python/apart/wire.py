"""Values as they cross between the two processes: frames of JSON arrays, and blobs.

The side of the tests believes nothing of what it reads: sizes, depth and forms are checked, every
object is made by this file from plain parts, and whatever does not fit is a WireError. What is not
plain data (a function, an object of the solution's) is the business of the two ends, as `other`.
"""

import base64
import binascii
import collections
import datetime as dt
import decimal
import json
import math
import pathlib
import re
import socket
import struct
import sys
import uuid
from collections.abc import Callable
from typing import Any

VERSION = 1
MAX_FRAME = 64 << 20
MAX_JSON = 16 << 20
MAX_BLOBS = 1024
MAX_DEPTH = 60
MAX_NODES = 2_000_000
MAX_TOTAL = 1 << 30  # of all frames of a run
SMALL_BLOB = 4096
MAX_DIGITS = 100_000  # of one whole number, in hexadecimal
MAX_DECIMAL = 4000
EXACT = 1 << 53  # whole numbers up to here are written as they are
NUMPY_KINDS = "biufcMmSU"
NUMPY_TYPE = re.compile(r"[<>|=][biufcSU]\d{1,6}|[<>=][Mm]8(\[\d{0,9}[a-zA-Z]{1,2}\])?")
MAX_DIMENSIONS = 32
CONTAINERS = (list, dict, set, bytearray)  # those that a callee can change

Node = Any  # what json reads: None, bool, int, float, str, or a list that begins with a tag


class WireError(Exception):
    """A frame or a value that is not of our writing, or too large."""


class TooLarge(WireError):
    """A value over one of the limits."""


class Socket:
    """Frames over a stream socket: lengths, then JSON, then blobs."""

    def __init__(self, stream: socket.socket) -> None:
        self._stream = stream
        self._unread = bytearray()
        self._received = 0

    def send(self, message: Node, blobs: list[bytes]) -> None:
        body = json.dumps(message, allow_nan=False, separators=(",", ":")).encode()
        if len(body) > MAX_JSON or len(body) + sum(map(len, blobs)) > MAX_FRAME:
            raise TooLarge(f"a value of {len(body) + sum(map(len, blobs)):,} bytes cannot cross")
        sizes = struct.pack(f"<{len(blobs)}Q", *map(len, blobs))
        head = struct.pack("<II", len(body), len(blobs))
        self._stream.sendall(b"".join([head, sizes, body, *blobs]))

    def receive(self) -> tuple[Node, list[bytes]]:
        """Raises EOFError where the other side is gone."""
        length, count = struct.unpack("<II", self._take(8))
        if count > MAX_BLOBS:
            raise WireError("too many blobs")
        sizes = struct.unpack(f"<{count}Q", self._take(8 * count))
        whole = length + sum(sizes)
        self._received += whole
        if length > MAX_JSON or whole > MAX_FRAME:
            raise TooLarge(f"an answer of {whole:,} bytes")
        if self._received > MAX_TOTAL:
            raise TooLarge(f"more than {MAX_TOTAL:,} bytes of answers in one run")
        body = self._take(length)
        blobs = [self._take(size) for size in sizes]
        try:
            return json.loads(
                body, object_pairs_hook=_refuse_object, parse_constant=_refuse_object
            ), blobs
        except (ValueError, RecursionError) as error:
            raise WireError(f"not of our writing: {error}") from None

    def _take(self, count: int) -> bytes:
        while len(self._unread) < count:
            piece = self._stream.recv(max(1 << 16, min(count - len(self._unread), 1 << 20)))
            if not piece:
                raise EOFError
            self._unread += piece
        taken = bytes(self._unread[:count])
        del self._unread[:count]
        return taken


def _refuse_object(_: object) -> Any:
    raise ValueError("there are no objects or constants on this wire")


def is_plain_scalar(value: object) -> bool:
    return value is None or type(value) in {bool, int, float, str, bytes, complex}


class Encoder:
    """Turns values into nodes and blobs. `other` is asked for what is not plain, or raises."""

    def __init__(self, other: Callable[[object, "Encoder", int], Node]) -> None:
        self._other = other
        self.blobs: list[bytes] = []
        self.nodes = 0

    def encode(self, value: Any, depth: int = 0) -> Node:
        kind = type(value)
        if value is None or kind in {bool, str}:
            return value
        self.nodes += 1
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise TooLarge(f"a value more than {MAX_DEPTH} deep, or of {MAX_NODES:,} parts")
        if kind is int:
            return value if -EXACT < value < EXACT else ["i", _hexadecimal(value)]
        if kind is float:
            return value if math.isfinite(value) else ["f", repr(value)]
        write = _WRITERS.get(kind)
        if write is not None:
            return write(value, self, depth + 1)
        if isinstance(value, pathlib.PurePath) and kind.__module__.startswith("pathlib"):
            return ["p", str(value)]
        if value is Ellipsis:
            return ["el"]
        package = kind.__module__.partition(".")[0]
        if package in _PACKAGES and (node := _PACKAGES[package](value, self)) is not None:
            return node
        return self._other(value, self, depth)

    def encode_all(self, values: Any, depth: int) -> list[Node]:
        return [self.encode(value, depth) for value in values]

    def blob(self, data: bytes) -> Node:
        if len(data) <= SMALL_BLOB:
            return base64.b64encode(data).decode()
        self.blobs.append(data)
        return len(self.blobs) - 1


def _hexadecimal(value: int) -> str:
    text = hex(value)
    if len(text) > MAX_DIGITS:
        raise TooLarge(f"a whole number of {len(text):,} digits")
    return text


def _moment(value: dt.datetime, encoder: Encoder, depth: int) -> Node:
    zone = value.tzinfo
    if zone is None or type(zone) is dt.timezone:
        return ["dt", value.isoformat(), value.fold]
    name = getattr(zone, "key", None)
    if type(name) is str:
        return ["dz", value.replace(tzinfo=None).isoformat(), value.fold, name]
    return encoder._other(value, encoder, depth)  # noqa: SLF001 - of this file


def _pairs(value: Any, encoder: Encoder, depth: int) -> list[Node]:
    return [encoder.encode(each, depth) for pair in value.items() for each in pair]


_WRITERS: dict[type, Callable[[Any, Encoder, int], Node]] = {
    list: lambda v, e, d: ["L", *e.encode_all(v, d)],
    tuple: lambda v, e, d: ["T", *e.encode_all(v, d)],
    set: lambda v, e, d: ["S", *e.encode_all(v, d)],
    frozenset: lambda v, e, d: ["F", *e.encode_all(v, d)],
    dict: lambda v, e, d: ["D", *_pairs(v, e, d)],
    collections.OrderedDict: lambda v, e, d: ["OD", *_pairs(v, e, d)],
    collections.Counter: lambda v, e, d: ["CO", *_pairs(v, e, d)],
    collections.deque: lambda v, e, d: ["DQ", v.maxlen, *e.encode_all(v, d)],
    bytes: lambda v, e, _: ["b", e.blob(v)],
    bytearray: lambda v, e, _: ["ba", e.blob(bytes(v))],
    complex: lambda v, e, d: ["c", e.encode(v.real, d), e.encode(v.imag, d)],
    dt.datetime: _moment,
    dt.date: lambda v, *_: ["da", v.isoformat()],
    dt.time: lambda v, e, d: (
        ["ti", v.isoformat()] if v.tzinfo is None else e._other(v, e, d)  # noqa: SLF001
    ),
    dt.timedelta: lambda v, *_: ["td", v.days, v.seconds, v.microseconds],
    dt.timezone: lambda v, *_: ["tz", int(v.utcoffset(None).total_seconds())],
    decimal.Decimal: lambda v, *_: ["de", str(v)],
    uuid.UUID: lambda v, *_: ["u", v.hex],
    slice: lambda v, e, d: ["sl", *e.encode_all((v.start, v.stop, v.step), d)],
    range: lambda v, e, d: ["rg", *e.encode_all((v.start, v.stop, v.step), d)],
}


def _write_numpy(value: Any, encoder: Encoder) -> Node:
    np = _loaded("numpy")

    if not isinstance(value, np.ndarray | np.generic) or type(value).__module__ != "numpy":
        return None
    if value.dtype.kind not in NUMPY_KINDS or value.dtype.names is not None:
        return None
    data = encoder.blob(np.ascontiguousarray(value).tobytes())
    if isinstance(value, np.generic):
        return ["ns", value.dtype.str, data]
    return ["np", value.dtype.str, list(value.shape), data]


def _write_arrow(value: Any, encoder: Encoder) -> Node:
    pa = _loaded("pyarrow")

    if isinstance(value, pa.Schema):
        return ["as", encoder.blob(value.serialize().to_pybytes())]
    if isinstance(value, pa.DataType | pa.Field):
        field = value if isinstance(value, pa.Field) else pa.field("x", value)
        tag = "af" if isinstance(value, pa.Field) else "ad"
        return [tag, encoder.blob(pa.schema([field]).serialize().to_pybytes())]
    if isinstance(value, pa.Table):
        return ["at", encoder.blob(_table_bytes(pa, value))]
    if isinstance(value, pa.RecordBatch):
        return ["ab", encoder.blob(_table_bytes(pa, pa.Table.from_batches([value])))]
    if isinstance(value, pa.Array | pa.ChunkedArray):
        tag = "aa" if isinstance(value, pa.Array) else "ac"
        return [tag, encoder.blob(_table_bytes(pa, pa.table({"x": value})))]
    if isinstance(value, pa.Scalar):
        column = pa.array([value.as_py()], type=value.type)
        return ["ax", encoder.blob(_table_bytes(pa, pa.table({"x": column})))]
    return None


def _write_pandas(value: Any, encoder: Encoder) -> Node:
    pd = _loaded("pandas")

    if isinstance(value, pd.Timestamp):
        return encoder.encode(value.to_pydatetime())
    if not isinstance(value, pd.DataFrame | pd.Series):
        return None
    pa = _loaded("pyarrow")

    try:
        if isinstance(value, pd.DataFrame):
            return ["pd", encoder.blob(_table_bytes(pa, pa.Table.from_pandas(value)))]
        table = pa.Table.from_pandas(value.to_frame("x"))
    except (pa.ArrowException, ValueError, TypeError):
        return None
    return ["ps", encoder.encode(value.name), encoder.blob(_table_bytes(pa, table))]


def _table_bytes(pa: Any, table: Any) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


_PACKAGES: dict[str, Callable[[Any, Encoder], Node]] = {
    "numpy": _write_numpy,
    "pyarrow": _write_arrow,
    "pandas": _write_pandas,
}


class Decoder:
    """Turns nodes into values. `other` is asked for tags that are not plain data's."""

    def __init__(
        self, blobs: list[bytes], other: Callable[[str, list[Node], "Decoder", int], object]
    ) -> None:
        self.blobs = blobs
        self._other = other
        self.nodes = 0

    def decode(self, node: Node, depth: int = 0) -> Any:
        kind = type(node)
        if node is None or kind in {bool, int, float, str}:
            return node
        if kind is not list or not node or type(node[0]) is not str:
            raise WireError("unknown form")
        self.nodes += len(node)
        if depth > MAX_DEPTH or self.nodes > MAX_NODES:
            raise TooLarge(f"a value more than {MAX_DEPTH} deep, or of {MAX_NODES:,} parts")
        tag, rest = node[0], node[1:]
        read = _READERS.get(tag)
        if read is None:
            return self._other(tag, node, self, depth)
        try:
            return read(self, rest, depth + 1)
        except WireError:
            raise
        # Whatever a hostile value brings a constructor to: it does not come through.
        except Exception as error:  # noqa: BLE001
            raise WireError(f"{tag}: {type(error).__name__}: {str(error)[:200]}") from None

    def decode_all(self, nodes: list[Node], depth: int) -> list[Any]:
        return [self.decode(node, depth) for node in nodes]

    def decode_pairs(self, nodes: list[Node], depth: int) -> list[tuple[Any, Any]]:
        if len(nodes) % 2:
            raise WireError("a key without a value")
        values = self.decode_all(nodes, depth)
        return list(zip(values[::2], values[1::2], strict=True))

    def blob(self, node: Node) -> bytes:
        try:
            if type(node) is str:
                return base64.b64decode(node, validate=True)
        except binascii.Error as error:
            raise WireError(f"blob: {error}") from None
        if type(node) is not int or not 0 <= node < len(self.blobs):
            raise WireError("no such blob")
        return self.blobs[node]


def text(node: Node, most: int = MAX_JSON) -> str:
    if type(node) is not str or len(node) > most:
        raise WireError("a text was expected")
    return node


def number(node: Node) -> int:
    if type(node) is not int:
        raise WireError("a whole number was expected")
    return node


def _read_integer(_: Decoder, rest: list[Node], __: int) -> int:
    return int(text(rest[0], MAX_DIGITS), 16)


def _read_float(_: Decoder, rest: list[Node], __: int) -> float:
    return {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[rest[0]]


def _read_moment(_: Decoder, rest: list[Node], __: int) -> dt.datetime:
    return dt.datetime.fromisoformat(text(rest[0], 64)).replace(fold=number(rest[1]))


def _read_zoned(decoder: Decoder, rest: list[Node], depth: int) -> dt.datetime:
    import zoneinfo  # noqa: PLC0415 - few values need it

    zone = zoneinfo.ZoneInfo(text(rest[2], 64))
    return _read_moment(decoder, rest, depth).replace(tzinfo=zone)


def _read_path(_: Decoder, rest: list[Node], __: int) -> pathlib.Path:
    return pathlib.Path(text(rest[0], 1 << 16))


def _read_deque(decoder: Decoder, rest: list[Node], depth: int) -> Any:
    longest = None if rest[0] is None else number(rest[0])
    return collections.deque(decoder.decode_all(rest[1:], depth), longest)


def _read_counter(decoder: Decoder, rest: list[Node], depth: int) -> Any:
    return collections.Counter(dict(decoder.decode_pairs(rest, depth)))


def _read_numpy(decoder: Decoder, rest: list[Node], _: int) -> Any:
    np = _loaded("numpy")
    # Checked by form first: the constructor of types understands far more than names.
    if not NUMPY_TYPE.fullmatch(text(rest[0], 32)):
        raise WireError("type of an array")
    kind = np.dtype(rest[0])
    data = np.frombuffer(decoder.blob(rest[-1]), dtype=kind)
    if not rest[2:]:
        return data[0]
    shape = tuple(number(each) for each in rest[1])
    if len(shape) > MAX_DIMENSIONS or any(each < 0 for each in shape):
        raise WireError("shape of an array")
    return data.reshape(shape).copy()


def _read_schema(pick: Callable[[Any], Any]) -> Callable[[Decoder, list[Node], int], Any]:
    def read(decoder: Decoder, rest: list[Node], _: int) -> Any:
        pa = _loaded("pyarrow")
        schema = pa.ipc.read_schema(pa.py_buffer(decoder.blob(rest[0])))
        _refuse_extensions(schema)
        return pick(schema)

    return read


def _read_table(pick: Callable[[Any], Any]) -> Callable[[Decoder, list[Node], int], Any]:
    def read(decoder: Decoder, rest: list[Node], _: int) -> Any:
        pa = _loaded("pyarrow")
        with pa.ipc.open_stream(pa.py_buffer(decoder.blob(rest[-1]))) as stream:
            _refuse_extensions(stream.schema)
            table = stream.read_all()
        table.validate(full=True)
        return pick(table)

    return read


def _read_series(decoder: Decoder, rest: list[Node], depth: int) -> Any:
    series = _read_table(lambda table: table.to_pandas()["x"])(decoder, rest, depth)
    series.name = decoder.decode(rest[0], depth)
    return series


def _refuse_extensions(schema: Any) -> None:
    """An extension type is code that its name calls up."""
    waiting = list(schema)
    while waiting:
        field = waiting.pop()
        metadata = field.metadata or {}
        if any(key.startswith(b"ARROW:extension") for key in metadata):
            raise WireError("an extension type")
        waiting += [field.type.field(i) for i in range(field.type.num_fields)]


def _loaded(name: str) -> Any:
    """A package for its own kind of data, if the project's environment has it."""
    import importlib  # noqa: PLC0415

    try:
        return sys.modules.get(name) or importlib.import_module(name)
    except ImportError as error:
        raise WireError(f"{name} is not there: {error}") from None


_READERS: dict[str, Callable[[Decoder, list[Node], int], Any]] = {
    "i": _read_integer,
    "f": _read_float,
    "L": lambda d, n, depth: d.decode_all(n, depth),
    "T": lambda d, n, depth: tuple(d.decode_all(n, depth)),
    "S": lambda d, n, depth: set(d.decode_all(n, depth)),
    "F": lambda d, n, depth: frozenset(d.decode_all(n, depth)),
    "D": lambda d, n, depth: dict(d.decode_pairs(n, depth)),
    "OD": lambda d, n, depth: collections.OrderedDict(d.decode_pairs(n, depth)),
    "CO": _read_counter,
    "DQ": _read_deque,
    "b": lambda d, n, _: d.blob(n[0]),
    "ba": lambda d, n, _: bytearray(d.blob(n[0])),
    "c": lambda d, n, depth: complex(*map(float, d.decode_all(n[:2], depth))),
    "dt": _read_moment,
    "dz": _read_zoned,
    "da": lambda _, n, __: dt.date.fromisoformat(text(n[0], 64)),
    "ti": lambda _, n, __: dt.time.fromisoformat(text(n[0], 64)),
    "td": lambda _, n, __: dt.timedelta(number(n[0]), number(n[1]), number(n[2])),
    "tz": lambda _, n, __: dt.timezone(dt.timedelta(seconds=number(n[0]))),
    "de": lambda _, n, __: decimal.Decimal(text(n[0], MAX_DECIMAL)),
    "u": lambda _, n, __: uuid.UUID(hex=text(n[0], 64)),
    "p": _read_path,
    "sl": lambda d, n, depth: slice(*d.decode_all(n[:3], depth)),
    "rg": lambda d, n, depth: range(*(d.decode_all(n[:3], depth))),
    "el": lambda *_: Ellipsis,
    "ns": _read_numpy,
    "np": _read_numpy,
    "as": _read_schema(lambda schema: schema),
    "ad": _read_schema(lambda schema: schema.field(0).type),
    "af": _read_schema(lambda schema: schema.field(0)),
    "at": _read_table(lambda table: table),
    "ab": _read_table(lambda table: table.combine_chunks().to_batches()[0]),
    "aa": _read_table(lambda table: table.column(0).combine_chunks()),
    "ac": _read_table(lambda table: table.column(0)),
    "ax": _read_table(lambda table: table.column(0)[0]),
    "pd": _read_table(lambda table: table.to_pandas()),
    "ps": _read_series,
}
