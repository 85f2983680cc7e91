"""draw: a Vega-Lite specification → an SVG element in the page's own colours."""

import functools
import importlib
import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from markupsafe import Markup
from pydantic import JsonValue

if TYPE_CHECKING:
    from types import ModuleType

HOW_TO_GET = (
    "Charts need the extra `report`: pip install 'sdkbench[report]'. Every figure is in the tables."
)
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
SVG = "http://www.w3.org/2000/svg"
ELEMENTS = frozenset({"svg", "g", "path", "line", "rect", "circle", "text", "tspan", "title"})
# Everything that Vega writes and a picture needs; nothing that loads, links or runs.
ATTRIBUTES = frozenset(
    {
        "aria-hidden", "aria-label", "aria-roledescription", "class", "cx", "cy", "d", "display",
        "dx", "dy", "fill", "fill-opacity", "font-family", "font-size", "font-weight", "height",
        "opacity", "pointer-events", "r", "role", "rx", "stroke", "stroke-dasharray",
        "stroke-linecap", "stroke-miterlimit", "stroke-opacity", "stroke-width", "text-anchor",
        "transform", "viewBox", "width", "x", "x1", "x2", "y", "y1", "y2",
    }
)  # fmt: skip
DRAWINGS_KEPT = 512  # a page that is asked for again while a run goes on has mostly the same
FONT = "system-ui, sans-serif"
CONFIG: dict[str, JsonValue] = {
    "background": "transparent",
    "font": FONT,
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--soft)",
        "titleColor": "var(--soft)",
        "gridColor": "var(--line)",
        "domain": False,
        "ticks": False,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelPadding": 8,
        "labelLimit": 190,
    },
    "legend": {
        "labelColor": "var(--ink)",
        "labelFontSize": 12,
        "labelLimit": 260,
        "title": None,
        "orient": "top",
        "symbolType": "circle",
        "columnPadding": 22,
    },
}
Spec = dict[str, JsonValue]
# Letters are measured in a font of this machine; the reader's may be wider.
PADDING: JsonValue = {"left": 22, "right": 10, "top": 4, "bottom": 4}


@functools.cache
def _converter() -> "ModuleType | None":
    try:
        return importlib.import_module("vl_convert")
    except ImportError:
        return None


def can_draw() -> bool:
    return _converter() is not None


def draw(spec: Spec) -> Markup:
    """The chart as an SVG element for a page; empty where the extra `report` is not installed."""
    converter = _converter()
    if converter is None:
        return Markup()
    whole = {"$schema": SCHEMA, "config": CONFIG, "padding": PADDING} | spec
    return _drawn(converter, json.dumps(whole, sort_keys=True))


@functools.lru_cache(DRAWINGS_KEPT)
def _drawn(converter: "ModuleType", spec: str) -> Markup:
    return Markup(_only_picture(converter.vegalite_to_svg(spec)))  # noqa: S704 - just below


def _only_picture(svg: str) -> str:
    """The drawing without namespaces and sizes in pixels; ValueError for what is no picture.

    Names of models are in it. Vega escapes them; this makes sure of it, whatever Vega does.
    """
    root = ET.fromstring(svg)  # noqa: S314 - our own program wrote it, without entities
    for element in root.iter():
        element.tag = element.tag.removeprefix(f"{{{SVG}}}")
        if element.tag not in ELEMENTS:
            raise ValueError(f"a chart with an element {element.tag!r}")
        for name in set(element.attrib) - ATTRIBUTES:
            del element.attrib[name]
    _drop_unseen(root)
    width = root.attrib.pop("width", "300")
    root.attrib.pop("height", None)
    root.set("class", f"chart chart-{'narrow' if float(width) < 240 else 'wide'}")  # noqa: PLR2004
    root.set("role", "group")
    return ET.tostring(root, encoding="unicode")


def _drop_unseen(parent: ET.Element) -> None:
    """Vega's empty backgrounds and foregrounds are half of a small chart."""
    for child in list(parent):
        if child.get("class") in {"background", "foreground"}:
            parent.remove(child)
        else:
            _drop_unseen(child)
