"""Text, card and diff of a profile."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from jupyter_mlprof.model.finding import Evidence, Finding, Fix, Gain, TextEdit
from jupyter_mlprof.model.gpu import GpuUse
from jupyter_mlprof.model.profile import CellError, Part, Previous, Verdict
from jupyter_mlprof.model.source import source_sha256
from jupyter_mlprof.model.trial import Interval, Trial
from jupyter_mlprof.view.bundle import bundle
from jupyter_mlprof.view.diff import DiffRow, fix_diff
from jupyter_mlprof.view.html import LIMIT, html
from jupyter_mlprof.view.text import text
from tests.samples import SOURCE, cell, profile

FIX = Fix(source_sha256(SOURCE), (TextEdit(48, 48, ", num_workers=4"),))


def finding():
    return Finding(
        rule="input-pipeline/workers",
        kind="input-pipeline",
        title="Load with 4 workers",
        line=2,
        evidence=(Evidence("waited for the DataLoader", 78.0, "%", 10.0, "of the cell"),),
        gain=Gain("time", 1.9, 3.4, "8 s of loading by 4 workers beside 2 s of computing"),
        confidence="high",
        costs=("4 processes more",),
        fix=FIX,
        advice="One process loads while the loop waits.",
    )


def test_the_diff_shows_the_changed_lines():
    assert fix_diff(SOURCE, FIX) == [
        DiffRow("-", 2, "loader = DataLoader(data, batch_size=32)"),
        DiffRow("+", 2, "loader = DataLoader(data, batch_size=32, num_workers=4)"),
    ]


def test_there_is_no_diff_of_another_source():
    assert fix_diff(SOURCE + " ", FIX) == []
    assert fix_diff(SOURCE, None) == []
    assert fix_diff(SOURCE, replace(FIX, edits=(TextEdit(0, 999, ""),))) == []


def test_text_tells_verdict_figures_finding_and_lines_in_80_columns():
    said = text(profile(findings=(finding(),)))
    for words in (
        "78 % of 10.2 s waited for the DataLoader.",
        "data 8 s (78 %) | other 2.2 s (22 %)",
        "peak memory  200 MB",
        "* Load with 4 workers (line 2): 1.9x to 3.4x faster",
        "     2 + loader = DataLoader(data, batch_size=32, num_workers=4)",
        "waited for the DataLoader: 78 % (threshold 10 %)",
        "   3        8 s    78 %  for batch in loader:",
    ):
        assert words in said
    assert all(len(line) <= 80 for line in said.splitlines())


def test_gpus_are_told_by_how_busy_they_were_and_their_energy():
    one = GpuUse(0, "A", busy_pct=9.4, energy_j=1500.0)
    said = text(profile(gpus=(one,)))
    assert re.search(r"GPU busy +9.4 %", said)
    assert re.search(r"GPU energy +1.5 kJ", said)
    lost = GpuUse(1, "B", busy_pct=80.0, lost_at_s=3.0)
    said = text(profile(gpus=(one, lost)))
    assert re.search(r"GPU busy +9.4 %, 80 %", said)
    assert "GPU energy" not in said  # of a part it would be too little


def test_long_lines_of_a_diff_go_on_below():
    long = SOURCE.replace("data,", "an_argument_with_a_long_name, " * 2)
    at = long.index(")\n")
    fix = Fix(source_sha256(long), (TextEdit(at, at, ", num_workers=4"),))
    said = text(profile(cell=cell(long), findings=(replace(finding(), fix=fix),)))
    assert all(len(line) <= 80 for line in said.splitlines())
    assert "     2 + loader = DataLoader(an_argument_with_a_long_name," in said


def test_the_run_before_is_told():
    previous = Previous("1" * 32, 31.0, None, "slower")
    assert re.search(r"run before +31 s", text(profile(previous=previous)))


def test_control_characters_are_written_out():
    said = text(profile(verdict=Verdict("x", "a\x1b[2J\u202eb")))
    assert "a\\x1b[2J\\x202eb" in said


class Tags(HTMLParser):
    """Collects what a card is made of, and checks that it closes what it opens."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.words = ""
        self.open: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words += data


