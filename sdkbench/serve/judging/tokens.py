"""TokenFile: who may ask, until when and how much. Only digests of tokens are kept."""

import contextlib
import fcntl
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AwareDatetime, Field, ValidationError

from sdkbench.client.calls import token_digest
from sdkbench.core import Value
from sdkbench.errors import InputError

PREFIX = "sdkb_"  # so that scanners for secrets know one
MOST_BYTES = 4 << 20
NAME = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


class Token(Value):
    name: Annotated[str, Field(pattern=NAME)]
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None = None
    waiting: Annotated[int, Field(ge=1)] | None = None  # judgements not answered yet
    per_minute: Annotated[int, Field(ge=1)] | None = None  # judgements asked for

    def expired(self, moment: datetime) -> bool:
        return self.expires_at is not None and moment >= self.expires_at


class _Content(Value):
    tokens: tuple[Token, ...] = ()


class _Seen(NamedTuple):
    stamp: tuple[int, int, int]
    tokens: tuple[Token, ...]


class TokenFile:
    """Read again whenever it has changed: a token that is removed is refused at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: _Seen | None = None

    def tokens(self) -> tuple[Token, ...]:
        """None of them where there is no file. InputError where it can't be read."""
        try:
            status = self.path.stat()
            stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
            if self._seen is None or self._seen.stamp != stamp:
                if status.st_size > MOST_BYTES:
                    raise InputError(f"{self.path} is too large to be a file of tokens.")
                content = _Content.model_validate_json(self.path.read_bytes())
                self._seen = _Seen(stamp, content.tokens)
        except FileNotFoundError:
            return ()
        except OSError as error:
            raise InputError(f"{self.path} can't be read: {error.strerror}.") from error
        except ValidationError as error:
            raise InputError(
                f"{self.path} is no file of tokens. Restore it, or remove it and add the tokens "
                "again with `sdkbench serve tokens add`."
            ) from error
        return self._seen.tokens

    def find(self, secret: str) -> Token | None:
        """The token of these words, also one that has expired."""
        given = token_digest(secret)
        # All are looked at, in the same time, whichever it is.
        matches = [each for each in self.tokens() if hmac.compare_digest(each.digest, given)]
        return matches[0] if matches else None

    def add(
        self,
        name: str,
        *,
        expires_at: datetime | None,
        waiting: int | None = None,
        per_minute: int | None = None,
    ) -> str:
        """The words of the new token, which are kept nowhere. InputError for a name that is there
        or can't be one.
        """
        if not re.fullmatch(NAME, name):
            raise InputError(
                f"{name[:80]!r} can't be a token's name: letters, digits, dots, hyphens and "
                "underscores, at most 64."
            )
        secret = PREFIX + secrets.token_urlsafe(32)
        token = Token(
            name=name,
            digest=token_digest(secret),
            created_at=datetime.now(UTC),
            expires_at=expires_at,
            waiting=waiting,
            per_minute=per_minute,
        )
        with self._changing() as tokens:
            if any(each.name == name for each in tokens):
                raise InputError(f"There is a token {name!r} already. Remove it first.")
            tokens.append(token)
        return secret

    def remove(self, name: str) -> None:
        with self._changing() as tokens:
            left = [each for each in tokens if each.name != name]
            if len(left) == len(tokens):
                raise InputError(f"There is no token {name!r} in {self.path}.")
            tokens[:] = left

    @contextlib.contextmanager
    def _changing(self) -> Iterator[list[Token]]:
        """The list, to be changed; written as a whole when the block ends well."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.with_name(f"{self.path.name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                tokens = list(self.tokens())
                yield tokens
                self._write(tokens)
        except OSError as error:
            raise InputError(f"{self.path} can't be written: {error.strerror}.") from error

    def _write(self, tokens: list[Token]) -> None:
        rows = [each.model_dump(mode="json", exclude_none=True) for each in tokens]
        new = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(descriptor, "w", encoding="utf-8") as stream:  # noqa: PTH123 - a descriptor
                json.dump({"tokens": rows}, stream, indent=2)
                stream.flush()
                os.fsync(stream.fileno())
            new.replace(self.path)
        finally:
            new.unlink(missing_ok=True)


def expiry(text: str, moment: datetime) -> datetime | None:
    """`30d`, `12h`, `8w`, a date, or `never`; InputError for anything else, and for the past."""
    if text == "never":
        return None
    match = re.fullmatch(r"([1-9][0-9]{0,4})([hdw])", text)
    try:
        if match:
            return moment + int(match[1]) * UNITS[match[2]]
        until = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise InputError(
            f"{text[:40]!r} is no time to expire. Write 30d, 12h, 8w, a date (2030-12-31) or never."
        ) from error
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    if until <= moment:
        raise InputError(f"{text} is past: a token that expires then could not be used.")
    return until
