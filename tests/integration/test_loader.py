"""What is seen of torch's DataLoader, and what is advised, in a real kernel."""

import pytest

from jupyter_mlprof.model.source import apply_edits

pytestmark = pytest.mark.torch

SETUP = """
import subprocess
import sys
import time
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, IterableDataset, TensorDataset

class Remote(Dataset):
    def __init__(self, count=64, pause=0.005):
        self.count, self.pause = count, pause
    def __len__(self):
        return self.count
    def __getitem__(self, index):
        time.sleep(self.pause)
        return torch.zeros(8), index

class Stream(IterableDataset):
    def __iter__(self):
        for i in range(40):
            time.sleep(0.01)
            yield i

class Sampling(torch.utils.data.Sampler):
    def __iter__(self):
        for index in range(64):
            time.sleep(0.01)
            yield index

class Opened(Remote):
    def __init__(self):
        super().__init__(300)
        self.f = open("/proc/self/status")

class Nested(Remote):
    def __getitem__(self, index):
        for x in DataLoader(Remote(4, 0.005), 2): pass
        return index

class Subprocess(Remote):
    def __getitem__(self, index):
        subprocess.run([sys.executable, "-S", "-c", "sum(range(3_000_000))"])
        return index

def collate(items):
    time.sleep(0.01)
    return torch.utils.data.default_collate(items)

def train(loader):
    for x, y in loader:
        time.sleep(0.02)

model = nn.Linear(8, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
"""


@pytest.fixture(scope="module")
def torch_kernel(kernel):
    ran = kernel.run(SETUP)
    assert ran.reply["status"] == "ok", ran.stderr
    return kernel


def run(kernel, body):
    ran = kernel.run("%%mlprof\n" + body)
    assert ran.reply["status"] == "ok", ran.reply
    assert "mlprof:" not in ran.stderr
    return ran.profile


def the_loader(profile):
    (use,) = profile.loader
    return use


def test_waits_are_taken_apart(torch_kernel):
    profile = run(
        torch_kernel,
        "loader = DataLoader(Remote(), batch_size=8, collate_fn=collate)\n"
        "for epoch in range(2):\n    for x, y in loader:\n        time.sleep(0.02)\n",
    )
    use = the_loader(profile)
    assert (use.name, use.line, use.workers, use.loaders) == ("loader", 4, 0, 1)
    assert (use.dataset, use.dataset_in_notebook, use.batch_size) == ("Remote", True, 8)
    assert (use.epochs, use.batches, use.batch_bytes) == (2, 16, 8 * 8 * 4 + 8 * 8)
    # Sleeps are at least as long as asked for; a busy machine makes them longer.
    assert use.fetch_s is not None
    assert use.collate_s is not None
    assert use.fetch_cpu_s is not None
    assert 16 * 8 * 0.005 <= use.fetch_s <= use.wait_s
    assert 16 * 0.01 <= use.collate_s <= use.wait_s - use.fetch_s
    assert use.loop_s - use.wait_s >= 16 * 0.02
    assert use.cpu_share < 0.5
    assert use.built is not None
    assert (use.built.line, use.built.column) == (2, 9)
    assert not [one for one in profile.functions if "jupyter_mlprof" in one.file]
    assert profile.split[0].part == "data"
    assert profile.split[0].seconds == pytest.approx(use.wait_s)


@pytest.mark.parametrize(
    ("body", "line", "fixed"),
    [
        (
            "loader = DataLoader(Remote(200), batch_size=8)\ntrain(loader)\n",
            2,
            "DataLoader(Remote(200), batch_size=8, num_workers=",
        ),
        (
            "train(DataLoader(Remote(200), 8, False, None, None, 0))\n",
            2,
            "DataLoader(Remote(200), 8, False, None, None, ",
        ),
        (
            "loader = DataLoader(\n    Remote(200),\n    batch_size=8,  # few\n)\ntrain(loader)\n",
            2,
            "    batch_size=8,  # few\n    num_workers=",
        ),
        (
            "def make():\n    return DataLoader(Remote(300), batch_size=8)\nfor x in make(): 0\n",
            3,
            "return DataLoader(Remote(300), batch_size=8, num_workers=",
        ),
        (
            "import tqdm\nfor x in tqdm.tqdm(DataLoader(Remote(300), 8)): 0\n",
            3,
            "tqdm.tqdm(DataLoader(Remote(300), 8, num_workers=",
        ),
        (
            "a = '😀é'; loader = torch.utils.data.DataLoader(Remote(200), 8); train(loader)\n",
            2,
            "DataLoader(Remote(200), 8, num_workers=",
        ),
        (
            "for epoch in range(2):\n    for x in DataLoader(Remote(300), 8): pass\n",
            3,
            "DataLoader(Remote(300), 8, num_workers=",
        ),
    ],
)
def test_the_call_is_found_and_edited(torch_kernel, body, line, fixed):
    profile = run(torch_kernel, body)
    (finding,) = profile.findings
    assert (finding.rule, finding.kind) == ("input-pipeline/workers", "input-pipeline")
    assert finding.line == line
    assert finding.fix is not None
    after = apply_edits(profile.cell.source, finding.fix.edits)
    assert fixed in after
    assert after.startswith("%%mlprof\n")
    assert "waited for the DataLoader" in profile.verdict.text
    assert torch_kernel.run(after).reply["status"] == "ok"


