"""The charts as data for the side panel: Bokeh JSON without a profile in it.

The ids of the models count from one in each template, so that the same sources always give the
same text.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from jupyter_mlprof.charts.columns import MOST_GPUS
from jupyter_mlprof.charts.compare import compare_template
from jupyter_mlprof.charts.flame import flame_template
from jupyter_mlprof.charts.memory import memory_template
from jupyter_mlprof.charts.steps import steps_template
from jupyter_mlprof.charts.theme import LIGHT, dress
from jupyter_mlprof.charts.timeline import timeline_template

if TYPE_CHECKING:
    from bokeh.model import Model


def templates() -> dict[str, Any]:
    """Return the template of each chart by its name."""
    charts: dict[str, Model] = {
        "timeline": timeline_template(brush=True),
        # Apart, so that where there is no GPU nothing is drawn for none.
        "gputimeline": timeline_template(brush=True, gpus=MOST_GPUS),
        "flame": flame_template(),
        "memory": memory_template(),
        "steps": steps_template(),
        "compare": compare_template(),
    }
    return {name: template(chart) for name, chart in charts.items()}


def template(chart: Model) -> dict[str, Any]:
    """Return one chart as BokehJS embeds it."""
    from bokeh.embed import json_item

    dress(chart, LIGHT)
    item: dict[str, Any] = json.loads(json.dumps(json_item(chart)))
    ids: dict[str, str] = {}
    renumbered = _renumbered({"doc": item["doc"], "root_id": item["root_id"]}, ids)
    return {"version": item["version"], **renumbered}


def text() -> str:
    """Return the templates as the file that the front end imports."""
    return json.dumps(templates(), indent=1, ensure_ascii=False) + "\n"


def _renumbered(value: Any, ids: dict[str, str]) -> Any:
    """Return a copy in which the ids of models count from one, in the order met."""
    if isinstance(value, list):
        return [_renumbered(item, ids) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: ids.setdefault(item, f"m{len(ids) + 1}")
        if key in {"id", "root_id"} and isinstance(item, str)
        else _renumbered(item, ids)
        for key, item in value.items()
    }
