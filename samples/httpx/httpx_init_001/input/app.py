"""The client of the depot service (httpx 0.28.1 is installed, nothing else).

Settings are a JSON object in a file:

url      where the service is, such as "https://depot.example/api/v2": required. Paths that the
         client is asked for are below it, with or without a slash at their beginning
user, password   credentials for HTTP basic authentication: both, or neither
agent    the User-Agent, "depot-client" if missing
timeout  seconds for each step of a request (a number above 0), 10 if missing. Connecting may never
         take longer than 3 seconds
headers  an object of further headers for every request, none if missing

`transport` is what a client sends its requests by; None means the network. This file is imported as
part of a package: import further modules relatively.
"""

from pathlib import Path
from typing import Any

import httpx


def read_settings(path: Path) -> dict[str, Any]:
    """The settings, with all defaults filled in: exactly the keys above, user and password None
    where there are none.

    ValueError naming the key if one is wrong (url missing or not beginning with http:// or
    https://, timeout no number above 0, only one of user and password) or unknown.
    """
    raise NotImplementedError


def client(settings: dict[str, Any], transport: httpx.BaseTransport | None = None) -> httpx.Client:
    """A client for settings as read_settings returns them. It asks for JSON by its Accept header,
    and follows redirects, but not more than 3 for one request."""
    raise NotImplementedError


def ping(settings: dict[str, Any], transport: httpx.BaseTransport | None = None) -> str:
    """GET health below the url; returns the text "version" of the JSON object in the answer.

    The answer's status has to be 2xx, else httpx.HTTPStatusError. The client is closed afterwards.
    """
    raise NotImplementedError
