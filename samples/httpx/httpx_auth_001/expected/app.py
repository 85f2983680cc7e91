"""Many requests to a service with access tokens."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import httpx

from .auth import Bearer

Ask = tuple[str, str, list[bytes] | None]


async def streamed(pieces: list[bytes]) -> AsyncIterator[bytes]:
    for piece in pieces:
        yield piece


async def send(client: httpx.AsyncClient, ask: Ask) -> tuple[int, str] | str:
    method, address, pieces = ask
    body = None if pieces is None else streamed(pieces)
    try:
        response = await client.request(method, address, content=body)
    except Exception as error:
        return type(error).__name__
    return response.status_code, response.text


def send_all(
    url: str,
    saved: dict[str, Any],
    rounds: Sequence[Sequence[Ask]],
    transport: httpx.AsyncBaseTransport,
    clock: Callable[[], float],
    keep: Callable[[dict[str, Any]], None],
) -> list[list[tuple[int, str] | str]]:
    async def run() -> list[list[tuple[int, str] | str]]:
        auth = Bearer(url, saved, clock, keep)
        async with httpx.AsyncClient(
            base_url=url, auth=auth, transport=transport, follow_redirects=True
        ) as client:
            return [
                await asyncio.gather(*(send(client, ask) for ask in asks)) for asks in rounds
            ]

    return asyncio.run(run())
