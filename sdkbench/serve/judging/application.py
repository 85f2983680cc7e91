"""The routes of the judging service, as FastAPI has them."""

import contextlib
import secrets
from collections.abc import AsyncIterator
from typing import Annotated, Any, cast

from fastapi import FastAPI, Path, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import HTMLResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from sdkbench import __version__
from sdkbench.client.wire import (
    IDEMPOTENCY_HEADER,
    LONGEST_WAIT_SECONDS,
    PROBLEM_TYPE,
    Batch,
    BatchRequest,
    Health,
    InvalidPart,
    Judgement,
    JudgementRequest,
    ProblemDetails,
    SampleList,
    SampleTask,
)
from sdkbench.serve.guard import App
from sdkbench.serve.judging import measurements
from sdkbench.serve.judging.access import CALLER, Gate, RateLimiter, fault
from sdkbench.serve.judging.api_page import api_page
from sdkbench.serve.judging.problems import RequestProblem
from sdkbench.serve.judging.service import ID_BYTES, Caller, JudgingService
from sdkbench.serve.judging.submissions import ARCHIVE_TYPES, read_batch, read_submission
from sdkbench.serve.judging.tokens import TokenFile
from sdkbench.serve.judging.uploads import Uploads
from sdkbench.store import JudgementRecord

ABOUT = (
    "Send a solution of a sample, get a verdict with its evidence. Every refusal is a problem as "
    "RFC 9457 has it. What is answered with 202 is on disk, and is answered exactly once."
)
PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemDetails, "description": words, "content": {PROBLEM_TYPE: {}}}
    for status, words in {
        400: "No JSON, or no HTTP",
        401: "No token, or one that is unknown or has expired",
        404: "Not there, or somebody else's",
        413: "Too large",
        415: "Of another type",
        422: "Can't be judged; `errors` says why",
        429: "Full; come again after `Retry-After` seconds",
        503: "Not now; come again after `Retry-After` seconds",
    }.items()
}
READING: dict[int | str, dict[str, Any]] = {
    status: PROBLEMS[status] for status in (401, 404, 422, 503)
}
Wait = Annotated[
    float,
    Query(ge=0, le=LONGEST_WAIT_SECONDS, description="Seconds to wait for the answer, at most."),
]
Name = Annotated[str, Path(max_length=200)]


def application(
    service: JudgingService, tokens: TokenFile | None, counted: measurements.Measurements
) -> App:
    """It starts the service and closes it, with the server that runs it."""

    @contextlib.asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        await service.start()
        try:
            yield
        finally:
            await service.close()

    async def problem(_request: Request, error: Exception) -> Response:
        met = error if isinstance(error, RequestProblem) else fault()
        counted.problems.labels(met.name).inc()
        return _response(met)

    app = FastAPI(
        title="SDKBench judging service",
        version=__version__,
        description=ABOUT,
        lifespan=lifespan,
        docs_url=None,  # ours needs no network
        redoc_url=None,
    )
    limits = service.setup.limits
    _add_reading(app, service, counted)
    _add_submitting(app, service, Uploads(limits), RateLimiter())
    _add_pages(app)
    app.add_exception_handler(RequestValidationError, _not_valid)
    app.add_exception_handler(HTTPException, _not_here)
    app.add_exception_handler(RequestProblem, problem)
    app.add_exception_handler(Exception, problem)
    return Gate(cast("App", app), tokens, limits, counted)


def _add_submitting(
    app: FastAPI, service: JudgingService, uploads: Uploads, rate: RateLimiter
) -> None:
    @app.post(
        "/v1/judgements",
        status_code=202,
        response_model=Judgement,
        responses={200: {"model": Judgement, "description": "Answered already"}, **PROBLEMS},
        openapi_extra=_body(JudgementRequest, archives=True),
        summary="Have a solution judged",
    )
    async def submit(request: Request) -> Response:
        """JSON; or a whole project as an archive, with `sample`, `model` and `webhook` in the
        address. The header `Idempotency-Key` makes it safe to send again.
        """
        caller = _caller(request)
        setup = service.setup
        async with uploads.body(request) as body:
            submission = read_submission(
                body,
                _media_type(request),
                dict(request.query_params),
                request.headers.get(IDEMPOTENCY_HEADER),
                setup.limits,
            )
            _take(rate, caller, 1)
            (record,) = await service.accept([submission], caller)
        shown = await service.shown(record)
        status = 200 if record.answered_at is not None else 202
        return _json(shown, status, {"location": f"/v1/judgements/{record.id}"})

    @app.post(
        "/v1/batches",
        status_code=202,
        response_model=Batch,
        responses=PROBLEMS,
        openapi_extra=_body(BatchRequest, archives=False),
        summary="Have several solutions judged",
    )
    async def submit_batch(request: Request) -> Response:
        """All of them are accepted, or none."""
        caller = _caller(request)
        batch = f"b_{secrets.token_urlsafe(ID_BYTES)}"
        async with uploads.body(request) as body:
            submissions = read_batch(body, _media_type(request), service.setup.limits)
            _take(rate, caller, len(submissions))
            records = await service.accept(submissions, caller, batch)
        # A batch that is sent again is the one that it was.
        batch = records[0].batch or batch
        shown = _batch(service, batch, records)
        return _json(shown, 202, {"location": f"/v1/batches/{batch}"})


