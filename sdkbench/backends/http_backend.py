"""HttpBackend: a model behind HTTP, asked by its vendor's own client; one request, one body, never
longer than its deadline, never larger than its limit.

The vendors' clients read bodies whole and retry. So they are given an HTTP client that stops a body
at its limit and turns every refusal into a BackendFailure before the client sees it. This module
needs the HTTP library that comes with either extra: only openers import it.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Generic, NamedTuple, Protocol, TypeVar

import httpx2

from sdkbench.backends.protocol import Answer, BackendFailure, FailureKind
from sdkbench.backends.server import Server, refused, unreadable

BODY_BYTES = 4 << 20  # a million tokens of text; more is no answer to a prompt of ours
FIRST_REFUSAL = 400
CONNECTIONS = 256


class Client(Protocol):
    async def close(self) -> None: ...


ClientT = TypeVar("ClientT", bound=Client)


class RawResponse(Protocol):
    """What the clients' `with_raw_response` calls return."""

    @property
    def http_response(self) -> httpx2.Response: ...


class Request(NamedTuple):
    prompt: str
    system: str | None
    deadline_seconds: float
    max_tokens: int


class HttpBackend(Generic[ClientT]):
    """`ask` sends a request by the client's means, `read` understands the body that comes back."""

    def __init__(
        self,
        server: Server,
        make_client: Callable[..., ClientT],
        client_error: type[Exception],
        ask: Callable[[ClientT, Server, Request], Awaitable[RawResponse]],
        read: Callable[[Server, bytes], Answer],
    ) -> None:
        self.name = server.name
        self._server = server
        self._client_error = client_error
        http = httpx2.AsyncClient(
            event_hooks={"response": [self._inspect]},
            # Not asked for, so that the limit on bytes is one on memory too.
            headers={"Accept-Encoding": "identity"},
            follow_redirects=True,
            limits=httpx2.Limits(max_connections=CONNECTIONS),
            timeout=None,  # the deadline is over all of it
            trust_env=not server.local,  # a proxy can't reach this machine's own ports
        )
        self._client = make_client(
            api_key=server.key, base_url=server.url, http_client=http, max_retries=0
        )
        self._ask = ask
        self._read = read

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        request = Request(prompt, system, deadline_seconds, max_tokens)
        try:
            async with asyncio.timeout(deadline_seconds):
                response = await self._ask(self._client, self._server, request)
                body = response.http_response.content
        except TimeoutError:
            text = f"{self._server.url} did not answer within {deadline_seconds:g} s."
            raise BackendFailure(text, FailureKind.TIMEOUT) from None
        except (self._client_error, httpx2.HTTPError, BackendFailure) as error:
            # Not chained: the clients' errors hold requests with their keys.
            raise self._failure(error) from None
        return self._read(self._server, body)

    async def close(self) -> None:
        await self._client.close()

    async def _inspect(self, response: httpx2.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise unreadable(self._server, "sent a compressed body that was not asked for")
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Bounded(response.stream, self._server)
        if response.status_code >= FIRST_REFUSAL:
            body = await response.aread()
            retry_after = response.headers.get("retry-after", "")
            raise refused(self._server, response.status_code, body, retry_after)

    def _failure(self, error: BaseException) -> BackendFailure:
        chain = list(_causes(error))
        url = self._server.url
        for cause in chain:
            if isinstance(cause, BackendFailure):
                return cause
        if any(isinstance(cause, httpx2.ConnectError) for cause in chain):
            text = f"Cannot connect to {url} ({self._reason(chain)}). Is the server running there?"
            return BackendFailure(text, FailureKind.NETWORK)
        protocol = next((c for c in chain if isinstance(c, httpx2.RemoteProtocolError)), None)
        if protocol is not None and "disconnected" not in str(protocol):
            return unreadable(self._server, "does not speak HTTP")
        text = f"The connection to {url} broke ({self._reason(chain)})."
        return BackendFailure(text, FailureKind.NETWORK)

    def _reason(self, chain: list[BaseException]) -> str:
        """The operating system's word for it, or else the innermost one there is."""
        for cause in reversed(chain):
            # Not `strerror`: asyncio puts other words there. Numbers of name look-ups are below 0.
            if isinstance(cause, OSError) and cause.errno is not None and cause.errno > 0:
                return os.strerror(cause.errno)
        return self._server.quote(str(chain[-1])) or type(chain[-1]).__name__


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with a failure where it grows too large or breaks off."""

    def __init__(self, stream: httpx2.AsyncByteStream, server: Server) -> None:
        self._stream = stream
        self._server = server

    async def __aiter__(self) -> AsyncIterator[bytes]:
        total = 0
        try:
            async for chunk in self._stream:
                total += len(chunk)
                if total > BODY_BYTES:
                    size = f"{BODY_BYTES >> 20} MiB"
                    raise unreadable(self._server, f"sent more than {size} for one answer")
                yield chunk
        except (httpx2.RemoteProtocolError, httpx2.ReadError):
            text = f"{self._server.url} broke off in the middle of its answer, after {total} bytes."
            raise BackendFailure(text, FailureKind.NETWORK) from None

    async def aclose(self) -> None:
        await self._stream.aclose()


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
