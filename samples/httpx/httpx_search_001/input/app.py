"""The catalogue of a museum over HTTP (httpx 0.28.1 is installed, with what it brings along).

GET {url}/objects?topic=TOPIC&per_page=N answers 200 and a JSON array of objects, each with at least
"id" (int). If there are more, the header Link has an address with rel="next", which may be relative
to the page that it came with; other addresses may stand there, too. That address is asked as it is,
without adding anything to its query.

GET {url}/objects/ID answers 200 and a JSON object, 404 or 410 if the object is gone, or an error.

`url` has no slash at its end. Every other status than these raises httpx.HTTPStatusError.
`transport` (wire.py) is what requests are sent by, None means the network. Clients are closed in
the end. This file is imported as part of a package: import further modules relatively.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import httpx


def pages(
    url: str, topic: str, per_page: int = 50, transport: httpx.BaseTransport | None = None
) -> Iterator[list[dict[str, Any]]]:
    """One list of objects after the other, as the service sends them.

    Lazily: a page is asked for only when it is wanted. A page whose next one was asked before ends
    the pages, so that a service that goes round in circles does not keep us for ever.
    """
    raise NotImplementedError


def collect(
    url: str, topic: str, limit: int, transport: httpx.BaseTransport | None = None
) -> list[int]:
    """The ids of the first `limit` objects of a topic, each once, in the service's order.

    No more pages are asked for than that takes, none at all for a limit of 0. With at most 50 ids
    wanted, per_page is that limit; else 50.
    """
    raise NotImplementedError


def details(
    url: str,
    ids: Sequence[int],
    at_once: int = 4,
    transport: httpx.AsyncBaseTransport | None = None,
) -> list[dict[str, Any] | None]:
    """The objects of these ids in their order, None for each that is gone.

    Requests run concurrently, `at_once` of them as long as there are that many left, never more. An
    id that occurs more than once is asked for once. Called from ordinary code without an event loop.
    ValueError if at_once is below 1.
    """
    raise NotImplementedError
