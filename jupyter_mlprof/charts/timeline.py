"""CPU, files and memory over the time of the cell: strips above one another, one x range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.columns import (
    STACKED,
    gpus_of,
    has,
    highest,
    per_second,
    timeline_columns,
)
from jupyter_mlprof.charts.gpus import fill_gpus, gpu_strips
from jupyter_mlprof.charts.theme import ALERT, GREY, LIGHT, MARK
from jupyter_mlprof.charts.ticks import ticks
from jupyter_mlprof.model import numbers
from jupyter_mlprof.model.timeline import Timeline

if TYPE_CHECKING:
    from bokeh.model import Model
    from bokeh.models import Column, ColumnDataSource, Range1d, Tool
    from bokeh.plotting import figure

    from jupyter_mlprof.charts.theme import Theme

COLUMNS = tuple(timeline_columns(Timeline()))
HEIGHT = 84
# A limit is drawn where the memory comes near it; else it would flatten the curve.
LIMIT_FROM = 0.4
CPU = "CPU, in cores"
CPU_CHILDREN = "CPU, in cores; dashed: with child processes"
MEMORY = "Memory"
MEMORY_CHILDREN = "Memory; dashed: with child processes"
FLOW = "Read from files; dashed: written"


def timeline_chart(
    timeline: Timeline, limit_bytes: int | None = None, theme: Theme = LIGHT
) -> Column:
    """Draw a timeline."""
    gpus = len(gpus_of(timeline))
    chart = timeline_template(gpus=gpus)
    columns = timeline_columns(timeline)
    strip.set_data(chart, "data", columns)
    strip.set_extent(chart, max(timeline.t_s, default=0.0))
    strip.set_ticks(chart, "cpu", ticks(highest(columns["cpu_total"]), _plain))
    top = highest(columns["read"], columns["write"])
    strip.set_ticks(chart, "flow", ticks(top, per_second))
    strip.set_visible(chart, visible=top > 0, names=["flow"])
    fill_memory(chart, highest(columns["rss_total"]), limit_bytes)
    show_children(chart, timeline)
    if gpus:
        fill_gpus(chart, timeline)
    return strip.finished(chart, theme)


def timeline_template(*, brush: bool = False, gpus: int = 0) -> Column:
    """Return the empty chart for so many GPUs; with a brush, dragging selects a span."""
    from bokeh.layouts import column

    x, data = strip.x_range(), strip.source("data", COLUMNS)
    cpu = strip.strip("cpu", CPU, x, height=HEIGHT, drag=_drag(brush=brush))
    stacked(cpu, data, "cpu")
    flow = strip.strip("flow", FLOW, x, height=HEIGHT, drag=_drag(brush=brush))
    flow.visible = False
    read = strip.curve(flow, data, "read")
    strip.curve(flow, data, "write", line_color=GREY, line_dash="dashed")
    rows = [("after", "t_text"), ("read", "read_text"), ("written", "write_text")]
    strip.hover(flow, "flow", read, rows)
    plots = [cpu, flow]
    if gpus:
        plots += gpu_strips(x, lambda: _drag(brush=brush), gpus)
    plots.append(memory_strip(x, data, HEIGHT, drag=_drag(brush=brush)))
    for plot in plots:
        _add_span(plot)
    return column(*plots, sizing_mode="stretch_width", spacing=2)


def memory_strip(x: Range1d, data: ColumnDataSource, height: int, drag: Tool) -> figure:
    """Return the strip of the kernel's memory, with the limit."""
    from bokeh.models.annotations import Label, Span

    plot = strip.strip("memory", MEMORY, x, height=height, x_label="seconds", drag=drag)
    stacked(plot, data, "rss")
    look: dict[str, Any] = {"line_color": ALERT, "line_dash": "dotted", "line_width": 1.5}
    plot.add_layout(Span(dimension="width", location=0, visible=False, name="limit_line", **look))
    plot.add_layout(
        Label(
            x=4, y=0, x_units="screen", y_offset=-1, text="", text_baseline="top",
            text_font_size="10px", visible=False, name="limit_label", tags=["ink"],
        )
    )  # fmt: skip
    return plot


def stacked(plot: figure, data: ColumnDataSource, name: str) -> None:
    """Draw what the kernel used, and above it what its child processes used."""
    strip.area(plot, data, name, f"{name}_total", 0.15)
    strip.area(plot, data, 0, name, 0.4)
    strip.curve(plot, data, name)
    total = strip.curve(plot, data, f"{name}_total", line_dash=[4, 3], line_width=1)
    rows = [
        ("after", "t_text"), ("kernel", f"{name}_text"),
        ("child processes", f"{name}_children_text"),
    ]  # fmt: skip
    strip.hover(plot, name, total, rows)


def fill_memory(chart: Model, peak: float, limit_bytes: int | None, *, room: float = 1.0) -> None:
    """Scale the strip of the memory, and show the limit where it matters."""
    from bokeh.models.annotations import Label, Span

    limit = limit_bytes if limit_bytes and peak >= LIMIT_FROM * limit_bytes else None
    strip.set_ticks(chart, "memory", ticks(room * max(peak, limit or 0), numbers.size))
    strip.set_visible(chart, visible=limit is not None, names=["limit_line", "limit_label"])
    if limit is not None:
        strip.model(chart, "limit_line", Span).location = limit
        strip.model(chart, "limit_label", Label).update(
            y=limit, text=f"limit {numbers.size(limit)}"
        )


def show_children(chart: Model, timeline: Timeline) -> None:
    """Leave out the curves of child processes where there were none."""
    from bokeh.models import HoverTool
    from bokeh.models.annotations import Title

    titles = {"cpu": ("cpu", CPU_CHILDREN), "rss": ("memory", MEMORY_CHILDREN)}
    for name, children, _ in STACKED:
        seen = has(timeline, children)
        parts = [f"{name}_total_line", f"{name}_total_area"]
        strip.set_visible(chart, visible=seen, names=parts[1:])
        plot, title = titles[name]
        hover = strip.named(chart, f"{name}_hover")
        if seen and strip.named(chart, f"{plot}_title") is not None:
            strip.model(chart, f"{plot}_title", Title).text = title
        elif isinstance(hover, HoverTool) and isinstance(hover.tooltips, list):
            hover.tooltips = hover.tooltips[:2]


def _drag(*, brush: bool) -> Tool:
    from bokeh.models import BoxSelectTool, PanTool
    from bokeh.models.annotations import BoxAnnotation

    if not brush:
        return PanTool(dimensions="width")
    overlay = BoxAnnotation(fill_color=MARK, fill_alpha=0.2, line_color=None, visible=False)
    return BoxSelectTool(dimensions="width", renderers=[], overlay=overlay)


def _add_span(plot: figure) -> None:
    """Add the band that shows the selected span."""
    from bokeh.models.annotations import BoxAnnotation

    plot.add_layout(
        BoxAnnotation(
            left=0, right=0, fill_color=GREY, fill_alpha=0.25, line_width=1, line_alpha=0.8,
            level="underlay", visible=False, name=f"{plot.name}_span", tags=["quiet"],
        )
    )  # fmt: skip


def _plain(value: float) -> str:
    return f"{value:g}"
