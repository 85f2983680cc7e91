"""The client of the depot service."""

import json
from pathlib import Path
from typing import Any

import httpx

DEFAULTS = {
    "user": None,
    "password": None,
    "agent": "depot-client",
    "timeout": 10,
    "headers": {},
}


def read_settings(path: Path) -> dict[str, Any]:
    given = json.loads(path.read_text(encoding="utf-8"))
    for key in given:
        if key != "url" and key not in DEFAULTS:
            raise ValueError(f"{key}: no such setting")
    settings = DEFAULTS | given
    if not str(settings.get("url")).startswith(("http://", "https://")):
        raise ValueError("url: must begin with http:// or https://")
    timeout = settings["timeout"]
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
        raise ValueError("timeout: must be a number above 0")
    if (settings["user"] is None) != (settings["password"] is None):
        raise ValueError("user and password: give both or neither")
    return settings


def client(settings: dict[str, Any], transport: httpx.BaseTransport | None = None) -> httpx.Client:
    auth = None
    if settings["user"] is not None:
        auth = httpx.BasicAuth(settings["user"], settings["password"])
    common = {"accept": "application/json", "user-agent": settings["agent"]}
    timeout = settings["timeout"]
    return httpx.Client(
        base_url=settings["url"],
        auth=auth,
        headers=common | settings["headers"],
        timeout=httpx.Timeout(timeout, connect=min(timeout, 3)),
        follow_redirects=True,
        max_redirects=3,
        transport=transport,
    )


def ping(settings: dict[str, Any], transport: httpx.BaseTransport | None = None) -> str:
    with client(settings, transport) as depot:
        response = depot.get("health")
        response.raise_for_status()
        return response.json()["version"]