def _add_reading(app: FastAPI, service: JudgingService, counted: measurements.Measurements) -> None:
    @app.get("/v1/judgements/{judgement_id}", responses=READING, summary="A judgement")
    async def judgement(request: Request, judgement_id: Name, wait: Wait = 0.0) -> Judgement:
        """At once, or when it is answered, or after `wait` seconds."""
        caller = _caller(request)
        await service.find(judgement_id, caller)
        await service.wait(judgement_id, wait)
        return await service.shown(await service.find(judgement_id, caller))

    @app.get("/v1/judgements/{judgement_id}/events", responses=READING, summary="Its answer, live")
    async def judgement_events(request: Request, judgement_id: Name) -> StreamingResponse:
        """Server-sent events: `answered` with the judgement, then `complete`."""
        record = await service.find(judgement_id, _caller(request))
        return _stream(service, [record])

    @app.get("/v1/batches/{batch_id}", responses=READING, summary="A batch")
    async def batch(request: Request, batch_id: Name) -> Batch:
        records = await service.find_batch(batch_id, _caller(request))
        return _batch(service, batch_id, records)

    @app.get("/v1/batches/{batch_id}/events", responses=READING, summary="Its answers, live")
    async def batch_events(request: Request, batch_id: Name) -> StreamingResponse:
        """Server-sent events: `answered` with each judgement, then `complete`."""
        return _stream(service, await service.find_batch(batch_id, _caller(request)))

    @app.get("/v1/samples", responses=READING, summary="What can be judged here")
    async def samples() -> SampleList:
        return SampleList(samples=service.setup.catalogue.listed())

    @app.get("/v1/samples/{sdk}/{sample_id}", responses=READING, summary="A sample's task")
    async def sample(sdk: Name, sample_id: Name) -> SampleTask:
        """What a model is to be asked, and the files it starts from."""
        try:
            return service.setup.catalogue.task(f"{sdk}/{sample_id}")
        except RequestProblem as problem:
            raise RequestProblem(404, problem.name, problem.detail) from problem

    @app.get("/healthz", summary="Whether it works")
    async def health() -> Health:
        return service.health()

    @app.get("/metrics", responses={401: PROBLEMS[401]}, summary="For Prometheus")
    async def metrics() -> Response:
        return Response(counted.text(), media_type=measurements.CONTENT_TYPE)


def _add_pages(app: FastAPI) -> None:
    @app.get("/docs", include_in_schema=False)
    @app.get("/", include_in_schema=False)
    async def page() -> HTMLResponse:
        return HTMLResponse(api_page(app.openapi()))


def _batch(service: JudgingService, batch_id: str, records: list[JudgementRecord]) -> Batch:
    listed = tuple(service.listed(record) for record in records)
    return Batch(id=batch_id, answered=sum(each.answered for each in listed), judgements=listed)


def _stream(service: JudgingService, records: list[JudgementRecord]) -> StreamingResponse:
    async def events() -> AsyncIterator[str]:
        left = len(records)
        async for judgement in service.answers(records):
            if judgement is None:
                yield ": still there\n\n"
                continue
            left -= 1
            yield f"id: {judgement.id}\nevent: answered\ndata: {judgement.model_dump_json()}\n\n"
        if not left:
            yield "event: complete\ndata: {}\n\n"

    return StreamingResponse(events(), media_type="text/event-stream")


def _body(kind: type[JudgementRequest] | type[BatchRequest], *, archives: bool) -> dict[str, Any]:
    """The body's schema for OpenAPI: it is read by ourselves, strictly and within bounds."""
    content: dict[str, Any] = {"application/json": {"schema": kind.model_json_schema()}}
    if archives:
        binary = {"schema": {"type": "string", "format": "binary"}}
        content |= dict.fromkeys(sorted(ARCHIVE_TYPES), binary)
    extra: dict[str, Any] = {"requestBody": {"required": True, "content": content}}
    if archives:
        text = {"type": "string"}
        extra["parameters"] = [
            {"name": IDEMPOTENCY_HEADER, "in": "header", "schema": text},
            *(
                {"name": name, "in": "query", "schema": text}
                for name in ("sample", "model", "webhook")
            ),
        ]
    return extra


def _caller(request: Request) -> Caller:
    return cast("Caller", request.scope[CALLER])


def _take(rate: RateLimiter, caller: Caller, number: int) -> None:
    if caller.token is not None:
        rate.take(caller.token, number)


def _media_type(request: Request) -> str:
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


def _json(value: Judgement | Batch, status: int, headers: dict[str, str]) -> Response:
    return Response(value.model_dump_json(), status, headers, media_type="application/json")


async def _not_valid(_request: Request, error: Exception) -> Response:
    parts = tuple(
        InvalidPart(pointer="/" + "/".join(map(str, part["loc"])), detail=str(part["msg"])[:200])
        for part in cast("RequestValidationError", error).errors()
    )
    problem = RequestProblem(422, "request", "The address is not as it must be.", parts=parts)
    return _response(problem)


async def _not_here(_request: Request, error: Exception) -> Response:
    known = cast("HTTPException", error)
    name, detail = {
        404: ("address", "There is nothing at this address. GET / lists what there is."),
        405: ("method", "This address knows other methods. GET / lists them."),
    }.get(known.status_code, ("http", str(known.detail)))
    return _response(RequestProblem(known.status_code, name, detail, headers=known.headers or {}))


def _response(problem: RequestProblem) -> Response:
    status, headers, body = problem.response()
    return Response(body, status, headers)
