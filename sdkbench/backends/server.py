"""Server: where a model is reached, with which key, and what its failures mean."""

import importlib
import json
import math
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ValidationError

from sdkbench.backends.protocol import Answer, Backend, BackendFailure, FailureKind, Setting
from sdkbench.backends.redact import quoted, without
from sdkbench.errors import InputError, MissingTool

if TYPE_CHECKING:
    from sdkbench.backends.http_backend import RawResponse

LOOPBACK = ("localhost", "127.0.0.1", "::1")
UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY, FIRST_SERVER_ERROR = 401, 403, 404, 429, 500
SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")
NO_KEY = "none"  # local servers ask for no key, but the clients want one to send


@dataclass(frozen=True, kw_only=True)
class Vendor:
    """What sets one HTTP backend apart from another when it is opened."""

    backend: str
    example: str
    home: str
    url_variable: str
    key_variable: str
    client: str  # the names in the vendor's package of its client and of what that raises
    client_error: str


@dataclass(frozen=True, kw_only=True)
class Server:
    vendor: Vendor
    model: str
    url: str
    key: str = field(repr=False)

    @property
    def name(self) -> str:
        """As the spec would be written, for results."""
        at_home = self.url == self.vendor.home
        spec = f"{self.vendor.backend}:{self.model}"
        return quoted([self.key], spec if at_home else f"{spec}@{self.url}")

    @property
    def local(self) -> bool:
        host = urlsplit(self.url).hostname or ""
        return host in LOOPBACK or host.startswith("127.")

    def quote(self, text: str) -> str:
        return quoted([self.key], text)

    def hide(self, text: str) -> str:
        return without([self.key], text)


def read_server(vendor: Vendor, target: str, setting: Setting) -> Server:
    """`MODEL` or `MODEL@URL`; the URL may come from the environment, the key always does.

    Raises InputError for a missing model, an address that is none, a missing or impossible key.
    """
    model, at, spec_url = target.partition("@http")
    url = f"http{spec_url}" if at else setting.environment.get(vendor.url_variable, "").strip()
    url = (url or vendor.home).rstrip("/")
    if not model:
        raise InputError(
            f"The {vendor.backend} backend needs a model: {vendor.backend}:{vendor.example}, "
            f"or {vendor.backend}:MODEL@http://HOST:PORT for a server of your own."
        )
    _check_address(vendor, url)
    return Server(vendor=vendor, model=model, url=url, key=_key(vendor, url, setting))


def open_server(
    vendor: Vendor,
    target: str,
    setting: Setting,
    ask: Callable[..., Awaitable["RawResponse"]],
    read: Callable[[Server, bytes], Answer],
) -> Backend:
    """Raises InputError as `read_server` does, MissingTool where the vendor's client is missing."""
    server = read_server(vendor, target, setting)
    try:
        client = importlib.import_module(vendor.backend)
        from sdkbench.backends.http_backend import HttpBackend  # noqa: PLC0415 - an extra
    except ImportError as error:
        name = vendor.backend
        raise MissingTool(
            f"The {name} backend needs the package {name}: pip install 'sdkbench[{name}]'."
        ) from error
    make_client, client_error = getattr(client, vendor.client), getattr(client, vendor.client_error)
    return HttpBackend(server, make_client, client_error, ask, read)


class Body(BaseModel):
    """What answers of all vendors have. An odd `usage` counts as none."""

    usage: Annotated[
        dict[str, Any], BeforeValidator(lambda usage: usage if isinstance(usage, dict) else {})
    ] = {}


BodyT = TypeVar("BodyT", bound=Body)


def read_body(server: Server, kind: type[BodyT], body: bytes) -> BodyT:
    """Raises BackendFailure(MALFORMED)."""
    try:
        return kind.model_validate_json(body)
    except ValidationError:
        raise unreadable(server, f"answered with {_describe(body)}") from None


