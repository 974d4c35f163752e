"""How long each step of the training took, and the median."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.theme import LIGHT, MARK
from jupyter_mlprof.charts.ticks import ticks
from jupyter_mlprof.model import numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bokeh.models import Column

    from jupyter_mlprof.charts.theme import Theme

HEIGHT = 120
TITLE = "Step time"
COLUMNS = ("n", "s", "text")


def steps_chart(seconds: Sequence[float], theme: Theme = LIGHT) -> Column:
    """Draw the durations of steps."""
    from bokeh.models.annotations import Span, Title

    chart = steps_template()
    columns = {
        "n": list(range(1, len(seconds) + 1)),
        "s": list(seconds),
        "text": [numbers.seconds(one) for one in seconds],
    }
    strip.set_data(chart, "data", columns)
    strip.set_extent(chart, len(seconds) + 1)
    strip.set_ticks(chart, "steps", ticks(max(seconds, default=0.0), numbers.seconds))
    strip.set_visible(chart, visible=bool(seconds), names=["median_line"])
    if seconds:
        middle = median(seconds)
        strip.model(chart, "median_line", Span).location = middle
        strip.model(
            chart, "steps_title", Title
        ).text = f"{TITLE}; dashed: median {numbers.seconds(middle)}"
    return strip.finished(chart, theme)


def steps_template() -> Column:
    """Return the empty chart."""
    from bokeh.layouts import column
    from bokeh.models import BasicTicker
    from bokeh.models.annotations import Span

    data = strip.source("data", COLUMNS)
    plot = strip.strip("steps", TITLE, strip.x_range(), height=HEIGHT, x_label="step")
    plot.xaxis.ticker = BasicTicker(
        mantissas=[1, 2, 5], min_interval=1, num_minor_ticks=0, desired_num_ticks=5
    )
    strip.curve(plot, data, "s", x="n", line_alpha=0.5, line_width=1)
    dots = plot.scatter("n", "s", source=data, size=4, fill_color=MARK, line_color=None)
    dots.nonselection_glyph = dots.selection_glyph = dots.muted_glyph = None
    strip.hover(plot, "steps", dots, [("step", "n"), ("took", "text")])
    plot.add_layout(
        Span(
            dimension="width", location=0, line_dash="dashed", visible=False, name="median_line",
            tags=["ink"],
        )
    )  # fmt: skip
    return column(plot, sizing_mode="stretch_width")
