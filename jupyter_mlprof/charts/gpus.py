"""GPUs over the time of the cell: how busy, how full, how much power; one curve each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts import strip
from jupyter_mlprof.charts.columns import GPU_STRIPS, gpu_columns, gpus_of, highest
from jupyter_mlprof.charts.theme import MANY
from jupyter_mlprof.charts.ticks import ticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from bokeh.model import Model
    from bokeh.models import Range1d, Tool
    from bokeh.models.renderers import GlyphRenderer
    from bokeh.plotting import figure

    from jupyter_mlprof.model.timeline import Timeline

HEIGHT = 64
TITLES = {"util": "GPU, part of the time busy", "memory": "GPU memory", "power": "GPU power"}
# A rule is the same for all: half of the time is half of the height.
LEAST_TOP = {"util": 100.0}
LEGEND_HEIGHT = 16


def gpu_strips(x: Range1d, drag: Callable[[], Tool], gpus: int) -> list[figure]:
    """Return empty strips for so many GPUs."""
    columns = [f"{name}_{slot}" for name, _ in GPU_STRIPS for slot in range(gpus)]
    texts = [f"{column}_text" for column in columns]
    data = strip.source("gpus", ["t", "t_text", *columns, *texts])
    plots: list[figure] = []
    for name, _ in GPU_STRIPS:
        plot = strip.strip(f"gpu_{name}", TITLES[name], x, height=HEIGHT, drag=drag())
        lines = [
            strip.curve(plot, data, f"{name}_{slot}", line_color=MANY[slot]) for slot in range(gpus)
        ]
        strip.hover(plot, f"gpu_{name}", lines[0], [("after", "t_text")])
        if not plots:
            _add_legend(plot, lines)
        plots.append(plot)
    return plots


def fill_gpus(chart: Model, timeline: Timeline) -> None:
    """Put the GPUs into their strips."""
    from bokeh.models import HoverTool

    gpus, columns = gpus_of(timeline), gpu_columns(timeline)
    strip.set_data(chart, "gpus", columns)
    for name, say in GPU_STRIPS:
        values = [columns[f"{name}_{slot}"] for slot in range(len(gpus))]
        top = max(highest(*values), LEAST_TOP.get(name, 0.0))
        strip.set_ticks(chart, f"gpu_{name}", ticks(top, say))
        rows = [(f"GPU {index}", f"@{{{name}_{slot}_text}}") for slot, index in enumerate(gpus)]
        hover = strip.model(chart, f"gpu_{name}_hover", HoverTool)
        hover.tooltips = [("after", "@{t_text}"), *rows]
    _name_curves(chart, gpus)


def _name_curves(chart: Model, gpus: list[int]) -> None:
    """Say which curve is which, where there are several."""
    from bokeh.core.properties import value
    from bokeh.models.annotations import Legend, LegendItem
    from bokeh.plotting import figure

    several = len(gpus) > 1
    strip.model(chart, "gpu_legend", Legend).visible = several
    strip.model(chart, "gpu_util", figure).height = HEIGHT + LEGEND_HEIGHT * several
    for slot, index in enumerate(gpus):
        label: Any = value(f"GPU {index}")
        strip.model(chart, f"gpu_legend_{slot}", LegendItem).update(label=label, visible=True)


def _add_legend(plot: figure, lines: list[GlyphRenderer[Any]]) -> None:
    from bokeh.models.annotations import Legend, LegendItem

    items = [
        LegendItem(label="", renderers=[line], name=f"gpu_legend_{slot}", visible=False)
        for slot, line in enumerate(lines)
    ]
    legend = Legend(
        items=items, name="gpu_legend", visible=False, location="left", orientation="horizontal",
        margin=0, label_text_font_size="10px", spacing=12, label_height=12,
        glyph_height=10, glyph_width=14, label_standoff=4,
    )  # fmt: skip
    plot.add_layout(legend, "above")
