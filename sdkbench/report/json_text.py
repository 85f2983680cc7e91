"""Values → JSON as it is printed, and types → the JSON Schema of that."""

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, TypeAdapter

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def json_text(value: BaseModel | Sequence[BaseModel], indent: int | None = None) -> str:
    """In ASCII: paths and commands may hold what is not UTF-8, and any terminal takes it."""
    if isinstance(value, BaseModel):
        return json.dumps(value.model_dump(mode="json"), indent=indent)
    return json.dumps([each.model_dump(mode="json") for each in value], indent=indent)


def schema_text(name: str, kind: Any) -> str:
    """The schema of how a value of `kind` is printed; `name` is that of its file."""
    adapter: TypeAdapter[Any] = TypeAdapter(kind)
    schema = adapter.json_schema(mode="serialization")
    head = {"$schema": DIALECT, "$id": f"{name}.schema.json"}
    return json.dumps(head | schema, indent=2, ensure_ascii=False) + "\n"
