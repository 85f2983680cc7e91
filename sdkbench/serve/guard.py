"""Guard: who may ask, by which name, and what a browser may do with the answer.

Pages show what judged code and models wrote, and a web page elsewhere may try to reach a server on
this machine. So nothing can be changed here, other names than ours are refused (a stranger's name
may be made to point to this machine), and a browser runs and loads nothing but our own files.
"""

import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

Message = MutableMapping[str, Any]  # as the ASGI standard has it
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Message, Receive, Send], Awaitable[None]]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
)
LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


class Access(NamedTuple):
    """`names`: what this server may be called; with `any_address` by any IP address too, which
    nobody can make point elsewhere. Without `token` everybody who reaches it may look.
    """

    names: frozenset[str]
    any_address: bool = False
    token: str | None = None
    cookie: str = "sdkbench_view"


class Guard:
    def __init__(self, app: App, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return  # nothing else is spoken here

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        headers = dict(scope["headers"])
        if scope["method"] not in {"GET", "HEAD"}:
            await _answer(guarded, 405, "This server can only be read.")
        elif not self._is_ours(headers.get(b"host", b"").decode("latin-1")):
            await _answer(
                guarded,
                421,
                "This server is not called that. Use the name that `sdkbench view` printed.",
            )
        elif self._access.token is None or self._has_cookie(headers):
            await self._app(scope, receive, guarded)
        else:
            await self._ask_for_token(scope, guarded)

    def _is_ours(self, host: str) -> bool:
        name = host_name(host)
        return name in self._access.names or (self._access.any_address and _is_address(name))

    def _has_cookie(self, headers: dict[bytes, bytes]) -> bool:
        try:
            cookies = SimpleCookie(headers.get(b"cookie", b"").decode("latin-1"))
        except CookieError:
            return False
        given = cookies.get(self._access.cookie)
        return given is not None and self._fits(given.value)

    def _fits(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self._access.token or "").encode())

    async def _ask_for_token(self, scope: Message, send: Send) -> None:
        """A token in the address becomes a cookie, and leaves the address."""
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in query if name == "token"]
        if not given or not self._fits(given[-1]):
            await _answer(
                send, 401, "Open the address that `sdkbench view` printed: it has a token."
            )
            return
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        # One slash: two would be another server.
        path = "/" + scope["path"].lstrip("/")
        target = f"{path}?{rest}" if rest else path
        cookie = f"{self._access.cookie}={given[-1]}; Path=/; HttpOnly; SameSite=Strict"
        moved = [(b"location", target.encode()), (b"set-cookie", cookie.encode())]
        await _answer(send, 303, "", moved)


def host_name(host: str) -> str:
    """What a Host header names, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


async def _answer(
    send: Send, status: int, words: str, headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    await send(
        {"type": "http.response.start", "status": status, "headers": [plain, *(headers or [])]}
    )
    await send({"type": "http.response.body", "body": words.encode()})
