"""Uploads: bodies, read within bounds of size, of time, and of the memory of all together."""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from starlette.requests import ClientDisconnect, Request

from sdkbench.serve.judging.access import too_long
from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.problems import RequestProblem, come_again


class Uploads:
    """On one event loop."""

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self._held = 0

    @contextlib.asynccontextmanager
    async def body(self, request: Request) -> AsyncIterator[bytes]:
        """Memory for it is kept free until the block is left."""
        length = request.headers.get("content-length", "")
        # Sent in chunks, nobody knows how much will come.
        expected = int(length) if length.isdigit() else self._limits.body_bytes
        if self._held + expected > max(self._limits.uploads_bytes, self._limits.body_bytes):
            raise come_again(
                503, "busy", "Too much is being sent to the service now. Come again.", 2
            )
        self._held += expected
        try:
            yield await self._read(request)
        finally:
            self._held -= expected

    async def _read(self, request: Request) -> bytes:
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.upload_seconds):
                async for chunk in request.stream():
                    body += chunk
                    if len(body) > self._limits.body_bytes:
                        raise too_long(self._limits)
        except TimeoutError as error:
            raise RequestProblem(
                408,
                "slow",
                f"The request did not arrive within {self._limits.upload_seconds:g} s.",
                headers={"connection": "close"},
            ) from error
        except ClientDisconnect as error:
            # Nobody reads this; it ends the request like any other.
            raise RequestProblem(400, "broken", "The request broke off.") from error
        return bytes(body)
