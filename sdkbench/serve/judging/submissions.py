"""Submission: what is to be judged, read from a request's body; or a RequestProblem that says why
it can't be.
"""

import base64
import binascii
import hashlib
import json
from typing import Any, NamedTuple, TypeVar

from pydantic import BaseModel, ValidationError

from sdkbench.client.wire import (
    BatchRequest,
    EncodedFile,
    IdempotencyKey,
    InvalidPart,
    JudgementRequest,
)
from sdkbench.core import Value
from sdkbench.generation.files import File, normal_path, why_misplaced
from sdkbench.serve.judging.archives import read_archive
from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.problems import RequestProblem, bad, too_large

JSON_TYPES = frozenset({"application/json"})
ARCHIVE_TYPES = frozenset(
    {
        "application/zip", "application/x-zip-compressed", "application/x-tar", "application/gzip",
        "application/x-gzip", "application/x-bzip2", "application/x-xz",
    }
)  # fmt: skip
# Never a person's choice; it only bounds what a message quotes.
MOST_QUOTED = 200
M = TypeVar("M", bound=BaseModel)


class Submission(NamedTuple):
    """Exactly one of `files`, `answer` and `project` is there. `digest` is of the whole request."""

    sample: str | None
    digest: str
    files: dict[str, File] | None = None
    answer: str | None = None
    project: dict[str, File] | None = None
    truncated: bool = False
    model: str = ""
    webhook: str | None = None
    idempotency_key: str | None = None


class ArchiveQuery(Value):
    """What a request says of an archive that is its body, in the address."""

    sample: str | None = None
    model: str = ""
    webhook: str | None = None


class _Key(Value):
    idempotency_key: IdempotencyKey | None


def read_submission(
    body: bytes,
    media_type: str,
    query: dict[str, str],
    idempotency_key: str | None,
    limits: ServiceLimits,
) -> Submission:
    """RequestProblem for whatever is wrong with it."""
    key = _checked(_Key, {"idempotency_key": idempotency_key}).idempotency_key
    if media_type in ARCHIVE_TYPES:
        asked = _checked(ArchiveQuery, query)
        digest = _digest(json.dumps(sorted(query.items())).encode(), body)
        project = read_archive(body, limits)
        return Submission(
            asked.sample,
            digest,
            project=project,
            model=asked.model,
            webhook=asked.webhook,
            idempotency_key=key,
        )
    _require_json(media_type)
    value = _json(body)
    request = _checked(JudgementRequest, value)
    if request.idempotency_key is not None:
        raise bad(
            "idempotency-key",
            "Outside of a batch, the idempotency key is a header: Idempotency-Key.",
        )
    return submission_of(request, limits, key=key)


def read_batch(body: bytes, media_type: str, limits: ServiceLimits) -> list[Submission]:
    """All of them, or a RequestProblem that names every one that can't be judged."""
    _require_json(media_type)
    requests = _checked(BatchRequest, _json(body)).judgements
    keys = [each.idempotency_key for each in requests if each.idempotency_key is not None]
    if len(set(keys)) < len(keys):
        raise bad("idempotency-key", "Two judgements of the batch have the same idempotency key.")
    submissions: list[Submission] = []
    parts: list[InvalidPart] = []
    for number, request in enumerate(requests):
        try:
            submissions.append(submission_of(request, limits, key=request.idempotency_key))
        except RequestProblem as problem:
            place = f"/judgements/{number}"
            inner = problem.parts or (InvalidPart(pointer="", detail=problem.detail),)
            parts += [
                InvalidPart(pointer=f"{place}{part.pointer}", detail=part.detail) for part in inner
            ]
    if parts:
        raise bad("batch", "Nothing of the batch was accepted.", *parts)
    return submissions