def test_the_card_is_static_and_complete():
    tags = Tags(html(profile(findings=(finding(),))))
    assert tags.open == []
    assert not tags.names & {"script", "style", "link", "img", "iframe", "form", "object"}
    assert not {name for name in tags.attributes if name.startswith("on") or "href" in name}
    for words in ("78 % of 10.2 s", "Load with 4 workers", "1.9x to 3.4x", "+ loader", "200 MB"):
        assert words in tags.words


TRIAL = Trial(
    verdict="pays",
    text="Pays: 2.9x faster (2.71x to 3.10x); same result in 14 variables.",
    pairs=5,
    took_s=21.0,
    speedup=Interval(2.71, 2.9, 3.1),
    steady=3.4,
    before_s=10.2,
    after_s=3.5,
    steps=20,
    memory_change_bytes=-30_000_000,
    compared=14,
)
TOLD = (
    "Tried. Pays: 2.9x faster (2.71x to 3.10x); same result in 14 variables. Whole cell 10.2 s"
    " before, 3.5 s after (worked out from 20 steps), later steps 3.4x as fast, 30 MB less memory,"
    " 5 pairs of runs."
)


@pytest.mark.parametrize(
    ("trial", "told"),
    [
        (TRIAL, TOLD),
        (Trial("refused", "Not tried: trials need Linux."), "Not tried: trials need Linux."),
        (Trial("cannot-tell", "Cannot tell."), "Tried. Cannot tell."),
    ],
)
def test_what_came_of_trying_a_fix_is_told(trial, told):
    tried = profile(findings=(replace(finding(), trial=trial),))
    assert told in Tags(html(tried)).words
    said = text(tried)
    assert told in " ".join(said.split())
    assert all(len(line) <= 80 for line in said.splitlines())
    assert "Tried" not in text(profile(findings=(finding(),)))


HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"


def test_hostile_strings_are_text():
    odd = profile(
        name=HOSTILE,
        verdict=Verdict("x", HOSTILE),
        cell=cell(f"%%mlprof\n{HOSTILE}\n{HOSTILE}"),
        error=CellError(HOSTILE, HOSTILE, 1),
        findings=(
            replace(finding(), title=HOSTILE, advice=HOSTILE, costs=(HOSTILE,)),
            replace(finding(), trial=replace(TRIAL, text=HOSTILE)),
        ),
        functions=(replace(profile().functions[0], name=HOSTILE, file=HOSTILE),),
        collectors=(replace(profile().collectors[0], name=HOSTILE, reason=HOSTILE),),
        dropped=(HOSTILE,),
    )
    tags = Tags(html(odd))
    assert not tags.names & {"script", "img"}
    assert not {name for name in tags.attributes if name.startswith("on")}
    assert HOSTILE in tags.words


@pytest.mark.parametrize(
    "change",
    [
        {"split": (), "lines": (), "functions": (), "memory": None, "duration_s": 0.0},
        {"cell": cell(""), "findings": (finding(),)},
        {"split": (Part("data", float("nan")),)},
    ],
)
def test_an_empty_profile_still_has_its_card(change):
    assert "78 % of 10.2 s" in html(profile(**change))
    assert "78 % of 10.2 s" in text(profile(**change))


def test_the_card_stays_under_its_limit():
    names = tuple(replace(profile().functions[0], name="n" * 3000, line=i) for i in range(100))
    many = profile(functions=names, findings=tuple(finding() for _ in range(60)))
    assert len(html(many).encode()) <= LIMIT
    assert len(text(many)) <= 10_000


def test_the_bundle_has_data_card_and_text():
    assert list(bundle(profile())) == [
        "application/vnd.jupyter-mlprof.v1+json",
        "text/html",
        "text/plain",
    ]
