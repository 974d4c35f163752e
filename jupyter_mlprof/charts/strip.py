"""A strip: one low plot over the time of the cell; strips of one chart share their x range."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from jupyter_mlprof.charts.theme import MARK, dress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bokeh.model import Model
    from bokeh.models import ColumnDataSource, HoverTool, Range1d, Tool
    from bokeh.models.renderers import GlyphRenderer
    from bokeh.plotting import figure

    from jupyter_mlprof.charts.theme import Theme
    from jupyter_mlprof.charts.ticks import Ticks

# Wide enough for "500 MB", so that the strips of a chart line up.
LEFT, RIGHT = 52, 14
X_AXIS = 32
Found = TypeVar("Found", bound="Model")
# Charts that were looked through. Nothing is added to a chart once it is made.
_PARTS: WeakKeyDictionary[Model, dict[str, Model]] = WeakKeyDictionary()


def x_range() -> Range1d:
    """Return the range that the strips of a chart share; nothing lies outside of it."""
    from bokeh.models import Range1d

    return Range1d(start=0, end=1, bounds=(0, 1), name="x")


def source(name: str, columns: Sequence[str]) -> ColumnDataSource:
    """Return an empty source of named columns."""
    from bokeh.models import ColumnDataSource

    return ColumnDataSource({column: [] for column in columns}, name=name)


def strip(  # noqa: PLR0913 - what tells one strip from another
    name: str,
    title: str,
    x: Range1d,
    *,
    height: int,
    x_label: str | None = None,
    drag: Tool | None = None,
) -> figure:
    """Return an empty strip whose parts are named after it; `x_label` None leaves the axis out."""
    from bokeh.models import FixedTicker, PanTool, Range1d, WheelZoomTool
    from bokeh.models.annotations import Title
    from bokeh.plotting import figure

    # Without Ctrl the wheel scrolls the page.
    wheel = WheelZoomTool(dimensions="width", modifiers="ctrl")
    heading = Title(
        text=title,
        name=f"{name}_title",
        text_font_size="11px",
        text_font_style="normal",
        standoff=2,
        visible=bool(title),
    )
    plot = figure(
        name=name,
        title=heading,
        x_range=x,
        y_range=Range1d(start=0, end=1, name=f"{name}_y"),
        height=height + (X_AXIS if x_label else 0),
        sizing_mode="stretch_width",
        min_border_left=LEFT,
        min_border_right=RIGHT,
        tools=[drag or PanTool(dimensions="width"), wheel],
        active_scroll=wheel,
        toolbar_location=None,
    )
    plot.xgrid.visible = False
    plot.yaxis.name = f"{name}_axis"
    plot.yaxis.ticker = FixedTicker(ticks=[], name=f"{name}_ticks")
    _settle_axes(plot, x_label)
    return plot


def _settle_axes(plot: figure, x_label: str | None) -> None:
    from bokeh.models import BasicTicker, BasicTickFormatter

    plot.axis.major_label_text_font_size = "10px"
    plot.axis.axis_label_text_font_size = "10px"
    plot.axis.axis_label_text_font_style = "normal"
    plot.axis.axis_label_standoff = 0
    plot.axis.major_tick_in = 0
    plot.axis.major_tick_out = 4
    plot.axis.minor_tick_out = 2
    plot.xaxis.axis_label = x_label
    plot.xaxis.visible = x_label is not None
    plot.xaxis.ticker = BasicTicker(desired_num_ticks=5)
    plot.xaxis.formatter = BasicTickFormatter(use_scientific=False)


def curve(
    plot: figure, data: ColumnDataSource, y: str, x: str = "t", **look: Any
) -> GlyphRenderer[Any]:
    """Draw a column as a line, named after it; a brush leaves its look alone."""
    defaults: dict[str, Any] = {"line_color": MARK, "line_width": 1.5, "name": f"{y}_line"}
    line = plot.line(x, y, source=data, **(defaults | look))
    line.nonselection_glyph = line.selection_glyph = line.muted_glyph = None
    return line


def area(plot: figure, data: ColumnDataSource, low: float | str, high: str, alpha: float) -> None:
    """Fill between two columns, or from a level to a column."""
    filled = plot.varea(
        "t", low, high, source=data, fill_color=MARK, fill_alpha=alpha, name=f"{high}_area"
    )
    filled.nonselection_glyph = filled.selection_glyph = filled.muted_glyph = None


def hover(
    plot: figure, name: str, renderer: GlyphRenderer[Any], rows: Sequence[tuple[str, str]]
) -> HoverTool:
    """Tell the values nearest to the pointer in x: a row is a label and a column as text."""
    from bokeh.models import HoverTool

    tool = HoverTool(
        name=f"{name}_hover",
        renderers=[renderer],
        mode="vline",
        line_policy="nearest",
        tooltips=[(label, f"@{{{column}}}") for label, column in rows],
    )
    plot.add_tools(tool)
    return tool


def named(chart: Model, name: str) -> Model | None:
    """Return the part of a chart that has the name, if there is one.

    To look through a chart takes Bokeh tens of milliseconds, so that it is done once.
    """
    parts = _PARTS.get(chart)
    if parts is None:
        parts = {part.name: part for part in chart.references() if part.name}
        _PARTS[chart] = parts
    return parts.get(name)


def model(chart: Model, name: str, kind: type[Found]) -> Found:
    """Return the model of that name."""
    found = named(chart, name)
    if not isinstance(found, kind):
        raise TypeError(f"The chart has no {kind.__name__} named {name}.")
    return found


def set_data(chart: Model, name: str, columns: dict[str, Any]) -> None:
    """Fill a named source."""
    from bokeh.models import ColumnDataSource

    model(chart, name, ColumnDataSource).data = columns


def set_extent(chart: Model, end: float) -> None:
    """Let the x axis go from zero to the end of the data."""
    from bokeh.models import Range1d

    end = end if end > 0 else 1.0
    model(chart, "x", Range1d).update(end=end, reset_start=0, reset_end=end, bounds=(0, end))


def set_ticks(chart: Model, name: str, marks: Ticks) -> None:
    """Let the y axis of a strip go from zero to the end of its ticks."""
    from bokeh.models import Axis, FixedTicker, Range1d

    model(chart, f"{name}_y", Range1d).update(end=marks.end, reset_start=0, reset_end=marks.end)
    model(chart, f"{name}_ticks", FixedTicker).ticks = list(marks.labels)
    labels: dict[Any, Any] = dict(marks.labels)
    model(chart, f"{name}_axis", Axis).major_label_overrides = labels


def set_visible(chart: Model, *, visible: bool, names: Sequence[str]) -> None:
    """Show or hide named parts."""
    for name in names:
        found = named(chart, name)
        if found is not None:
            found.update(visible=visible)


def finished(chart: Found, theme: Theme) -> Found:
    """Return the chart in the colours of a theme."""
    dress(chart, theme)
    return chart
