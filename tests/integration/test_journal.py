"""What a run leaves in its folder while it runs, and what the profile says of time and memory."""

import json

import pytest

CELL = """%%mlprof{options}
import time
kept = []
for _ in range(30):
    kept.append(bytearray(1_000_000))
    time.sleep(0.05)
"""


def rows_of(kernel, profile):
    file = kernel.data_dir / "mlprof" / "runs" / profile.id / "kernel.jsonl"
    return [json.loads(row) for row in file.read_text().splitlines()]


@pytest.fixture(scope="module")
def ran(kernel):
    profile = kernel.run(CELL.format(options=" -n keeping")).profile
    return profile, rows_of(kernel, profile)


def test_the_header_says_what_a_list_shows(ran):
    profile, (header, *_) = ran
    assert (header["run_id"], header["name"]) == (profile.id, "keeping")
    assert header["execution_count"] == profile.cell.execution_count
    assert header["source"] == profile.cell.source


def test_the_line_is_told_while_it_runs(ran):
    _, rows = ran
    lines = [row["line"] for row in rows if "line" in row]
    assert 6 in lines
    assert set(lines) <= {2, 3, 4, 5, 6, None}


def test_what_was_seen_so_far_is_told(ran):
    _, rows = ran
    (first, *_) = (row["so_far"] for row in rows if "so_far" in row)
    assert first["text"].startswith("So far ")
    assert "line 6 (`time.sleep(0.05)`)" in first["text"]
    name, size, kind = first["holders"][0]
    assert (name, kind.split(" of ")[0]) == ("kept", "list")
    assert size > 5_000_000


def test_the_end_is_told_last(ran):
    profile, rows = ran
    assert rows[-1]["ended"]["outcome"] == "ok"
    assert rows[-1]["ended"]["verdict"] == profile.verdict.text


def test_the_holders_are_in_the_profile(ran):
    profile, _ = ran
    holder = profile.memory.holders[0]
    assert (holder.name, holder.type) == ("kept", "list of 30")
    assert holder.bytes == pytest.approx(30_000_000, rel=0.01)


def test_the_spans_tell_the_time_of_the_lines(ran):
    profile, _ = ran
    spans = profile.spans
    for one in profile.lines:
        told = sum(
            seconds
            for _, _, lines, seconds in spans.samples
            if lines >= 0 and one.line in spans.line_sets[lines]
        )
        assert told == pytest.approx(one.wall_s, abs=0.05)
    last = max(span for span, *_ in spans.samples)
    # Stopping takes a moment, in which one more span may begin.
    assert (last - 1) * spans.step_s <= profile.duration_s <= (last + 2) * spans.step_s


def test_no_source_is_told_where_it_is_to_be_left_out(kernel):
    profile = kernel.run(CELL.format(options=" --no-source")).profile
    text = json.dumps(rows_of(kernel, profile))
    assert "sleep" not in text
    assert "line 6" in text


TENSORS = """%%mlprof
import torch
whole = torch.zeros(1000, 1000)
part, same = whole[10:], whole.numpy()
network = torch.nn.Linear(1000, 1000)
optimizer = torch.optim.Adam(network.parameters())
network(whole).sum().backward()
optimizer.step()
"""


@pytest.mark.torch
def test_tensors_count_by_their_storage(kernel):
    holders = {one.name: one for one in kernel.run(TENSORS).profile.memory.holders}
    assert (holders["whole"].bytes, holders["whole"].type) == (
        4_000_000,
        "Tensor 1000 x 1000 float32",
    )
    assert {"part", "same"}.isdisjoint(holders)
    assert holders["network"].bytes == pytest.approx(8e6, rel=0.01)  # with its gradients
    assert holders["optimizer"].bytes == pytest.approx(8e6, rel=0.01)  # two moments
