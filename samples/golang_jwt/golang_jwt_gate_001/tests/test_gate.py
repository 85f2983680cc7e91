"""One gate is started, and asked over HTTP with all kinds of tokens."""

import base64
import hashlib
import hmac
import http.client
import json
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

PORT = 8460
SECRET = b"a secret of the office, 32 bytes"
PUBLIC = "I7xUkSwebpLEqGglyGfif/3FVb/71CRPF6Jqv//ull0="
# By the key that belongs to it: of partner-1, with the scopes notes:write and notes:read; then one
# that has expired.
PARTNER = (
    "eyJhbGciOiJFZERTQSIsImtpZCI6InBhcnRuZXIiLCJ0eXAiOiJKV1QifQ.eyJhdWQiOlsib3RoZXIiLCJub3RlcyJdLCJl"
    "eHAiOjQxMDI0NDQ4MDAsImlzcyI6Imh0dHBzOi8vbG9naW4uZXhhbXBsZS5jb20iLCJzY29wZSI6Im5vdGVzOndyaXRlIG5v"
    "dGVzOnJlYWQiLCJzdWIiOiJwYXJ0bmVyLTEifQ.pliPqQ_zA1fuh81O2jLHK8DKytpLVRePFVeJKGuYM_qNEaORpJtImmjgg"
    "EoPLJxJ4T5QXu8oU10lFPrI5rnaCg"
)
LATE_PARTNER = (
    "eyJhbGciOiJFZERTQSIsImtpZCI6InBhcnRuZXIiLCJ0eXAiOiJKV1QifQ.eyJhdWQiOiJub3RlcyIsImV4cCI6MTAwMDAwM"
    "DAwMCwiaXNzIjoiaHR0cHM6Ly9sb2dpbi5leGFtcGxlLmNvbSIsInNjb3BlIjoibm90ZXM6cmVhZCIsInN1YiI6InBhcnRuZX"
    "ItMSJ9.zwqW3unYHyOOpUDYndRYkk6GtvFc5Y7-Pbxs5nvkCmqYoi4OUWP3MR8GNtWahz09jYCMfPmVsg4WZiPjoc_fBA"
)
GOOD = {
    "iss": "https://login.example.com",
    "aud": "notes",
    "exp": 4102444800,
    "sub": "nobody",
    "scope": "notes:read",
}


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(secret: bytes = SECRET, header: dict[str, object] | None = None, **claims: object) -> str:
    """Signed with HS256, whatever the header says; a claim that is None is left out."""
    told = {name: value for name, value in {**GOOD, **claims}.items() if value is not None}
    head = {"alg": "HS256", "typ": "JWT", "kid": "office", **(header or {})}
    text = f"{part(json.dumps(head).encode())}.{part(json.dumps(told).encode())}"
    return f"{text}.{part(hmac.new(secret, text.encode(), hashlib.sha256).digest())}"


class Answer:
    def __init__(self, method: str, authorization: str | None, body: str = "") -> None:
        connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=30)
        headers = {"Connection": "close"}
        if authorization is not None:
            headers["Authorization"] = authorization
        connection.request(method, "/notes", body, headers)
        response = connection.getresponse()
        self.status = response.status
        self.challenge = response.getheader("WWW-Authenticate")
        self.body = json.loads(response.read())
        connection.close()


def bearer(method: str, text: str, body: str = "") -> Answer:
    return Answer(method, f"Bearer {text}", body)


@pytest.fixture(scope="module", autouse=True)
def gate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("gate")
    keys = [
        {"kid": "office", "alg": "HS256", "secret": base64.b64encode(SECRET).decode()},
        {"kid": "partner", "alg": "EdDSA", "public": PUBLIC},
    ]
    (folder / "keys.json").write_text(json.dumps({"keys": keys}))
    server = subprocess.Popen(["solution"], cwd=folder)
    try:
        for _ in range(400):
            try:
                Answer("PUT", None)
                break
            except OSError:
                time.sleep(0.05)
        yield
    finally:
        server.kill()
        server.wait()


def assert_refused(text: str, reason: str = "token refused") -> None:
    answer = bearer("GET", text)
    told = f'Bearer error="invalid_token", error_description="{reason}"'
    assert (answer.status, answer.body, answer.challenge) == (401, {"error": reason}, told)


def test_everybody_has_notes_of_their_own() -> None:
    writer = token(sub="anna", scope="notes:read notes:write")
    assert bearer("GET", writer).body == {"notes": []}
    for text in ("first", "second"):
        stored = bearer("POST", writer, text)
        assert (stored.status, stored.body) == (201, {})
    listed = bearer("GET", writer)
    assert (listed.status, listed.challenge) == (200, None)
    assert listed.body == {"notes": ["first", "second"]}
    assert bearer("GET", token(sub="ben")).body == {"notes": []}


def test_a_token_of_the_other_algorithm_is_as_good() -> None:
    assert bearer("POST", PARTNER, "from outside").status == 201
    assert bearer("GET", PARTNER).body == {"notes": ["from outside"]}
    assert bearer("GET", token(aud=["x", "notes"])).status == 200


def test_the_scheme_is_read_in_any_case() -> None:
    assert Answer("GET", f"bEARER {token()}").status == 200


@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic YTpi", "token"])
def test_without_a_bearer_token_it_is_missing(header: str | None) -> None:
    answer = Answer("GET", header)
    assert (answer.status, answer.body) == (401, {"error": "token missing"})
    assert answer.challenge == 'Bearer error="invalid_token", error_description="token missing"'


def test_a_token_has_its_time() -> None:
    assert_refused(token(exp=1000000000), "token expired")
    assert_refused(LATE_PARTNER, "token expired")
    assert_refused(token(nbf=4102444000), "token not active")
    assert_refused(token(exp=None))


def test_issuer_audience_and_subject_are_checked() -> None:
    assert_refused(token(iss="https://login.example.org"))
    assert_refused(token(iss=None))
    assert_refused(token(aud="notes2"))
    assert_refused(token(aud=None))
    assert_refused(token(sub=""))
    assert_refused(token(sub=None))


def test_the_signature_comes_before_everything_else() -> None:
    assert_refused(token(secret=b"another"))
    assert_refused(token(secret=b"another", exp=1000000000))
    assert_refused(token(header={"kid": "unknown"}))
    assert_refused(token(header={"kid": None}))
    assert_refused("no.token.atall")


def test_a_key_serves_no_other_algorithm() -> None:
    assert_refused(token(secret=base64.b64decode(PUBLIC), header={"kid": "partner"}))
    unsigned = token(header={"alg": "none"}).rpartition(".")[0]
    assert_refused(f"{unsigned}.")


def test_a_scope_is_a_whole_word() -> None:
    for scope in ("notes:write", "notes:readonly xnotes:read", "notes: read", None):
        answer = bearer("GET", token(scope=scope))
        assert (answer.status, answer.body) == (403, {"error": "scope notes:read needed"})
        assert answer.challenge == (
            'Bearer error="insufficient_scope", error_description="scope notes:read needed"'
        )
    assert bearer("POST", token()).body == {"error": "scope notes:write needed"}


def test_only_known_methods_are_allowed() -> None:
    for header in (None, f"Bearer {token()}"):
        answer = Answer("PUT", header)
        assert (answer.status, answer.body) == (405, {"error": "method not allowed"})
        assert answer.challenge is None
