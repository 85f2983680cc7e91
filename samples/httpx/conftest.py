"""Fixtures shared by the httpx samples.

`Server` stands for the service: a plain function for each kind of request, and a list of all
requests as they arrived. Solutions reach it through the starter's wire.py.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest


class Asked(NamedTuple):
    """A request as it arrived."""

    method: str
    url: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """Answers by the functions of `routes`, or in turn from `answers`; 404 where there is none."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.routes: dict[str, Callable[[Asked], Any]] = {}
        self.answers: list[Any] = []

    def reply(
        self, status: int, content: Any = None, headers: dict[str, str] | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """An answer; what is not bytes is sent as JSON, and None as nothing."""
        if content is None:
            return status, dict(headers or {}), b""
        if isinstance(content, bytes):
            return status, dict(headers or {}), content
        kind = {"content-type": "application/json"}
        return status, kind | (headers or {}), json.dumps(content).encode()

    def urls(self) -> list[str]:
        return [asked.url for asked in self.asked]

    def lines(self) -> list[str]:
        """Method and URL of every request."""
        return [f"{asked.method} {asked.url}" for asked in self.asked]


@pytest.fixture
def server() -> Server:
    return Server()


@pytest.fixture
def answer(server: Server) -> Callable[..., Any]:
    """What wire.Wire asks."""

    def respond(method: str, url: str, headers: dict[str, str], body: bytes) -> Any:
        asked = Asked(method, url, dict(headers), bytes(body))
        server.asked.append(asked)
        if server.answers:
            return server.answers.pop(0)
        route = server.routes.get(f"{method} {url}") or server.routes.get("*")
        return route(asked) if route else (404, {}, b"")

    return respond
