"""What a server refused, as one sentence and its kind."""

import json
import re

from sdkbench.backends.protocol import BackendFailure, FailureKind
from sdkbench.backends.server import Server

UNAUTHORIZED, FORBIDDEN, NOT_FOUND, TOO_MANY, FIRST_SERVER_ERROR = 401, 403, 404, 429, 500
RETRY_AFTER = re.compile(r"[0-9]{1,9}(\.[0-9]{1,3})?")


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
    if status == TOO_MANY:
        seconds = float(retry_after) if RETRY_AFTER.fullmatch(retry_after) else None
        wait = "" if seconds is None else f", asking to wait {retry_after} s"
        text = f"{server.url} limits the rate of requests {code}{wait}{said}"
        return BackendFailure(text, FailureKind.RATE_LIMIT, retry_after_seconds=seconds)
    if status >= FIRST_SERVER_ERROR:
        return BackendFailure(f"{server.url} failed {code}{said}", FailureKind.SERVER)
    return BackendFailure(f"{server.url} rejected the request {code}{said}", FailureKind.REQUEST)


def unreadable(server: Server, why: str) -> BackendFailure:
    return BackendFailure(f"{server.url} {why}.", FailureKind.MALFORMED)


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
