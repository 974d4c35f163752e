"""The charts of a profile as data that BokehJS draws, in the colours of light and of dark."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts.flame import flame_chart
from jupyter_mlprof.charts.memory import memory_chart
from jupyter_mlprof.charts.steps import steps_chart
from jupyter_mlprof.charts.theme import DARK, LIGHT, looks
from jupyter_mlprof.charts.timeline import timeline_chart
from jupyter_mlprof.errors import MlprofError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bokeh.model import Model

    from jupyter_mlprof.charts.theme import Theme
    from jupyter_mlprof.model.profile import CellProfile

FLAME_WIDTH_PX = 900
INSTALL = 'Reports need Bokeh: pip install "bokeh>=3.6"'


@dataclass(frozen=True, slots=True)
class Drawing:
    """A chart as BokehJS embeds it, and for each scheme the colours of its models by their ids."""

    item: dict[str, Any]
    colours: dict[str, dict[str, dict[str, Any]]]


def require_bokeh() -> None:
    """See that Bokeh is installed.

    Raises:
        MlprofError: it is not; the text says how to install it.
    """
    try:
        import bokeh.plotting  # noqa: F401 - only whether it is here
    except ImportError as error:
        raise MlprofError(INSTALL) from error


def bokehjs() -> list[str]:
    """Return the scripts that BokehJS is made of."""
    from bokeh.resources import Resources

    return list(Resources(mode="inline", minified=True, components=["bokeh"]).js_raw[:1])


def drawings(profile: CellProfile) -> dict[str, Drawing | None]:
    """Return the charts of what the profile holds, by their names; None cannot be drawn.

    Raises:
        MlprofError: Bokeh is not installed as a whole.
    """
    charts: dict[str, Callable[[], Model]] = {}
    memory = profile.memory
    limit = memory.limit_bytes if memory is not None else None
    if profile.timeline.t_s:
        charts["timeline"] = lambda: timeline_chart(profile.timeline, limit)
        if memory is not None:
            charts["memory"] = lambda: memory_chart(profile.timeline, memory)
    if profile.flame.nodes:
        charts["flame"] = lambda: flame_chart(profile.flame, width_px=FLAME_WIDTH_PX)
    if profile.steps is not None and profile.steps.seconds:
        seconds = profile.steps.seconds
        charts["steps"] = lambda: steps_chart(seconds)
    return {name: _drawing(chart) for name, chart in charts.items()}


def _drawing(make: Callable[[], Model]) -> Drawing | None:
    """Draw a chart, or nothing where the numbers of a foreign profile make no sense together."""
    from bokeh.embed import json_item

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="ColumnDataSource's columns")
            chart = make()
        models = chart.references()
        light, dark = _colours(models, LIGHT), _colours(models, DARK)
        item: dict[str, Any] = json.loads(json.dumps(json_item(chart), allow_nan=False))
    except ImportError as error:
        raise MlprofError(f"{INSTALL} ({error})") from error
    except Exception:  # noqa: BLE001 - a chart less, and the report all the same
        return None
    return Drawing(item, {"light": light, "dark": dark})


def _colours(models: Iterable[Model], theme: Theme) -> dict[str, dict[str, Any]]:
    """Return the colours of a theme by the ids of the models that follow it."""
    return {
        model.id: {name: colour for name, colour in look.items() if name.endswith("_color")}
        for model, look in looks(models, theme)
    }
