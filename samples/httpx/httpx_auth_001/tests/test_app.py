"""Tokens are renewed when it is needed, once for all requests, and stay with their service."""

from urllib.parse import parse_qsl

import pytest
from expected import app, wire

URL = "https://api.example/v1"
TOKEN = f"POST {URL}/token"


class Service:
    """Gives out the tokens a1, a2, … for 100 seconds, and answers who has the last one with "ok"."""

    def __init__(self, server):
        self.server = server
        self.now = 1000.0
        self.valid = "a0"
        self.given = 0
        self.kept = []
        self.renewals = []
        self.extra = {}
        server.routes["*"] = self.respond
        server.routes[TOKEN] = self.renew

    def respond(self, asked):
        accepted = asked.headers.get("authorization") == f"Bearer {self.valid}"
        return self.server.reply(200, b"ok") if accepted else self.server.reply(401, b"no")

    def renew(self, asked):
        self.renewals.append(dict(parse_qsl(asked.body.decode())))
        self.given += 1
        self.valid = f"a{self.given}"
        return self.server.reply(
            200, {"access_token": self.valid, "expires_in": 100, **self.extra}
        )

    def lines(self):
        return [line.replace(URL, "") for line in self.server.lines()]

    def tokens(self):
        """The tokens that came with requests other than renewals."""
        return [
            asked.headers.get("authorization", "none").removeprefix("Bearer ")
            for asked in self.server.asked if f"{asked.method} {asked.url}" != TOKEN
        ]


@pytest.fixture
def service(server):
    return Service(server)


@pytest.fixture
def send(service, answer):
    """Sends rounds of requests; GET where only an address is given."""

    def run(*rounds, access="a0", left=100):
        saved = {"access_token": access, "refresh_token": "r0", "expires_at": service.now + left}
        asks = [
            [("GET", each, None) if isinstance(each, str) else each for each in one]
            for one in rounds
        ]
        return app.send_all(
            URL, saved, asks, wire.Wire(answer), lambda: service.now, service.kept.append
        )

    return run


def test_a_token_that_holds_is_used(service, send):
    assert send(["/a", "/b"], ["/c"], left=31) == [[(200, "ok"), (200, "ok")], [(200, "ok")]]
    assert service.tokens() == ["a0", "a0", "a0"]
    assert service.lines() == ["GET /a", "GET /b", "GET /c"]
    assert service.kept == []


@pytest.mark.parametrize(("access", "left"), [("a0", 30), ("a0", -5), (None, 100)],
                         ids=["soon", "over", "none"])
def test_a_token_is_renewed_before_it_ends(service, send, access, left):
    assert send(["/a"], access=access, left=left) == [[(200, "ok")]]
    assert service.lines() == ["POST /token", "GET /a"]
    assert service.tokens() == ["a1"]


def test_a_renewal_is_a_form(service, send):
    send(["/a"], left=0)
    asked = service.server.asked[0]
    assert asked.headers["content-type"] == "application/x-www-form-urlencoded"
    assert service.renewals == [{"grant_type": "refresh_token", "refresh_token": "r0"}]
    assert "authorization" not in asked.headers


def test_many_requests_renew_once(service, send):
    assert send(["/a", "/b", "/c", "/d"], left=0) == [[(200, "ok")] * 4]
    assert service.lines()[0] == "POST /token"
    assert sorted(service.lines()[1:]) == ["GET /a", "GET /b", "GET /c", "GET /d"]


def test_a_refused_token_is_renewed_once(service, send):
    service.valid = "other"
    assert send(["/a", "/b", "/c"]) == [[(200, "ok")] * 3]
    assert service.lines().count("POST /token") == 1
    assert service.tokens() == ["a0", "a0", "a0", "a1", "a1", "a1"]


def test_a_late_refusal_needs_no_renewal(service, send):
    service.valid = "other"
    assert send(["/a", "/slow"]) == [[(200, "ok"), (200, "ok")]]
    assert service.lines() == ["GET /a", "GET /slow", "POST /token", "GET /a", "GET /slow"]
    assert service.tokens() == ["a0", "a0", "a1", "a1"]


def test_a_second_refusal_comes_out(service, send):
    service.server.routes[f"GET {URL}/a"] = lambda _: service.server.reply(401, b"never")
    assert send(["/a"]) == [[(401, "never")]]
    assert service.lines() == ["GET /a", "POST /token", "GET /a"]


@pytest.mark.parametrize("status", [403, 404, 500])
def test_other_answers_come_out(service, send, status):
    service.server.routes[f"GET {URL}/a"] = lambda _: service.server.reply(status, b"what")
    assert send(["/a"]) == [[(status, "what")]]
    assert service.lines() == ["GET /a"]


