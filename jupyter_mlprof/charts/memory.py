"""Memory over the time of the cell, with its peak and its limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.columns import highest, timeline_columns
from jupyter_mlprof.charts.theme import ALERT, LIGHT
from jupyter_mlprof.charts.timeline import COLUMNS, fill_memory, memory_strip, show_children
from jupyter_mlprof.model import numbers

if TYPE_CHECKING:
    from bokeh.models import Column

    from jupyter_mlprof.charts.columns import Columns
    from jupyter_mlprof.charts.theme import Theme
    from jupyter_mlprof.model.memory import Memory
    from jupyter_mlprof.model.timeline import Timeline

HEIGHT = 150
# Room for the mark of a peak at the very end.
MARGIN = 1.02
PEAK_COLUMNS = ("t", "bytes", "text", "align")
# Room for the words above the peak.
HEADROOM = 1.06


def memory_chart(timeline: Timeline, memory: Memory, theme: Theme = LIGHT) -> Column:
    """Draw the memory of the kernel and its processes."""
    chart = memory_template()
    columns = timeline_columns(timeline)
    end = max(timeline.t_s, default=0.0)
    strip.set_data(chart, "data", columns)
    strip.set_extent(chart, MARGIN * end)
    top = max(highest(columns["rss_total"]), memory.peak_bytes)
    fill_memory(chart, top, memory.limit_bytes, room=HEADROOM)
    strip.set_data(chart, "peak", _peak_columns(memory, end))
    show_children(chart, timeline)
    return strip.finished(chart, theme)


def memory_template() -> Column:
    """Return the empty chart."""
    from bokeh.layouts import column
    from bokeh.models import PanTool

    data, peak = strip.source("data", COLUMNS), strip.source("peak", PEAK_COLUMNS)
    plot = memory_strip(strip.x_range(), data, HEIGHT, drag=PanTool(dimensions="width"))
    plot.scatter(
        "t", "bytes", source=peak, size=7, fill_color=ALERT, line_color=None, name="peak_mark"
    )
    plot.text(
        "t", "bytes", "text", source=peak, text_align={"field": "align"}, text_baseline="bottom",
        y_offset=-4, text_font_size="10px", name="peak_text",
    ).glyph.tags = ["ink"]  # fmt: skip
    return column(plot, sizing_mode="stretch_width")


def _peak_columns(memory: Memory, end: float) -> Columns:
    """Return the peak and its words, which stand on the side with more room."""
    late = memory.peak_t_s > end / 2
    return {
        "t": [memory.peak_t_s],
        "bytes": [memory.peak_bytes],
        "text": [f"peak {numbers.size(memory.peak_bytes)}"],
        "align": ["right" if late else "left"],
    }
