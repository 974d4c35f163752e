"""Colours of the charts: what carries a meaning is fixed, the rest follows light or dark.

The fixed ones are Okabe and Ito's. Those that the parts of the cell's time have keep that
meaning, so the charts draw in reddish purple and grey.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bokeh.model import Model

MARK = "#CC79A7"
PALE_MARK = "#E6BCD3"
GREY = "#999999"
PALE_GREY = "#BBBBBB"
ALERT = "#D55E00"
# One for each GPU; the first is that of all other curves.
MANY = (MARK, "#0072B2", "#E69F00", "#009E73", "#56B4E9", "#D55E00", "#999999", "#8C6D31")
# Text on marks, which have the same colour on light and dark.
ON_MARK = "#000000"


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours of what is not data: text, axes, grid, and the surface under the chart."""

    text: str
    muted: str
    line: str
    grid: str
    surface: str
    font: str = "system-ui, sans-serif"


LIGHT = Theme("#212121", "#616161", "#9E9E9E", "#E0E0E0", "#FFFFFF")
DARK = Theme("#E0E0E0", "#BDBDBD", "#757575", "#424242", "#111111")


def dress(chart: Model, theme: Theme) -> None:
    """Give every model of a chart the colours of a theme.

    A model is known by its type; glyphs and annotations that follow the theme have a tag:
    `ink`, `quiet` or `edge`.
    """
    for model, look in looks(chart.references(), theme):
        model.update(**look)


def looks(models: Iterable[Model], theme: Theme) -> Iterator[tuple[Model, dict[str, Any]]]:
    """Yield each model that follows the theme, with the colours it gets."""
    known = _colours(theme)
    for model in models:
        kinds = {*(kind.__name__ for kind in type(model).__mro__), *model.tags}
        properties = model.properties()
        look = {
            name: colour
            for kind, colours in known.items()
            if kind in kinds
            for name, colour in colours.items()
            if name in properties
        }
        if look:
            yield model, look


def _colours(theme: Theme) -> dict[str, dict[str, Any]]:
    return {
        "Plot": {
            "background_fill_color": None,
            "border_fill_color": None,
            "outline_line_color": None,
        },
        "Axis": {
            "axis_label_text_color": theme.muted,
            "axis_label_text_font": theme.font,
            "axis_line_color": theme.line,
            "major_label_text_color": theme.muted,
            "major_label_text_font": theme.font,
            "major_tick_line_color": theme.line,
            "minor_tick_line_color": theme.line,
        },
        "Grid": {"grid_line_color": theme.grid},
        "Title": {"text_color": theme.text, "text_font": theme.font},
        "Legend": {
            "background_fill_color": None,
            "border_line_color": None,
            "label_text_color": theme.muted,
            "label_text_font": theme.font,
        },
        "Label": {"text_font": theme.font},
        "Text": {"text_font": {"value": theme.font}},
        "ink": {"line_color": theme.text, "text_color": theme.text},
        "quiet": {"line_color": theme.muted, "text_color": theme.muted},
        "edge": {"line_color": theme.surface},
    }
