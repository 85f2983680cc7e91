"""A log of tokens of all kinds goes in, a word for each comes out."""

import base64
import hashlib
import hmac
import json
import subprocess

SECRET = "a long secret, known to both sides"
LONG_AGO, FAR_OFF = 1000000000, 4102444800


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token(
    alg: str = "HS256", secret: str = SECRET, hashed: str = "sha256", **claims: object
) -> str:
    told = {"aud": "shop", "sub": "anna", **claims}
    kept = {name: value for name, value in told.items() if value is not None}
    head = {"alg": alg, "typ": "JWT"}
    text = f"{part(json.dumps(head).encode())}.{part(json.dumps(kept).encode())}"
    return f"{text}.{part(hmac.new(secret.encode(), text.encode(), hashed).digest())}"


def inspect(*lines: str) -> list[str]:
    done = subprocess.run(
        ["solution", SECRET, "shop"],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_good_tokens_tell_their_subject() -> None:
    good = [token(), token(sub=None), token(exp=FAR_OFF, nbf=LONG_AGO), token(aud=["x", "shop"])]
    assert inspect(*good) == ["ok anna", "ok -", "ok anna", "ok anna", "TOTAL ok=4"]


def test_time_decides_after_the_signature() -> None:
    assert inspect(
        token(exp=LONG_AGO),
        token(nbf=FAR_OFF),
        token(exp=LONG_AGO, nbf=FAR_OFF),
        token(exp=LONG_AGO, secret="another"),
    ) == ["expired", "early", "expired", "forged", "TOTAL expired=2 early=1 forged=1"]


def test_a_token_for_somebody_else_is_elsewhere() -> None:
    others = [token(aud="shops"), token(aud=None), token(aud=["a"]), token(aud="x", exp=LONG_AGO)]
    assert inspect(*others)[:-1] == ["elsewhere"] * 3 + ["expired"]
    assert inspect(token(aud="x", nbf=FAR_OFF), token(aud="x", secret="y"))[:-1] == [
        "early",
        "forged",
    ]


def test_another_algorithm_is_foreign_even_with_our_secret() -> None:
    unsigned = token(alg="none").rpartition(".")[0]
    foreign = [token(alg="HS512", hashed="sha512"), f"{unsigned}.", token(alg="ES256")]
    assert inspect(*foreign, token(alg="HS384", exp=LONG_AGO)) == [
        *["foreign"] * 4,
        "TOTAL foreign=4",
    ]


def test_what_is_no_token_is_broken() -> None:
    head, claims, signature = token().split(".")
    changed = f"{head}.{claims}.{'A' * len(signature)}"
    rest = f"{head}.{part(b'no json')}.{signature}"
    assert inspect("hello", "a.b.c", f"{head}.{claims}", rest, changed) == [
        *["broken"] * 4,
        "forged",
        "TOTAL forged=1 broken=4",
    ]


def test_blanks_and_empty_lines_do_not_count() -> None:
    assert inspect(f"  {token()}\t", "", "   ") == ["ok anna", "TOTAL ok=1"]
    assert inspect("") == ["TOTAL"]
