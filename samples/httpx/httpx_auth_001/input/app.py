"""Many requests to a service with access tokens (httpx 0.28.1 is installed, nothing else).

Modules of the package import each other relatively (`from .auth import Bearer`).
"""

from collections.abc import Callable, Sequence
from typing import Any

import httpx

Ask = tuple[str, str, list[bytes] | None]


def send_all(
    url: str,
    saved: dict[str, Any],
    rounds: Sequence[Sequence[Ask]],
    transport: httpx.AsyncBaseTransport,
    clock: Callable[[], float],
    keep: Callable[[dict[str, Any]], None],
) -> list[list[tuple[int, str] | str]]:
    """Send requests by one client with the authentication of auth.py; redirects are followed.

    The requests of a round are sent at once, those of the next round when all of them are done. A
    request is its method, its address (a path such as "/items" below `url`, or a whole URL) and its body:
    None, or pieces that are sent one after the other as they are (a stream, whose length is not announced).

    Returns for each round the results in the order of its requests: status and text of the answer, or
    the name of the exception's class ("LoginNeeded", "ConnectError", …). Called from ordinary code without
    an event loop.
    """
    raise NotImplementedError
