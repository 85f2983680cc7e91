"""The published schema is the one of the model."""

import json

from sdkbench.report import shell_json, shell_report, shell_schema
from tests.support.places import ROOT

SCHEMA = ROOT / "docs" / "reference" / "schemas" / "shell-report.schema.json"


def test_the_published_schema_is_current() -> None:
    assert SCHEMA.read_text("utf-8") == shell_schema(), "Run: python -m scripts.write_schemas"


def test_a_report_of_nothing_has_every_key() -> None:
    document = json.loads(shell_json(shell_report(())))
    assert sorted(document) == sorted(json.loads(shell_schema())["properties"])
