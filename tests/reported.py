"""A profile with something in each part, and notebooks that hold profiles."""

from dataclasses import replace
from typing import Any

import nbformat
from nbformat import NotebookNode

from jupyter_mlprof.model.finding import Evidence, Finding, Fix, Gain, TextEdit
from jupyter_mlprof.model.memory import Holder
from jupyter_mlprof.model.profile import MIME_TYPE, CellProfile
from jupyter_mlprof.model.steps import Steps
from jupyter_mlprof.model.timeline import Series, Timeline
from tests import samples


def full_profile(points: int = 101) -> CellProfile:
    """Return a profile with something in each part."""
    known = samples.profile()
    assert known.memory is not None
    times = tuple(step / 10 for step in range(1, points + 1))
    values = {"rss": 3e8, "cpu": 1.0, "children_rss": 1e8, "read": 1e6}
    series = [
        Series(name, "", tuple(top * (1 + place % 7) / 8 for place in range(len(times))))
        for name, top in values.items()
    ]
    edit = TextEdit(known.cell.source.index(")"), known.cell.source.index(")"), ", num_workers=4")
    finding = Finding(
        rule="input-pipeline/workers",
        kind="input-pipeline",
        title="Load with 4 workers",
        line=2,
        evidence=(Evidence("waited", 78.0, "%", 10.0, "of the cell"),),
        gain=Gain("time", 1.9, 2.6, "8 s of loading by 4 workers"),
        confidence="high",
        costs=("4 processes more",),
        fix=Fix(known.cell.source_sha256, (edit,)),
        advice="One process loads while the loop waits.",
    )
    return replace(
        known,
        name="train",
        timeline=Timeline(times, tuple(series)),
        memory=replace(known.memory, holders=(Holder("batches", 90_000_000, "list of 300"),)),
        steps=Steps(points, tuple(0.1 + 0.01 * (step % 5) for step in range(points)), 0.4),
        findings=(finding,),
    )


def output(profile: Any) -> NotebookNode:
    """Return an output that holds a profile, given as JSON value."""
    data = {MIME_TYPE: profile, "text/plain": "plain"}
    made: NotebookNode = nbformat.v4.new_output("display_data", data=data)
    return made


def notebook(*outputs: NotebookNode) -> NotebookNode:
    """Return a notebook of a cell of text, one of code, and a profiled one for each output."""
    cells = [
        nbformat.v4.new_markdown_cell("# Training\n\nOn *images*."),
        nbformat.v4.new_code_cell('import torch  # the framework\nprint("ready")'),
        *(nbformat.v4.new_code_cell(samples.SOURCE, outputs=[one]) for one in outputs),
    ]
    made: NotebookNode = nbformat.v4.new_notebook(cells=cells)
    return made
