"""Webhooks: who asked is told of an answer, at least once; tried again for as long as it may help.

Somebody who may only ask for judgements must not make this machine call others: so only addresses
of this machine are called, and those hosts that the operator allows.
"""

import asyncio
import ipaddress
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

import httpx

from sdkbench.client.calls import signature, webhook_body
from sdkbench.client.wire import SIGNATURE_HEADER, TIMESTAMP_HEADER, Judgement
from sdkbench.errors import SdkbenchError
from sdkbench.serve.judging.problems import bad
from sdkbench.store import JudgementRecord, WebhookState

EVERY_HOST = "*"
CALL_SECONDS = 10.0
AT_ONCE = 8
# A receiver that is down for a quarter of an hour is still told.
PAUSES_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0, 120.0, 300.0, 600.0)
GONE = 410


class WebhookPolicy(NamedTuple):
    """`hosts` besides this machine's own, by name."""

    hosts: frozenset[str] = frozenset()
    pauses_seconds: tuple[float, ...] = PAUSES_SECONDS

    def check(self, url: str) -> None:
        """RequestProblem for what will not be called."""
        parts = _split(url)
        if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
            raise bad("webhook", "A webhook is a URL with http or https and a host.")
        if parts.username or parts.password:
            raise bad("webhook", "A webhook's URL holds no user or password: they would be stored.")
        host = parts.hostname.lower()
        if EVERY_HOST in self.hosts or host in self.hosts or is_loopback(host):
            return
        raise bad(
            "webhook",
            f"This service calls webhooks of {host[:80]!r} only if its operator allows them "
            f"(sdkbench serve --webhooks-to {host[:80]}).",
        )


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018 - raises where it is none
    except ValueError:
        return None
    return parts


def is_loopback(host: str) -> bool:
    """By its address; of names only `localhost`, as any other may be made to lead here or away."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Webhooks:
    """On one event loop. `answer` reads a judgement as it is told; `settle` stores how it ended."""

    def __init__(
        self,
        policy: WebhookPolicy,
        answer: Callable[[JudgementRecord], Awaitable[Judgement]],
        settle: Callable[[str, WebhookState], Awaitable[None]],
        digest_of: Callable[[str], str | None],
        count: Callable[[str], None],
    ) -> None:
        self._policy = policy
        self._answer = answer
        self._settle = settle
        self._digest_of = digest_of
        self._count = count
        self._slots = asyncio.Semaphore(AT_ONCE)
        self._tasks: set[asyncio.Task[None]] = set()
        # Nothing of the environment comes in between, and nobody is sent elsewhere.
        self._http = httpx.AsyncClient(
            timeout=CALL_SECONDS, follow_redirects=False, trust_env=False
        )

    def tell(self, records: Sequence[JudgementRecord]) -> None:
        for record in records:
            task = asyncio.create_task(self._tell(record))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Those that nobody has taken yet are told after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._http.aclose()

    async def _tell(self, record: JudgementRecord) -> None:
        state = WebhookState.GIVEN_UP
        for pause in (0.0, *self._policy.pauses_seconds):
            await asyncio.sleep(pause)
            async with self._slots:
                status = await self._call(record)
            if status is not None and status // 100 == 2:  # noqa: PLR2004 - any success
                state = WebhookState.DELIVERED
                break
            if status == GONE:
                break
            self._count("tried_again")
        self._count(state)
        try:
            await self._settle(record.id, state)
        except SdkbenchError:
            self._count("not_stored")  # it is told once more after the next start

    async def _call(self, record: JudgementRecord) -> int | None:
        try:
            body = webhook_body(await self._answer(record))
            headers = {"content-type": "application/json", TIMESTAMP_HEADER: f"{time.time():.0f}"}
            digest = self._digest_of(record.owner)
            if digest is not None:
                headers[SIGNATURE_HEADER] = signature(digest, headers[TIMESTAMP_HEADER], body)
            async with self._http.stream(
                "POST", record.webhook or "", content=body, headers=headers
            ) as response:
                return response.status_code  # whatever else it says is not read
        except (httpx.HTTPError, httpx.InvalidURL, SdkbenchError):
            return None
