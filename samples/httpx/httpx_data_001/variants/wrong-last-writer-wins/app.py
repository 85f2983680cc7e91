"""A client of the document service."""

from typing import Any, Self
from urllib.parse import quote

import httpx


class Changed(Exception):
    """Somebody else has saved the document in between, or the name is taken."""


class Refused(Exception):
    """The service refuses the content."""


class Documents:
    def __init__(self, url: str, transport: httpx.BaseTransport | None = None) -> None:
        self._client = httpx.Client(base_url=url, transport=transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def list(self, *tags: str) -> list[str]:
        return self._ask("GET", params={"tag": tags}).json()

    def get(self, name: str) -> tuple[Any, str] | None:
        response = self._ask("GET", name, usual=(404,))
        if response.status_code == 404:
            return None
        return response.json(), response.headers["etag"]

    def create(self, name: str, content: Any) -> str:
        response = self._ask("POST", json={"name": name, "content": content}, usual=(409, 422))
        if response.status_code == 409:
            raise Changed(f"the name {name!r} is taken")
        return response.headers["etag"]

    def save(self, name: str, content: Any, etag: str) -> str:
        response = self._ask(
            "PUT", name, json=content, usual=(404, 412, 422)
        )
        if response.status_code == 404:
            raise LookupError(f"there is no document {name!r}")
        if response.status_code == 412:
            raise Changed(f"{name!r} was saved by somebody else")
        return response.headers["etag"]

    def delete(self, name: str) -> bool:
        return self._ask("DELETE", name, usual=(404,)).status_code != 404

    def _ask(
        self, method: str, name: str | None = None, *, usual: tuple[int, ...] = (), **options: Any
    ) -> httpx.Response:
        path = "documents" if name is None else f"documents/{quote(name, safe='')}"
        response = self._client.request(method, path, **options)
        if response.status_code == 422 and 422 in usual:
            errors = response.json()["errors"]
            raise Refused("; ".join(f"{error['field']}: {error['message']}" for error in errors))
        if response.status_code not in usual:
            response.raise_for_status()
        return response
