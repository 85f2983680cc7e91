"""What a server refused, as one sentence and its kind."""

import json
import math
import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from sdkbench.backends.protocol import BackendFailure, FailureKind
from sdkbench.backends.server import Server

UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY, FIRST_SERVER_ERROR = 401, 403, 404, 429, 500
SECONDS = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


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


def broken_off(server: Server, total: int) -> BackendFailure:
    text = f"{server.url} broke off in the middle of its answer, after {total} bytes."
    return BackendFailure(text, FailureKind.NETWORK)


def late(server: Server, seconds: float) -> BackendFailure:
    text = f"{server.url} did not answer within {seconds:g} s."
    return BackendFailure(text, FailureKind.TIMEOUT)


def describe(body: bytes) -> str:
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
        found: object = json.loads(body)
    except (ValueError, RecursionError):
        return "."
    for name in ("error", "message", "detail"):
        if isinstance(found, dict) and name in found:
            found = found[name]
    text = server.quote(found) if isinstance(found, str) else ""
    return f": {text.rstrip('.')}." if text else "."
