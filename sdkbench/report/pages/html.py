"""write_report: runs as one HTML file that needs no network, and what its pages are made by."""

import base64
import functools
import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from pydantic import JsonValue

from sdkbench import __version__
from sdkbench.metrics.overall import METRICS as ALL_METRICS
from sdkbench.metrics.statistics import Mean
from sdkbench.report.pages import charts, drawing
from sdkbench.report.pages.blocks import BlockWriter, data_element, pack
from sdkbench.report.pages.details import AttemptDetails, Room, TestView, attempt_details
from sdkbench.report.pages.overview import Overview, collect, run_names
from sdkbench.report.pages.rows import PAGE_COLUMNS, page_row
from sdkbench.report.pages.samples import SampleLibrary
from sdkbench.report.pages.visible import one_line, visible
from sdkbench.store import Run

if TYPE_CHECKING:
    from sdkbench.store.reading import StoreReader

TEMPLATES = Path(__file__).parent / "templates"
SCRIPTS = ("data", "table", "heatmap", "attempt", "page")
LIVE_SCRIPTS = (*SCRIPTS, "live")
DATA = "<!--data-->"  # where attempts go; no text of theirs can hold it, as all of it is escaped
# Compressed outputs, answers and diffs: beyond this an attempt keeps its tests and messages only.
USUAL_BYTES = 8_000_000
BYTES_AN_ATTEMPT = 4_000  # of a report of very many
FULL = "(Left out: the report would be too large. `sdkbench view` shows it.)"
MESSAGE_CHARACTERS, MOST_TESTS = 300, 50  # of an attempt in a report that is full
MOST_CHANGES = 200
MOST_PAIRS = 60
TITLE_CHARACTERS = 120
THOUSAND = 1000


def write_report(
    stream: IO[str], store: "StoreReader", runs: Sequence[Run], samples_dir: Path | None = None
) -> None:
    """Attempt by attempt: what is kept of one is written before the next is read."""
    overview, rows = collect(store, runs, samples_dir)
    room = Room.for_attempts(len(rows))
    page: JsonValue = {
        "kind": "report",
        "columns": list(PAGE_COLUMNS),
        "runs": dict(run_names(runs)),
    }
    note = (
        f"Texts are cut at {room.text:,} characters and diffs at {room.lines:,} lines; "
        "`sdkbench view` shows more."
    )
    before, _, after = (
        environment()
        .get_template("report.html")
        .render(
            **figures_context(overview, live=False),
            title=title_of(overview),
            policy=policy(),
            style=Markup(style()),  # noqa: S704 - our own file
            script=Markup(script(SCRIPTS)),  # noqa: S704 - our own files
            page=page,
            made_at=datetime.now(UTC),
            room_note=note,
        )
        .partition(DATA)
    )
    stream.write(before)
    blocks = BlockWriter(stream.write, max(USUAL_BYTES, BYTES_AN_ATTEMPT * len(rows)))
    by_id = {run.id: (run, SampleLibrary.of_run(run, samples_dir)) for run in runs}
    refs = []
    for row in rows:
        run, library = by_id[row.run]
        details = attempt_details(store, run, row.key, library, room)
        refs.append(blocks.add(packed_details(details, blocks)))
    blocks.flush()
    table = json.dumps({"rows": [page_row(row) for row in rows], "refs": refs})
    stream.write(data_element("rows", pack(table)))
    stream.write(after)


def packed_details(details: AttemptDetails, blocks: BlockWriter) -> str:
    """As JSON, in which large parts are named by where they are: many attempts share them."""
    full = blocks.full
    document = (_shortened(details) if full else details).model_dump(mode="json")
    for file in document["files"]:
        lines = file.pop("lines")
        if lines and full:
            file["note"] = FULL
        elif lines:
            file["ref"] = blocks.add(_json(lines))
    for text in document["texts"]:
        shown = text.pop("text")
        text["ref"] = blocks.add(FULL if full else shown)
    description = document.pop("description")
    document["description_ref"] = blocks.add(description) if description else None
    return _json(document)


def _shortened(details: AttemptDetails) -> AttemptDetails:
    """Without what a test printed, and with the first words of its message."""
    tests = tuple(
        TestView(id=test.id, status=test.status, message=one_line(test.message, MESSAGE_CHARACTERS))
        for test in details.tests[:MOST_TESTS]
    )
    left_out = details.tests_left_out + len(details.tests) - len(tests)
    return details.model_copy(update={"tests": tests, "tests_left_out": left_out})


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def figures_context(overview: Overview, *, live: bool) -> dict[str, object]:
    """What the template `figures.html` needs."""
    return {
        "overview": overview,
        "live": live,
        "version": __version__,
        "can_draw": drawing.can_draw(),
        "how_to_get_charts": drawing.HOW_TO_GET,
        "interval_chart": charts.interval_chart,
        "outcome_chart": charts.outcome_chart,
        "breakdown_charts": charts.breakdown_charts,
        "time_chart": charts.time_chart,
        "code_chart": charts.code_chart,
        "code_metrics": ALL_METRICS,
        "price_chart": charts.price_chart,
        "most_entries": charts.MOST_ENTRIES,
        "most_rows": charts.MOST_ROWS,
        "most_changes": MOST_CHANGES,
        "most_pairs": MOST_PAIRS,
    }


def title_of(overview: Overview) -> str:
    names = [info.run.label or info.run.id for info in overview.runs]
    return (
        names[0]
        if len(names) == 1
        else one_line(f"{len(names)} runs: {', '.join(names)}", TITLE_CHARACTERS)
    )


@functools.cache
def script(parts: tuple[str, ...]) -> str:
    """A page's script as one text; each part stands in a file of its own."""
    return "\n".join((TEMPLATES / "script" / f"{name}.js").read_text("utf-8") for name in parts)


@functools.cache
def style() -> str:
    return (TEMPLATES / "app.css").read_text("utf-8")


@functools.cache
def policy() -> str:
    """Nothing may be loaded, and no script run but our own: whatever a name or an output holds."""
    return (
        f"default-src 'none'; script-src '{_digest(script(SCRIPTS))}'; "
        f"style-src '{_digest(style())}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@functools.cache
def environment() -> Environment:
    """Whatever a template puts out is made visible and escaped; a misspelt name is an error."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_shown,
    )
    made.filters |= {
        "dashed": lambda text: str(text).replace("_", "-"),
        "spaced": lambda text: str(text).replace("_", " "),
        "percent": _percent,
        "interval": _interval,
        "heat": lambda share: f"h{min(int(share * 5), 4)}",
        "p_value": _p_value,
        "thousands": lambda number: f"{number:,.0f}",
        "short": _short,
        "duration": _duration,
        "moment": lambda moment: f"{moment.astimezone(UTC):%Y-%m-%d %H:%M} UTC",
    }
    return made


def _shown(value: object) -> object:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _interval(mean: Mean) -> str:
    if mean.low is None or mean.high is None:
        return "–"
    return f"{100 * mean.low:.1f}–{100 * mean.high:.1f}"


def _p_value(p: float | None) -> str:
    if p is None:
        return ""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"  # noqa: PLR2004 - as p values are written


def _short(number: float) -> str:
    for unit in ("", "k", "M", "G"):
        if number < THOUSAND:
            return f"{number:.0f}{unit}" if unit == "" else f"{number:.1f}{unit}"
        number /= THOUSAND
    return f"{number:.1f}T"


def _duration(seconds: float) -> str:
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"
