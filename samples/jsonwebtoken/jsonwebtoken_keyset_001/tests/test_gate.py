"""Tokens are signed here, with nothing but Python's own numbers, and judged by the gate."""

import base64
import hashlib
import hmac
import json
import subprocess
from pathlib import Path

PRIMES = [  # of two RSA keys, made for these tests
    (
        "e6d54bcffa4ffd69af00382b6fbf4d24bb30ba0fc8e973bb187732966d65031544ffdc13786876e9165a"
        "e19bc93bf02ba63f6b0f53e5e509cdce1fab7a8607a69e49d0121e902729e3c91e433363ae2c52024ce6"
        "567154aee3033a2d169899d21f9c1130b380e8920cd2148da1744c74b968c15f9a210182025773d4ef6f"
        "37e9",
        "ca3085c5c589d3711ab830e830882e193625edbd4583c30b543a881ed3e41f446c8de677c9a284f1bcae"
        "91de90b22e543b5588e410e905f6553dda83e29bee1ed48d60e0aebfe0c8ee810a9f35cf4f6a9a11175c"
        "c00c00d94d7c9d62ff61eb575ba2f4e05081743d9510614a1332e1577a5f093555abb6b63f93cf78e3f9"
        "0cdb",
    ),
    (
        "eb92e3a9ec3b6bb160fe081a35dbbbf0ab078a95aec2926aa6cf73b70833c385d06249fc3df7192549eb"
        "a95c0b2b9f0fa70000aaed82cf7797ff08dd199b0b233bb222b3a358b40dd0ef0cea457dfc479e2c8a86"
        "ef1abcee075b0699bcc07a94826924a20eb0f699aa07b61c80667b59151fcb6204222b52062c4c4749f1"
        "ffab",
        "b5532139f0e2a63670a4eb4721650feb3c49270b6fa5300b4aae9967fe7ac56f5dbe631213d230d5d0bb"
        "d0c1c8d04a19e5b888ad018fee88ffec24aee03006365f729514ade54fddbf73202995bc61c720ad5a10"
        "3b7306026b3b82f5260e51d50b0639b329e127758a3789e163bb03d8871d543441f19d1990d6cc34b17a"
        "4a99",
    ),
]

# The curve P-256.
FIELD = 2**256 - 2**224 + 2**192 + 2**96 - 1
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)

NOW = 1700000000
ISSUER, AUDIENCE = "https://login.example.com", "api"
CLAIMS = {"iss": ISSUER, "aud": AUDIENCE, "sub": "anna", "exp": NOW + 600}


