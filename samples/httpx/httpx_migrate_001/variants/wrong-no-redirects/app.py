"""The client of an archive."""

from collections.abc import Mapping
from typing import Any

import httpx

SHORT = {"all": "all://", "http": "http://", "https": "https://"}


class Archive:
    def __init__(
        self,
        url: str,
        transport: httpx.BaseTransport | None = None,
        routes: Mapping[str, httpx.BaseTransport] | None = None,
    ) -> None:
        self.client = httpx.Client(
            base_url=url,
            transport=transport,
            mounts={SHORT.get(key, key): route for key, route in (routes or {}).items()},
            max_redirects=5,
        )

    def close(self) -> None:
        self.client.close()

    def read(self, path: str) -> dict[str, str]:
        response = self.client.get(path)
        if response.status_code == httpx.codes.NOT_FOUND:
            raise LookupError(path)
        response.raise_for_status()
        url = response.url
        return {
            "host": url.netloc.decode(),
            "target": url.raw_path.decode(),
            "text": response.text,
        }

    def upload(self, path: str, data: bytes | str) -> int:
        headers = {"Content-Type": "text/plain"}
        response = self.client.put(path, content=data, headers=headers, follow_redirects=False)
        return response.status_code

    def lines(self, path: str, stop: str = "END") -> list[str]:
        found = []
        with self.client.stream("GET", path) as response:
            response.raise_for_status()
            for line in response.iter_lines():
                if line == stop:
                    break
                found.append(line)
        return found

    def state(self, path: str) -> str:
        try:
            response = self.client.head(path)
            response.raise_for_status()
        except httpx.TooManyRedirects:
            return "lost"
        except httpx.TimeoutException:
            return "slow"
        except httpx.NetworkError:
            return "away"
        except httpx.HTTPStatusError as error:
            return "missing" if error.response.status_code == httpx.codes.NOT_FOUND else "broken"
        return "there"

    def cookies(self, path: str, **cookies: Any) -> list[str]:
        self.client.cookies.update(cookies)
        try:
            response = self.client.get(path, follow_redirects=False)
        finally:
            self.client.cookies.clear()
        return response.headers.get_list("Set-Cookie")