def submission_of(
    request: JudgementRequest, limits: ServiceLimits, *, key: str | None
) -> Submission:
    _refuse_halves(request)
    digest = _digest(request.model_dump_json(exclude={"idempotency_key"}).encode())
    files = None if request.files is None else _files(request.files, limits)
    project = None if request.archive is None else read_archive(_bytes(request.archive), limits)
    return Submission(
        request.sample, digest, files, request.answer, project, request.truncated, request.model,
        request.webhook, key,
    )  # fmt: skip


def _files(files: dict[str, str | EncodedFile], limits: ServiceLimits) -> dict[str, File]:
    if not files:
        raise bad("empty", "There is no file to be judged.")
    if len(files) > limits.files:
        raise too_large(f"A solution has at most {limits.files:,} files.")
    read: dict[str, File] = {}
    parts = []
    for path, content in files.items():
        pointer = f"/files/{_escaped(path)}"
        reason = why_misplaced(path)
        if reason is None and normal_path(path) in read:
            reason = "names the same file as another one"
        if reason is not None:
            parts.append(InvalidPart(pointer=pointer, detail=reason))
        elif isinstance(content, str):
            read[normal_path(path)] = File(content.encode())
        else:
            read[normal_path(path)] = File(_bytes(content.base64, pointer), content.executable)
    if parts:
        raise bad("path", "Files lie below the solution's folder.", *parts)
    return read


def _refuse_halves(request: JudgementRequest) -> None:
    """JSON can hold half of a surrogate pair; no text that is stored can."""
    parts = []
    words = {"/sample": request.sample, "/model": request.model, "/webhook": request.webhook}
    texts = {f"/files/{_escaped(p)}": c for p, c in (request.files or {}).items()}
    named = {f"/files/{_escaped(p)}/path": p for p in request.files or {}}
    for pointer, text in {**words, **texts, **named}.items():
        if isinstance(text, str) and not _encodes(text):
            parts.append(InvalidPart(pointer=pointer, detail="holds what is no character"))
    if parts:
        raise bad("text", "A text must be Unicode that UTF-8 can hold.", *parts)


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _bytes(text: str, pointer: str = "/archive") -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        part = InvalidPart(pointer=pointer, detail="is no base64")
        raise bad("base64", "Bytes are sent as base64.", part) from error


def _require_json(media_type: str) -> None:
    if media_type not in JSON_TYPES:
        raise RequestProblem(
            415,
            "media-type",
            f"The body is {media_type[:MOST_QUOTED] or 'of no type'}. Send application/json; or a "
            "whole project as application/zip, application/gzip or application/x-tar.",
        )


def _json(body: bytes) -> object:
    """Strictly: a key that comes twice may mean two things, and NaN is no JSON."""
    try:
        return json.loads(body.decode(), object_pairs_hook=_object, parse_constant=_constant)
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at line {error.lineno}, column {error.colno}"
    except UnicodeDecodeError as error:
        reason = f"it is not UTF-8 at byte {error.start}"
    except RecursionError:
        reason = "it is nested too deeply"
    except ValueError as error:
        reason = str(error)[:MOST_QUOTED]
    raise RequestProblem(400, "json", f"The body is not JSON: {reason}.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice[:40]!r} comes twice")
    return made


def _constant(text: str) -> object:
    raise ValueError(f"{text} is no JSON")


def _checked(kind: type[M], value: object) -> M:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        parts = tuple(
            InvalidPart(
                pointer="".join(f"/{_escaped(str(word))}" for word in part["loc"]),
                detail=part["msg"].removeprefix("Value error, ")[:MOST_QUOTED],
            )
            for part in error.errors(include_url=False, include_input=False)
        )
        raise bad("request", "The request is not as it must be.", *parts) from error


def _escaped(word: str) -> str:
    """As a JSON pointer has it, and short enough to be told."""
    short = word[:MOST_QUOTED].encode("utf-8", "replace").decode()
    return short.replace("~", "~0").replace("/", "~1")


def _digest(*parts: bytes) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()
