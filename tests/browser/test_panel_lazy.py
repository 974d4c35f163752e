"""The panel costs nothing until it is looked at, and its BokehJS is nobody else's."""

import pytest
from playwright.sync_api import expect

from jupyter_mlprof.notebook_file import write
from tests import samples
from tests.browser import notebooks
from tests.browser.notebooks import LOAD, SLOW, bundle
from tests.browser.page import open_notebook, open_without_kernel
from tests.browser.panel import Panel

pytestmark = pytest.mark.slow

# Where the front end comes from.
STATIC = "/extensions/"
BIG_BYTES = 500_000
OWN_BOKEH = """from bokeh.io import output_notebook, show
from bokeh.plotting import figure
from bokeh.resources import INLINE

output_notebook(INLINE, hide_banner=True)"""
OWN_PLOT = """plot = figure(width=300, height=120)
plot.line([1, 2, 3], [1, 4, 9])
show(plot)"""
PROFILED, OWN, FIRST, SECOND = range(1, 5)
# As if the notebook had brought another version.
FOREIGN = "window.Bokeh = Object.freeze({version: '2.4.3'})"


class Answers:
    """What a page gets from our extensions of server and front end."""

    def __init__(self, page):
        self._all = []
        page.on("response", self._take)

    def _take(self, answer):
        if "jupyter-mlprof/" in answer.url:
            self._all.append(answer)

    @property
    def of_server(self):
        return [one.url for one in self._all if STATIC not in one.url]

    @property
    def big_scripts(self):
        scripts = [one for one in self._all if STATIC in one.url]
        return [one.url for one in scripts if len(one.body()) > BIG_BYTES]


class Complaints:
    """What our front end writes to the console as an error."""

    def __init__(self, page):
        self.texts = []
        page.on("console", self._take)

    def _take(self, message):
        source = f"{message.text} {message.location.get('url')}"
        if message.type == "error" and "mlprof" in source:
            self.texts.append(source)


@pytest.fixture
def stored(lab, request):
    """A notebook without kernel that holds one profile."""
    path = lab.root / f"{request.node.name}.ipynb"
    write(notebooks.showing(bundle(samples.profile())), path)
    lab.trust(path)
    return path


def test_nothing_is_asked_or_loaded_until_the_panel_is_open(page, lab, stored):
    answers, complaints = Answers(page), Complaints(page)
    notebook = open_without_kernel(page, lab, stored)
    notebook.cell(0).click()
    notebook.command("Insert Cell Below")
    page.wait_for_load_state("networkidle")
    assert answers.of_server == []
    assert answers.big_scripts == []

    panel = Panel(page)
    panel.open()
    timeline = panel.chart("timeline")
    timeline.wait()
    assert len(answers.of_server) == 1
    assert len(answers.big_scripts) == 1
    canvases = timeline.canvases.count()
    assert canvases > 1

    # Each chart is there once, whatever becomes of the panel, and BokehJS is loaded once.
    panel.section("memory").open()
    panel.chart("memory").wait()
    expect(panel.chart("memory").drawings).to_have_count(1)
    panel.close()
    panel.open()
    panel.section("timeline").close()
    panel.section("timeline").open()
    for _ in range(2):
        panel.switch_side()
        notebook.paint("dark")
        notebook.paint("light")
        for chart in map(panel.chart, ("timeline", "memory")):
            chart.wait()
            expect(chart.drawings).to_have_count(1)
        expect(timeline.canvases).to_have_count(canvases)
    assert len(answers.big_scripts) == 1
    assert page.evaluate("typeof window.Bokeh") == "undefined"

    # Closed again, it asks for nothing.
    panel.close()
    before = len(answers.of_server)
    notebook.cell(1).click()
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    assert len(answers.of_server) == before
    assert complaints.texts == []


@pytest.mark.parametrize("ours_first", [True, False])
def test_a_notebook_with_its_own_bokeh_works_beside_ours(page, lab, ours_first):
    complaints = Complaints(page)
    path = lab.root / f"own-bokeh-{ours_first}.ipynb"
    write(notebooks.of_cells(LOAD, SLOW, OWN_BOKEH, OWN_PLOT, OWN_PLOT), path)
    notebook = open_notebook(page, lab, path)
    panel = Panel(page)
    notebook.run(0)
    notebook.run(PROFILED)

    def show_ours():
        panel.open()
        panel.chart("timeline").wait()
        expect(panel.chart("timeline").drawings).to_have_count(1)

    def show_theirs(cell):
        notebook.run(cell)
        expect(notebook.cell(cell).locator(".bk-Figure canvas").first).to_be_visible()

    if ours_first:
        show_ours()
        assert page.evaluate("typeof window.Bokeh") == "undefined"
    notebook.run(OWN)
    page.wait_for_function("window.Bokeh?.version === '3.9.2'")
    show_theirs(FIRST)
    page.evaluate("window.theirs = window.Bokeh")
    documents = page.evaluate("window.Bokeh.documents.length")
    if not ours_first:
        show_ours()
    assert page.evaluate("window.Bokeh === window.theirs")
    # Ours are no documents of theirs, and the other way round.
    assert page.evaluate("window.Bokeh.documents.length") == documents
    panel.section("memory").open()
    panel.chart("memory").wait()
    show_theirs(SECOND)
    assert page.evaluate("window.Bokeh.documents.length") == documents + 1
    notebook.edit(PROFILED)
    panel.section("timeline").close()
    panel.section("timeline").open()
    panel.chart("timeline").wait()
    panel.chart("timeline").drag(0.4, 0.7)
    expect(panel.chip).to_be_visible()
    for cell in (FIRST, SECOND):
        expect(notebook.cell(cell).locator(".bk-Figure canvas").first).to_be_visible()
    assert page.evaluate("window.Bokeh === window.theirs")
    assert complaints.texts == []


def test_another_version_of_bokeh_in_the_page_is_left_alone(page, lab, stored):
    page.add_init_script(FOREIGN)
    complaints = Complaints(page)
    open_without_kernel(page, lab, stored)
    panel = Panel(page)
    panel.open()
    panel.chart("timeline").wait()
    assert page.evaluate("Object.entries(window.Bokeh)") == [["version", "2.4.3"]]
    assert complaints.texts == []
