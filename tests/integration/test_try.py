"""A fix tried in the kernel whose cell was profiled."""

import json

import pytest

from jupyter_mlprof.model.codec import from_json
from jupyter_mlprof.model.profile import MIME_TYPE
from jupyter_mlprof.model.runfile import PROFILE_FILE, runs_folder

CELL = "%%mlprof\nimport time\nnumbers = []\nfor _ in range(3): numbers.append(_); time.sleep(0.05)"
# No rule speaks of sleeping: the finding is put into the profile by hand.
OFFER = """
def _offer():
    from dataclasses import replace
    from jupyter_mlprof.model.finding import Finding, Fix, Gain, TextEdit
    from jupyter_mlprof.session import session
    profile = session().profiles[-1]
    start = profile.cell.source.index("0.05")
    fix = Fix(profile.cell.source_sha256, (TextEdit(start, start + 4, "0.01"),))
    gain = Gain("time", 2.0, 5.0, "made up")
    finding = Finding("a/b", "batching", "Sleep less", 4, (), gain, "low", (), fix, "")
    session().change(replace(profile, findings=(finding,)))
_offer(); del _offer
"""


# IPython's own names count up with the cells.
NAMES = "sorted(name for name in globals() if not name.startswith('_'))"


@pytest.fixture
def offered(kernel):
    ran = kernel.run(CELL)
    kernel.run(OFFER)
    return ran


def messages(ran, kind):
    return [one["content"] for one in ran.messages if one["msg_type"] == kind]


def test_a_trial_is_shown_where_the_profile_was(kernel, offered):
    (shown,) = messages(offered, "display_data")
    names = kernel.value(NAMES)
    ran = kernel.run(f"__import__('jupyter_mlprof').try_fix(1, profile={offered.profile.id!r});")
    assert ran.reply["status"] == "ok"
    (update,) = messages(ran, "update_display_data")
    assert update["transient"] == shown["transient"]
    assert update["transient"] == {"display_id": f"mlprof-{offered.profile.id}"}
    profile = from_json(update["data"][MIME_TYPE])
    trial = profile.findings[0].trial
    assert trial is not None
    assert trial.speedup is not None
    assert trial.drift is not None
    assert trial.verdict == "pays"
    assert 2 < trial.speedup.middle < 6
    assert trial.drift.relative == 0
    assert "same result" in trial.text
    # It is kept with the run, and in the session; nothing is left among the user's variables.
    stored = runs_folder(kernel.data_dir) / profile.id / PROFILE_FILE
    assert json.loads(stored.read_text())["findings"][0]["trial"]["verdict"] == "pays"
    assert kernel.value(NAMES) == names
    assert kernel.value("numbers") == "[0, 1, 2]"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("try_fix(2)", "no finding number 2"),
        ("try_fix(1, profile='0' * 32)", "run the cell again"),
    ],
)
def test_what_cannot_be_tried_is_one_sentence(kernel, offered, call, said):
    ran = kernel.run(f"import jupyter_mlprof; jupyter_mlprof.{call}")
    assert ran.reply["ename"] == "MlprofError"
    assert said in ran.reply["evalue"]


def test_magics_and_shell_syntax_run_in_a_trial(kernel):
    kernel.run("%%mlprof\nimport time\nhome = %pwd\ntime.sleep(0.05)\nhome")
    kernel.run(OFFER)
    ran = kernel.run("__import__('jupyter_mlprof').try_fix().verdict")
    assert ran.bundles[-1]["text/plain"] == "'pays'"


def test_a_cell_that_starts_programs_is_refused(kernel):
    kernel.run("%%mlprof\nimport time\nfiles = !true\ntime.sleep(0.05)")
    kernel.run(OFFER)
    ran = kernel.run("__import__('jupyter_mlprof').try_fix().text")
    assert "Not tried: the cell starts the program" in ran.bundles[-1]["text/plain"]
