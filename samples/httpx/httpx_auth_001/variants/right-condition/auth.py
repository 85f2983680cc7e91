import asyncio
import json
from urllib.parse import urlencode

import httpx


class LoginNeeded(Exception):
    pass


class Bearer(httpx.Auth):
    def __init__(self, url, saved, clock, keep):
        self.place = httpx.URL(url)
        self.endpoint = url + "/token"
        self.access = saved["access_token"]
        self.refresh = saved["refresh_token"]
        self.end = saved["expires_at"] if self.access else 0
        self.clock = clock
        self.keep = keep
        self.busy = False
        self.changed = asyncio.Condition()

    def ours(self, url):
        return (url.scheme, url.netloc) == (self.place.scheme, self.place.netloc)

    async def async_auth_flow(self, request):
        await request.aread()
        if not self.ours(request.url):
            yield request
            return
        tried = None
        for _ in range(2):
            async with self.changed:
                await self.changed.wait_for(lambda: not self.busy)
                stale = self.access == tried if tried else self.end <= self.clock() + 30
                self.busy = stale
            if stale:
                try:
                    if self.refresh is None:
                        raise LoginNeeded("the refresh token was refused")
                    body = {"grant_type": "refresh_token", "refresh_token": self.refresh}
                    answer = yield httpx.Request(
                        "POST", self.endpoint, content=urlencode(body),
                        headers={"Content-Type": "application/x-www-form-urlencoded"},
                    )
                    self.learn(answer, await answer.aread())
                finally:
                    self.busy = False
                    async with self.changed:
                        self.changed.notify_all()
            tried = self.access
            request.headers["Authorization"] = "Bearer " + tried
            response = yield request
            if response.status_code != 401 or not self.ours(response.request.url):
                break

    def learn(self, answer, body):
        if answer.status_code in {400, 401}:
            self.refresh = None
            raise LoginNeeded(body)
        answer.raise_for_status()
        given = json.loads(body)
        self.access = given["access_token"]
        self.refresh = given.get("refresh_token") or self.refresh
        self.end = self.clock() + given["expires_in"]
        self.keep(
            {"access_token": self.access, "refresh_token": self.refresh, "expires_at": self.end}
        )
