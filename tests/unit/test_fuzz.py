"""Whatever a file holds: a result or a sentence, and nothing in it becomes markup of ours."""

import re
from random import Random

import pytest

from jupyter_mlprof.errors import MlprofError
from jupyter_mlprof.model.codec import load, to_json
from jupyter_mlprof.model.profile import CellProfile
from jupyter_mlprof.notebook_file import profiles, read, read_stored, unreadable
from jupyter_mlprof.report import report_html
from jupyter_mlprof.strip import stripped
from jupyter_mlprof.view.html import html
from jupyter_mlprof.view.text import text
from tests.fuzz import mutated
from tests.reported import full_profile, notebook, output

SEEDS = range(2_000)
# So few that what is broken is rarely one of many alike.
POINTS = 5
# To draw the charts takes a hundred times as long as all the rest.
DRAWN = range(0, 2_000, 100)
# Of a report: our own two scripts, and data.
ELEMENTS = re.compile(r"<script(?! type=\"application/json\")", re.IGNORECASE)


def made(seed, path):
    """Write a broken file; every second one is a stand-alone profile."""
    random = Random(seed)  # noqa: S311 - the same each time
    profile = to_json(full_profile(POINTS))
    if seed % 2:
        path = path / "one.mlprof.json"
        path.write_bytes(mutated(profile, random))
        return path
    path = path / "one.ipynb"
    path.write_bytes(mutated(notebook(output(profile), output(profile)), random))
    return path


def every_result(path):
    """Do all that is done with a stored file."""
    for act in (shown, loaded, stripped_file):
        try:
            act(path)
        except MlprofError as error:
            assert str(error).count("\n") == 0  # noqa: PT017 - a sentence


def shown(path):
    stored = read_stored(path)
    found = [stored] if isinstance(stored, CellProfile) else list(profiles(stored))
    for profile in found:
        assert "\x1b" not in text(profile)
        assert "<script" not in html(profile).lower()


def loaded(path):
    if path.suffix == ".json":
        load(path)
    else:
        unreadable(read(path))


def stripped_file(path):
    content = path.read_bytes()
    clean, count = stripped(content, path)
    again, none = stripped(clean, path)
    assert (again, none) == (clean, 0)
    assert (clean == content) == (count == 0)


@pytest.mark.slow
def test_a_broken_file_gives_a_result_or_a_sentence(tmp_path):
    for seed in SEEDS:
        path = made(seed, tmp_path)
        try:
            every_result(path)
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error


@pytest.mark.slow
@pytest.mark.parametrize("seeds", [SEEDS, DRAWN], ids=["without charts", "with charts"])
def test_a_report_of_a_broken_file_holds_no_markup_of_it(seeds, tmp_path, monkeypatch):
    if seeds is SEEDS:
        monkeypatch.setattr("jupyter_mlprof.report.section.drawings", lambda _: {})
    # BokehJS itself is a megabyte to look through.
    monkeypatch.setattr("jupyter_mlprof.report.page.bokehjs", lambda: ["Bokeh"])
    reported = 0
    for seed in seeds:
        path = made(seed, tmp_path)
        try:
            text = report_html(path)
        except MlprofError:
            continue
        except Exception as error:
            raise AssertionError(f"seed {seed}") from error
        reported += 1
        body = text[text.index("<body>") :]
        assert len(ELEMENTS.findall(body)) <= 2, f"seed {seed}"
        assert "<img src=x" not in body, f"seed {seed}"
    assert reported > len(seeds) / 10