def test_workers_are_seen_by_what_they_send(torch_kernel):
    profile = run(
        torch_kernel,
        "loader = DataLoader(Remote(96), batch_size=8, num_workers=2)\ntrain(loader)\n",
    )
    use = the_loader(profile)
    assert use.workers == 2
    assert use.fetch_s is not None
    assert use.fetch_s >= 96 * 0.005
    assert use.wait_s < use.fetch_s
    assert use.first_wait_s > 0


def test_workers_speed_the_fixed_cell_up(torch_kernel):
    body = "loader = DataLoader(Remote(160), batch_size=8)\ntrain(loader)\n"
    before = run(torch_kernel, body)
    (finding,) = before.findings
    assert finding.fix is not None
    after = apply_edits(before.cell.source, finding.fix.edits)
    fixed = torch_kernel.run(after).profile
    assert fixed.loader[0].workers > 0
    assert fixed.loader[0].wait_s < 0.7 * before.loader[0].wait_s


def test_a_loader_of_another_cell_is_pointed_at(torch_kernel):
    torch_kernel.run("# data\nelsewhere = DataLoader(Remote(), batch_size=8)")
    count = torch_kernel.value("len(In) - 2")
    profile = run(torch_kernel, "train(elsewhere)\n")
    (finding,) = profile.findings
    assert finding.fix is None
    assert (
        f"In [{count}], line 2 (`elsewhere = DataLoader(Remote(), batch_size=8)`)" in finding.advice
    )


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (
            (
                "data = TensorDataset(torch.randn(400_000, 8))\n"
                "for x in DataLoader(data, 64, collate_fn=len): pass\n"
            ),
            "in memory already",
        ),
        (
            "for x in DataLoader(Stream(), 8): pass\n",
            "IterableDataset",
        ),
    ],
)
def test_where_workers_do_not_help_they_are_not_advised(torch_kernel, body, why):
    profile = run(torch_kernel, body)
    assert profile.findings == ()
    assert why in profile.verdict.text


def test_a_loop_that_does_not_wait_gets_no_advice(torch_kernel):
    profile = run(
        torch_kernel,
        "data = TensorDataset(torch.randn(320, 64), torch.randn(320, 1))\n"
        "net = nn.Sequential(nn.Linear(64, 8000), nn.ReLU(), nn.Linear(8000, 1))\n"
        "for epoch in range(30):\n    for x, y in DataLoader(data, 32):\n"
        "        loss = nn.functional.mse_loss(net(x), y)\n        loss.backward()\n",
    )
    assert profile.findings == ()
    assert profile.verdict.rule in ("compute", "data")


def test_steps_are_counted(torch_kernel):
    profile = run(
        torch_kernel,
        "other = torch.optim.Adam(model.parameters())\n"
        "for step in range(12):\n    model(torch.zeros(4, 8)).sum().backward()\n"
        "    optimizer.step()\n    time.sleep(0.02)\n    if step % 2: other.step()\n",
    )
    assert profile.steps is not None
    assert profile.steps.count == 12
    assert len(profile.steps.seconds) == 11
    assert all(seconds >= 0.02 for seconds in profile.steps.seconds)
    assert 0 < profile.steps.optimizer_s < profile.duration_s


STATE = """
import json, os
from torch.utils.data import dataloader
from torch.utils.data._utils import fetch
from torch.optim import optimizer as o
print(json.dumps([
    repr(vars(dataloader.DataLoader)['__init__']), repr(vars(dataloader.DataLoader)['__iter__']),
    repr(vars(dataloader._BaseDataLoaderIter)['__next__']),
    repr(vars(dataloader._BaseDataLoaderIter)['__init__']),
    repr(vars(dataloader._MultiProcessingDataLoaderIter)['__init__']),
    repr(vars(sys.modules['torch._utils'].ExceptionWrapper)['__init__']),
    repr(vars(fetch._MapDatasetFetcher)['fetch']),
    repr(vars(fetch._IterableDatasetFetcher)['fetch']),
    len(o._global_optimizer_post_hooks), len(o._global_optimizer_pre_hooks),
    sum('history.sqlite' not in os.path.realpath(f'/proc/self/fd/{fd}')
        for fd in os.listdir('/proc/self/fd')),  # IPython opens and closes its own
]))
"""


