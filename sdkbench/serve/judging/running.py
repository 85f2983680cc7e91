"""serve_judging: the judging service on a port of this machine, until it is told to end."""

import asyncio
import contextlib
import signal
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import uvicorn

from sdkbench.datasets import Sample, default_samples_dir, load_sdk, with_private_tests
from sdkbench.engine import EngineKind, RunSettings, judge_setup
from sdkbench.engine.resuming import is_at_work, scratch_folder, this_worker
from sdkbench.errors import InputError
from sdkbench.serve.guard import LOOPBACK_NAMES
from sdkbench.serve.judging.application import application
from sdkbench.serve.judging.catalogue import Catalogue
from sdkbench.serve.judging.connections import PatientProtocol
from sdkbench.serve.judging.limits import ServiceLimits
from sdkbench.serve.judging.measurements import Measurements
from sdkbench.serve.judging.service import JudgingService, ServiceSetup
from sdkbench.serve.judging.tokens import TokenFile
from sdkbench.serve.judging.webhooks import WebhookPolicy
from sdkbench.serve.running import address_of, listen
from sdkbench.store import Run, RunState
from sdkbench.store.database import Store

# For answers that are on their way when everything else has ended.
CLOSING_SECONDS = 5.0
SERVICE = "service"  # the run that everything is kept in, unless it is named


class Place(NamedTuple):
    """Where the service listens, and who may ask: everybody on this machine where there is no
    token.
    """

    host: str
    port: int
    tokens: Path


def serve_judging(
    store: Store,
    settings: RunSettings,
    place: Place,
    *,
    limits: ServiceLimits,
    webhooks: WebhookPolicy,
    on_start: Callable[[str, str], None],
) -> None:
    """Returns on SIGTERM, raises KeyboardInterrupt on SIGINT; what was being judged then has ended,
    or is judged after the next start. `on_start` is told the address and the level.

    InputError where the port can't be had, where others could reach a service without tokens, and
    where another process serves the same run.
    """
    tokens = _tokens(place)
    judging = judge_setup(settings)
    catalogue = Catalogue(_samples(settings), judging, _why_no_projects(settings))
    with listen(place.host, place.port) as listening, scratch_folder() as scratch:
        run = _claimed(store, settings)
        counted = Measurements()
        setup = ServiceSetup(store, run.id, judging, catalogue, scratch, limits, webhooks)
        service = JudgingService(setup, counted, _digests(tokens))
        config = uvicorn.Config(
            application(service, tokens, counted),
            http=PatientProtocol,
            ws="none",
            log_config=None,
            access_log=False,
            server_header=False,
            lifespan="on",
            backlog=2048,
            timeout_graceful_shutdown=int(limits.drain_seconds + CLOSING_SECONDS),
        )
        on_start(address_of(place.host, listening.getsockname()[1]), str(judging.level))
        try:
            with _term_is_an_end():
                _Server(service, config).run(sockets=[listening])
        finally:
            store.end_run(run.id, RunState.STOPPED)


class _Server(uvicorn.Server):
    """Lets the service drain as soon as it is told to end, while answers are still fetched."""

    def __init__(self, service: JudgingService, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._service = service
        self._loop: asyncio.AbstractEventLoop | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._service.draining:  # told twice
            self._service.setup.judging.cancellation.cancel()
            self.force_exit = True
        elif self._loop is not None:
            self._loop.call_soon_threadsafe(self._service.begin_drain)
        super().handle_exit(sig, frame)


@contextlib.contextmanager
def _term_is_an_end() -> Iterator[None]:
    """Uvicorn sends itself the signal once more when it has ended: SIGTERM then means nothing."""
    before = signal.signal(signal.SIGTERM, lambda _number, _frame: None)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _tokens(place: Place) -> TokenFile | None:
    tokens = TokenFile(place.tokens)
    if tokens.tokens():
        return tokens
    if place.host in LOOPBACK_NAMES:
        return None
    raise InputError(
        f"On {place.host} others can reach the service, and {place.tokens} has no token. Make one "
        "with `sdkbench serve tokens add NAME`, or listen on 127.0.0.1."
    )


def _digests(tokens: TokenFile | None) -> Callable[[str], str | None]:
    def digest_of(name: str) -> str | None:
        with contextlib.suppress(InputError):
            known = tokens.tokens() if tokens else ()
            return next((each.digest for each in known if each.name == name), None)
        return None

    return digest_of


def _samples(settings: RunSettings) -> list[Sample]:
    folder = settings.samples_dir or default_samples_dir()
    named = settings.sdk or ("all",)
    loaded = {each.root: each for name in named for each in load_sdk(folder, name)}
    return [with_private_tests(each, settings.private_tests) for each in loaded.values()]


def _why_no_projects(settings: RunSettings) -> str | None:
    if settings.engine is EngineKind.RAY:
        return "Name a sample: on a cluster, projects can't be judged on their own tests."
    return None


def _claimed(store: Store, settings: RunSettings) -> Run:
    """The run that everything is kept in, worked on by this process alone."""
    run_id = settings.run_id or SERVICE
    known = next((run for run in store.runs() if run.id == run_id), None)
    if known is None:
        return store.start_run(
            run_id=run_id, label=settings.label or "judging service", worker=this_worker(),
            settings={"service": True},
        )  # fmt: skip
    if not known.settings.get("service"):
        raise InputError(f"Run {run_id!r} of this store is no service's. Name another --run-id.")
    if known.state is RunState.RUNNING and is_at_work(known.worker):
        raise InputError(
            f"Process {known.worker.split()[-2]} serves run {run_id!r} of this store already. Stop "
            "it, or give this one its own --run-id."
        )
    return store.resume_run(run_id, worker=this_worker())
