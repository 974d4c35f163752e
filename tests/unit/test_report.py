"""The pieces of a report: HTML escaped or cleaned, outputs in their richest harmless form."""

import base64
import hashlib
import os
import re
from html import unescape

import nbformat
import pytest

from jupyter_mlprof.model.codec import dumps, to_json
from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.notebook_file import NotebookError, write_file
from jupyter_mlprof.report import report_html, write_report
from jupyter_mlprof.report.clean import clean_html
from jupyter_mlprof.report.code import code_lines
from jupyter_mlprof.report.markup import Html, data, element
from jupyter_mlprof.report.outputs import merged, output_block
from tests.reported import full_profile, notebook, output

PNG = base64.b64encode(b"\x89PNG picture").decode()


def shown(bundle):
    return output_block(nbformat.from_dict({"output_type": "display_data", "data": bundle}))


def test_what_is_not_html_is_escaped():
    assert element("p", "<b>", Html("<b>"), class_='"x"', hidden=True, id=None) == (
        '<p class="&quot;x&quot;" hidden>&lt;b&gt;<b></p>'
    )
    assert "</script><b>" not in data({"a": "</script><b>"}, "x")


@pytest.mark.parametrize(
    ("hostile", "kept"),
    [
        ("<script>a()</script>b", "b"),
        ("<scr<script>x</script>ipt>a()</script>", "a()"),
        ("<p onclick='a()'>b</p>", "<p>b</p>"),
        ("<iframe src='https://x'></iframe>b", "b"),
        ("<style>p{}</style><p>b</p>", "<p>b</p>"),
        ("<a href='javascript:a()'>b</a>", "<a>b</a>"),
        ("<a href='https://x.org'>b</a>", '<a href="https://x.org">b</a>'),
        ("<img src='https://x.org/a.png'>", "<img>"),
        (f"<img src='data:image/png;base64,{PNG}'>", f'<img src="data:image/png;base64,{PNG}">'),
        ("<p class='mp-verdict' id='profile-1'>b</p>", "<p>b</p>"),
        ("<p style='position:fixed;color:red'>b</p>", '<p style="color:red;">b</p>'),
        ("<svg onload='a()'></svg><math></math>b", "b"),
        ("<script>never closed", ""),
    ],
)
def test_html_of_a_notebook_is_cleaned(hostile, kept):
    assert clean_html(hostile) == kept


def test_the_richest_form_that_runs_nothing_is_shown():
    table = "<table><tr><td>1</td></tr></table>"
    assert "<td>1</td>" in shown({"text/html": table, "text/plain": "plain"})
    script = {"text/html": "<div></div><script>draw()</script>", "text/plain": "Figure"}
    assert "Figure" in shown(script)
    assert PNG in shown({**script, "image/png": PNG})
    assert "<img" not in shown({"image/png": "x' onerror='a()", "text/plain": "plain"})
    assert "data:image/svg+xml;base64," in shown({"image/svg+xml": "<svg onload='a()'/>"})
    assert "needs a script" in shown({"application/javascript": "a()"})
    assert "plain" in shown({"text/plain": ["pla", "in"], "text/html": {"not": "text"}})


def test_text_is_shown_as_a_terminal_leaves_it():
    stream = nbformat.v4.new_output("stream", name="stdout", text="10 %\r50 %\rdone\r\n\x1b[31mred")
    assert output_block(stream) == '<pre class="mp-stream mp-stdout">done\nred</pre>'


def test_what_is_written_piece_by_piece_is_one_output():
    pieces = [("stdout", "a"), ("stdout", "b"), ("stderr", "c"), ("stdout", "d")]
    streams = [nbformat.v4.new_output("stream", name=name, text=text) for name, text in pieces]
    assert [one.text for one in merged(streams)] == ["ab", "c", "d"]


def test_lines_of_code_stay_lines():
    source = '"""a\n<b>\n"""\n\nx = 1\n'
    lines = code_lines(source)
    text = [unescape(re.sub("<[^>]*>", "", line)) for line in lines]
    assert text == source.split("\n")
    assert all(line.count("<span") == line.count("</span>") for line in lines)
    assert code_lines("<x>", "no such language") == ["&lt;x&gt;"]


def test_only_our_scripts_may_run_and_bokehjs_is_there_once(tmp_path):
    made = notebook(*(output(to_json(full_profile())) for _ in range(2)))
    path = tmp_path / "one.ipynb"
    path.write_text(nbformat.writes(made), "utf-8")
    page = report_html(path)
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert [len(one) > 500_000 for one in scripts] == [True, False]
    hashes = [base64.b64encode(hashlib.sha256(one.encode()).digest()).decode() for one in scripts]
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    allowed = " ".join(f"&#x27;sha256-{one}&#x27;" for one in hashes)
    assert f"script-src {allowed};" in policy[1]
    assert "default-src &#x27;none&#x27;" in policy[1]


def test_a_notebook_without_profiles_is_reported_without_scripts(tmp_path):
    path = tmp_path / "one.ipynb"
    path.write_text(nbformat.writes(notebook()), "utf-8")
    page = report_html(path)
    assert "No profiled cell" in page
    assert "<script" not in page


def test_what_is_no_profile_shows_what_stands_beside_it(tmp_path):
    path = tmp_path / "one.ipynb"
    path.write_text(nbformat.writes(notebook(output({"schema_version": 2}))), "utf-8")
    page = report_html(path)
    assert "No profiled cell" in page
    assert ">plain</pre>" in page
    assert MIME_TYPE not in page


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "one.mlprof.json"
    path.write_text(dumps(full_profile()), "utf-8")
    target = tmp_path / "report.html"
    target.write_text("old")

    def fail(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(NotebookError, match="No space left on device"):
        write_report(path, target)
    with pytest.raises(NotebookError, match="No space left on device"):
        write_file(path, b"new")
    assert target.read_text() == "old"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["one.mlprof.json", "report.html"]
