"""HttpBackend: a model behind HTTP, asked by its vendor's own client.

As http_exchange, this needs the HTTP library that comes with either extra: only openers import it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from sdkbench.backends.http_exchange import Exchange, RawResponse
from sdkbench.backends.protocol import Answer
from sdkbench.backends.server import Server


class Client(Protocol):
    async def close(self) -> None: ...


ClientT = TypeVar("ClientT", bound=Client)


@dataclass(frozen=True, kw_only=True)
class Question:
    prompt: str
    system: str | None
    deadline_seconds: float
    max_tokens: int


class HttpBackend(Generic[ClientT]):
    """`ask` puts a question by the client's means, `read` understands the body that comes back."""

    def __init__(
        self,
        server: Server,
        make_client: Callable[..., ClientT],
        client_error: type[Exception],
        ask: Callable[[ClientT, Server, Question], Awaitable[RawResponse]],
        read: Callable[[Server, bytes], Answer],
    ) -> None:
        self.name = server.name
        self._server = server
        self._exchange = Exchange(server, client_error)
        self._client = make_client(
            api_key=server.key, base_url=server.url, http_client=self._exchange.http, max_retries=0
        )
        self._ask = ask
        self._read = read

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        question = Question(
            prompt=prompt, system=system, deadline_seconds=deadline_seconds, max_tokens=max_tokens
        )

        async def call() -> RawResponse:
            return await self._ask(self._client, self._server, question)

        return self._read(self._server, await self._exchange.body(call, deadline_seconds))

    async def close(self) -> None:
        await self._client.close()
