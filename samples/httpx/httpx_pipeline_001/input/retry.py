"""A transport of httpx that tries again."""

from collections.abc import Callable

import httpx


class Retry(httpx.BaseTransport):
    """Hands requests to `transport`, up to `attempts` times each (at least 1).

    Tried again are answers of status 429, 502, 503 and 504, and every httpx.TransportError; the last
    answer or error is what comes out in the end. Only GET, HEAD, PUT and DELETE are tried again, and
    requests of any method with a header Idempotency-Key; all others are sent once.

    Before it tries again it waits by calling `sleep` with a number of seconds: the header
    Retry-After of the answer if that is a whole number of seconds, but at most 60; else 1 before the
    second attempt and twice as much before each further one, at most 8. An answer that is
    not given out is closed before.
    """

    def __init__(
        self, transport: httpx.BaseTransport, sleep: Callable[[float], None], attempts: int = 4
    ) -> None:
        raise NotImplementedError

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        raise NotImplementedError
