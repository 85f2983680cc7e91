"""Charts: Vega-Lite specifications, drawn as SVG while a page is made.

Colours are the page's own variables, so that one drawing serves its light and its dark look. What
Vega says of each mark (`aria-label`) stays: the page shows it as a tooltip, screen readers read it.
"""

from collections.abc import Iterator, Sequence
from typing import cast

from markupsafe import Markup
from pydantic import JsonValue

from sdkbench.core import Outcome
from sdkbench.metrics.overall import METRICS
from sdkbench.report.code_metrics import CodeFigures
from sdkbench.report.pages.drawing import Spec, draw
from sdkbench.report.pages.history import HistoryPoint
from sdkbench.report.pages.overview import SUITE_TITLES, Breakdown, SuiteOverview

MOST_ENTRIES = 8  # colours that can be told apart
LEGEND_CHARACTERS = 64  # in one line above a chart
ENDS = 12  # characters of a long name
MOST_ROWS = 30  # of a chart: more are a table's work
OUTCOME_COLOURS = {outcome: f"var(--{outcome.replace('_', '-')})" for outcome in Outcome}


def short_names(labels: Sequence[str]) -> dict[str, str]:
    """Labels as a chart has room for them, by label: the middle of a long one is left out, as ends
    tell models apart. Where even those are the same, they stay whole.
    """
    short = {
        label: f"{label[:ENDS]}…{label[-ENDS:]}" if len(label) > 2 * ENDS + 1 else label
        for label in labels
    }
    return short if len(set(short.values())) == len(short) else {name: name for name in short}


def interval_chart(low: float | None, value: float | None, high: float | None) -> Markup:
    """One share with its interval on a line from 0 to 1; empty where there is none."""
    if low is None or value is None or high is None:
        return Markup()
    return _interval(round(low, 3), round(value, 3), round(high, 3))


def _interval(low: float, value: float, high: float) -> Markup:
    said = f"{value:.1%}, 95 % interval {low:.1%} to {high:.1%}"
    x: JsonValue = {
        "field": "value", "type": "quantitative", "scale": {"domain": [0, 1]}, "axis": None,
    }  # fmt: skip
    described: JsonValue = {"field": "said"}
    data: JsonValue = {
        "values": [{"low": low, "value": value, "high": high, "zero": 0, "one": 1, "said": said}]
    }

    def rule(start: str, end: str, colour: str, width: float) -> Spec:
        line: Spec = {"type": "rule", "color": colour, "size": width, "strokeCap": "round"}
        return {
            "mark": line,
            "encoding": {
                "x": cast("Spec", x) | {"field": start},
                "x2": {"field": end},
                "description": described,
            },
        }

    return draw(
        {
            "width": 150,
            "height": 18,
            "padding": 4,
            "data": data,
            "layer": [
                rule("zero", "one", "var(--line)", 1),
                rule("low", "high", "var(--accent-soft)", 6),
                {
                    "mark": {
                        "type": "point",
                        "filled": True,
                        "size": 90,
                        "color": "var(--accent)",
                        "opacity": 1,
                    },
                    "encoding": {"x": x, "description": described},
                },
            ],
        }
    )


def outcome_chart(suite: SuiteOverview) -> Markup:
    """What became of each entry's attempts, as shares of all of them."""
    shown = suite.entries[:MOST_ROWS]
    names = short_names([entry.label for entry in shown])
    values: list[JsonValue] = [
        {
            "entry": names[entry.label],
            "outcome": outcome.replace("_", " "),
            "order": place,
            "count": entry.figures.outcomes[outcome],
            "said": f"{entry.label}: {entry.figures.outcomes[outcome]} of "
            f"{entry.figures.attempts} {outcome.replace('_', ' ')}",
        }
        for entry in shown
        for place, outcome in enumerate(Outcome)
        if entry.figures.outcomes.get(outcome)
    ]
    present = [o for o in Outcome if any(o in entry.figures.outcomes for entry in suite.entries)]
    return draw(
        {
            "width": 520,
            "height": {"step": 30},
            "data": {"values": values},
            "mark": {"type": "bar", "height": 16, "opacity": 0.9},
            "encoding": {
                "y": _entry_axis(list(names.values())),
                "x": {
                    "field": "count", "type": "quantitative", "stack": "normalize",
                    "axis": {"format": "%", "tickCount": 5, "title": None},
                },
                "color": _colours(
                    "outcome",
                    [outcome.replace("_", " ") for outcome in present],
                    [OUTCOME_COLOURS[outcome] for outcome in present],
                ),
                "order": {"field": "order"},
                "description": {"field": "said"},
            },
        }
    )  # fmt: skip


