"""Who may look, and by which name."""

import asyncio

from sdkbench.serve.guard import LOOPBACK_NAMES, POLICY, Access, Guard, Message, Receive, Send

TOKEN = "a-token-nobody-knows"


class Answer:
    def __init__(self, messages: list[Message]) -> None:
        self.status = int(messages[0]["status"])
        self.headers = dict(messages[0]["headers"])


async def inner(_scope: Message, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"inside"})


def ask(
    access: Access,
    *,
    host: str = "localhost:1",
    path: str = "/",
    query: str = "",
    cookie: str = "",
    method: str = "GET",
) -> Answer:
    scope = {
        "type": "http", "method": method, "path": path, "query_string": query.encode(),
        "headers": [(b"host", host.encode()), (b"cookie", cookie.encode())],
    }  # fmt: skip
    messages: list[Message] = []

    async def send(message: Message) -> None:
        messages.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    asyncio.run(Guard(inner, access)(scope, receive, send))
    return Answer(messages)


def test_only_names_of_this_machine_are_answered() -> None:
    access = Access(LOOPBACK_NAMES)
    for host in ("localhost:8642", "127.0.0.1", "[::1]:99", "LOCALHOST"):
        assert ask(access, host=host).status == 200
    for host in (
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "10.0.0.7",
        "localhost.evil.example:80",
    ):
        assert ask(access, host=host).status == 421
    assert ask(access._replace(any_address=True), host="10.0.0.7:80").status == 200


def test_nothing_can_be_changed() -> None:
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert ask(Access(LOOPBACK_NAMES), method=method).status == 405


def test_every_answer_has_the_policy() -> None:
    for access in (
        Access(LOOPBACK_NAMES),
        Access(LOOPBACK_NAMES, token=TOKEN),
        Access(frozenset()),
    ):
        headers = ask(access).headers
        assert headers[b"content-security-policy"] == POLICY.encode()
        assert headers[b"x-content-type-options"] == b"nosniff"
        assert headers[b"referrer-policy"] == b"no-referrer"


def test_a_token_in_the_address_becomes_a_cookie() -> None:
    access = Access(LOOPBACK_NAMES, token=TOKEN, cookie="mine")
    answer = ask(access, path="/runs/x", query=f"a=1&token={TOKEN}&b=%262")
    assert answer.status == 303
    assert answer.headers[b"location"] == b"/runs/x?a=1&b=%262"
    assert (
        answer.headers[b"set-cookie"] == f"mine={TOKEN}; Path=/; HttpOnly; SameSite=Strict".encode()
    )
    assert ask(access, cookie=f"other=1; mine={TOKEN}").status == 200


def test_without_the_token_there_is_nothing() -> None:
    access = Access(LOOPBACK_NAMES, token=TOKEN, cookie="mine")
    assert ask(access).status == 401
    assert ask(access, query="token=").status == 401
    assert ask(access, query=f"token={TOKEN}x").status == 401
    assert ask(access, cookie="mine=wrong").status == 401
    assert ask(access, cookie='mine="é').status == 401


def test_no_address_leads_to_another_server() -> None:
    access = Access(LOOPBACK_NAMES, token=TOKEN)
    answer = ask(access, path="//evil.example/", query=f"token={TOKEN}")
    assert answer.headers[b"location"] == b"/evil.example/"
