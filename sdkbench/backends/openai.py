"""Any server that speaks OpenAI's chat completions: OpenAI, vLLM, Ollama, llama.cpp, mlx_lm."""

from typing import TYPE_CHECKING

from pydantic import BaseModel, ValidationError

from sdkbench.backends.http_failures import describe, unreadable
from sdkbench.backends.protocol import Answer, Backend
from sdkbench.backends.server import Server, Vendor, read_server
from sdkbench.backends.setting import Setting
from sdkbench.backends.usage import cost, count
from sdkbench.errors import MissingTool

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai.types.chat import ChatCompletionMessageParam

    from sdkbench.backends.http_exchange import Exchange, RawResponse

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

        from sdkbench.backends.http_exchange import Exchange  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingTool(
            "The openai backend needs a package more: pip install 'sdkbench[openai]'."
        ) from error
    exchange = Exchange(server, openai.OpenAIError)
    client = openai.AsyncOpenAI(
        api_key=server.key, base_url=server.url, http_client=exchange.http, max_retries=0
    )
    return OpenAIBackend(server, client, exchange)


class OpenAIBackend:
    def __init__(self, server: Server, client: "AsyncOpenAI", exchange: "Exchange") -> None:
        self.name = server.name
        self._server = server
        self._client = client
        self._exchange = exchange

    async def generate(
        self, prompt: str, *, system: str | None, deadline_seconds: float, max_tokens: int
    ) -> Answer:
        messages: list[ChatCompletionMessageParam] = [{"role": "user", "content": prompt}]
        if system is not None:
            messages.insert(0, {"role": "system", "content": system})

        async def call() -> "RawResponse":
            create = self._client.chat.completions.with_raw_response.create
            # OpenAI's newer models refuse the old name of the limit; other servers ignore the new.
            if self._server.url == VENDOR.home:
                return await create(
                    model=self._server.model, messages=messages, max_completion_tokens=max_tokens
                )
            return await create(model=self._server.model, messages=messages, max_tokens=max_tokens)

        return read_completion(self._server, await self._exchange.body(call, deadline_seconds))

    async def close(self) -> None:
        await self._client.close()


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
    return Answer(
        text=server.hide(text),
        input_tokens=count(completion.usage, "prompt_tokens"),
        output_tokens=count(completion.usage, "completion_tokens"),
        cost=cost(completion.usage),
        truncated=choice.finish_reason == "length",
        refused=choice.message.content is None or choice.finish_reason == "content_filter",
    )
