"""Calls: requests to a judging service as values, and its answers read; both clients share them."""

import base64
import hashlib
import hmac
import io
import json
import secrets
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, TypeVar
from urllib.parse import quote

from pydantic import ValidationError

from sdkbench.client.wire import (
    IDEMPOTENCY_HEADER,
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    BatchRequest,
    EncodedFile,
    JudgementRequest,
    ProblemDetails,
)
from sdkbench.core import Value, tree
from sdkbench.errors import ArgumentError, HarnessFault, InputError

POLL_SECONDS = 30.0
# A service that is full or restarts says when to come again; without a word it is this.
PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
TRY_AGAIN = frozenset({429, 502, 503, 504})
OK = range(200, 300)
SERVER_FAULTS = range(500, 600)
V = TypeVar("V", bound=Value)


class RequestRefused(InputError):
    """The service refused what was sent; `problem` is its answer."""

    def __init__(self, problem: ProblemDetails) -> None:
        parts = "".join(f" {part.pointer}: {part.detail}" for part in problem.errors)
        super().__init__(f"{problem.title}: {problem.detail}{parts}")
        self.problem = problem


class ServiceUnavailable(HarnessFault):
    """The service can't be reached, or can't answer now."""


class Call(NamedTuple):
    """`safe`: it may be sent again where nobody knows whether it arrived."""

    method: str
    path: str
    body: bytes | None = None
    headers: tuple[tuple[str, str], ...] = ()
    safe: bool = True


class Reply(NamedTuple):
    status: int
    body: bytes
    retry_after: str | None


def request_of(
    sample: str | None,
    *,
    files: Mapping[str, str | bytes] | None,
    answer: str | None,
    folder: Path | str | None,
    truncated: bool,
    model: str,
    webhook: str | None,
) -> JudgementRequest:
    """ArgumentError unless exactly one of `files`, `answer` and `folder` is there."""
    encoded = None if files is None else {path: _file(data) for path, data in files.items()}
    archive = None if folder is None else base64.b64encode(packed_folder(Path(folder))).decode()
    try:
        return JudgementRequest(
            sample=sample,
            files=encoded,
            answer=answer,
            archive=archive,
            truncated=truncated,
            model=model,
            webhook=webhook,
        )
    except ValidationError as error:
        problems = "; ".join(part["msg"].removeprefix("Value error, ") for part in error.errors())
        raise ArgumentError(f"This can't be judged: {problems}.") from error


def _file(data: str | bytes) -> str | EncodedFile:
    if isinstance(data, str):
        return data
    return EncodedFile(base64=base64.b64encode(data).decode())


def packed_folder(folder: Path) -> bytes:
    """A tar file of what would be judged of `folder`; InputError where it can't be read."""
    root = tree.folder(folder, what="The project folder")
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        for path in tree.files(root):
            archive.add(path.resolve(), path.relative_to(root).as_posix(), recursive=False)
    return buffer.getvalue()


def submit_call(request: JudgementRequest, idempotency_key: str | None) -> Call:
    key = idempotency_key or secrets.token_urlsafe(18)
    return Call(
        "POST",
        "/v1/judgements",
        request.model_dump_json(exclude_none=True).encode(),
        (("content-type", "application/json"), (IDEMPOTENCY_HEADER, key)),
    )


def batch_call(requests: BatchRequest) -> Call:
    """Each gets an idempotency key, so that a batch that is sent twice is judged once."""
    keyed = tuple(
        each
        if each.idempotency_key
        else each.model_copy(update={"idempotency_key": secrets.token_urlsafe(18)})
        for each in requests.judgements
    )
    body = BatchRequest(judgements=keyed).model_dump_json(exclude_none=True).encode()
    return Call("POST", "/v1/batches", body, (("content-type", "application/json"),))


def poll_call(judgement_id: str, wait_seconds: float) -> Call:
    return Call("GET", f"/v1/judgements/{quote(judgement_id, safe='')}?wait={wait_seconds:g}")


def get_call(*parts: str) -> Call:
    return Call("GET", "/" + "/".join(quote(part, safe="") for part in parts))


def pause_after(reply: Reply | None) -> float:
    """How long to wait before the same call is made again."""
    try:
        asked = float(reply.retry_after) if reply and reply.retry_after else PAUSE_SECONDS
    except ValueError:
        asked = PAUSE_SECONDS
    return min(max(asked, 0.1), LONGEST_PAUSE_SECONDS)


def read(reply: Reply, kind: type[V]) -> V:
    """Raises RequestRefused for a 4xx, ServiceUnavailable for anything else that is no answer."""
    if reply.status not in OK:
        raise failure(reply)
    try:
        return kind.model_validate_json(reply.body)
    except ValidationError as error:
        raise ServiceUnavailable(
            f"The service's answer is no {kind.__name__}: it is of another version, or no "
            "judging service. Check the URL, and use the same version on both sides."
        ) from error


def failure(reply: Reply) -> InputError | HarnessFault:
    try:
        problem = ProblemDetails.model_validate_json(reply.body)
    except ValidationError:
        shown = reply.body[:200].decode("utf-8", "replace")
        problem = ProblemDetails(title="No judging service", status=reply.status, detail=shown)
    if reply.status in SERVER_FAULTS:
        return ServiceUnavailable(f"{problem.title}: {problem.detail}")
    return RequestRefused(problem)


class ServerEvent(NamedTuple):
    name: str
    data: str


class EventReader:
    """Lines of `text/event-stream` → events."""

    def __init__(self) -> None:
        self._name, self._data = "message", list[str]()

    def feed(self, line: str) -> ServerEvent | None:
        """The event that an empty line ends."""
        if not line:
            event = ServerEvent(self._name, "\n".join(self._data))
            self._name, self._data = "message", []
            return event if event.data else None
        field, _, value = line.partition(":")
        if field == "event":
            self._name = value.removeprefix(" ")
        elif field == "data":
            self._data.append(value.removeprefix(" "))
        return None


def is_genuine(token: str, headers: Mapping[str, str], body: bytes) -> bool:
    """Whether a webhook comes from a service that knows `token`: by its signature."""
    known = {name.lower(): value for name, value in headers.items()}
    stamp = known.get(TIMESTAMP_HEADER.lower(), "")
    given = known.get(SIGNATURE_HEADER.lower(), "")
    return hmac.compare_digest(signature(token_digest(token), stamp, body), given)


def token_digest(token: str) -> str:
    """What is kept of a token. It is random and long, so no slow hash is needed."""
    return hashlib.sha256(token.encode()).hexdigest()


def signature(digest: str, stamp: str, body: bytes) -> str:
    signed = hmac.new(digest.encode(), f"{stamp}.".encode() + body, hashlib.sha256)
    return f"v1={signed.hexdigest()}"


def webhook_body(judgement: Value) -> bytes:
    return json.dumps(judgement.model_dump(mode="json"), separators=(",", ":")).encode()
