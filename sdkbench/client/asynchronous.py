"""AsyncClient: as `Client`, for programs on an event loop."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from sdkbench.client import calls
from sdkbench.client.blocking import reply_of, unreachable
from sdkbench.client.calls import Call, EventReader, Reply, ServiceUnavailable
from sdkbench.client.extra import httpx
from sdkbench.client.wire import (
    Batch,
    BatchRequest,
    Health,
    Judgement,
    JudgementRequest,
    ListedSample,
    SampleList,
    SampleTask,
)


class AsyncClient:
    """Everything that is promised of `Client` holds here too."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8643",
        *,
        token: str | None = None,
        patience_seconds: float = 60.0,
    ) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        timeout = httpx.Timeout(calls.POLL_SECONDS + 30.0, connect=10.0)
        # Whoever is asked is named by the caller: no proxy of the environment comes in between.
        self._http = httpx.AsyncClient(
            base_url=url, headers=headers, timeout=timeout, trust_env=False
        )
        self._patience = patience_seconds

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_failure: object) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.aclose()

    async def judge(
        self,
        sample: str | None = None,
        *,
        files: Mapping[str, str | bytes] | None = None,
        answer: str | None = None,
        folder: Path | str | None = None,
        truncated: bool = False,
        model: str = "",
        timeout_seconds: float | None = None,
    ) -> Judgement:
        """Submitted, and answered: see `submit` and `wait`."""
        submitted = await self.submit(
            sample, files=files, answer=answer, folder=folder, truncated=truncated, model=model
        )
        return (
            submitted
            if submitted.answered
            else await self.wait(submitted.id, timeout_seconds=timeout_seconds)
        )

    async def submit(
        self,
        sample: str | None = None,
        *,
        files: Mapping[str, str | bytes] | None = None,
        answer: str | None = None,
        folder: Path | str | None = None,
        truncated: bool = False,
        model: str = "",
        webhook: str | None = None,
        idempotency_key: str | None = None,
    ) -> Judgement:
        """Exactly one of `files` (over the sample's starter), `answer` (a model's raw text) and
        `folder` (a whole solution; without a sample it is judged on its own tests).
        """
        request = calls.request_of(
            sample,
            files=files,
            answer=answer,
            folder=folder,
            truncated=truncated,
            model=model,
            webhook=webhook,
        )
        return calls.read(await self._call(calls.submit_call(request, idempotency_key)), Judgement)

    async def submit_batch(self, requests: Sequence[JudgementRequest]) -> Batch:
        """All of them are accepted, or none."""
        call = calls.batch_call(BatchRequest(judgements=tuple(requests)))
        return calls.read(await self._call(call), Batch)

    async def judgement(self, judgement_id: str) -> Judgement:
        return calls.read(
            await self._call(calls.get_call("v1", "judgements", judgement_id)), Judgement
        )

    async def wait(self, judgement_id: str, *, timeout_seconds: float | None = None) -> Judgement:
        """Until it is answered; as it is after so many."""
        deadline = None if timeout_seconds is None else time.monotonic() + timeout_seconds
        while True:
            left = calls.POLL_SECONDS if deadline is None else deadline - time.monotonic()
            call = calls.poll_call(judgement_id, max(0.0, min(left, calls.POLL_SECONDS)))
            judgement = calls.read(await self._call(call), Judgement)
            if judgement.answered or (deadline is not None and time.monotonic() >= deadline):
                return judgement

    async def batch(self, batch_id: str) -> Batch:
        return calls.read(await self._call(calls.get_call("v1", "batches", batch_id)), Batch)

    async def answers(self, batch_id: str) -> AsyncIterator[Judgement]:
        """The judgements of a batch as they are answered, to the last; each once."""
        seen: set[str] = set()
        deadline = time.monotonic() + self._patience
        while True:
            try:
                async for judgement in self._events(batch_id):
                    deadline = time.monotonic() + self._patience
                    if judgement is None:
                        return
                    if judgement.id not in seen:
                        seen.add(judgement.id)
                        yield judgement
            except (httpx.TransportError, ServiceUnavailable) as error:
                if time.monotonic() > deadline:
                    raise unreachable(error) from error
            await asyncio.sleep(calls.PAUSE_SECONDS)

    async def samples(self) -> tuple[ListedSample, ...]:
        return calls.read(await self._call(calls.get_call("v1", "samples")), SampleList).samples

    async def sample(self, name: str) -> SampleTask:
        """What a model is to be asked; `name` is `sdk/id`."""
        call = calls.get_call("v1", "samples", *name.split("/"))
        return calls.read(await self._call(call), SampleTask)

    async def health(self) -> Health:
        return calls.read(await self._call(calls.get_call("healthz")), Health)

    async def _events(self, batch_id: str) -> AsyncIterator[Judgement | None]:
        """None is the end of the batch."""
        call = calls.get_call("v1", "batches", batch_id, "events")
        async with self._http.stream(call.method, call.path) as response:
            if response.status_code not in calls.OK:
                raise calls.failure(reply_of(response, await response.aread()))
            reader = EventReader()
            async for line in response.aiter_lines():
                event = reader.feed(line)
                if event is not None and event.name == "answered":
                    yield Judgement.model_validate_json(event.data)
                elif event is not None and event.name == "complete":
                    yield None

    async def _call(self, call: Call) -> Reply:
        deadline = time.monotonic() + self._patience
        while True:
            reply: Reply | None = None
            try:
                response = await self._http.request(
                    call.method, call.path, content=call.body, headers=dict(call.headers)
                )
                reply = reply_of(response, response.content)
                if reply.status not in calls.TRY_AGAIN:
                    return reply
            except httpx.TransportError as error:
                if time.monotonic() > deadline:
                    raise unreachable(error) from error
            pause = calls.pause_after(reply)
            if reply is not None and time.monotonic() + pause > deadline:
                return reply
            await asyncio.sleep(pause)
