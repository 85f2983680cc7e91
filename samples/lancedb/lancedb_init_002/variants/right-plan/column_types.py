"""Type names of a layout and the Arrow types they stand for."""

import re

import pyarrow as pa


def parse(name: str) -> pa.DataType:
    """Return the Arrow type for a name; ValueError if there is none."""
    match name:
        case "string":
            return pa.utf8()
        case "int":
            return pa.int64()
        case "float":
            return pa.float64()
        case "bool":
            return pa.bool_()
    vector = re.fullmatch(r"vector:([1-9][0-9]*)", name)
    if vector is None:
        raise ValueError(f"no such column type: {name!r}")
    return pa.list_(pa.float32(), int(vector[1]))
