"""Tokens are taken apart and checked with nothing but Python's own library."""

import base64
import hashlib
import hmac
import json
import subprocess
from pathlib import Path

SECRETS = {"k1": b"the first secret, long enough", "k2": b"\xff\xfe\xfd the second one \x00\x01"}
TIME = 1700000000
CONFIG: dict[str, object] = {
    "issuer": "https://login.example.com",
    "minutes": 15,
    "audience": ["api", "files"],
    "current": "k1",
    "keys": [
        {"id": "k1", "alg": "HS256", "secret": base64.b64encode(SECRETS["k1"]).decode()},
        {"id": "k2", "alg": "HS512", "secret": base64.b64encode(SECRETS["k2"]).decode()},
        {"id": "k3", "alg": "RS256", "secret": "AAAA"},
        {"id": "k4", "alg": "HS256", "secret": "no base64!"},
        {"id": "k5", "alg": "HS384", "secret": base64.b64encode(SECRETS["k2"]).decode()},
    ],
}


def issue(
    folder: Path, *requests: str, **changes: object
) -> "subprocess.CompletedProcess[str]":
    (folder / "config.json").write_text(json.dumps({**CONFIG, **changes}))
    return subprocess.run(
        ["solution"],
        cwd=folder,
        input="".join(f"{request}\n" for request in requests),
        capture_output=True,
        text=True,
        timeout=60,
    )


def opened(token: str, secret: bytes, hashed: str) -> tuple[dict[str, object], dict[str, object]]:
    """Header and claims, if the signature is right."""
    head, claims, signature = token.split(".")
    known = hmac.new(secret, f"{head}.{claims}".encode(), hashed).digest()
    assert base64.urlsafe_b64encode(known).rstrip(b"=").decode() == signature
    parts = (base64.urlsafe_b64decode(f"{part}==") for part in (head, claims))
    first, second = map(json.loads, parts)
    return first, second


def test_a_token_says_who_what_and_how_long(tmp_path: Path) -> None:
    done = issue(tmp_path, f"anna {TIME} editor admin")
    assert done.returncode == 0, done.stderr
    assert opened(done.stdout.strip(), SECRETS["k1"], "sha256") == (
        {"alg": "HS256", "typ": "JWT", "kid": "k1"},
        {
            "iss": "https://login.example.com",
            "sub": "anna",
            "aud": ["api", "files"],
            "iat": TIME,
            "exp": TIME + 900,
            "roles": ["editor", "admin"],
        },
    )


def test_every_request_has_its_own_claims(tmp_path: Path) -> None:
    done = issue(tmp_path, f"anna {TIME} editor", f"ben {TIME + 7}", minutes=1, audience=["api"])
    first, second = (opened(line, SECRETS["k1"], "sha256")[1] for line in done.stdout.split())
    assert (first["sub"], first["exp"], first["roles"]) == ("anna", TIME + 60, ["editor"])
    assert second == {
        "iss": "https://login.example.com",
        "sub": "ben",
        "aud": "api",
        "iat": TIME + 7,
        "exp": TIME + 67,
    }


def test_the_current_key_signs_with_its_own_algorithm(tmp_path: Path) -> None:
    done = issue(tmp_path, f"anna {TIME}", current="k2")
    head, _ = opened(done.stdout.strip(), SECRETS["k2"], "sha512")
    assert head == {"alg": "HS512", "typ": "JWT", "kid": "k2"}
    done = issue(tmp_path, f"anna {TIME}", current="k5")
    assert opened(done.stdout.strip(), SECRETS["k2"], "sha384")[0]["alg"] == "HS384"


def assert_refused(folder: Path, reason: str, **changes: object) -> None:
    done = issue(folder, f"anna {TIME}", **changes)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip() == f"config.json: {reason}"


def test_a_configuration_that_cannot_be_used_is_refused(tmp_path: Path) -> None:
    assert_refused(tmp_path, "no key k9", current="k9")
    assert_refused(tmp_path, "algorithm RS256 is not allowed", current="k3")
    assert_refused(tmp_path, "the secret is not base64", current="k4")
    assert_refused(tmp_path, "not readable", keys="none")
