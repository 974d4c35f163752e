"""The charts: what they show of a profile, and the templates that the side panel fills."""

import json
import math
from pathlib import Path

import pytest

from jupyter_mlprof.charts import templates
from jupyter_mlprof.charts.columns import gpu_columns, timeline_columns
from jupyter_mlprof.charts.compare import compare_chart
from jupyter_mlprof.charts.flame import arranged, flame_chart, kind_of
from jupyter_mlprof.charts.memory import memory_chart
from jupyter_mlprof.charts.steps import steps_chart
from jupyter_mlprof.charts.theme import DARK, LIGHT
from jupyter_mlprof.charts.ticks import ticks
from jupyter_mlprof.charts.timeline import timeline_chart
from jupyter_mlprof.model.functions import Flame, Frame
from jupyter_mlprof.model.memory import Memory
from jupyter_mlprof.model.timeline import Series, Timeline

ROOT = Path(__file__).parents[2]
SHARED = json.loads((ROOT / "tests/fixtures/charts.json").read_text("utf-8"))
TEMPLATES = ROOT / "labextension/src/charts/templates.json"
NAMES = ["timeline", "gputimeline", "flame", "memory", "steps", "compare"]
# What the front end calls our kinds of code.
KINDS = {"this cell": "cell", "your files": "own", "libraries": "library"}


def make_timeline(**values):
    given = SHARED["timeline"]
    series = {one["name"]: tuple(one["values"]) for one in given["series"]} | values
    return Timeline(
        tuple(given["t_s"]), tuple(Series(name, "", line) for name, line in series.items())
    )


def make_flame():
    given = SHARED["flame"]
    return Flame(
        tuple(Frame(**frame) for frame in given["frames"]),
        tuple(tuple(node) for node in given["nodes"]),
    )


def frame_of(flame, box):
    return flame.frames[flame.nodes[box.node][1]]


def make_memory(limit=None):
    return Memory(1_000_000, 3_000_000, 1.0, 3_000_000, limit)


def every_chart(theme=LIGHT):
    timeline = make_timeline()
    return {
        "timeline": timeline_chart(timeline, 4_000_000, theme),
        "memory": memory_chart(timeline, make_memory(4_000_000), theme),
        "steps": steps_chart([0.1, 0.2, 0.4], theme),
        "compare": compare_chart(timeline, make_timeline(rss=(1.0, 2.0, 3.0)), theme),
        "flame": flame_chart(make_flame(), theme),
        "gpus": timeline_chart(given_timeline("gpu_timeline"), None, theme),
    }


def part(chart, name):
    return chart.select_one({"name": name})


def without_nan(values):
    return [None if isinstance(value, float) and math.isnan(value) else value for value in values]


def nodes_of(value):
    """Yield every dictionary of a JSON document."""
    if isinstance(value, dict):
        yield value
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, dict | list):
            yield from nodes_of(item)


def test_the_stored_templates_are_current():
    assert TEMPLATES.read_text("utf-8") == templates.text(), "run `make templates`"


def test_templates_do_not_depend_on_what_was_drawn_before():
    before = templates.text()
    every_chart()
    assert templates.text() == before


def test_templates_and_the_bundled_bokehjs_are_of_one_version():
    bundled = json.loads((ROOT / "package.json").read_text("utf-8"))["dependencies"]
    locked = json.loads((ROOT / "package-lock.json").read_text("utf-8"))["packages"]
    versions = {item["version"] for item in json.loads(TEMPLATES.read_text("utf-8")).values()}
    assert versions == {bundled["@bokeh/bokehjs"]}
    assert versions == {locked["node_modules/@bokeh/bokehjs"]["version"]}


@pytest.mark.parametrize("chart", NAMES)
def test_a_template_holds_no_data_and_names_each_part_once(chart):
    template = json.loads(TEMPLATES.read_text("utf-8"))[chart]
    models = [node for node in nodes_of(template) if "attributes" in node]
    names = [one["attributes"]["name"] for one in models if one["attributes"].get("name")]
    assert len(names) == len(set(names))
    assert "x" in names
    for model in models:
        assert "DataRange" not in model["name"]
        assert "CustomJS" not in model["name"]
        if model["name"] != "ColumnDataSource":
            continue
        columns = dict(model["attributes"]["data"]["entries"])
        assert columns
        if not model["attributes"]["name"].startswith("sample "):
            assert not any(columns.values())


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_chart_embeds_without_a_complaint(theme, caplog):
    from bokeh.embed import json_item

    for name, chart in every_chart(theme).items():
        text = json.dumps(json_item(chart))
        assert theme.muted in text, name
    assert caplog.records == []


def test_charts_of_nothing_are_drawn_too(caplog):
    from bokeh.embed import json_item

    nothing = Timeline()
    charts = [
        timeline_chart(nothing),
        memory_chart(nothing, Memory(0, 0, 0.0, 0)),
        steps_chart([]),
        compare_chart(nothing, nothing),
        flame_chart(Flame()),
    ]
    for chart in charts:
        assert json_item(chart)
        assert part(chart, "x").end == 1
    assert caplog.records == []


@pytest.mark.parametrize(("top", "expected"), SHARED["ticks"])
def test_ticks_are_those_of_the_front_end(top, expected):
    marks = ticks(top, str)
    assert list(marks.labels) == expected
    assert marks.end > top
    assert marks.labels[0] == "0"