def _check_address(vendor: Vendor, url: str) -> None:
    try:
        parts = urlsplit(url)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname)
        fits = fits and (parts.port is None or parts.port > 0)
    except ValueError:
        fits = False
    if not fits:
        raise InputError(
            f"The address of the {vendor.backend} backend is not a URL like http://HOST:PORT."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise InputError(
            f"The address of the {vendor.backend} backend must end with its path, without user, "
            f"password or query; the key comes from {vendor.key_variable}."
        )


def _key(vendor: Vendor, url: str, setting: Setting) -> str:
    key = setting.environment.get(vendor.key_variable, "").strip()
    if not key and url == vendor.home:
        raise InputError(
            f"The {vendor.backend} backend needs a key: set {vendor.key_variable}, or name a "
            f"server of your own: {vendor.backend}:MODEL@http://HOST:PORT."
        )
    # A key goes into a header; what can't stand there would come back in an error message.
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise InputError(f"{vendor.key_variable} holds characters that no key has.")
    return key or NO_KEY


def refused(server: Server, status: int, body: bytes, retry_after: str = "") -> BackendFailure:
    """The failure that an HTTP status of 400 and above stands for."""
    code = f"(HTTP {status})"
    variable = server.vendor.key_variable
    if status == UNAUTHORIZED:
        # The server's own words are left out: some repeat the key.
        text = f"{server.url} does not accept the key {code}. Check {variable}."
        return BackendFailure(text, FailureKind.AUTHENTICATION)
    said = _said(server, body)
    model = server.quote(server.model)
    if status == FORBIDDEN:
        text = f"{server.url} does not let this key use {model} {code}{said}"
        return BackendFailure(text, FailureKind.AUTHENTICATION)
    if status == NOT_FOUND:
        text = f"{server.url} has no model {model}, or its API is at another path {code}{said}"
        return BackendFailure(text, FailureKind.REQUEST)
    if status == TOO_MANY or status >= FIRST_SERVER_ERROR:
        seconds = asked_to_wait(retry_after)
        wait = "" if seconds is None else f", asking to wait {seconds:.12g} s"
        busy = status == TOO_MANY
        what = "limits the rate of requests" if busy else "failed"
        kind = FailureKind.RATE_LIMIT if busy else FailureKind.SERVER
        text = f"{server.url} {what} {code}{wait}{said}"
        return BackendFailure(text, kind, retry_after_seconds=seconds)
    return BackendFailure(f"{server.url} rejected the request {code}{said}", FailureKind.REQUEST)


def asked_to_wait(retry_after: str) -> float | None:
    """A `Retry-After`, of seconds or a date, in seconds from now; None for anything else."""
    if SECONDS.fullmatch(retry_after):
        return float(retry_after)
    try:
        until = parsedate_to_datetime(retry_after)
        # HTTP's dates are in UTC, whether or not they say so.
        left = until.replace(tzinfo=until.tzinfo or UTC) - datetime.now(UTC)
    except (ValueError, OverflowError):
        return None
    return max(0.0, math.ceil(left.total_seconds()))


def unreadable(server: Server, why: str) -> BackendFailure:
    return BackendFailure(f"{server.url} {why}.", FailureKind.MALFORMED)


def _describe(body: bytes) -> str:
    """What a body that is no answer looks like, in a few words."""
    start = body[:512].lstrip().lower()
    if not start:
        return "an empty body"
    if start.startswith((b"<!doctype", b"<html", b"<?xml", b"<head", b"<body")):
        return "an HTML page"
    return "something that is not the expected JSON"


def _said(server: Server, body: bytes) -> str:
    """The server's own sentence, if its body holds one, ready to end ours."""
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return "."
    for name in ("error", "message", "detail"):
        if isinstance(value, dict) and name in value:
            value = value[name]
    text = server.quote(value) if isinstance(value, str) else ""
    return f": {text.rstrip('.')}." if text else "."
