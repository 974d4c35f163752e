"""GPUs in the panel: strips of the timeline that BokehJS draws, named, in light and dark."""

import math

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.model.gpu import GpuUse
from jupyter_mlprof.model.timeline import Series, Timeline
from jupyter_mlprof.notebook_file import write
from tests import samples
from tests.browser import notebooks
from tests.browser.notebooks import bundle
from tests.browser.page import open_without_kernel
from tests.browser.panel import Panel

pytestmark = pytest.mark.slow

VIEWPORT = {"width": 1700, "height": 1400}
SECONDS = 10
GPUS = (0, 1, 3)


def series_of(gpu):
    waves = [math.sin(t / 8 + gpu) for t in range(10 * SECONDS)]
    return (
        Series(f"gpu{gpu}_util", "%", tuple(50 + 40 * wave for wave in waves)),
        Series(f"gpu{gpu}_memory", "bytes", tuple(4e9 + gpu * 2e9 + t * 1e7 for t in waves)),
        Series(f"gpu{gpu}_power", "W", tuple(200 + 80 * wave for wave in waves)),
    )


@pytest.fixture
def path(lab):
    times = tuple(t / 10 for t in range(10 * SECONDS))
    cpu = Series("cpu", "cores", tuple(1 + math.sin(t / 2) / 2 for t in times))
    rss = Series("rss", "bytes", tuple(1e9 + t * 1e7 for t in times))
    found = [one for gpu in GPUS for one in series_of(gpu)]
    profile = samples.profile(
        timeline=Timeline(times, (rss, cpu, *found)),
        gpus=tuple(
            GpuUse(gpu, "NVIDIA H100 80GB HBM3", busy_pct=50.0 + gpu, energy_j=2_000.0)
            for gpu in GPUS
        ),
    )
    path = lab.root / "panel-gpus.ipynb"
    write(notebooks.showing(bundle(profile)), path)
    lab.trust(path)
    return path


def test_gpus_are_drawn_in_the_timeline(page, lab, path, screenshots):
    complaints = []
    page.on("console", lambda one: complaints.append(one.text) if "ERROR" in one.text else None)
    page.set_viewport_size(VIEWPORT)
    notebook = open_without_kernel(page, lab, path)
    panel = Panel(page)
    panel.open()
    panel.section("timeline").open()
    chart = panel.chart("gputimeline")
    chart.wait()
    assert "GPU 3 at most 90 % busy" in chart.name
    expect(panel.figures).to_contain_text("GPU busy 50 %, 51 %, 53 %")
    expect(panel.figures).to_contain_text("GPU energy 6 kJ")
    for scheme in ("light", "dark"):
        notebook.paint(scheme)
        for width in (320, 600):
            panel.set_width(width)
            page.wait_for_timeout(500)  # BokehJS lays out once more
            chart.root.screenshot(path=screenshots / f"panel-gpus-{scheme}-{width}.png")
    chart.root.scroll_into_view_if_needed()
    box = chart.picture.bounding_box()
    assert box
    # In the first strip of the GPUs, which begins below that of the CPU.
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 130)
    page.mouse.move(box["x"] + box["width"] / 2 + 5, box["y"] + 135)
    # The tooltip lies in a shadow root, which locators look into.
    expect(page.locator(".bk-tooltip-row-label", has_text="GPU 3").first).to_be_attached()
    chart.root.screenshot(path=screenshots / "panel-gpus-tooltip.png")
    chart.drag(0.4, 0.8)
    expect(panel.chip).to_be_visible()
    assert [one for one in complaints if "bokeh" in one.lower()] == []