def test_columns_are_those_of_the_front_end():
    columns = timeline_columns(make_timeline())
    assert {name: without_nan(values) for name, values in columns.items()} == SHARED["columns"]


def given_timeline(name):
    given = SHARED[name]
    series = (Series(one["name"], "", tuple(one["values"])) for one in given["series"])
    return Timeline(tuple(given["t_s"]), tuple(series))


def test_columns_of_gpus_are_those_of_the_front_end():
    columns = gpu_columns(given_timeline("gpu_timeline"))
    plain = {name: without_nan(values) for name, values in columns.items()}
    assert plain == SHARED["gpu_columns"]


def test_gpus_have_strips_of_their_own_and_names_where_there_are_several():
    chart = timeline_chart(given_timeline("gpu_timeline"))
    assert part(chart, "gpu_util_y").end > 100
    assert part(chart, "gpu_legend").visible
    assert part(chart, "gpu_legend_1").label.value == "GPU 3"
    assert part(chart, "gpu_power_hover").tooltips == [
        ("after", "@{t_text}"),
        ("GPU 1", "@{power_0_text}"),
        ("GPU 3", "@{power_1_text}"),
    ]
    assert all(part(chart, f"gpu_{one}").x_range is part(chart, "x") for one in ("util", "power"))
    assert (
        part(chart, "util_1_line").glyph.line_color != part(chart, "util_0_line").glyph.line_color
    )


def test_without_a_gpu_there_is_no_strip_for_one():
    assert part(timeline_chart(make_timeline()), "gpus") is None


def test_boxes_are_those_of_the_front_end():
    flame = make_flame()
    boxes = [
        [box.node, box.left, box.right, box.row, KINDS[kind_of(frame_of(flame, box))]]
        for box in arranged(flame)
    ]
    assert boxes == SHARED["boxes"]


def test_a_timeline_is_shown_from_zero_to_its_end():
    chart = timeline_chart(make_timeline())
    x = part(chart, "x")
    assert (x.start, x.end, x.bounds) == (0, 1, (0, 1))
    assert all(part(chart, name).x_range is x for name in ("cpu", "flow", "memory"))
    assert part(chart, "memory_axis").major_label_overrides[2e6] == "2 MB"
    assert part(chart, "memory_y").end > 4e6


def test_files_are_shown_only_where_some_were_read():
    assert part(timeline_chart(make_timeline()), "flow").visible
    quiet = make_timeline(read=(0.0, 0.0, None))
    assert not part(timeline_chart(quiet), "flow").visible


def test_child_processes_are_mentioned_only_where_there_were_some():
    title = part(timeline_chart(make_timeline()), "memory_title").text
    assert "child processes" in title
    alone = timeline_chart(make_timeline(children_rss=(0.0, 0.0, 0.0)))
    assert part(alone, "memory_title").text == "Memory"
    assert part(alone, "rss_hover").tooltips == [("after", "@{t_text}"), ("kernel", "@{rss_text}")]


def test_a_limit_is_shown_where_memory_comes_near_it():
    near = timeline_chart(make_timeline(), 8_000_000)
    assert part(near, "limit_line").visible
    assert part(near, "limit_line").location == 8_000_000
    assert part(near, "limit_label").text == "limit 8 MB"
    far = timeline_chart(make_timeline(), 64_000_000_000)
    assert not part(far, "limit_line").visible
    assert part(far, "memory_y").end < 5e6


def test_the_peak_is_marked_on_the_side_with_room():
    peak = part(memory_chart(make_timeline(), make_memory()), "peak").data
    assert peak["text"] == ["peak 3 MB"]
    assert peak["align"] == ["right"]
    early = Memory(0, 3_000_000, 0.1, 0)
    assert part(memory_chart(make_timeline(), early), "peak").data["align"] == ["left"]


def test_steps_show_their_median():
    chart = steps_chart([0.1, 0.4, 0.2])
    assert part(chart, "median_line").location == pytest.approx(0.2)
    assert part(chart, "steps_title").text == "Step time; dashed: median 200 ms"
    assert part(chart, "data").data["n"] == [1, 2, 3]


def test_a_comparison_counts_child_processes_in():
    chart = compare_chart(make_timeline(), make_timeline(children_rss=(0.0, 0.0, 9e6)))
    assert part(chart, "before").data["rss"][-1] == 4e6
    assert part(chart, "after").data["rss_text"][-1] == "12 MB"
    assert part(chart, "memory_y").end > 12e6


def test_names_are_cut_to_their_boxes():
    flame = Flame((Frame("a_long_name_of_a_function", "x.py", 1),), ((-1, 0, 4.0), (0, 0, 1.0)))
    labels = part(flame_chart(flame, width_px=200), "labels").data["text"]
    assert labels == ["a_long_name_of_a_function", "a_long…"]


def test_boxes_too_narrow_to_see_are_left_out():
    frame = Frame("f", "x.py", 1)
    flame = Flame((frame,), ((-1, 0, 1.0), (0, 0, 0.0001), (1, 0, 0.0001)))
    chart = flame_chart(flame)
    assert part(chart, "data").data["node"] == [0]
    assert part(chart, "flame_y").start == 1
