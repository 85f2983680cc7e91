"""Access tokens that are renewed when they are needed (httpx 0.28.1 is installed, nothing else)."""

from collections.abc import Callable
from typing import Any

import httpx


class LoginNeeded(Exception):
    """The refresh token is no longer accepted."""


class Bearer(httpx.Auth):
    """Authentication for asynchronous clients of the service at `url` (https://host/path).

    Every request to the service has the header Authorization: Bearer ACCESS. Requests to another origin
    (scheme, host, port) go without it, and so do those that the service redirects there; whatever
    these answer comes out as it is.

    `saved` has "access_token" (None if there is none), "refresh_token" and "expires_at" (in seconds of
    `clock`, which returns the time now). An access token is used as long as it holds for more than 30 seconds
    from now; else it is renewed before the request is sent. If the service answers 401, the token is renewed,
    and the request sent once more, with its body whatever that came from; a second 401 comes out.

    To renew is to POST {url}/token, with a form of grant_type=refresh_token and refresh_token=REFRESH, and
    without Authorization. The answer is
    200   JSON with access_token, expires_in (seconds from now) and, if the refresh token is a new one from
          now on, refresh_token; at once `keep` is called with a dict of the same form as `saved`
    400, 401   LoginNeeded is raised; the refresh token is not sent again, and every further request to the
          service that needs a new token raises LoginNeeded at once
    other statuses raise httpx.HTTPStatusError, broken connections httpx.TransportError; the next request that
          needs a new token tries again.

    Many requests may be under way at once. Only one renews at a time, the others wait for it; no token is
    renewed that another request has renewed since this one was sent: a late 401 is tried again with the
    token that is there by then.
    """

    def __init__(
        self,
        url: str,
        saved: dict[str, Any],
        clock: Callable[[], float],
        keep: Callable[[dict[str, Any]], None],
    ) -> None:
        raise NotImplementedError
