"""The call tree as an icicle: time is width, callers stand above what they called."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.theme import LIGHT, MARK, ON_MARK, PALE_GREY, PALE_MARK
from jupyter_mlprof.model import numbers

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import Column
    from bokeh.plotting import figure

    from jupyter_mlprof.charts.columns import Columns
    from jupyter_mlprof.charts.theme import Theme
    from jupyter_mlprof.model.functions import Flame, Frame

ROW = 18
BASE = 64
MOST_ROWS = 40
# Of the whole width: narrower boxes cannot be seen.
LEAST_SHARE = 0.001
COLUMNS = ("node", "left", "right", "top", "bottom", "colour", "name", "where", "time", "share")
LABEL_COLUMNS = ("x", "y", "text")
COLOURS = {"this cell": MARK, "your files": PALE_MARK, "libraries": PALE_GREY}
# Marks of a file that somebody else wrote.
LIBRARY_SIGNS = ("site-packages", "dist-packages", "/lib/python", "<frozen", "<__array_function__")
# Of a letter, in the font of the labels.
LETTER_PX = 6.0


@dataclass(frozen=True, slots=True)
class Box:
    """Place of a node: its span of the time axis, and its row from the top."""

    node: int
    left: float
    right: float
    row: int


def flame_chart(flame: Flame, theme: Theme = LIGHT, width_px: int = 800) -> Column:
    """Draw a call tree; `width_px` tells how much of a name fits into its box."""
    chart = flame_template()
    boxes = arranged(flame)
    end = max((box.right for box in boxes), default=0.0)
    boxes = [
        box for box in boxes if box.row < MOST_ROWS and box.right - box.left >= LEAST_SHARE * end
    ]
    rows = max((box.row for box in boxes), default=0) + 1
    strip.set_data(chart, "data", _columns(flame, boxes, end))
    strip.set_data(chart, "labels", _label_columns(flame, boxes, width_px / end if end else 0))
    strip.set_extent(chart, end)
    _set_rows(chart, rows)
    return strip.finished(chart, theme)


def flame_template() -> Column:
    """Return the empty chart."""
    from bokeh.layouts import column
    from bokeh.models import HoverTool

    data, labels = strip.source("data", COLUMNS), strip.source("labels", LABEL_COLUMNS)
    plot = strip.strip("flame", "", strip.x_range(), height=ROW, x_label="seconds")
    plot.yaxis.visible = plot.ygrid.visible = False
    plot.update(min_border_left=8)
    boxes = plot.quad(
        "left", "right", "top", "bottom", source=data, fill_color={"field": "colour"},
        line_width=0.5, hover_fill_alpha=0.7, name="boxes",
    )  # fmt: skip
    boxes.nonselection_glyph = boxes.selection_glyph = boxes.muted_glyph = None
    for glyph in (boxes.glyph, boxes.hover_glyph):
        if glyph is not None:
            glyph.tags = ["edge"]
    plot.text(
        "x", "y", "text", source=labels, text_color=ON_MARK, text_font_size="11px",
        text_baseline="middle", x_offset=3, name="names",
    )  # fmt: skip
    rows = [("function", "name"), ("at", "where"), ("time", "time"), ("of all", "share")]
    tooltips = [(label, f"@{{{column}}}") for label, column in rows]
    plot.add_tools(HoverTool(name="flame_hover", renderers=[boxes], tooltips=tooltips))
    _add_legend(plot)
    return column(plot, sizing_mode="stretch_width")


def arranged(flame: Flame) -> list[Box]:
    """Place every node: within its caller, the dearest first."""
    children: dict[int, list[int]] = {}
    for index, (parent, _, _) in enumerate(flame.nodes):
        children.setdefault(parent, []).append(index)
    boxes: list[Box] = []
    waiting = [(-1, 0.0, -1)]
    while waiting:
        parent, left, row = waiting.pop()
        for index in sorted(children.get(parent, ()), key=lambda one: -flame.nodes[one][2]):
            right = left + flame.nodes[index][2]
            boxes.append(Box(index, left, right, row + 1))
            waiting.append((index, left, row + 1))
            left = right
    return sorted(boxes, key=lambda box: box.node)


def kind_of(frame: Frame) -> str:
    """Tell whose code a function is."""
    if frame.file == "<cell>":
        return "this cell"
    strange = frame.file.startswith("<") or any(sign in frame.file for sign in LIBRARY_SIGNS)
    return "libraries" if strange or not frame.file else "your files"


def _columns(flame: Flame, boxes: list[Box], end: float) -> Columns:
    frames = [flame.frames[flame.nodes[box.node][1]] for box in boxes]
    times = [box.right - box.left for box in boxes]
    return {
        "node": [box.node for box in boxes],
        "left": [box.left for box in boxes],
        "right": [box.right for box in boxes],
        "top": [box.row for box in boxes],
        "bottom": [box.row + 1 for box in boxes],
        "colour": [COLOURS[kind_of(frame)] for frame in frames],
        "name": [frame.name for frame in frames],
        "where": [f"{frame.file}:{frame.line}" for frame in frames],
        "time": [numbers.seconds(time) for time in times],
        "share": [numbers.share(time, end) for time in times],
    }


def _label_columns(flame: Flame, boxes: list[Box], px_per_s: float) -> Columns:
    """Return the names, cut to what fits into their boxes."""
    labels = []
    for box in boxes:
        name = flame.frames[flame.nodes[box.node][1]].name
        room = int(((box.right - box.left) * px_per_s - 6) / LETTER_PX)
        text = name if len(name) <= room else f"{name[: room - 1]}…"
        if room >= 3:  # noqa: PLR2004 - fewer letters say nothing
            labels.append((box.left, box.row + 0.5, text))
    return {
        "x": [x for x, _, _ in labels],
        "y": [y for _, y, _ in labels],
        "text": [text for _, _, text in labels],
    }


def _set_rows(chart: Model, rows: int) -> None:
    """Give each row its height, the root's at the top."""
    from bokeh.models import Range1d
    from bokeh.plotting import figure

    strip.model(chart, "flame_y", Range1d).update(start=rows, end=0)
    strip.model(chart, "flame", figure).height = rows * ROW + BASE


def _add_legend(plot: figure) -> None:
    """Explain the colours; a legend shows renderers, so each colour has one that draws nothing."""
    from bokeh.models.annotations import Legend, LegendItem

    items = []
    for label, colour in COLOURS.items():
        nowhere = [math.nan]
        sample: Any = plot.quad(*[nowhere] * 4, fill_color=colour, line_color=None)
        sample.data_source.name = f"sample {label}"
        items.append(LegendItem(label=label, renderers=[sample]))
    legend = Legend(
        items=items, location="left", orientation="horizontal", margin=2,
        label_text_font_size="10px",
        spacing=12, label_height=12, glyph_height=10, glyph_width=10, label_standoff=4,
    )  # fmt: skip
    plot.add_layout(legend, "above")
