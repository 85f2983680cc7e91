"""The viewer: runs, one run, comparisons and histories as pages, live by server-sent events."""

import asyncio
import json
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import cast
from urllib.parse import urlencode

from pydantic import JsonValue
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from sdkbench import __version__
from sdkbench.core import Outcome, Value
from sdkbench.core.intervals import Rate
from sdkbench.errors import SdkbenchError, StoreError
from sdkbench.metrics.statistics import JUDGED
from sdkbench.report.pages import charts, drawing
from sdkbench.report.pages.details import VIEWER_ROOM, attempt_details
from sdkbench.report.pages.history import history
from sdkbench.report.pages.html import (
    LIVE_SCRIPTS,
    environment,
    figures_context,
    script,
    style,
    title_of,
)
from sdkbench.report.pages.overview import run_names
from sdkbench.report.pages.rows import LINK_DIGITS, PAGE_COLUMNS, page_row
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.serve.guard import Access, App, Guard
from sdkbench.serve.watching import LOOK_SECONDS, Watcher
from sdkbench.store import Suite

MOST_COMPARED = 10  # runs on one page
SIGN_OF_LIFE_SECONDS = 15.0  # proxies and browsers give up on a silent connection


class ModelTotal(Value):
    model: str
    suite: Suite
    runs: int
    attempts: int
    passed: Rate


