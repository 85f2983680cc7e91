"""Tokens: made once, kept as digests, expired, removed; and how much one may ask for."""

import stat
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sdkbench.errors import InputError
from sdkbench.serve.judging.access import RateLimiter
from sdkbench.serve.judging.problems import RequestProblem
from sdkbench.serve.judging.tokens import Token, TokenFile, expiry

NOW = datetime(2030, 1, 1, tzinfo=UTC)


@pytest.fixture
def tokens(tmp_path: Path) -> TokenFile:
    return TokenFile(tmp_path / "in" / "tokens.json")


def test_a_token_is_found_by_its_words_and_kept_nowhere(tokens: TokenFile) -> None:
    secret = tokens.add("ci", expires_at=None, waiting=5)
    token = tokens.find(secret)
    assert token is not None
    assert (token.name, token.waiting) == ("ci", 5)
    assert secret not in tokens.path.read_text()
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    assert tokens.find("") is None
    assert tokens.find(secret + "x") is None


def test_what_another_process_changes_counts_at_once(tokens: TokenFile) -> None:
    secret = tokens.add("ci", expires_at=None)
    other = TokenFile(tokens.path)
    assert other.find(secret) is not None
    tokens.remove("ci")
    assert other.find(secret) is None


def test_many_at_once_are_all_kept(tokens: TokenFile) -> None:
    with ThreadPoolExecutor(8) as pool:
        for number in range(24):
            pool.submit(TokenFile(tokens.path).add, f"t{number}", expires_at=None)
    assert len(tokens.tokens()) == 24
    assert sorted(path.name for path in tokens.path.parent.iterdir()) == [
        "tokens.json",
        "tokens.json.lock",
    ]


def test_names_that_can_not_be(tokens: TokenFile) -> None:
    tokens.add("ci", expires_at=None)
    for name in ("ci", "", "a b", "../x", "x" * 65):
        with pytest.raises(InputError):
            tokens.add(name, expires_at=None)
    with pytest.raises(InputError, match="no token 'other'"):
        tokens.remove("other")


def test_a_file_of_something_else_is_never_overwritten(tokens: TokenFile) -> None:
    tokens.path.parent.mkdir()
    for text in ("", "{", '{"tokens": [{"name": "x"}]}', '{"tokens": 3}'):
        tokens.path.write_text(text)
        with pytest.raises(InputError, match="no file of tokens"):
            tokens.tokens()
        with pytest.raises(InputError, match="no file of tokens"):
            tokens.add("ci", expires_at=None)
        assert tokens.path.read_text() == text


@pytest.mark.parametrize(
    ("text", "until"),
    [
        ("never", None),
        ("12h", NOW + timedelta(hours=12)),
        ("30d", NOW + timedelta(days=30)),
        ("2w", NOW + timedelta(weeks=2)),
        ("2031-02-03", datetime(2031, 2, 3, tzinfo=UTC)),
    ],
)
def test_when_it_expires(text: str, until: datetime | None) -> None:
    assert expiry(text, NOW) == until


@pytest.mark.parametrize("text", ["", "0d", "-1d", "tomorrow", "99999999d", "2029-12-31", "1y"])
def test_times_that_can_not_be(text: str) -> None:
    with pytest.raises(InputError):
        expiry(text, NOW)


def test_a_token_is_expired_from_its_moment_on() -> None:
    token = Token(name="a", digest="0" * 64, created_at=NOW, expires_at=NOW)
    assert token.expired(NOW)
    assert not token.expired(NOW - timedelta(seconds=1))
    assert not token.model_copy(update={"expires_at": None}).expired(NOW)


def test_so_many_a_minute() -> None:
    moment = 0.0
    limiter = RateLimiter(lambda: moment)
    token = Token(name="a", digest="0" * 64, created_at=NOW, per_minute=6)
    for _ in range(6):
        limiter.take(token)
    with pytest.raises(RequestProblem) as caught:
        limiter.take(token)
    assert caught.value.status == 429
    assert caught.value.headers["retry-after"] == "10"
    limiter.take(token.model_copy(update={"name": "b"}), 6)  # another one's are its own
    moment = 10.0
    limiter.take(token)
    with pytest.raises(RequestProblem):
        limiter.take(token)
    moment = 1000.0  # no more than a minute's are kept
    with pytest.raises(RequestProblem):
        limiter.take(token, 7)
    limiter.take(token, 6)
    limiter.take(token.model_copy(update={"per_minute": None}), 10_000)
