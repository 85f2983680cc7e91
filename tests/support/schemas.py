"""What a program prints, against the schema that is published for it."""

import json
from typing import Any

from jsonschema import Draft202012Validator

from tests.support.places import ROOT

FOLDER = ROOT / "docs" / "reference" / "schemas"


def require_valid(name: str, text: str) -> Any:
    """The document in `text`, which keeps to the schema `name`."""
    schema = json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    document = json.loads(text)
    Draft202012Validator(schema).validate(document)
    return document
