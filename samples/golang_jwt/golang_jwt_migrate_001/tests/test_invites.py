"""Invitations are made and redeemed; times are given, so that no clock has a say."""

import base64
import hashlib
import hmac
import json
import subprocess
from pathlib import Path

import pytest

SECRET = b"the secret that both services know"
TIME, WEEK = 1700000000, 604800
GOOD = {
    "iss": "invites",
    "aud": "members",
    "sub": "anna@example.com",
    "role": "editor",
    "nbf": TIME,
    "exp": TIME + WEEK,
}
NONE = "error: not an invitation"
LATE, EARLY = "error: invitation expired", "error: invitation not yet valid"


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(secret: bytes = SECRET, alg: str = "HS256", **claims: object) -> str:
    told = {name: value for name, value in {**GOOD, **claims}.items() if value is not None}
    text = f"{part(json.dumps({'alg': alg}).encode())}.{part(json.dumps(told).encode())}"
    hashed = "sha512" if alg == "HS512" else "sha256"
    return f"{text}.{part(hmac.new(secret, text.encode(), hashed).digest())}"


@pytest.fixture
def office(tmp_path: Path) -> Path:
    (tmp_path / "secret").write_bytes(SECRET)
    return tmp_path


def run(folder: Path, *commands: str) -> list[str]:
    done = subprocess.run(
        ["solution"],
        cwd=folder,
        input="".join(f"{command}\n" for command in commands),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def redeem(folder: Path, at: int, *tokens: str) -> list[str]:
    return run(folder, *(f"redeem {one} {at}" for one in tokens))


def test_an_invitation_has_exactly_these_claims(office: Path) -> None:
    made = run(office, f"invite anna@example.com editor {TIME}")[0]
    head, claims, signature = made.split(".")
    known = hmac.new(SECRET, f"{head}.{claims}".encode(), hashlib.sha256).digest()
    assert signature == part(known)
    assert json.loads(base64.urlsafe_b64decode(claims + "==")) == GOOD
    assert json.loads(base64.urlsafe_b64decode(head + "=="))["alg"] == "HS256"


def test_what_was_made_can_be_redeemed(office: Path) -> None:
    made = run(office, f"invite ben@example.com guest {TIME}")[0]
    assert redeem(office, TIME + 5, made, token()) == [
        "ben@example.com guest",
        "anna@example.com editor",
    ]


def test_an_invitation_has_its_time(office: Path) -> None:
    assert redeem(office, TIME, token()) == ["anna@example.com editor"]
    assert redeem(office, TIME - 1, token()) == [EARLY]
    assert redeem(office, TIME + WEEK - 1, token()) == ["anna@example.com editor"]
    assert redeem(office, TIME + WEEK, token()) == [LATE]
    assert redeem(office, TIME, token(nbf=None)) == ["anna@example.com editor"]


def test_every_claim_must_be_there(office: Path) -> None:
    lacking = [token(**{name: None}) for name in ("iss", "aud", "sub", "role", "exp")]
    empty = [token(sub=""), token(role="")]
    other = [token(iss="others"), token(aud="guests")]
    assert redeem(office, TIME, *lacking, *empty, *other) == [NONE] * 9


def test_the_wrong_signature_is_no_invitation_at_any_time(office: Path) -> None:
    head, claims, _ = token().split(".")
    bad = [token(secret=b"x"), token(alg="HS512"), f"{head}.{claims}.", "nothing", "a.b.c"]
    for at in (TIME, TIME + 2 * WEEK, TIME - WEEK):
        assert redeem(office, at, *bad) == [NONE] * 5


def test_what_else_is_wrong_comes_before_the_time(office: Path) -> None:
    bad = [token(iss="others"), token(aud="guests"), token(role=None), token(sub="")]
    assert redeem(office, TIME + 2 * WEEK, *bad) == [NONE] * 4
    assert redeem(office, TIME - WEEK, *bad) == [NONE] * 4
