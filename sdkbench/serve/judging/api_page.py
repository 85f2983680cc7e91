"""The API's page: what OpenAPI says of it, for people; it needs no network and no script."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined

TEMPLATE = Path(__file__).with_name("api_page.html")


class Operation(NamedTuple):
    method: str
    path: str
    summary: str
    description: str
    parameters: tuple[tuple[str, str, str], ...]  # name, where, description
    body: str  # JSON Schema
    responses: tuple[tuple[str, str], ...]  # status, description


def api_page(document: dict[str, Any]) -> str:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
    template = environment.from_string(TEMPLATE.read_text(encoding="utf-8"))
    operations = [
        _operation(path, method, described)
        for path, methods in document["paths"].items()
        for method, described in methods.items()
    ]
    return template.render(info=document["info"], operations=operations)


def _operation(path: str, method: str, described: dict[str, Any]) -> Operation:
    content = described.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema")
    return Operation(
        method=method.upper(),
        path=path,
        summary=described.get("summary", ""),
        description=described.get("description", ""),
        parameters=tuple(
            (each["name"], each["in"], each.get("description", ""))
            for each in described.get("parameters", ())
        ),
        body=json.dumps(schema, indent=2) if schema else "",
        responses=tuple(
            (status, each.get("description", ""))
            for status, each in sorted(described.get("responses", {}).items())
        ),
    )
