"""The way to the server, for trying programs without a network. Complete: leave it as it is.

A Wire is an httpx transport for synchronous and asynchronous clients. It asks a plain function for
the answer to each request: `answer(method, url, headers, body) -> (status, headers, body)`, with a
dict of headers in lower case and bytes as bodies. If the function returns a text instead, it is the
name of an httpx exception that is raised: "ConnectError", "ReadTimeout", …
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import httpx

Answer = Callable[[str, str, dict[str, str], bytes], tuple[int, dict[str, str], bytes] | str]


class Pieces(httpx.SyncByteStream, httpx.AsyncByteStream):
    """A body that arrives in pieces of at most 4 bytes."""

    def __init__(self, body: bytes) -> None:
        self.pieces = [body[start : start + 4] for start in range(0, len(body), 4)]

    def __iter__(self) -> Iterator[bytes]:
        yield from self.pieces

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece


class Wire(httpx.BaseTransport, httpx.AsyncBaseTransport):
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.open = 0  # requests under way, and the most there were at once
        self.most = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return self.respond(request, request.read())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.open += 1
        self.most = max(self.most, self.open)
        try:
            body = await request.aread()
            for _ in range(5):
                await asyncio.sleep(0)
            return self.respond(request, body)
        finally:
            self.open -= 1

    def respond(self, request: httpx.Request, body: bytes) -> httpx.Response:
        answer = self.answer(request.method, str(request.url), dict(request.headers), body)
        if isinstance(answer, str):
            raise getattr(httpx, answer)("raised by the wire", request=request)
        status, headers, content = answer
        return httpx.Response(status, headers=headers, stream=Pieces(content), request=request)
