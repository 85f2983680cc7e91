"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp, mlx_lm."""

from typing import TYPE_CHECKING

from pydantic import BaseModel

from sdkbench.backends.protocol import Answer, Backend, Setting
from sdkbench.backends.server import Body, Server, Vendor, open_server, read_body, unreadable

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

    from sdkbench.backends.http_backend import RawResponse, Request

VENDOR = Vendor(
    backend="openai",
    example="gpt-4o-mini",
    home="https://api.openai.com/v1",
    url_variable="OPENAI_BASE_URL",
    key_variable="OPENAI_API_KEY",
    client="AsyncOpenAI",
    client_error="OpenAIError",
)


def open_openai(target: str, setting: Setting) -> Backend:
    """`MODEL` or `MODEL@URL`; key and default URL as OPENAI_API_KEY and OPENAI_BASE_URL."""
    return open_server(VENDOR, target, setting, ask, read_completion)


async def ask(client: "AsyncOpenAI", server: Server, request: "Request") -> "RawResponse":
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": request.prompt}]
    if request.system is not None:
        messages.insert(0, {"role": "system", "content": request.system})
    create = client.chat.completions.with_raw_response.create
    limit = request.max_tokens
    # OpenAI's newer models refuse the old name of the limit; other servers ignore the new.
    if server.url == VENDOR.home:
        return await create(model=server.model, messages=messages, max_completion_tokens=limit)
    return await create(model=server.model, messages=messages, max_tokens=limit)


class _Message(BaseModel):
    content: str | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _Message
    finish_reason: str | None = None


class _Completion(Body):
    choices: list[_Choice]


def read_completion(server: Server, body: bytes) -> Answer:
    """The first choice; a refusal is an answer too. Raises BackendFailure(MALFORMED)."""
    completion = read_body(server, _Completion, body)
    if not completion.choices:
        raise unreadable(server, "answered without a choice")
    choice = completion.choices[0]
    text = choice.message.refusal if choice.message.content is None else choice.message.content
    if text is None:
        reason = server.quote(choice.finish_reason or "none given")
        raise unreadable(server, f"answered without text (finish reason: {reason})")
    return Answer(
        text=server.hide(text),
        input_tokens=completion.usage.get("prompt_tokens"),
        output_tokens=completion.usage.get("completion_tokens"),
        cost=completion.usage.get("cost"),
        truncated=choice.finish_reason == "length",
        refused=choice.message.content is None or choice.finish_reason == "content_filter",
    )
