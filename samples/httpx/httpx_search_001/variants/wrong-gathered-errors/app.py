"""The catalogue of a museum over HTTP."""

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any

import httpx

LARGEST_PAGE = 50


def pages(
    url: str, topic: str, per_page: int = 50, transport: httpx.BaseTransport | None = None
) -> Iterator[list[dict[str, Any]]]:
    asked: set[httpx.URL] = set()
    place = httpx.URL(f"{url}/objects", params={"topic": topic, "per_page": per_page})
    with httpx.Client(transport=transport) as client:
        while place not in asked:
            asked.add(place)
            response = client.get(place)
            response.raise_for_status()
            yield response.json()
            if "next" not in response.links:
                return
            place = response.url.join(response.links["next"]["url"])


def collect(
    url: str, topic: str, limit: int, transport: httpx.BaseTransport | None = None
) -> list[int]:
    ids: dict[int, None] = {}
    if limit < 1:
        return []
    for page in pages(url, topic, min(limit, LARGEST_PAGE), transport):
        ids |= dict.fromkeys(each["id"] for each in page)
        if len(ids) >= limit:
            break
    return list(ids)[:limit]


def details(
    url: str,
    ids: Sequence[int],
    at_once: int = 4,
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[dict[str, Any] | None]:
    if at_once < 1:
        raise ValueError("at_once must be at least 1")
    return asyncio.run(_details(url, ids, at_once, transport))


async def _details(
    url: str, ids: Sequence[int], at_once: int, transport: httpx.AsyncBaseTransport | None
) -> list[dict[str, Any] | None]:
    turns = asyncio.Semaphore(at_once)
    async with httpx.AsyncClient(transport=transport) as client:

        async def fetch(number: int) -> dict[str, Any] | None:
            async with turns:
                response = await client.get(f"{url}/objects/{number}")
            if response.status_code in (404, 410):
                return None
            response.raise_for_status()
            return response.json()

        distinct = list(dict.fromkeys(ids))
        fetched = await asyncio.gather(*map(fetch, distinct), return_exceptions=True)
    known = dict(zip(distinct, fetched, strict=True))
    gone = {number for number, each in known.items() if isinstance(each, BaseException)}
    return [None if number in gone else known[number] for number in ids]
