"""Anthropic's messages API, at its home or at a server that speaks the same."""

from typing import TYPE_CHECKING

from pydantic import BaseModel

from sdkbench.backends.protocol import Answer, Backend, Setting
from sdkbench.backends.server import Body, Server, Vendor, open_server, read_body, unreadable

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

    from sdkbench.backends.http_backend import RawResponse, Request

VENDOR = Vendor(
    backend="anthropic",
    example="claude-sonnet-4-5",
    home="https://api.anthropic.com",
    url_variable="ANTHROPIC_BASE_URL",
    key_variable="ANTHROPIC_API_KEY",
    client="AsyncAnthropic",
    client_error="AnthropicError",
)


def open_anthropic(target: str, setting: Setting) -> Backend:
    """`MODEL` or `MODEL@URL`; key and default URL as ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL."""
    return open_server(VENDOR, target, setting, ask, read_message)


async def ask(client: "AsyncAnthropic", server: Server, request: "Request") -> "RawResponse":
    from anthropic import omit  # noqa: PLC0415 - an extra

    return await client.messages.with_raw_response.create(
        model=server.model,
        max_tokens=request.max_tokens,
        messages=[{"role": "user", "content": request.prompt}],
        system=omit if request.system is None else request.system,
        timeout=request.deadline_seconds,
    )


class _Block(BaseModel):
    type: str
    text: str | None = None


class _Reply(Body):
    content: list[_Block]
    stop_reason: str | None = None


def read_message(server: Server, body: bytes) -> Answer:
    """The text blocks, joined. Raises BackendFailure(MALFORMED).

    No block at all is how the API says nothing, or refuses: an empty answer. Blocks of other kinds
    only (thinking cut off) are none.
    """
    message = read_body(server, _Reply, body)
    texts = [block.text for block in message.content if block.text is not None]
    if not texts and (message.content or message.stop_reason is None):
        reason = server.quote(message.stop_reason or "none given")
        raise unreadable(server, f"answered without text (stop reason: {reason})")
    return Answer(
        text=server.hide("".join(texts)),
        input_tokens=message.usage.get("input_tokens"),
        output_tokens=message.usage.get("output_tokens"),
        cost=message.usage.get("cost"),
        truncated=message.stop_reason == "max_tokens",
        refused=message.stop_reason == "refusal",
    )
