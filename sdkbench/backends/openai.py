"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp, mlx_lm."""

from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from sdkbench.backends.http_failures import describe, unreadable
from sdkbench.backends.protocol import Answer, Backend
from sdkbench.backends.server import Server, Vendor, missing_extra, read_server
from sdkbench.backends.setting import Setting

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

    from sdkbench.backends.http_backend import Question
    from sdkbench.backends.http_exchange import RawResponse

VENDOR = Vendor(
    backend="openai",
    example="gpt-4o-mini",
    home="https://api.openai.com/v1",
    url_variable="OPENAI_BASE_URL",
    key_variable="OPENAI_API_KEY",
)


def open_openai(target: str, setting: Setting) -> Backend:
    """`MODEL` or `MODEL@URL`; key and default URL as OPENAI_API_KEY and OPENAI_BASE_URL."""
    server = read_server(VENDOR, target, setting)
    try:
        import openai  # noqa: PLC0415 - an extra

        from sdkbench.backends.http_backend import HttpBackend  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise missing_extra(VENDOR) from error
    return HttpBackend(server, openai.AsyncOpenAI, openai.OpenAIError, ask, read_completion)


async def ask(client: "AsyncOpenAI", server: Server, question: "Question") -> "RawResponse":
    messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": question.prompt}]
    if question.system is not None:
        messages.insert(0, {"role": "system", "content": question.system})
    create = client.chat.completions.with_raw_response.create
    limit = question.max_tokens
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


class _Completion(BaseModel):
    choices: list[_Choice]
    usage: object = None


def read_completion(server: Server, body: bytes) -> Answer:
    """The first choice; a refusal is an answer too. Raises BackendFailure(MALFORMED)."""
    try:
        completion = _Completion.model_validate_json(body)
    except ValidationError:
        raise unreadable(server, f"answered with {describe(body)}") from None
    if not completion.choices:
        raise unreadable(server, "answered without a choice")
    choice = completion.choices[0]
    text = choice.message.refusal if choice.message.content is None else choice.message.content
    if text is None:
        reason = server.quote(choice.finish_reason or "none given")
        raise unreadable(server, f"answered without text (finish reason: {reason})")
    usage = completion.usage if isinstance(completion.usage, dict) else {}
    return Answer(
        text=server.hide(text),
        input_tokens=usage.get("prompt_tokens"),
        output_tokens=usage.get("completion_tokens"),
        cost=usage.get("cost"),
        truncated=choice.finish_reason == "length",
        refused=choice.message.content is None or choice.finish_reason == "content_filter",
    )
