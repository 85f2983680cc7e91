"""A transport of httpx that tries again."""

from collections.abc import Callable

import httpx

PASSING = {429, 502, 503, 504}
REPEATABLE = {"GET", "HEAD", "PUT", "DELETE"}


class Retry(httpx.BaseTransport):
    def __init__(
        self, transport: httpx.BaseTransport, sleep: Callable[[float], None], attempts: int = 4
    ) -> None:
        self.transport = transport
        self.sleep = sleep
        self.attempts = attempts

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        repeatable = request.method in REPEATABLE or "idempotency-key" in request.headers
        for number in range(self.attempts - 1 if repeatable else 0):
            wait = min(2**number, 8)
            try:
                response = self.transport.handle_request(request)
            except httpx.TransportError:
                self.sleep(wait)
                continue
            if response.status_code not in PASSING:
                return response
            asked = response.headers.get("retry-after", "")
            response.close()
            self.sleep(min(int(asked), 60) if asked.isdecimal() else wait)
        return self.transport.handle_request(request)

    def close(self) -> None:
        self.transport.close()
