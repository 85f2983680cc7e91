"""The openai and anthropic backends against a real server that plays every part."""

import asyncio
import socket
import sys
import time
from collections.abc import Iterator

import pytest

from sdkbench.backends import Answer, BackendFailure, FailureKind, open_backend
from sdkbench.errors import InputError, MissingTool
from tests.support.servers.model import HUGE, TEXT, ModelServer, running

KEY = "sk-secret-1234567890"
ENVIRONMENT = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
BOTH = ("openai", "anthropic")
LIMIT = 20.0  # for what ends by itself
SHORT = 0.5  # for what has to be ended
PATIENCE = 120.0  # seconds that a busy machine may add

each_backend = pytest.mark.parametrize("backend", BOTH)


@pytest.fixture(scope="module")
def server() -> Iterator[ModelServer]:
    with running() as server:
        yield server


def ask(
    spec: str, *, limit: float = LIMIT, prompt: str = "list files", system: str | None = None
) -> Answer:
    async def run() -> Answer:
        backend = open_backend(spec, environment=ENVIRONMENT)
        try:
            return await backend.generate(
                prompt, system=system, deadline_seconds=limit, max_tokens=50
            )
        finally:
            await backend.close()

    return asyncio.run(run())


def failure(spec: str, *, limit: float = LIMIT) -> BackendFailure:
    with pytest.raises(BackendFailure) as caught:
        ask(spec, limit=limit)
    message = str(caught.value)
    assert KEY not in message
    assert message.endswith((".", "?"))
    assert "\n" not in message
    assert len(message) < 500
    return caught.value


@each_backend
def test_an_answer_comes_with_its_counts(server: ModelServer, backend: str) -> None:
    answer = ask(server.spec(backend, "ok"))
    assert answer == Answer(text=TEXT, input_tokens=7, output_tokens=3)


@each_backend
def test_what_is_sent(server: ModelServer, backend: str) -> None:
    ask(server.spec(backend, "ok"), prompt="zeige “Dateien”", system="Only a command.")
    headers, request = server.seen[-1]
    sent = {name.lower(): value for name, value in headers.items()}
    assert KEY in sent.get("authorization", "") + sent.get("x-api-key", "")
    assert sent["accept-encoding"] == "identity"
    assert (request["model"], request["max_tokens"]) == ("m", 50)
    assert request["messages"][-1] == {"role": "user", "content": "zeige “Dateien”"}
    assert "Only a command." in str(request)
    assert "stream" not in request or request["stream"] is False


@each_backend
def test_without_a_system_text_none_is_sent(server: ModelServer, backend: str) -> None:
    ask(server.spec(backend, "ok"))
    request = server.seen[-1][1]
    assert "system" not in request
    assert len(request["messages"]) == 1


@each_backend
def test_an_empty_text_and_odd_counts_are_answers(server: ModelServer, backend: str) -> None:
    assert ask(server.spec(backend, "empty-text")).text == ""
    assert ask(server.spec(backend, "odd-usage")) == Answer(text=TEXT)
    assert len(ask(server.spec(backend, "huge")).text) == HUGE


def test_a_refusal_is_an_answer(server: ModelServer) -> None:
    assert ask(server.spec("openai", "refusal")).text == "I won't."
    assert ask(server.spec("anthropic", "null")) == Answer(
        text="", input_tokens=7, output_tokens=3, truncated=True
    )


REFUSALS = [
    ("no-key", FailureKind.AUTHENTICATION, "does not accept the key (HTTP 401). Check "),
    ("forbidden", FailureKind.AUTHENTICATION, "(HTTP 403): not in your plan."),
    ("no-model", FailureKind.REQUEST, "has no model m, or its API is at another path (HTTP 404)"),
    ("rate", FailureKind.RATE_LIMIT, "(HTTP 429), asking to wait 7 s: slow down."),
    ("rate-odd", FailureKind.RATE_LIMIT, "(HTTP 429): slow down."),
    ("bad-request", FailureKind.REQUEST, "(HTTP 400): max_tokens is too large."),
    ("broken", FailureKind.SERVER, "(HTTP 500): out of memory with [hidden]."),
    ("busy", FailureKind.SERVER, "failed (HTTP 529), asking to wait 9 s: overloaded."),
    ("broken-html", FailureKind.SERVER, "failed (HTTP 502)."),
    ("broken-deep", FailureKind.SERVER, "failed (HTTP 500)."),
    ("10-mb-500", FailureKind.MALFORMED, "sent more than 4 MiB for one answer."),
]


@each_backend
@pytest.mark.parametrize(("play", "kind", "says"), REFUSALS, ids=[r[0] for r in REFUSALS])
def test_a_refusal_of_the_server(
    server: ModelServer, backend: str, play: str, kind: FailureKind, says: str
) -> None:
    told = failure(server.spec(backend, play))
    assert says in str(told)
    assert told.kind is kind


MALFORMED = [
    ("html", "answered with an HTML page."),
    ("garbage", "answered with something that is not the expected JSON."),
    ("deep", "answered with something that is not the expected JSON."),
    ("wrong-shape", "answered with something that is not the expected JSON."),
    ("list", "answered with something that is not the expected JSON."),
    ("empty-choices", "answered without"),
    ("empty-body", "answered with an empty body."),
    ("null-content", "answered without text ("),
    ("10-mb", "sent more than 4 MiB for one answer."),
    ("gzip", "sent a compressed body that was not asked for."),
    ("half-unframed", "answered with something that is not the expected JSON."),
    ("no-http", "does not speak HTTP."),
]


@each_backend
@pytest.mark.parametrize(("play", "says"), MALFORMED, ids=[m[0] for m in MALFORMED])
def test_an_answer_that_is_none(server: ModelServer, backend: str, play: str, says: str) -> None:
    told = failure(server.spec(backend, play))
    assert says in str(told)
    assert told.kind is FailureKind.MALFORMED