def breakdown_chart(suite: SuiteOverview, breakdown: Breakdown) -> Markup:
    """Pass shares by group, a dot for each of the best entries; empty where one group is all."""
    if len(breakdown.groups) < 2 or len(breakdown.groups) > MOST_ROWS:  # noqa: PLR2004 - to compare
        return Markup()
    names = short_names([entry.label for entry in suite.entries[:MOST_ENTRIES]])
    entries = list(names.values())
    values: list[JsonValue] = []
    for group in breakdown.groups:
        for label, figured in zip(names, group.figures, strict=False):
            if figured is None or figured.pass_share.value is None:
                continue
            share = figured.pass_share
            said = (
                f"{label}, {group.value or 'unknown'}: {share.value:.1%} of {share.samples} samples"
            )
            values.append(
                {
                    "group": group.value or "unknown",
                    "entry": names[label],
                    "share": share.value,
                    "said": said,
                }
            )
    groups = [group.value or "unknown" for group in breakdown.groups]
    return _dots(values, "group", groups, entries)


def _dots(
    values: Sequence[JsonValue], rows: str, order: Sequence[str], entries: Sequence[str]
) -> Markup:
    """A row for each of `order`, a dot for each entry in it, by its share."""
    return draw(
        {
            "width": 420,
            "height": {"step": 30, "for": "position"},
            "data": {"values": list(values)},
            "mark": {"type": "point", "filled": True, "size": 110, "opacity": 0.9},
            "encoding": {
                "y": {
                    "field": rows, "type": "nominal", "title": None, "sort": list(order),
                    "axis": {"grid": True},
                },
                "yOffset": {"field": "entry", "sort": list(entries)},
                "x": _share_axis("share"),
                "color": _colours("entry", entries, entry_colours(len(entries))),
                "description": {"field": "said"},
            },
        }
    )  # fmt: skip


def code_chart(figures: Sequence[CodeFigures]) -> Markup:
    """A line of dots for each metric, one for each model; empty where nothing was read."""
    shown = figures[:MOST_ENTRIES]
    names = short_names([each.model for each in shown])
    values: list[JsonValue] = [
        {
            "metric": metric,
            "entry": names[each.model],
            "share": each.means[metric] / 100,
            "said": f"{each.model}, {metric}: {each.means[metric]:.0f} over {each.counts[metric]}",
        }
        for each in shown
        for metric in METRICS
        if metric in each.means
    ]
    return _dots(values, "metric", METRICS, list(names.values())) if values else Markup()


def time_chart(suite: SuiteOverview) -> Markup:
    """Seconds of judging: the middle half as a bar, nine tenths as a line, the median as a tick."""
    shown = suite.entries[:MOST_ROWS]
    names = short_names([entry.label for entry in shown])
    values: list[JsonValue] = []
    for entry in shown:
        seconds = entry.usage.seconds
        if seconds:
            said = (
                f"{entry.label}: median {seconds.median:.2f} s, middle half "
                f"{seconds.first_quarter:.2f} to {seconds.last_quarter:.2f} s, "
                f"{seconds.known} attempts"
            )
            values.append({"entry": names[entry.label], "said": said, **seconds.model_dump()})
    if not values:
        return Markup()
    y = _entry_axis(list(names.values()))
    described: JsonValue = {"field": "said"}

    def bar(start: str, end: str, height: int, opacity: float) -> Spec:
        return {
            "mark": {
                "type": "bar", "height": height, "opacity": opacity, "color": "var(--accent)",
                "cornerRadius": 2,
            },
            "encoding": {
                "y": y,
                "x": {
                    "field": start, "type": "quantitative",
                    "axis": {"title": "seconds", "tickCount": 5},
                },
                "x2": {"field": end},
                "description": described,
            },
        }  # fmt: skip

    return draw(
        {
            "width": 420,
            "height": {"step": 30},
            "data": {"values": values},
            "layer": [
                bar("low", "high", 2, 0.5),
                bar("first_quarter", "last_quarter", 12, 0.35),
                {
                    "mark": {
                        "type": "tick",
                        "thickness": 3,
                        "height": 16,
                        "color": "var(--accent)",
                    },
                    "encoding": {
                        "y": y,
                        "x": {"field": "median", "type": "quantitative"},
                        "description": described,
                    },
                },
            ],
        }
    )