def part(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def number(value: int) -> str:
    return part(value.to_bytes((value.bit_length() + 7) // 8, "big"))


class Rsa:
    def __init__(self, p: int, q: int) -> None:
        self.n, self.d = p * q, pow(65537, -1, (p - 1) * (q - 1))

    def jwk(self, **others: object) -> dict[str, object]:
        return {"kty": "RSA", "n": number(self.n), "e": "AQAB", **others}

    def sign(self, alg: str, text: bytes) -> bytes:
        size = alg[2:]
        kinds = {
            "256": "0d060960864801650304020105000420",
            "512": "0d060960864801650304020305000440",
        }
        digest = hashlib.new(f"sha{size}", text).digest()
        length = {"256": "31", "512": "51"}[size]
        told = bytes.fromhex(f"30{length}30{kinds[size]}") + digest
        padded = b"\x00\x01" + b"\xff" * (253 - len(told)) + b"\x00" + told
        return pow(int.from_bytes(padded, "big"), self.d, self.n).to_bytes(256, "big")


def added(
    one: "tuple[int, int] | None", other: "tuple[int, int] | None"
) -> "tuple[int, int] | None":
    if one is None or other is None:
        return one or other
    (x1, y1), (x2, y2) = one, other
    if x1 == x2 and (y1 + y2) % FIELD == 0:
        return None
    if one == other:
        slope = (3 * x1 * x1 - 3) * pow(2 * y1, -1, FIELD)
    else:
        slope = (y2 - y1) * pow(x2 - x1, -1, FIELD)
    x = (slope * slope - x1 - x2) % FIELD
    return x, (slope * (x1 - x) - y1) % FIELD


def times(factor: int) -> tuple[int, int]:
    total, point = None, BASE
    while factor:
        if factor & 1:
            total = added(total, point)
        point = added(point, point)  # type: ignore[assignment]
        factor >>= 1
    assert total is not None
    return total


class Ec:
    def __init__(self, d: int) -> None:
        self.d = d

    def jwk(self, **others: object) -> dict[str, object]:
        x, y = (part(place.to_bytes(32, "big")) for place in times(self.d))
        return {"kty": "EC", "crv": "P-256", "x": x, "y": y, **others}

    def sign(self, alg: str, text: bytes) -> bytes:
        digest = int.from_bytes(hashlib.sha256(text).digest(), "big")
        k = int.from_bytes(hashlib.sha512(text).digest(), "big") % (ORDER - 1) + 1
        r = times(k)[0] % ORDER
        s = pow(k, -1, ORDER) * (digest + r * self.d) % ORDER
        return r.to_bytes(32, "big") + s.to_bytes(32, "big")


class Secret:
    def __init__(self, secret: bytes) -> None:
        self.secret = secret

    def sign(self, alg: str, text: bytes) -> bytes:
        return hmac.new(self.secret, text, f"sha{alg[2:]}").digest()


ONE, TWO = (Rsa(int(p, 16), int(q, 16)) for p, q in PRIMES)
CURVE, OTHER_CURVE = Ec(0x1234567 << 200 | 0x89), Ec(0xABCDEF << 190 | 0x77)


def token(key: "Rsa | Ec | Secret", alg: str, kid: "str | None" = None, **changes: object) -> str:
    header = {"alg": alg, "typ": "JWT", **({} if kid is None else {"kid": kid})}
    header.update(changes.pop("header", {}))  # type: ignore[call-overload]
    claims = {name: value for name, value in {**CLAIMS, **changes}.items() if value != "gone"}
    text = f"{part(json.dumps(header).encode())}.{part(json.dumps(claims).encode())}"
    return f"{text}.{part(key.sign(alg, text.encode()))}"


def gate(folder: Path, *commands: str, keys: object = None, **files: object) -> list[str]:
    """What the gate says; with `keys`, they are loaded first, and their line is left out."""
    for name, content in {**files, "keys": {"keys": keys}}.items():
        text = content if isinstance(content, str) else json.dumps(content)
        (folder / f"{name}.json").write_text(text)
    first = [] if keys is None else ["keys keys.json"]
    done = subprocess.run(
        ["solution", ISSUER, AUDIENCE],
        cwd=folder,
        input="".join(f"{command}\n" for command in [*first, *commands]),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[len(first) :]


def check(signed: str, time: int = NOW) -> str:
    return f"check {time} {signed}"


def test_the_key_is_found_by_its_id(tmp_path: Path) -> None:
    keys = [ONE.jwk(kid="a"), TWO.jwk(kid="b", alg="RS512"), CURVE.jwk(kid="c", use="sig")]
    signed = [
        token(ONE, "RS256", "a"),
        token(ONE, "RS512", "a", sub="ben"),
        token(TWO, "RS512", "b"),
        token(CURVE, "ES256", "c", aud=["x", "api"]),
    ]
    assert gate(tmp_path, *map(check, signed), keys=keys) == [
        "ok anna a",
        "ok ben a",
        "ok anna b",
        "ok anna c",
    ]


def test_another_key_of_the_set_is_no_substitute(tmp_path: Path) -> None:
    keys = [ONE.jwk(kid="a"), TWO.jwk(kid="b"), TWO.jwk()]
    signed = [token(TWO, "RS256", "a"), token(ONE, "RS256", "b"), token(ONE, "RS256", "z")]
    assert gate(tmp_path, *map(check, signed), keys=keys) == [
        "refused: signature",
        "refused: signature",
        "refused: key",
    ]


def test_without_an_id_every_key_of_the_algorithm_is_tried(tmp_path: Path) -> None:
    keys = [TWO.jwk(kid="b", alg="RS256"), CURVE.jwk(), ONE.jwk(kid="a")]
    signed = [
        token(ONE, "RS256"),
        token(TWO, "RS256"),
        token(CURVE, "ES256"),
        token(TWO, "RS512"),
        token(OTHER_CURVE, "ES256"),
    ]
    assert gate(tmp_path, *map(check, signed), keys=keys) == [
        "ok anna a",
        "ok anna b",
        "ok anna -",
        "refused: signature",
        "refused: signature",
    ]


def test_a_key_serves_its_own_algorithm_only(tmp_path: Path) -> None:
    keys = [ONE.jwk(kid="a", alg="RS256"), TWO.jwk(kid="b"), CURVE.jwk(kid="c")]
    signed = [
        token(ONE, "RS512", "a"),
        token(CURVE, "ES256", "a"),
        token(ONE, "RS256", "c"),
        token(CURVE, "ES256"),
    ]
    assert gate(tmp_path, *map(check, signed), keys=keys) == ["refused: key"] * 3 + ["ok anna c"]
    assert gate(tmp_path, check(token(CURVE, "ES256")), keys=keys[:2]) == ["refused: key"]


def test_keys_of_two_kinds_may_share_an_id(tmp_path: Path) -> None:
    keys = [ONE.jwk(kid="a"), CURVE.jwk(kid="a"), TWO.jwk(kid="a", alg="RS512")]
    signed = [token(CURVE, "ES256", "a"), token(ONE, "RS256", "a"), token(TWO, "RS512", "a")]
    assert gate(tmp_path, *map(check, signed), keys=keys) == ["ok anna a"] * 3


def test_a_public_key_is_no_secret(tmp_path: Path) -> None:
    jwk = ONE.jwk(kid="a")
    modulus = str(jwk["n"])
    secrets = [modulus.encode(), ONE.n.to_bytes(256, "big"), json.dumps(jwk).encode(), b""]
    signed = [token(Secret(secret), "HS256", "a") for secret in secrets]
    assert gate(tmp_path, *map(check, signed), keys=[jwk]) == ["refused: algorithm"] * 4


def test_secrets_in_a_set_are_never_used(tmp_path: Path) -> None:
    secret = {"kty": "oct", "k": part(b"a secret that all know"), "kid": "s", "alg": "HS256"}
    bare = {"kty": "oct", "k": part(b"a secret that all know"), "kid": "t"}
    signed = [token(Secret(b"a secret that all know"), "HS256", kid) for kid in ("s", "t", None)]
    files = {"a": {"keys": [secret, bare, ONE.jwk(kid="a")]}, "b": {"keys": [secret, bare]}}
    assert gate(tmp_path, "keys a.json", "keys b.json", *map(check, signed), **files) == [
        "keys 1",
        "error: no usable key",
        *["refused: algorithm"] * 3,
    ]


def test_other_algorithms_are_refused(tmp_path: Path) -> None:
    keys = [ONE.jwk(kid="a"), CURVE.jwk(kid="c")]
    signed = [token(Secret(b"x"), "HS512"), *(renamed(alg) for alg in ("RS384", "PS256", "EdDSA"))]
    assert gate(tmp_path, *map(check, signed), keys=keys) == ["refused: algorithm"] * 4


def renamed(alg: str) -> str:
    _, claims, signature = token(ONE, "RS256", "a").split(".")
    return f"{part(json.dumps({'alg': alg, 'kid': 'a'}).encode())}.{claims}.{signature}"


def test_what_is_no_token_is_malformed(tmp_path: Path) -> None:
    head, claims, signature = token(ONE, "RS256", "a").split(".")
    texts = [
        "hello",
        f"{head}.{claims}",
        f"{head}.{claims}.{signature}.x",
        f"{head}.{part(b'[1]')}.{signature}",
        f"{head}.{part(b'{')}.{signature}",
        f"{head}.!.{signature}",
        f"{part(b'{}')}.{claims}.{signature}",
        f"{claims}.{head}.{signature}",
    ]
    unsigned = [f"{renamed(alg).rpartition('.')[0]}." for alg in ("none", "RS1")]
    told = gate(tmp_path, *map(check, [*texts, *unsigned]), keys=[ONE.jwk(kid="a")])
    assert told == ["refused: malformed"] * 10


def test_a_key_that_the_token_brings_along_means_nothing(tmp_path: Path) -> None:
    own = TWO.jwk(kid="a", alg="RS256")
    signed = [token(TWO, "RS256", kid, header={"jwk": own}) for kid in ("a", None, "z")]
    assert gate(tmp_path, *map(check, signed), keys=[ONE.jwk(kid="a")]) == [
        "refused: signature",
        "refused: signature",
        "refused: key",
    ]


def test_a_changed_token_has_no_valid_signature(tmp_path: Path) -> None:
    head, claims, signature = token(ONE, "RS256", "a").split(".")
    others = part(json.dumps({**CLAIMS, "sub": "root"}).encode())
    texts = [f"{head}.{others}.{signature}", f"{head}.{claims}.", f"{head}.{claims}.!!"]
    assert gate(tmp_path, *map(check, texts), keys=[ONE.jwk(kid="a")]) == ["refused: signature"] * 3


UNUSABLE = [
    {"kty": "PQC", "kid": "a", "pub": "AAAA"},
    ONE.jwk(kid="a", use="enc"),
    ONE.jwk(kid="a", use="other"),
    ONE.jwk(kid="a", key_ops=["sign", "encrypt"]),
    ONE.jwk(kid="a", alg="RSA-OAEP"),
    ONE.jwk(kid="a", alg="XY-1"),
    ONE.jwk(kid="a", alg="ES256"),
    ONE.jwk(kid="a", alg="RS384"),
    ONE.jwk(kid="a", n="no base64url!"),
    CURVE.jwk(kid="a", crv="P-384"),
    {"kty": "OKP", "crv": "Ed25519", "x": part(bytes(32)), "kid": "a"},
    {"kty": "RSA", "kid": "a"},
    "a",
]


def test_keys_that_we_cannot_use_are_passed_over(tmp_path: Path) -> None:
    good = [TWO.jwk(kid="b", key_ops=["encrypt", "verify"]), CURVE.jwk(kid="c", alg="ES256")]
    signed = [token(ONE, "RS256", "a"), token(TWO, "RS256", "b"), token(CURVE, "ES256", "c")]
    commands = ["keys mixed.json", *map(check, signed)]
    assert gate(tmp_path, *commands, mixed={"keys": [*UNUSABLE, *good]}) == [
        "keys 2",
        "refused: key",
        "ok anna b",
        "ok anna c",
    ]
    assert gate(tmp_path, "keys bad.json", bad={"keys": UNUSABLE}) == ["error: no usable key"]


def test_keys_are_replaced_and_never_lost(tmp_path: Path) -> None:
    files = {"old": {"keys": [ONE.jwk(kid="a")]}, "new": {"keys": [TWO.jwk(kid="a")]}}
    broken = {"text": "<html>", "list": [], "none": {"keys": []}, "other": {"keys": {}}}
    old, new = check(token(ONE, "RS256", "a")), check(token(TWO, "RS256", "a"))
    commands = [
        old,
        "keys old.json",
        old,
        *(f"keys {name}.json" for name in broken),
        "keys missing",
        old,
    ]
    assert gate(tmp_path, *commands, "keys new.json", old, new, **files, **broken) == [
        "refused: key",
        "keys 1",
        "ok anna a",
        "error: unreadable",
        "error: unreadable",
        "error: no usable key",
        "error: unreadable",
        "error: unreadable",
        "ok anna a",
        "keys 1",
        "refused: signature",
        "ok anna a",
    ]


def judged(folder: Path, *changes: "dict[str, object]", time: int = NOW) -> list[str]:
    signed = [check(token(CURVE, "ES256", "c", **change), time) for change in changes]
    return gate(folder, *signed, keys=[CURVE.jwk(kid="c")])


def test_issuer_and_audience_are_ours(tmp_path: Path) -> None:
    issuers = [{"iss": value} for value in ("gone", f"{ISSUER}/", None, [ISSUER])]
    audiences = [{"aud": value} for value in ("gone", "apis", [], ["x", "apis"], None)]
    told = ["refused: claim iss"] * 4 + ["refused: claim aud"] * 5
    assert judged(tmp_path, *issuers, *audiences) == told


def test_subject_and_times_are_what_they_must_be(tmp_path: Path) -> None:
    subjects = [{"sub": value} for value in ("gone", "", 7)]
    ends = [{"exp": value} for value in ("gone", str(NOW + 600), NOW + 0.5, None)]
    begins = [{"nbf": value} for value in ("1", -1, None)]
    claims = ["sub"] * 3 + ["exp"] * 4 + ["nbf"] * 3
    assert judged(tmp_path, *subjects, *ends, *begins) == [
        f"refused: claim {name}" for name in claims
    ]


def test_the_time_at_which_a_token_came_decides(tmp_path: Path) -> None:
    ends = [{"exp": NOW - seconds} for seconds in (0, 30, 31, 9999)]
    assert judged(tmp_path, *ends) == ["ok anna c"] * 2 + ["refused: expired"] * 2
    begins = [{"nbf": NOW + seconds} for seconds in (-9, 30, 31)]
    assert judged(tmp_path, *begins) == ["ok anna c", "ok anna c", "refused: early"]
    assert judged(tmp_path, {"exp": 2**64 - 1}, time=2**63) == ["ok anna c"]


def test_the_first_reason_is_told(tmp_path: Path) -> None:
    wrong = {"exp": NOW - 99, "iss": "x", "aud": "x", "sub": ""}
    told = judged(tmp_path, wrong, {**wrong, "iss": ISSUER}, {**wrong, "iss": ISSUER, "aud": "api"})
    assert told == [f"refused: claim {name}" for name in ("iss", "aud", "sub")]
    late = {"exp": NOW - 99, "nbf": NOW + 99}
    assert judged(tmp_path, {**late, "nbf": "x"}, late) == [
        "refused: claim nbf",
        "refused: expired",
    ]
    others = [token(OTHER_CURVE, "ES256", kid, exp=1, iss="x") for kid in ("c", "z")]
    keys = [CURVE.jwk(kid="c")]
    assert gate(tmp_path, *map(check, others), keys=keys) == ["refused: signature", "refused: key"]