@each_backend
@pytest.mark.parametrize("play", ["hang", "hang-in-body", "drip"])
def test_a_slow_server_meets_the_limit(server: ModelServer, backend: str, play: str) -> None:
    began = time.monotonic()
    told = failure(server.spec(backend, play), limit=SHORT)
    assert time.monotonic() - began < SHORT + PATIENCE
    assert told.kind is FailureKind.TIMEOUT
    assert "did not answer within 0.5 s." in str(told)


@each_backend
def test_an_endless_body_is_not_read_on(server: ModelServer, backend: str) -> None:
    server.sent = 0
    told = failure(server.spec(backend, "endless"))
    assert told.kind is FailureKind.MALFORMED
    assert server.sent < 64 << 20  # what fits in the limit and the sockets' buffers, generously


@each_backend
def test_a_server_that_hangs_up(server: ModelServer, backend: str) -> None:
    told = failure(server.spec(backend, "hang-up"))
    assert told.kind is FailureKind.NETWORK


@each_backend
def test_an_answer_that_breaks_off_may_be_whole_the_next_time(
    server: ModelServer, backend: str
) -> None:
    told = failure(server.spec(backend, "half"))
    assert told.kind is FailureKind.NETWORK
    assert "broke off in the middle of its answer, after 40 bytes." in str(told)


@each_backend
def test_a_refused_connection(backend: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))  # bound, so that no one else takes it; never listening
        told = failure(f"{backend}:m@http://127.0.0.1:{closed.getsockname()[1]}")
    assert told.kind is FailureKind.NETWORK
    assert "Connection refused" in str(told)


def test_a_name_that_is_no_host() -> None:
    told = failure("openai:m@http://no-such-host.invalid/v1")
    assert told.kind is FailureKind.NETWORK


@each_backend
def test_many_requests_at_once_and_one_that_hangs(server: ModelServer, backend: str) -> None:
    async def run() -> list[Answer | BaseException]:
        good = open_backend(server.spec(backend, "ok"), environment=ENVIRONMENT)
        bad = open_backend(server.spec(backend, "hang"), environment=ENVIRONMENT)
        try:
            calls = [
                each.generate("x", system=None, deadline_seconds=limit, max_tokens=5)
                for each, limit in [(good, LIMIT)] * 20 + [(bad, SHORT)]
            ]
            return await asyncio.gather(*calls, return_exceptions=True)
        finally:
            await good.close()
            await bad.close()

    *answers, late = asyncio.run(run())
    assert answers == [Answer(text=TEXT, input_tokens=7, output_tokens=3)] * 20
    assert isinstance(late, BackendFailure)


@each_backend
def test_cancelling_a_request_ends_it(server: ModelServer, backend: str) -> None:
    async def run() -> None:
        opened = open_backend(server.spec(backend, "hang"), environment=ENVIRONMENT)
        call = opened.generate("x", system=None, deadline_seconds=600, max_tokens=5)
        task = asyncio.create_task(call)
        await asyncio.sleep(0.2)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await opened.close()

    asyncio.run(run())


@each_backend
def test_a_proxy_is_not_asked_for_this_machine(
    server: ModelServer, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask(server.spec(backend, "ok")).text == TEXT


@each_backend
def test_a_missing_extra_is_named(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, backend, None)
    with pytest.raises(MissingTool, match=rf"pip install 'sdkbench\[{backend}\]'"):
        open_backend(f"{backend}:m", environment=ENVIRONMENT)


@each_backend
def test_the_key_is_in_no_name_and_no_repr(server: ModelServer, backend: str) -> None:
    opened = open_backend(server.spec(backend, "ok"), environment=ENVIRONMENT)
    assert opened.name == server.spec(backend, "ok")
    assert KEY not in repr(vars(opened)["_server"])
    asyncio.run(opened.close())


BAD_SPECS = [
    ("", {}, "needs a model"),
    ("@http://127.0.0.1/v1", {}, "needs a model"),
    ("m", {}, "needs a key: set "),
    ("m@http://user:pass@127.0.0.1/v1", {}, "without user, password or query"),
    ("m@http://127.0.0.1:99999/v1", {}, "is not a URL"),
    ("m@http://", {}, "is not a URL"),
    ("m", {"KEY": "two\nlines"}, "holds characters that no key has"),
    ("m", {"KEY": "schlüssel"}, "holds characters that no key has"),
    ("m", {"URL": "ftp://127.0.0.1"}, "is not a URL"),
]


@each_backend
@pytest.mark.parametrize(("target", "variables", "says"), BAD_SPECS)
def test_an_invalid_spec_is_refused(
    backend: str, target: str, variables: dict[str, str], says: str
) -> None:
    names = {"KEY": f"{backend.upper()}_API_KEY", "URL": f"{backend.upper()}_BASE_URL"}
    environment = {names[name]: value for name, value in variables.items()}
    with pytest.raises(InputError, match=says) as caught:
        open_backend(f"{backend}:{target}", environment=environment)
    assert "pass@" not in str(caught.value)
    assert "two" not in str(caught.value)


@each_backend
def test_address_from_the_environment(server: ModelServer, backend: str) -> None:
    url = server.spec(backend, "ok").partition("@")[2]
    opened = open_backend(f"{backend}:m", environment={f"{backend.upper()}_BASE_URL": url + "/"})
    assert opened.name == f"{backend}:m@{url}"
    answer = opened.generate("x", system=None, deadline_seconds=LIMIT, max_tokens=5)

    async def run() -> str:
        try:
            return (await answer).text
        finally:
            await opened.close()

    assert asyncio.run(run()) == TEXT
