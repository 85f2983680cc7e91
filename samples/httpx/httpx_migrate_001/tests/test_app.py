"""The archive's client does on httpx 0.28 what it did on 0.13."""

import httpx
import pytest
from expected import app, wire

URL = "https://archive.example/files"


@pytest.fixture
def archive(answer):
    client = app.Archive(URL, wire.Wire(answer))
    yield client
    client.close()


def test_a_document_is_read(server, archive):
    server.answers = [server.reply(200, "käse".encode(), {"content-type": "text/plain"})]
    assert archive.read("a b?v=1&w=2") == {
        "host": "archive.example", "target": "/files/a%20b?v=1&w=2", "text": "käse",
    }


def test_redirects_are_followed_to_the_end(server, archive):
    server.answers = [
        server.reply(302, headers={"location": "/moved"}),
        server.reply(307, headers={"location": "http://other.example:8080/here?x=1"}),
        server.reply(200, b"found"),
    ]
    assert archive.read("a") == {
        "host": "other.example:8080", "target": "/here?x=1", "text": "found",
    }
    assert server.urls() == [
        f"{URL}/a", "https://archive.example/moved", "http://other.example:8080/here?x=1",
    ]


def test_a_missing_document_is_a_lookup_error(server, archive):
    with pytest.raises(LookupError):
        archive.read("a")


@pytest.mark.parametrize("status", [403, 500])
def test_other_errors_raise(server, archive, status):
    server.routes["*"] = lambda _: server.reply(status, b"one\n")
    with pytest.raises(httpx.HTTPError):
        archive.read("a")
    with pytest.raises(httpx.HTTPError):
        archive.lines("a")


@pytest.mark.parametrize(
    ("data", "body"), [(b"a=1\x00", b"a=1\x00"), ("k\u00e4se", b"k\xc3\xa4se")],
    ids=["bytes", "text"],
)
def test_bytes_and_texts_are_uploaded_as_they_are(server, archive, data, body):
    server.answers = [server.reply(201)]
    assert archive.upload("a", data) == 201
    (asked,) = server.asked
    assert (asked.method, asked.url, asked.body) == ("PUT", f"{URL}/a", body)
    assert asked.headers["content-type"] == "text/plain"


def test_an_upload_is_not_redirected(server, archive):
    server.answers = [server.reply(307, headers={"location": "/b"}), server.reply(507)]
    assert archive.upload("a", b"x") == 307
    assert archive.upload("a", b"x") == 507
    assert server.urls() == [f"{URL}/a", f"{URL}/a"]


def test_lines_end_at_the_stop(server, archive):
    text = "one\r\n two \n\nthree\nEND\nfour\n"
    server.routes["*"] = lambda _: server.reply(200, text.encode(), {"content-type": "text/plain"})
    assert archive.lines("a") == ["one", " two ", "", "three"]
    assert archive.lines("a", stop="three") == ["one", " two ", ""]
    assert archive.lines("a", "never")[-2:] == ["END", "four"]


def test_what_comes_after_the_stop_is_never_read(server, archive):
    packed = {"content-encoding": "gzip"}
    half = bytes.fromhex("1f8b08000000000000ff4acc4be572f573e102000000ffff") + b"no gzip at all"
    server.answers = [server.reply(200, half, packed)]
    assert archive.lines("a") == ["ane"]


@pytest.mark.parametrize(
    ("status", "state"),
    [(200, "there"), (204, "there"), (404, "missing"), (410, "broken"), (503, "broken")],
)
def test_the_state_by_status(server, archive, status, state):
    server.answers = [server.reply(status)]
    assert archive.state("a") == state
    assert server.lines() == [f"HEAD {URL}/a"]


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        ("ReadTimeout", "slow"), ("ConnectTimeout", "slow"), ("WriteTimeout", "slow"),
        ("PoolTimeout", "slow"), ("ConnectError", "away"), ("ReadError", "away"),
    ],
)
def test_the_state_by_failure(server, archive, failure, state):
    server.answers = [failure]
    assert archive.state("a") == state


def test_five_redirects_are_followed(server, archive):
    moved = server.reply(301, headers={"location": "/b"})
    server.answers = [moved] * 5 + [server.reply(200)]
    assert archive.state("a") == "there"
    server.answers = [moved] * 9
    assert archive.state("a") == "lost"


def test_cookies_are_listed(server, archive):
    headers = {"set-cookie": "a=1; Path=/"}
    server.answers = [server.reply(302, headers=headers | {"location": "/b"}), server.reply(204)]
    assert archive.cookies("a", lang="de", id="7") == ["a=1; Path=/"]
    assert archive.cookies("b") == []
    sent = [asked.headers.get("cookie", "") for asked in server.asked]
    assert sorted(sent[0].split("; ")) == ["id=7", "lang=de"]
    assert sent[1] == ""


def test_cookies_are_for_one_request_only(server, archive):
    server.answers = [server.reply(200, headers={"set-cookie": "a=1"}), server.reply(200, b"x")]
    archive.cookies("a", lang="de")
    archive.read("b")
    assert "cookie" not in server.asked[1].headers


def test_cookies_of_a_failed_request_are_forgotten_too(server, archive):
    server.answers = ["ConnectError", server.reply(200, b"x")]
    with pytest.raises(httpx.ConnectError):
        archive.cookies("a", lang="de")
    archive.read("b")
    assert "cookie" not in server.asked[1].headers


@pytest.mark.parametrize(
    ("keys", "url", "taken"),
    [
        (("all",), "https://archive.example", "all"),
        (("all", "https"), "https://archive.example", "https"),
        (("http",), "https://archive.example", "none"),
        (("http", "all"), "http://archive.example", "http"),
        (("https", "https://a.example"), "https://a.example", "https://a.example"),
        (("https", "https://a.example"), "https://b.example", "https"),
        (("https://a.example:8443",), "https://a.example", "none"),
        (("https://a.example:8443",), "https://a.example:8443", "https://a.example:8443"),
    ],
    ids=["all", "scheme", "other", "plain", "host", "other-host", "no-port", "port"],
)
def test_requests_take_their_route(server, keys, url, taken):
    way = []

    def answering(name):
        def answer(method, asked, headers, body):
            way.append(name)
            return server.reply(200, b"")

        return wire.Wire(answer)

    client = app.Archive(url, answering("none"), {key: answering(key) for key in keys})
    client.read("a")
    client.close()
    assert way == [taken]
