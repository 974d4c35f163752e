"""The profile of a killed cell, composed from made-up run files."""

import json

import pytest
from jsonschema import Draft202012Validator

from jupyter_mlprof.model import profile as profile_module
from jupyter_mlprof.model.codec import from_json, to_json
from jupyter_mlprof.model.runfile import write_profile
from jupyter_mlprof.postmortem import newest, post_mortem
from jupyter_mlprof.view.text import text
from tests.run_files import MadeRun, header, own_header, sample
from tests.samples import profile as stored_profile

GB = 1_000_000_000
SO_FAR = {
    "text": "So far 90 % of 2 s went into line 4.",
    "lines": [[4, 1.8], [3, 0.1]],
    "split": [["data", 1.5], ["other", 0.4]],
    "holders": [["x", 5, "int"], ["batches", 3.1 * GB, "list of 40"]],
}


@pytest.fixture
def run(tmp_path):
    """A cell that ran for 31.2 s, its journal up to date to the last half second."""
    run = MadeRun(tmp_path, header(name="load", execution_count=3))
    run.kernel(0.1, line=4)
    run.kernel(2.0, so_far=SO_FAR)
    run.kernel(3.0, line=5)
    run.kernel(31.0, line=5)
    run.sidecar(*(sample(t / 10, t * 25_000_000, cpu=t / 20) for t in range(1, 312)))
    return run


def dead(run, t=31.2, **told):
    run.gone(t, **told)
    profile = post_mortem(run.path)
    assert profile is not None
    return profile


def test_a_kill_for_want_of_memory_is_told_in_one_sentence(run):
    profile = dead(run, oom_kills=1, machine_oom_kills=1, limit=8 * GB, available=3_000_000)
    assert profile.verdict.text == (
        "Killed after 31.2 s in line 5: out of memory, the kernel had 7.78 GB of the limit of 8 GB;"
        " the largest known holder was `batches` (3.1 GB)."
    )
    assert profile.error is not None
    assert (profile.error.type, profile.error.line) == ("Killed", 5)
    assert profile.error.message.startswith("out of memory, the kernel had")


def test_what_was_known_is_kept(run):
    profile = dead(run, oom_kills=0, available=20 * GB)
    assert (profile.outcome, profile.name, profile.cell.execution_count) == ("killed", "load", 3)
    assert profile.duration_s == pytest.approx(31.2)
    assert profile.cpu_s == pytest.approx(15.5)
    assert {one.line: one.wall_s for one in profile.lines} == pytest.approx(
        {3: 0.1, 4: 2.8, 5: 28.2}  # the time since is that of the line that ran
    )
    assert {one.part: one.seconds for one in profile.split} == pytest.approx(
        {"data": 1.5, "other": 29.7}
    )
    memory = profile.memory
    assert memory is not None
    assert (memory.start_bytes, memory.end_bytes) == (25_000_000, 7_775_000_000)
    assert memory.peak_t_s == pytest.approx(31.1)
    assert [one.name for one in memory.holders] == ["batches", "x"]
    assert profile.timeline.t_s[-1] == pytest.approx(31.1)
    assert "Killed after 31.2 s" in text(profile)


def test_it_is_a_profile_by_the_schema(run):
    value = to_json(dead(run, oom_kills=1))
    schema = profile_module.__file__.replace("profile.py", "profile.schema.json")
    with open(schema, encoding="utf-8") as file:  # noqa: PTH123 - a name from a module
        Draft202012Validator(json.load(file)).validate(value)
    assert from_json(value).outcome == "killed"


def test_another_kill_is_told_as_far_as_can_be_seen(run):
    profile = dead(run, oom_kills=0, machine_oom_kills=0, available=20 * GB)
    assert profile.verdict.rule == "killed/other"
    assert profile.verdict.text.startswith(
        "Killed after 31.2 s in line 5, not for want of memory as far as can be seen: the kernel"
        " had 7.78 GB, and 20 GB were free."
    )


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"oom_kills": None, "machine_oom_kills": 1}, "probably out of memory"),
        ({"oom_kills": 0, "limit": 8 * GB}, "perhaps out of memory"),
        ({"oom_kills": None, "available": 1_000_000}, "perhaps out of memory"),
        ({"oom_kills": None}, "; nothing tells why: the kernel had 7.78 GB."),
    ],
)
def test_a_guess_is_told_as_one(run, told, said):
    assert said in dead(run, **told).verdict.text


def test_a_call_that_held_the_interpreter_is_told(run):
    text = dead(run, t=35.8, oom_kills=0).verdict.text
    assert text.endswith(
        "The line is the last one seen: a call had held the interpreter for 4.8 s since."
    )


def test_a_call_that_held_it_from_the_start_is_told(tmp_path):
    run = MadeRun(tmp_path, header())
    run.sidecar(sample(0.1, 1e8))
    text = dead(run, t=3.0, oom_kills=0).verdict.text
    assert text.startswith("Killed after 3 s, not for want")
    assert text.endswith(
        "No line was seen: a call held the interpreter from the start, as it seems."
    )


def test_children_are_counted(run):
    run.sidecar(sample(31.15, 4 * GB, children_rss=3.9 * GB, children=4))
    text = dead(run, oom_kills=1, limit=8 * GB).verdict.text
    assert "the kernel and its child processes had 7.9 GB of the limit of 8 GB" in text


def test_a_kernel_that_died_with_its_sidecar_is_known_to_its_last_sample(run):
    run.silent(3600)
    profile = post_mortem(run.path)
    assert profile is not None
    assert profile.duration_s == pytest.approx(31.1)
    assert "the process that watched it ended, too" in profile.verdict.text


def test_a_kernel_without_a_sidecar_has_lines_only(tmp_path):
    run = MadeRun(tmp_path, header(source=None))
    run.kernel(2.0, line=3)
    run.silent(3600)
    profile = post_mortem(run.path)
    assert profile is not None
    assert profile.verdict.text == (
        "Killed after 2 s in line 3; no process watched it, so that nothing tells why."
    )
    assert profile.memory is None
    assert profile.cell.truncated


def test_torn_and_odd_rows_are_left_out(run):
    run.kernel(31.1, so_far={**SO_FAR, "lines": [[4], 7], "split": None, "holders": [["x"]]})
    with (run.path / "kernel.jsonl").open("a") as file:
        file.write('{"t": 10')
    profile = dead(run, oom_kills=0)
    assert profile.split == ()
    assert profile.memory is not None
    assert profile.memory.holders == ()


def test_only_a_killed_run_has_one(tmp_path):
    run = MadeRun(tmp_path, own_header())
    assert post_mortem(run.path) is None
    run.ended()
    assert post_mortem(run.path) is None
    assert post_mortem(tmp_path / "nothing") is None


def test_the_newest_profile_is_that_of_the_newest_run_that_has_one(tmp_path):
    assert newest(tmp_path) is None
    write_profile(MadeRun(tmp_path, header(1)).path, json.dumps(to_json(stored_profile())))
    MadeRun(tmp_path, own_header(3))
    found = newest(tmp_path)
    assert found is not None
    assert found.outcome == "ok"
    MadeRun(tmp_path, header(2)).gone(1.0)
    found = newest(tmp_path)
    assert found is not None
    assert found.outcome == "killed"
