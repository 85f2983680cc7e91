"""Tokens of visitors, made by hand."""

import base64
import hashlib
import hmac
import json
import subprocess

SECRET = "the secret of the house"
LONG_AGO, FAR_OFF = 1000000000, 4102444800
GOOD = {"iss": "door", "aud": "house", "exp": FAR_OFF, "id": 7, "name": "anna"}


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(secret: str = SECRET, alg: str = "HS256", **claims: object) -> str:
    told = {name: value for name, value in {**GOOD, **claims}.items() if value is not None}
    head = part(json.dumps({"alg": alg, "typ": "JWT"}).encode())
    text = f"{head}.{part(json.dumps(told).encode())}"
    return f"{text}.{part(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest())}"


def visits(*tokens: str) -> list[str]:
    done = subprocess.run(
        ["solution", SECRET],
        input="".join(f"{token}\n" for token in tokens),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_good_tokens_tell_the_visitor() -> None:
    good = [token(), token(iss="gate", name="ben", id=8), token(aud=["x", "house"]), token(nbf=1)]
    assert visits(*good) == ["7 anna", "8 ben", "7 anna", "7 anna"]


def test_what_is_not_ours_is_bad() -> None:
    issuers = [token(iss="window"), token(iss=None)]
    audiences = [token(aud="houses"), token(aud=["x"]), token(aud=None)]
    assert visits(*issuers, *audiences) == ["bad"] * 5


def test_every_claim_must_be_there() -> None:
    assert visits(token(exp=None), token(id=None), token(name=None), token(id="7")) == ["bad"] * 4
    assert visits(token(nbf=FAR_OFF - 1)) == ["bad"]


def test_only_what_would_be_good_is_expired() -> None:
    late = [token(exp=LONG_AGO), token(exp=LONG_AGO, iss="gate")]
    assert visits(*late) == ["expired"] * 2
    others = [token(exp=LONG_AGO, iss="window"), token(exp=LONG_AGO, aud=None)]
    assert visits(*others, token(exp=LONG_AGO, id=None)) == ["bad"] * 3


def test_others_are_asked_for_their_name_only() -> None:
    others = [
        token(secret="another"),
        token(secret="another", exp=LONG_AGO, iss=None, aud="x", id=None, name="carl"),
        token(secret="another", exp=None, nbf=FAR_OFF),
        token(alg="HS512"),
        token(alg="ES256", name="dora"),
    ]
    names = ["anna", "carl", "anna", "anna", "dora"]
    assert visits(*others) == [f"unverified {name}" for name in names]
    assert visits(token(secret="another", name=None)) == ["bad"]


def test_what_is_no_token_is_bad() -> None:
    head, claims, _ = token().split(".")
    assert visits("", "hello", "a.b.c", f"{head}.{claims}", f"{head}.{part(b'{')}.") == ["bad"] * 5