def price_chart(suite: SuiteOverview) -> Markup:
    """Pass share against cost, or against output tokens where no cost is known."""
    by_cost = all(entry.usage.cost for entry in suite.entries)
    title = "US dollars in all" if by_cost else "output tokens in all"
    names = short_names([entry.label for entry in suite.entries[:MOST_ENTRIES]])
    values: list[JsonValue] = []
    for entry in suite.entries[:MOST_ENTRIES]:
        spent = entry.usage.cost if by_cost else entry.usage.output_tokens
        share = entry.figures.pass_share.value
        if spent is None or share is None:
            continue
        said = f"{entry.label}: {share:.1%} for {spent.total:,.4g} {title}"
        values.append(
            {"entry": names[entry.label], "spent": spent.total, "share": share, "said": said}
        )
    if len(values) < 2:  # noqa: PLR2004 - to compare
        return Markup()
    x: JsonValue = {
        "field": "spent",
        "type": "quantitative",
        "axis": {"title": title, "tickCount": 5},
    }
    labels = list(names.values())
    return draw(
        {
            "width": 420,
            "height": 240,
            "data": {"values": values},
            "mark": {"type": "point", "filled": True, "size": 140, "opacity": 0.95},
            "encoding": {
                "x": x,
                "y": _share_axis("share"),
                "color": _colours("entry", labels, entry_colours(len(labels))),
                "description": {"field": "said"},
            },
        }
    )


def entry_colours(count: int) -> list[str]:
    return [f"var(--entry-{number + 1})" for number in range(count)]


def _entry_axis(labels: Sequence[str]) -> JsonValue:
    return {"field": "entry", "type": "nominal", "title": None, "sort": list(labels)}


def _share_axis(field: str) -> JsonValue:
    return {
        "field": field, "type": "quantitative", "scale": {"domain": [0, 1]},
        "axis": {"format": "%", "tickCount": 5, "title": None},
    }  # fmt: skip


def _colours(field: str, domain: Sequence[str], colours: Sequence[str]) -> JsonValue:
    return {
        "field": field,
        "type": "nominal",
        "scale": {"domain": list(domain), "range": list(colours)},
        "legend": {"columns": max(1, LEGEND_CHARACTERS // (max(map(len, domain), default=1) + 4))},
    }


def breakdown_charts(suite: SuiteOverview) -> Iterator[tuple[Breakdown, Markup]]:
    for breakdown in suite.shares:
        yield breakdown, breakdown_chart(suite, breakdown)


def history_chart(points: Sequence[HistoryPoint]) -> Markup:
    """A line for each suite with its interval; empty where there is one point or none."""
    values: list[JsonValue] = [
        {
            "suite": SUITE_TITLES[point.suite],
            "at": point.run.started_at.isoformat(),
            "share": point.share.value,
            "low": point.share.low,
            "high": point.share.high,
            "said": f"{point.run.id}: {point.share.value or 0:.1%} of "
            f"{point.share.samples} samples",
        }
        for point in points
    ]
    if len(values) < 2:  # noqa: PLR2004 - a line has two ends
        return Markup()
    suites = [
        title for suite, title in SUITE_TITLES.items() if any(p.suite is suite for p in points)
    ]
    x: JsonValue = {
        "field": "at",
        "type": "temporal",
        "axis": {"title": None, "tickCount": 4, "format": "%Y-%m-%d %H:%M"},
    }
    colour = _colours("suite", suites, entry_colours(len(suites)))
    return draw(
        {
            "width": 640,
            "height": 260,
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "area", "opacity": 0.15, "aria": False},
                    "encoding": {
                        "x": x, "y": _share_axis("low"), "y2": {"field": "high"}, "color": colour,
                    },
                },
                {
                    "mark": {"type": "line", "strokeWidth": 2, "aria": False},
                    "encoding": {"x": x, "y": _share_axis("share"), "color": colour},
                },
                {
                    "mark": {"type": "point", "filled": True, "size": 90, "opacity": 1},
                    "encoding": {
                        "x": x, "y": _share_axis("share"), "color": colour,
                        "description": {"field": "said"},
                    },
                },
            ],
        }
    )  # fmt: skip
