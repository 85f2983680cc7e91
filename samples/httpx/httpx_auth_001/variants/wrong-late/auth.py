"""Access tokens that are renewed when they are needed."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx


class LoginNeeded(Exception):
    """The refresh token is no longer accepted."""


def origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


class Bearer(httpx.Auth):
    def __init__(
        self,
        url: str,
        saved: dict[str, Any],
        clock: Callable[[], float],
        keep: Callable[[dict[str, Any]], None],
    ) -> None:
        self.url = url
        self.origin = origin(httpx.URL(url))
        self.tokens = dict(saved)
        self.clock = clock
        self.keep = keep
        self.refused = False
        self.lock = asyncio.Lock()

    async def async_auth_flow(
        self, request: httpx.Request
    ) -> AsyncGenerator[httpx.Request, httpx.Response]:
        # Else a streamed body would be gone when the request is sent once more.
        await request.aread()
        if origin(request.url) != self.origin:
            yield request
            return
        async with self.lock:
            if not self.holds():
                await self.take((yield self.renewal()))
            used = self.authorize(request)
        response = yield request
        if response.status_code == 401 and origin(response.url) == self.origin:
            async with self.lock:
                await self.take((yield self.renewal()))
                self.authorize(request)
            yield request

    def holds(self) -> bool:
        return bool(self.tokens["access_token"]) and self.tokens["expires_at"] - self.clock() > 30

    def authorize(self, request: httpx.Request) -> str:
        request.headers["authorization"] = f"Bearer {self.tokens['access_token']}"
        return self.tokens["access_token"]

    def renewal(self) -> httpx.Request:
        if self.refused:
            raise LoginNeeded
        form = {"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"]}
        return httpx.Request("POST", f"{self.url}/token", data=form)

    async def take(self, response: httpx.Response) -> None:
        # A flow of one's own gets answers whose body has not been read.
        await response.aread()
        if response.status_code in (400, 401):
            self.refused = True
            raise LoginNeeded
        response.raise_for_status()
        given = response.json()
        self.tokens = {
            "access_token": given["access_token"],
            "refresh_token": given.get("refresh_token", self.tokens["refresh_token"]),
            "expires_at": self.clock() + given["expires_in"],
        }
        self.keep(dict(self.tokens))
