"""The way to the server, for trying programs without a network. Complete: leave it as it is.

A Wire is an httpx transport for asynchronous clients. It asks a plain function for the answer to each
request: `answer(method, url, headers, body) -> (status, headers, body)`, with a dict of headers in lower
case and bytes as bodies. If the function returns a text instead, it is the name of an httpx exception that
is raised: "ConnectError", "ReadTimeout", … Answers take their time; those to a URL that ends with "slow"
take longer than all others together.
"""

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx

Answer = Callable[[str, str, dict[str, str], bytes], tuple[int, dict[str, str], bytes] | str]


class Pieces(httpx.AsyncByteStream):
    """A body that arrives in pieces of at most 4 bytes."""

    def __init__(self, body: bytes) -> None:
        self.pieces = [body[start : start + 4] for start in range(0, len(body), 4)]

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


class Wire(httpx.AsyncBaseTransport):
    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        # As on a real connection: what is sent is gone, unless the request can give it once more.
        body = b"".join([piece async for piece in request.stream])
        url = str(request.url)
        await self.pass_time(5)
        answer = self.answer(request.method, url, dict(request.headers), body)
        await self.pass_time(200 if url.endswith("slow") else 5)
        if isinstance(answer, str):
            raise getattr(httpx, answer)("raised by the wire", request=request)
        status, headers, content = answer
        return httpx.Response(status, headers=headers, stream=Pieces(content), request=request)

    async def pass_time(self, steps: int) -> None:
        for _ in range(steps):
            await asyncio.sleep(0)