class Viewer:
    """`stopping` ends the streams of events, which would otherwise outlast the server."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.stopping = asyncio.Event()

    def app(self, access: Access) -> App:
        routes = [
            Route("/", self.runs),
            Route("/runs/{run_id}", self.run),
            Route("/runs/{run_id}/attempts/{key}", self.attempt),
            Route("/compare", self.compare),
            Route("/models", self.models),
            Route("/models/history", self.history),
            Route("/api/runs", self.runs_part),
            Route("/api/figures", self.figures_part),
            Route("/api/rows", self.rows),
            Route("/api/attempts/{run_id}/{key}", self.details),
            Route("/events", self.events),
            Route("/static/app.js", self.app_script),
            Route("/static/app.css", self.app_style),
        ]
        handlers = cast(
            "dict[object, Callable[[Request, Exception], Awaitable[Response]]]",
            {SdkbenchError: _explain},
        )
        made = Starlette(routes=routes, exception_handlers=handlers)
        return Guard(cast("App", made), access)

    # Pages. Those that read the store are plain functions: Starlette gives each a thread.

    def runs(self, _request: Request) -> Response:
        snapshot = self.watcher.snapshot()
        page: JsonValue = {
            "kind": "viewer",
            "parts": {"#runs": "/api/runs"},
            "events": "/events",
            "signature": snapshot.signature(),
        }
        return self._page(
            "runs.html", "Runs", page, here="runs", runs=snapshot.runs, counts=snapshot.counts
        )

    def runs_part(self, _request: Request) -> Response:
        snapshot = self.watcher.snapshot()
        template = environment().get_template("runs_list.html")
        return HTMLResponse(template.render(runs=snapshot.runs, counts=snapshot.counts))

    def run(self, request: Request) -> Response:
        return self._run_page((request.path_params["run_id"],))

    def compare(self, request: Request) -> Response:
        return self._run_page(_runs_of(request))

    def attempt(self, request: Request) -> Response:
        run = self.watcher.snapshot().run(request.path_params["run_id"])
        key = self.watcher.store.find_key(run.id, request.path_params["key"])
        return RedirectResponse(f"/runs/{run.id}#attempt={key[:LINK_DIGITS]}", 303)

    def models(self, _request: Request) -> Response:
        return self._page(
            "models.html", "Models", {"kind": "viewer"}, here="models", models=self._totals()
        )

    def history(self, request: Request) -> Response:
        model = request.query_params.get("model", "")
        points = history(self.watcher.store.sample_counts(model), self.watcher.snapshot().runs)
        if not points:
            raise StoreError(f"No attempt of {model!r} has a verdict in this store.")
        return self._page(
            "history.html",
            model or "(no model)",
            {"kind": "viewer"},
            here="models",
            model=model,
            points=points,
            history_chart=charts.history_chart,
            interval_chart=charts.interval_chart,
            can_draw=drawing.can_draw(),
            how_to_get_charts=drawing.HOW_TO_GET,
        )

    # What pages ask for.

    def figures_part(self, request: Request) -> Response:
        overview = self.watcher.collected(_runs_of(request)).overview
        context = figures_context(overview, live=True)
        return HTMLResponse(environment().get_template("figures.html").render(**context))

    def rows(self, request: Request) -> Response:
        rows = self.watcher.collected(_runs_of(request)).rows
        return JSONResponse({"rows": [page_row(row) for row in rows]})

    def details(self, request: Request) -> Response:
        run = self.watcher.snapshot().run(request.path_params["run_id"])
        key = self.watcher.store.find_key(run.id, request.path_params["key"])
        library = SampleLibrary.of_run(run, self.watcher.samples_dir)
        details = attempt_details(self.watcher.store, run, key, library, VIEWER_ROOM)
        return Response(details.model_dump_json(), media_type="application/json")

    async def events(self, request: Request) -> Response:
        run_ids = tuple(request.query_params.getlist("run"))[:MOST_COMPARED]
        return StreamingResponse(self._changes(run_ids), media_type="text/event-stream")

    def app_script(self, _request: Request) -> Response:
        return Response(script(LIVE_SCRIPTS), media_type="text/javascript")

    def app_style(self, _request: Request) -> Response:
        return Response(style(), media_type="text/css")

    async def _changes(self, run_ids: tuple[str, ...]) -> AsyncIterator[str]:
        """An event at once, and whenever the runs have changed."""
        last = ""
        silent = 0.0
        while not self.stopping.is_set():
            try:
                snapshot = await asyncio.to_thread(self.watcher.snapshot)
                message = f"event: change\ndata: {snapshot.signature(run_ids)}\n\n"
            except SdkbenchError as error:
                message = f"event: trouble\ndata: {' '.join(str(error).split())}\n\n"
            if message != last:
                last, silent = message, 0.0
                yield message
            elif silent > SIGN_OF_LIFE_SECONDS:
                silent = 0.0
                yield ": still here\n\n"
            silent += LOOK_SECONDS
            try:
                await asyncio.wait_for(self.stopping.wait(), LOOK_SECONDS)
            except TimeoutError:
                continue

    def _run_page(self, run_ids: tuple[str, ...]) -> Response:
        snapshot = self.watcher.snapshot()
        overview = self.watcher.collected(run_ids).overview
        asked = urlencode([("run", run_id) for run_id in run_ids])
        page: JsonValue = {
            "kind": "viewer",
            "columns": list(PAGE_COLUMNS),
            "runs": dict(run_names([info.run for info in overview.runs])),
            "rows": f"/api/rows?{asked}",
            "details": "/api/attempts",
            "parts": {"#figures": f"/api/figures?{asked}"},
            "events": f"/events?{asked}",
            "signature": snapshot.signature(run_ids),
        }
        context = figures_context(overview, live=True)
        return self._page("run.html", title_of(overview), page, here="run", **context)

    def _page(self, template: str, title: str, page: JsonValue, **context: object) -> Response:
        known = {"title": title, "page": page, "version": __version__}
        shown = {"store": self.watcher.store.shown}
        return HTMLResponse(
            environment().get_template(template).render(**(context | known | shown))
        )

    def _totals(self) -> list[ModelTotal]:
        counts: dict[tuple[str, Suite], Counter[Outcome]] = defaultdict(Counter)
        runs: dict[tuple[str, Suite], set[str]] = defaultdict(set)
        for each in self.watcher.store.model_counts():
            counts[each.model, each.suite][each.outcome] += each.attempts
            runs[each.model, each.suite].add(each.run_id)
        return [
            ModelTotal(
                model=model,
                suite=suite,
                runs=len(runs[model, suite]),
                attempts=counted.total(),
                passed=Rate.of(
                    counted[Outcome.PASSED], sum(counted[outcome] for outcome in JUDGED)
                ),
            )
            for (model, suite), counted in sorted(counts.items())
        ]


def _runs_of(request: Request) -> tuple[str, ...]:
    """Those that the address names, each once; StoreError for none or too many."""
    named = tuple(dict.fromkeys(request.query_params.getlist("run")))
    if not 0 < len(named) <= MOST_COMPARED:
        raise StoreError(f"Name one to {MOST_COMPARED} runs: ?run=A&run=B.")
    return named


async def _explain(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, StoreError) else 503
    if request.url.path.startswith("/api/"):
        return PlainTextResponse(json.dumps({"error": str(error)}), status)
    return PlainTextResponse(str(error), status)
