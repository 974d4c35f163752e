"""CPU and memory of two runs of a cell, one over the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.columns import highest, timeline_columns
from jupyter_mlprof.charts.theme import GREY, LIGHT
from jupyter_mlprof.charts.ticks import ticks
from jupyter_mlprof.model import numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bokeh.models import Column, ColumnDataSource
    from bokeh.plotting import figure

    from jupyter_mlprof.charts.columns import Columns
    from jupyter_mlprof.charts.theme import Theme
    from jupyter_mlprof.model.timeline import Timeline

HEIGHT = 84
LEGEND = 20
COLUMNS = ("t", "t_text", "cpu", "cpu_text", "rss", "rss_text")


def compare_chart(before: Timeline, after: Timeline, theme: Theme = LIGHT) -> Column:
    """Draw one timeline over the other."""
    chart = compare_template()
    sides = {"before": total_columns(before), "after": total_columns(after)}
    for name, columns in sides.items():
        strip.set_data(chart, name, columns)
    strip.set_extent(chart, max([*before.t_s, *after.t_s], default=0.0))
    cpu, memory = (highest(*(side[name] for side in sides.values())) for name in ("cpu", "rss"))
    strip.set_ticks(chart, "cpu", ticks(cpu, lambda value: f"{value:g}"))
    strip.set_ticks(chart, "memory", ticks(memory, numbers.size))
    return strip.finished(chart, theme)


def compare_template() -> Column:
    """Return the empty chart."""
    from bokeh.layouts import column

    x = strip.x_range()
    sources = [strip.source("before", COLUMNS), strip.source("after", COLUMNS)]
    cpu = strip.strip("cpu", "CPU, in cores", x, height=HEIGHT + LEGEND)
    memory = strip.strip("memory", "Memory", x, height=HEIGHT, x_label="seconds")
    _overlay(cpu, sources, "cpu")
    _add_legend(cpu)
    _overlay(memory, sources, "rss")
    return column(cpu, memory, sizing_mode="stretch_width", spacing=2)


def total_columns(timeline: Timeline) -> Columns:
    """Return the columns of one side, child processes counted in."""
    columns = timeline_columns(timeline)
    cpu, rss = columns["cpu_total"], columns["rss_total"]
    return {
        "t": columns["t"],
        "t_text": columns["t_text"],
        "cpu": cpu,
        "cpu_text": [numbers.cores(float(value)) for value in cpu],
        "rss": rss,
        "rss_text": [numbers.size(float(value)) for value in rss],
    }


def _overlay(plot: figure, sources: Sequence[ColumnDataSource], name: str) -> None:
    """Draw both sides, each with a tooltip of its own."""
    looks: tuple[dict[str, Any], ...] = ({"line_color": GREY, "line_dash": [5, 3]}, {})
    for side, look in zip(sources, looks, strict=True):
        line = strip.curve(plot, side, name, **look | {"name": f"{side.name}_{name}"})
        rows = [(str(side.name), f"{name}_text"), ("at", "t_text")]
        strip.hover(plot, f"{side.name}_{name}", line, rows)


def _add_legend(plot: figure) -> None:
    from bokeh.models.annotations import Legend, LegendItem

    lines: list[Any] = plot.renderers
    items = [
        LegendItem(label=label, renderers=[line])
        for label, line in zip(("before", "after"), lines, strict=True)
    ]
    legend = Legend(
        items=items, location="left", orientation="horizontal", margin=2,
        label_text_font_size="10px",
        spacing=12, label_height=12, glyph_height=12, label_standoff=4,
    )  # fmt: skip
    plot.add_layout(legend, "above")
