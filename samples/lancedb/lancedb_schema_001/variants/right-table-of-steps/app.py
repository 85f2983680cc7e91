"""Each step is a function, found by the layout it starts from; new columns are typed fields."""

from pathlib import Path

import pyarrow as pa

import lancedb

LATEST = 3
SIGNATURES = {
    "cents:int32 id:int64 legacy_code:string name:string": 1,
    "cents:int64 id:int64 legacy_code:string title:string": 2,
    "cents:int64 id:int64 note:string price:double title:string": 3,
}


def _find(path: str | Path) -> tuple[lancedb.table.Table, int]:
    if not Path(path).exists():
        raise LookupError(path)
    try:
        table = lancedb.connect(path).open_table("products")
    except ValueError as error:
        raise LookupError("products") from error
    ours = {"id", "name", "title", "cents", "legacy_code", "price", "note"}
    signature = " ".join(sorted(f"{f.name}:{f.type}" for f in table.schema if f.name in ours))
    if signature not in SIGNATURES:
        raise ValueError(signature)
    return table, SIGNATURES[signature]


def layout(path: str | Path) -> int:
    """Look the signature up."""
    return _find(path)[1]


def _rename(table: lancedb.table.Table) -> None:
    table.alter_columns({"path": "name", "rename": "title"})
    table.alter_columns({"path": "cents", "data_type": pa.int64()})


def _price(table: lancedb.table.Table) -> None:
    table.drop_columns(["legacy_code"])
    table.add_columns(pa.schema({"price": pa.float64(), "note": pa.string()}))
    table.update(values_sql={"price": "CAST(cents AS DOUBLE) / 100"})


def upgrade(path: str | Path, to: int = LATEST) -> list[int]:
    """Go step by step."""
    table, present = _find(path)
    if not present <= to <= LATEST:
        raise ValueError(to)
    went = []
    while present < to:
        {1: _rename, 2: _price}[present](table)
        present += 1
        went.append(present)
    return went
