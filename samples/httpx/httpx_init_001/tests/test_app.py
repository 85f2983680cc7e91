"""Settings are read and checked, and every request of the client follows them."""

import json

import httpx
import pytest
from expected import app, wire

URL = "https://depot.example/api/v2"
PLAIN = {
    "url": URL, "user": None, "password": None, "agent": "depot-client", "timeout": 10,
    "headers": {},
}


@pytest.fixture
def read(tmp_path):
    def settings(given):
        path = tmp_path / "depot.json"
        path.write_text(json.dumps(given))
        return app.read_settings(path)

    return settings


@pytest.fixture
def transport(answer):
    return wire.Wire(answer)


def test_missing_settings_have_defaults(read):
    assert read({"url": URL}) == PLAIN


def test_settings_are_taken_from_the_file(read):
    given = {
        "url": "http://localhost:8000", "user": "ida", "password": "", "agent": "shop/2",
        "timeout": 0.5, "headers": {"x-team": "blue"},
    }
    assert read(given) == given


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "url"),
        ({"url": "depot.example"}, "url"),
        ({"url": 7}, "url"),
        ({"url": URL, "timeout": 0}, "timeout"),
        ({"url": URL, "timeout": -1.5}, "timeout"),
        ({"url": URL, "timeout": "10"}, "timeout"),
        ({"url": URL, "timeout": True}, "timeout"),
        ({"url": URL, "user": "ida"}, "password"),
        ({"url": URL, "password": "x"}, "user"),
        ({"url": URL, "time_out": 3}, "time_out"),
    ],
    ids=["none", "bare", "number", "zero", "negative", "text", "true", "user", "password", "typo"],
)
def test_a_wrong_setting_is_named(read, given, named):
    with pytest.raises(ValueError, match=named):
        read(given)


def test_paths_are_below_the_url(server, answer, transport):
    with app.client(PLAIN, transport) as depot:
        depot.get("items/7")
        depot.get("/items", params={"page": 2})
    assert server.lines() == [f"GET {URL}/items/7", f"GET {URL}/items?page=2"]


def test_every_request_has_the_headers(server, transport):
    settings = {**PLAIN, "agent": "shop/2", "headers": {"X-Team": "blue"}}
    with app.client(settings, transport) as depot:
        depot.get("items")
    headers = server.asked[0].headers
    assert headers["accept"] == "application/json"
    assert headers["user-agent"] == "shop/2"
    assert headers["x-team"] == "blue"
    assert "authorization" not in headers


def test_credentials_are_sent(server, transport):
    with app.client({**PLAIN, "user": "ida", "password": "p:w"}, transport) as depot:
        depot.post("items", json={})
    assert server.asked[0].headers["authorization"] == "Basic aWRhOnA6dw=="


@pytest.mark.parametrize(
    ("seconds", "connect"), [(10, 3), (0.5, 0.5), (4, 3)], ids=["long", "short", "between"]
)
def test_time_limits(transport, seconds, connect):
    with app.client({**PLAIN, "timeout": seconds}, transport) as depot:
        limits = depot.timeout.as_dict()
    assert limits == {"connect": connect, "read": seconds, "write": seconds, "pool": seconds}


def test_redirects_are_followed_three_times(server, transport):
    def moved(asked):
        number = int(asked.url[-1])
        if number == 0:
            return server.reply(200, {"done": True})
        return server.reply(302, headers={"location": f"/{number - 1}"})

    server.routes["*"] = moved
    with app.client(PLAIN, transport) as depot:
        assert depot.get("https://depot.example/3").json() == {"done": True}
        with pytest.raises(httpx.TooManyRedirects):
            depot.get("https://depot.example/4")


def test_ping_tells_the_version(server, transport):
    server.routes[f"GET {URL}/health"] = lambda asked: server.reply(200, {"version": "2.7"})
    assert app.ping(PLAIN, transport) == "2.7"


def test_ping_raises_for_an_error(server, transport):
    server.routes[f"GET {URL}/health"] = lambda asked: server.reply(503, {"version": "2.7"})
    with pytest.raises(httpx.HTTPStatusError):
        app.ping(PLAIN, transport)
