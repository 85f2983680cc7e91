"""Anthropic's messages API, at its home or at a server that speaks the same."""

from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from sdkbench.backends.http_failures import describe, unreadable
from sdkbench.backends.protocol import Answer, Backend
from sdkbench.backends.server import Server, Vendor, read_server
from sdkbench.backends.setting import Setting
from sdkbench.backends.usage import cost, count
from sdkbench.errors import MissingTool

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

    from sdkbench.backends.http_exchange import Exchange, RawResponse

VENDOR = Vendor(
    backend="anthropic",
    example="claude-sonnet-4-5",
    home="https://api.anthropic.com",
    url_variable="ANTHROPIC_BASE_URL",
    key_variable="ANTHROPIC_API_KEY",
)


def open_anthropic(target: str, setting: Setting) -> Backend:
    """`MODEL` or `MODEL@URL`; key and default URL as ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL."""
    server = read_server(VENDOR, target, setting)
    try:
        import anthropic  # noqa: PLC0415 - an extra

        from sdkbench.backends.http_exchange import Exchange  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingTool(
            "The anthropic backend needs a package more: pip install 'sdkbench[anthropic]'."
        ) from error
    exchange = Exchange(server, anthropic.AnthropicError)
    client = anthropic.AsyncAnthropic(
        api_key=server.key, base_url=server.url, http_client=exchange.http, max_retries=0
    )
    return AnthropicBackend(server, client, exchange)


class AnthropicBackend:
    def __init__(self, server: Server, client: "AsyncAnthropic", exchange: "Exchange") -> None:
        self.name = server.name
        self._server = server
        self._client = client
        self._exchange = exchange

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        async def call() -> "RawResponse":
            from anthropic import omit  # noqa: PLC0415 - an extra

            return await self._client.messages.with_raw_response.create(
                model=self._server.model,
                max_tokens=max_tokens,
                messages=[{"role": "user", "content": prompt}],
                system=omit if system is None else system,
                timeout=deadline_seconds,
            )

        return read_message(self._server, await self._exchange.body(call, deadline_seconds))

    async def close(self) -> None:
        await self._client.close()


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Message(BaseModel):
    content: list[_Block]
    stop_reason: str | None = None
    usage: object = None


def read_message(server: Server, body: bytes) -> Answer:
    """The text blocks, joined. Raises BackendFailure(MALFORMED).

    No block at all is how the API says nothing, or refuses: an empty answer. Blocks of other kinds
    only (thinking cut off) are none.
    """
    try:
        message = _Message.model_validate_json(body)
    except ValidationError:
        raise unreadable(server, f"answered with {describe(body)}") from None
    texts = [block.text for block in message.content if block.text is not None]
    if not texts and (message.content or message.stop_reason is None):
        reason = server.quote(message.stop_reason or "none given")
        raise unreadable(server, f"answered without text (stop reason: {reason})")
    return Answer(
        text=server.hide("".join(texts)),
        input_tokens=count(message.usage, "input_tokens"),
        output_tokens=count(message.usage, "output_tokens"),
        cost=cost(message.usage),
        truncated=message.stop_reason == "max_tokens",
        refused=message.stop_reason == "refusal",
    )