def test_a_body_is_sent_once_more(service, send):
    service.valid = "other"
    assert send([("PUT", "/a", [b"one ", b"two"]), ("POST", "/b", None)]) == [[(200, "ok")] * 2]
    bodies = [asked.body for asked in service.server.asked if asked.method == "PUT"]
    assert bodies == [b"one two", b"one two"]
    assert service.lines().count("POST /b") == 2


def test_new_tokens_are_kept_before_they_are_used(service, send):
    seen = []
    service.extra = {"refresh_token": "r1"}
    service.server.routes[f"GET {URL}/a"] = lambda asked: (
        seen.append(len(service.kept)) or service.respond(asked)
    )
    assert send(["/a"], left=0) == [[(200, "ok")]]
    assert service.kept == [
        {"access_token": "a1", "refresh_token": "r1", "expires_at": 1100.0}
    ]
    assert seen == [1]


def test_the_refresh_token_may_stay_or_change(service, send):
    def later(asked):
        service.now += 80
        return service.respond(asked)

    def change(asked):
        service.extra = {"refresh_token": "r7"}
        return later(asked)

    service.server.routes[f"GET {URL}/later"] = later
    service.server.routes[f"GET {URL}/change"] = change
    assert send(["/later"], ["/change"], ["/later"], ["/a"], left=0) == [[(200, "ok")]] * 4
    assert [form["refresh_token"] for form in service.renewals] == ["r0", "r0", "r0", "r7"]
    assert service.tokens() == ["a1", "a2", "a3", "a4"]
    assert [kept["refresh_token"] for kept in service.kept] == ["r0", "r0", "r7", "r7"]


@pytest.mark.parametrize("status", [400, 401])
def test_a_refused_refresh_token_is_not_sent_again(service, send, status):
    service.server.routes[TOKEN] = lambda _: service.server.reply(status, {"error": "x"})
    assert send(["/a", "/b", "/c"], ["/d"], left=0) == [["LoginNeeded"] * 3, ["LoginNeeded"]]
    assert service.lines() == ["POST /token"]
    assert service.kept == []


def test_a_token_that_still_holds_needs_no_login(service, send):
    service.server.routes[TOKEN] = lambda _: service.server.reply(400)
    service.server.routes[f"GET {URL}/a"] = lambda _: service.server.reply(401)
    assert send(["/a"], ["/b", "/a"]) == [["LoginNeeded"], [(200, "ok"), "LoginNeeded"]]
    assert service.lines().count("POST /token") == 1


def test_the_next_request_tries_to_renew_again(service, send):
    fails = ["ConnectError", service.server.reply(503)]
    service.server.routes[TOKEN] = lambda asked: fails.pop(0) if fails else service.renew(asked)
    assert send(["/a"], ["/b"], ["/c"], left=0) == [
        ["ConnectError"], ["HTTPStatusError"], [(200, "ok")],
    ]
    assert service.tokens() == ["a1"]


def test_waiting_requests_try_to_renew_by_themselves(service, send):
    fails = ["ReadTimeout"]
    service.server.routes[TOKEN] = lambda asked: fails.pop(0) if fails else service.renew(asked)
    assert send(["/a", "/b", "/c"], left=0) == [["ReadTimeout", (200, "ok"), (200, "ok")]]
    assert service.lines().count("POST /token") == 2


@pytest.mark.parametrize(
    "address", ["https://files.example/v1/a", "http://api.example/v1/a", "https://api.example:8443/a"],
    ids=["host", "scheme", "port"],
)
def test_tokens_stay_with_their_service(service, send, address):
    assert send([address], left=0) == [[(401, "no")]]
    assert service.server.lines() == [f"GET {address}"]
    assert service.tokens() == ["none"]


def test_a_redirect_to_another_origin_takes_no_token_along(service, send):
    there = {"location": "https://files.example/b"}
    service.server.routes[f"GET {URL}/a"] = lambda _: service.server.reply(302, b"", there)
    assert send(["/a"]) == [[(401, "no")]]
    assert service.server.urls() == [f"{URL}/a", "https://files.example/b"]
    assert service.tokens() == ["a0", "none"]


def test_a_redirect_within_the_service_keeps_the_token(service, send):
    there = {"location": "/v2/b"}
    service.server.routes[f"GET {URL}/a"] = lambda _: service.server.reply(302, b"", there)
    assert send(["/a", "https://api.example:443/c"]) == [[(200, "ok"), (200, "ok")]]
    assert service.tokens() == ["a0", "a0", "a0"]


def test_broken_connections_come_out(service, send):
    service.server.routes[f"GET {URL}/a"] = lambda _: "ConnectError"
    assert send(["/a", "/b"]) == [["ConnectError", (200, "ok")]]
