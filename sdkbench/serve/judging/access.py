"""Gate: who may ask, what a browser may do, and that every refusal is a problem as RFC 9457 has it.

Without tokens only programs of this machine can reach the service, and web pages that a browser
here shows must not: so only this machine's own names are answered.
"""

import logging
import math
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import cast

from sdkbench.errors import InputError
from sdkbench.serve.guard import HEADERS, LOOPBACK_NAMES, App, Message, Receive, Send, host_name
from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.measurements import Measurements
from sdkbench.serve.judging.problems import RequestProblem, come_again
from sdkbench.serve.judging.service import Caller
from sdkbench.serve.judging.tokens import Token, TokenFile

LOG = logging.getLogger("sdkbench.serve")
OPEN_PATHS = frozenset({"/healthz"})
SUBMITTING = frozenset({"POST"})
CALLER = "sdkbench.caller"  # in a request's scope
MINUTE = 60.0


class RateLimiter:
    """So many a minute for each name, with as many at once; what was not used is kept that long."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}  # name → how many, and when that was so

    def take(self, token: Token, number: int = 1) -> None:
        """RequestProblem where there are not so many left."""
        if token.per_minute is None:
            return
        now = self._clock()
        left, then = self._left.get(token.name, (float(token.per_minute), now))
        left = min(float(token.per_minute), left + (now - then) * token.per_minute / MINUTE)
        if left < number:
            seconds = math.ceil((min(number, token.per_minute) - left) * MINUTE / token.per_minute)
            self._left[token.name] = (left, now)
            raise come_again(
                429,
                "rate",
                f"{token.name} may ask for {token.per_minute} judgements a minute. Come again.",
                seconds,
            )
        self._left[token.name] = (left - number, now)


class Gate:
    def __init__(
        self,
        app: App,
        tokens: TokenFile | None,
        limits: ServiceLimits,
        measurements: Measurements,
    ) -> None:
        """Without `tokens` everybody on this machine may ask."""
        self._app = app
        self._tokens = tokens
        self._limits = limits
        self._measurements = measurements
        self._requests = 0

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)  # its beginning and its end
            return
        began, status, started = time.monotonic(), 500, False

        async def guarded(message: Message) -> None:
            nonlocal status, started
            if message["type"] == "http.response.start":
                started, status = True, message["status"]
                message["headers"] = [*message.get("headers", []), *HEADERS]
            await send(message)

        self._requests += 1
        try:
            try:
                scope[CALLER] = self._admitted(scope)
                await self._app(scope, receive, guarded)
            except RequestProblem as problem:
                self._measurements.problems.labels(problem.name).inc()
                await answer(guarded, problem)
            except Exception:
                # The application has answered; or it broke off, and the server closes.
                LOG.exception("a fault in answering %s %s", scope["method"], scope["path"])
                if not started:
                    await answer(guarded, fault())
        finally:
            self._requests -= 1
            route = getattr(scope.get("route"), "path", "other")
            seconds = time.monotonic() - began
            self._measurements.requests.labels(route, str(status)).observe(seconds)

    def _admitted(self, scope: Message) -> Caller:
        try:
            return self._caller(scope)
        except RequestProblem as problem:
            # A body that nobody will read may take for ever to come.
            problem.headers["connection"] = "close"
            raise

    def _caller(self, scope: Message) -> Caller:
        if self._requests > self._limits.requests:
            raise come_again(503, "busy", "Too many requests at once. Come again.", 2)
        headers = dict(scope["headers"])
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and len(length) < 20 and int(length) > self._limits.body_bytes:  # noqa: PLR2004
            raise too_long(self._limits)
        if self._tokens is None:
            if host_name(headers.get(b"host", b"").decode("latin-1")) not in LOOPBACK_NAMES:
                raise RequestProblem(
                    421, "host", "This service is not called that. Ask for localhost or 127.0.0.1."
                )
            return Caller()
        if scope["path"] in OPEN_PATHS:
            return Caller()
        token = _token(self._tokens, headers.get(b"authorization", b"").decode("latin-1"))
        return Caller(token.name, token)


def _token(tokens: TokenFile, authorization: str) -> Token:
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise _unauthorized(
            "Send `Authorization: Bearer TOKEN`; the service's operator makes them."
        )
    try:
        token = tokens.find(secret.strip())
    except InputError as error:
        LOG.error("%s", error)  # noqa: TRY400 - the sentence says all
        raise come_again(503, "tokens", "The service can't read its tokens now.", 30) from error
    if token is None:
        raise _unauthorized("This token is not known here. Ask the service's operator for one.")
    if token.expired(datetime.now(UTC)):
        raise _unauthorized(
            f"This token expired at {cast('datetime', token.expires_at):%Y-%m-%d %H:%M} UTC. Ask "
            "the service's operator for a new one."
        )
    return token


def _unauthorized(detail: str) -> RequestProblem:
    return RequestProblem(401, "token", detail, headers={"www-authenticate": "Bearer"})


def too_long(limits: ServiceLimits) -> RequestProblem:
    mib = limits.body_bytes / (1 << 20)
    return RequestProblem(
        413,
        "too-large",
        f"A request may have {mib:g} MiB. Leave out what is not judged, or send an archive.",
    )


def fault() -> RequestProblem:
    return RequestProblem(
        500, "fault", "A fault of SDKBench; the service's log has it. Please report it."
    )


async def answer(send: Send, problem: RequestProblem) -> None:
    status, headers, body = problem.response()
    raw = [(name.encode(), value.encode("latin-1", "replace")) for name, value in headers.items()]
    raw.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": raw})
    await send({"type": "http.response.body", "body": body})