def test_two_loaders_of_one_dataset_are_told_apart(torch_kernel):
    profile = run(
        torch_kernel,
        "data = Remote(40)\nfast = DataLoader(data, 4)\nslow = DataLoader(data, 8)\n"
        "for x, y in zip(fast, slow): pass\n",
    )
    fast, slow = profile.loader
    assert (fast.name, slow.name) == ("fast", "slow")
    assert fast.fetch_s is not None
    assert slow.fetch_s is not None
    assert fast.batches >= slow.batches == 5
    assert fast.fetch_s == pytest.approx(fast.wait_s, rel=0.2)
    assert slow.fetch_s == pytest.approx(slow.wait_s, rel=0.2)


def test_fast_batches_are_timed_in_part_and_summed_in_full(torch_kernel):
    profile = run(torch_kernel, "for x in DataLoader(range(20_000), 4, collate_fn=len): pass\n")
    use = the_loader(profile)
    assert use.batches == 5000
    assert use.fetch_s is not None
    assert 0.2 * use.wait_s < use.fetch_s < use.wait_s


def test_a_loader_inside_a_dataset_belongs_to_its_loading(torch_kernel):
    profile = run(torch_kernel, "for x in DataLoader(Nested(40), 8): pass\n")
    use = the_loader(profile)
    assert use.dataset == "Nested"
    assert use.wait_s <= profile.duration_s


def test_computing_in_child_processes_is_computing(torch_kernel):
    profile = run(torch_kernel, "for x in DataLoader(Subprocess(8), 2): pass\n")
    assert the_loader(profile).cpu_share > 0.5
    assert "storage" not in profile.verdict.text


def test_a_slow_sampler_is_told_from_slow_loading(torch_kernel):
    profile = run(
        torch_kernel,
        "for x in DataLoader(Remote(64, 0.0), 8, sampler=Sampling()): pass\n",
    )
    assert profile.findings == ()
    assert "sampler" in profile.verdict.text


def test_an_open_file_is_not_shared_out(torch_kernel):
    (finding,) = run(torch_kernel, "for x in DataLoader(Opened(), 4): pass\n").findings
    assert finding.fix is None
    assert "keeps f (TextIOWrapper) open" in finding.advice


def test_a_factory_of_loaders_is_one_finding(torch_kernel):
    profile = run(
        torch_kernel,
        "for size in (4, 8):\n    for x in DataLoader(Remote(150), size): pass\n",
    )
    assert len(profile.findings) == 1
    assert the_loader(profile).loaders == 2


def test_our_frames_are_hidden_in_tracebacks(torch_kernel):
    ran = torch_kernel.run("%%mlprof\nDataLoader([1], batch_size=-1)")
    (error,) = (m["content"] for m in ran.messages if m["msg_type"] == "error")
    assert error["ename"] == "ValueError"
    assert "jupyter_mlprof" not in "".join(error["traceback"])


@pytest.mark.parametrize("end", ["", "1 / 0", "raise KeyboardInterrupt"])
def test_torch_is_put_back(torch_kernel, end):
    torch_kernel.run("%%mlprof --quiet\nx = 1")
    before = torch_kernel.run(STATE).stdout
    torch_kernel.run(f"%%mlprof --quiet\ntrain(DataLoader(Remote(8), 4, num_workers=1))\n{end}")
    assert torch_kernel.run(STATE).stdout == before


def test_a_loader_left_before_its_end_is_summed(torch_kernel):
    profile = run(
        torch_kernel,
        "for x in DataLoader(Remote(), 8):\n    time.sleep(0.05)\n    break\n",
    )
    use = the_loader(profile)
    assert (use.batches, use.epochs) == (1, 1)
    assert use.loop_s >= use.wait_s > 0


def test_an_unusual_loader_runs_as_without_us(torch_kernel):
    torch_kernel.run(
        "class Odd(DataLoader):\n    @property\n    def pin_memory(self): raise OSError('odd')\n"
        "    @pin_memory.setter\n    def pin_memory(self, value): pass\n"
        "    def __iter__(self): return iter([1, 2])\n"
    )
    ran = torch_kernel.run("%%mlprof\nprint([x for x in Odd(Remote(8), 4)])")
    assert (ran.reply["status"], ran.stdout) == ("ok", "[1, 2]\n")
    torch_kernel.run("class Odder(Odd):\n    __iter__ = DataLoader.__iter__\n")
    bare = torch_kernel.run("for x in Odder(Remote(8), 4): pass").reply
    ran = torch_kernel.run("%%mlprof\nfor x in Odder(Remote(8), 4): pass")
    assert (ran.reply["status"], ran.reply.get("ename")) == (bare["status"], bare.get("ename"))


def test_torch_imported_by_the_cell_is_watched(fresh_kernel):
    fresh_kernel.run("%load_ext jupyter_mlprof")
    profile = run(fresh_kernel, SETUP + "train(DataLoader(Remote(40, 0.01), batch_size=8))\n")
    use = the_loader(profile)
    assert use.batches == 5
    assert use.built is not None
    assert "imports aside" in profile.verdict.text
    (finding,) = profile.findings
    assert finding.fix is not None
    names = [one.state for one in profile.collectors if one.name in ("loader", "steps")]
    assert names == ["ran", "ran"]
