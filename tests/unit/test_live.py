"""The live socket, told from run files that grow as a kernel and its sidecar would write them."""

import asyncio
import json
from itertools import pairwise

import pytest
from tornado.httpclient import HTTPClientError

from jupyter_mlprof.collect.sidecar_script import COLUMNS
from jupyter_mlprof.model.runfile import read_header, runs_folder, write_profile
from jupyter_mlprof.model.runs import SILENT_S
from jupyter_mlprof.server import index, live, routes, story, watch
from jupyter_mlprof.server.history import MOST, History
from jupyter_mlprof.server.story import Story
from jupyter_mlprof.server.tail import Tail
from tests.run_files import BEGUN, NOBODY, MadeRun, header, own_header, sample

KERNEL = "k-1-2-3-4"
SECONDS = 20


@pytest.fixture
def jp_server_config():
    extensions = {"jupyter_mlprof.server": True, "jupyter_server_terminals": False}
    return {"ServerApp": {"jpserver_extensions": extensions, "allow_unauthenticated_access": False}}


@pytest.fixture
def runs(jp_data_dir):
    return runs_folder(jp_data_dir)


@pytest.fixture
def watches(monkeypatch):
    """What the server watches with."""
    made = []

    class Recorded(watch.Watch):
        def __init__(self):
            super().__init__()
            made.append(self)

    monkeypatch.setattr(routes, "Watch", Recorded)
    return made


class Socket:
    """A client that keeps what it got."""

    def __init__(self, connection):
        self.connection = connection
        self.got = []

    async def until(self, kind):
        """Read on to the first message of a kind."""
        while True:
            text = await asyncio.wait_for(self.connection.read_message(), SECONDS)
            assert text is not None, "closed"
            self.got.append(json.loads(text))
            if self.got[-1]["type"] == kind:
                return self.got[-1]

    async def until_t(self, t_s):
        """Read on to the sample of a time, and return all times."""
        while True:
            await self.until("sample")
            times = [t for one in self.got if one["type"] == "sample" for t in one["t_s"]]
            if times[-1] >= t_s:
                return times


@pytest.fixture
def connect(jp_serverapp, jp_ws_fetch):
    sockets = []

    async def connect(kernel_id=KERNEL):
        sockets.append(Socket(await jp_ws_fetch("jupyter-mlprof", "live", kernel_id)))
        return sockets[-1]

    yield connect
    for socket in sockets:
        socket.connection.close()


async def test_a_run_is_told_from_start_to_end(runs, connect):
    socket = await connect()
    run = MadeRun(runs, own_header(name="train", execution_count=3))
    run.kernel(0.1, line=4)
    run.sidecar({"columns": []}, *(sample(n / 25, 1e8 + n, cpu=n / 50) for n in range(1, 26)))
    started = await socket.until("started")
    run_id = run.header.run_id
    assert {**started, "elapsed_s": 0, "started_at": 0} == {
        "type": "started",
        "run_id": run_id,
        "cell_id": "c1",
        "execution_count": 3,
        "name": "train",
        "title": "import time",
        "started_at": 0,
        "elapsed_s": 0,
    }
    assert 0 <= started["elapsed_s"] < SECONDS
    assert started["started_at"] == run.header.wall_clock
    line = await socket.until("line")
    assert line == {
        "type": "line",
        "run_id": run_id,
        "t_s": 0.1,
        "line": 4,
        "so_far": None,
        "lines": None,
    }
    run.kernel(1.0, so_far={"text": "So far.", "lines": [[4, 0.9]], "split": [], "holders": []})
    line = await socket.until("line")
    assert (line["line"], line["so_far"], line["lines"]) == (4, "So far.", [[4, 0.9]])
    run.ended(1.25, "error")
    assert await socket.until("ended") == {
        "type": "ended",
        "run_id": run_id,
        "outcome": "error",
        "duration_s": 1.25,
    }
    samples = [one for one in socket.got if one["type"] == "sample"]
    times = [t for one in samples for t in one["t_s"]]
    assert times == sorted(times)
    assert times[-1] > 0.85
    assert min(after - before for before, after in pairwise(times)) > 0.09
    series = samples[0]["series"]
    assert list(series) == [
        "rss",
        "cpu",
        "children_rss",
        "children_cpu",
        "children",
        "read",
        "write",
    ]
    assert series["cpu"][1:] == pytest.approx([0.5] * (len(series["cpu"]) - 1), abs=0.01)
    assert series["read"][0] is None


async def test_a_page_that_comes_later_sees_the_whole_curve(runs, connect):
    first = await connect()
    run = MadeRun(runs, own_header())
    run.kernel(0.1, line=4)
    run.kernel(0.2, so_far={"text": "So far.", "lines": [[4, 0.1]]})
    run.sidecar(*(sample(n / 25, n) for n in range(1, 100)))
    await first.until_t(3.9)
    run.kernel(0.3, line=5)
    second = await connect()
    line = await second.until("line")
    assert second.got[0]["type"] == "started"
    assert (line["line"], line["so_far"], line["lines"]) == (5, "So far.", [[4, 0.1]])
    run.sidecar(*(sample(n / 25, n) for n in range(100, 150)))
    seen = await second.until_t(5.9)
    assert await first.until_t(5.9)
    assert seen == sorted(seen)
    assert seen[0] < 0.3
    assert sum(one["type"] == "started" for one in first.got) == 1


async def test_the_replay_of_a_long_cell_is_bounded_and_keeps_the_peak(runs, connect):
    run = MadeRun(runs, own_header())
    run.sidecar(*(sample(n / 5, 9e9 if n == 12_345 else 1e9, cpu=n / 10) for n in range(40_000)))
    socket = await connect()
    times = await socket.until_t(7990)
    samples = [one for one in socket.got if one["type"] == "sample"]
    assert max(len(one["t_s"]) for one in samples) <= 500
    assert MOST / 2 <= len(times) < 4_000
    values = [value for one in samples for value in one["series"]["rss"]]
    assert max(values) == 9e9
    cpu = [value for one in samples for value in one["series"]["cpu"]][1:]
    assert cpu == pytest.approx([0.5] * len(cpu), abs=0.01)


async def test_only_the_newest_run_that_goes_on_is_told(runs, connect):
    MadeRun(runs, own_header(1)).ended()
    MadeRun(runs, own_header(2, kernel_id="other-1-2-3-4"))
    MadeRun(runs, header(3)).gone(1.0)
    socket = await connect()
    newest = MadeRun(runs, own_header(4))
    assert (await socket.until("started"))["run_id"] == newest.header.run_id


async def test_cells_that_follow_fast_are_all_told(runs, connect):
    socket = await connect()
    MadeRun(runs, own_header(1))
    await socket.until("started")
    for number in range(2, 6):
        MadeRun(runs, own_header(number)).ended()
    for number in range(2, 6):
        assert (await socket.until("started"))["run_id"] == f"{number:032x}"
        assert (await socket.until("ended"))["run_id"] == f"{number:032x}"


async def test_a_kernel_that_its_sidecar_saw_die_is_told(runs, connect):
    socket = await connect()
    run = MadeRun(runs, own_header())
    await socket.until("started")
    run.gone(2.5)
    gone = await socket.until("gone")
    assert (gone["run_id"], gone["t_s"]) == (run.header.run_id, 2.5)


async def test_a_kernel_that_died_with_its_sidecar_is_told(runs, connect):
    socket = await connect()
    run = MadeRun(runs, own_header(pid=NOBODY))
    run.kernel(1.5, line=4)
    await socket.until("line")
    run.silent(SILENT_S + 1)
    assert (await socket.until("gone"))["t_s"] == 1.5


@pytest.mark.parametrize("ending", ["profile", "removed", "next cell", "next kernel"])
async def test_a_run_whose_end_nobody_told_ends_all_the_same(runs, connect, ending):
    socket = await connect()
    run = MadeRun(runs, own_header(1))
    run.kernel(1.5, line=4)
    await socket.until("line")
    if ending == "profile":
        write_profile(run.path, "{}")
    elif ending == "removed":
        for file in run.path.iterdir():
            file.unlink()
        run.path.rmdir()
    else:
        MadeRun(runs, own_header(2, **({"pid": NOBODY} if ending == "next kernel" else {})))
    end = await socket.until("gone" if ending == "next kernel" else "ended")
    assert end["run_id"] == run.header.run_id
    assert end.get("outcome") is None


async def test_what_is_torn_or_odd_is_left_out(runs, connect):
    socket = await connect()
    run = MadeRun(runs, own_header())
    run.kernel(0.1, line=4)
    with (run.path / "kernel.jsonl").open("a") as file:
        file.write('nonsense\n[1]\n{"t": "x", "line": 1}\n{"t": 1, "ended": 3}\n{"t": ')
    run.sidecar({"gone": "x"}, [1, 2], [None] * 9, ["x"] * 9, sample(0.5, 7))
    await socket.until_t(0.5)
    with (run.path / "kernel.jsonl").open("a") as file:
        file.write(f'{run.header.monotonic + 2}, "line": 5}}\n')
    line = await socket.until("line")
    while line["line"] != 5:
        line = await socket.until("line")
    assert line["t_s"] == 2
    assert not {"ended", "gone"} & {one["type"] for one in socket.got}


async def test_files_are_read_only_while_somebody_listens(
    watches, runs, jp_serverapp, jp_ws_fetch, connect
):
    (only,) = watches
    assert not only.running
    sockets = [await connect(), await connect(), await connect("o-1-2-3-4")]
    assert only.running
    for socket in sockets:
        socket.connection.close()
    deadline = asyncio.get_running_loop().time() + SECONDS
    while only.running:
        assert asyncio.get_running_loop().time() < deadline
        await asyncio.sleep(0.02)
    assert only._channels == {}


async def test_a_client_that_takes_nothing_is_cut_off(watches, runs, connect, monkeypatch):
    monkeypatch.setattr(live, "MOST_UNSENT", -1)
    socket = await connect()
    MadeRun(runs, own_header())
    await socket.until("started")
    assert await asyncio.wait_for(socket.connection.read_message(), SECONDS) is None


async def refused(request):
    with pytest.raises(HTTPClientError) as error:
        await request
    return error.value.code


async def test_a_stranger_gets_no_socket(jp_serverapp, jp_ws_fetch):
    request = jp_ws_fetch("jupyter-mlprof", "live", KERNEL, headers={"Authorization": "token x"})
    assert await refused(request) == 403


async def test_another_sites_page_gets_no_socket(jp_serverapp, jp_ws_fetch, monkeypatch):
    # A page cannot know the token; it has the cookie only, and then its origin counts.
    monkeypatch.setattr(live.LiveHandler, "skip_check_origin", lambda _: False)
    headers = {"Origin": "http://elsewhere.example"}
    request = jp_ws_fetch("jupyter-mlprof", "live", KERNEL, headers=headers)
    assert await refused(request) == 403


async def test_who_may_not_read_gets_no_socket(jp_serverapp, jp_ws_fetch, monkeypatch):
    asked = []

    def denies(_handler, _user, action, resource):
        asked.append((action, resource))
        return False

    monkeypatch.setattr(jp_serverapp.authorizer, "is_authorized", denies)
    assert await refused(jp_ws_fetch("jupyter-mlprof", "live", KERNEL)) == 403
    assert asked == [("read", "mlprof")]


@pytest.mark.parametrize("kernel_id", ["x", "..", "a-b", "%2e%2e-1-2-3-4", "k-1-2-3-4/.."])
async def test_an_id_that_is_none_is_not_found(jp_serverapp, jp_ws_fetch, kernel_id):
    assert await refused(jp_ws_fetch("jupyter-mlprof", "live", kernel_id)) == 404


def test_headers_are_read_once(tmp_path, monkeypatch):
    monkeypatch.setattr(index, "folder", lambda: tmp_path)
    read = []

    def recorded(run):
        read.append(run.name)
        return read_header(run)

    monkeypatch.setattr(index, "read_header", recorded)
    known = index.RunIndex()
    known.refresh()
    MadeRun(tmp_path, header(2))
    MadeRun(tmp_path, header(1))
    torn = tmp_path / f"{3:032x}"
    torn.mkdir()
    for _ in range(3):
        known.refresh()
    assert sorted(read) == [f"{1:032x}", f"{2:032x}", *[f"{3:032x}"] * 3]
    assert [one.run_id for one in known.of_kernel(KERNEL)] == [f"{1:032x}", f"{2:032x}"]
    torn.rmdir()
    monkeypatch.setattr(index, "SETTLED_S", -1)
    known.refresh()
    monkeypatch.setattr(index, "run_ids", None)  # not asked for again
    known.refresh()


def test_a_tail_reads_each_line_once(tmp_path):
    path = tmp_path / "a.jsonl"
    tail = Tail(path)
    assert tail.read() == []
    path.write_bytes(b'[1]\n[2]\n{"a": "\xc3')
    assert tail.read() == [[1], [2]]
    with path.open("ab") as file:
        file.write(b'\xa9"}\nnonsense\n[3]\n')
    assert tail.read() == [{"a": "\xe9"}, [3]]
    assert tail.read() == []


def test_a_history_is_thinned_evenly():
    history = History(BEGUN)
    for n in range(50_000):
        history.add(sample(n / 10, n % 1000))
    points = history.points()
    assert MOST / 2 <= len(points) <= MOST + 1
    gaps = [after[0] - before[0] for before, after in pairwise(points)]
    assert max(gaps) < 2.5 * min(gaps[1:-1])


def test_a_run_of_another_host_counts_from_its_wall_clock(tmp_path):
    run = MadeRun(tmp_path, header(wall_clock=1000.0))
    (started,) = Story(run.path, run.header).news()
    assert started["elapsed_s"] > 1e9 - 1000
    assert story.QUIET_S < SILENT_S


def test_a_gpu_is_told_from_the_line_that_names_its_columns(runs):
    """Rows of nine columns before and between are as good as they were."""
    run = MadeRun(runs, own_header())
    run.sidecar({"columns": list(COLUMNS)}, *(sample(0.1 * n, 5) for n in range(1, 8)))
    told = Story(run.path, run.header)
    assert "gpu0_util" not in samples_of(told.news())
    gpu = ["gpu0_used", "gpu0_util", "gpu0_memory"]
    run.sidecar(
        {"columns": [*COLUMNS, *gpu], "gpus": []},
        *([*sample(0.1 * n, 6), *([1, 40, 3e9] if n % 2 else [])] for n in range(8, 21)),
    )
    series = samples_of(told.news())
    assert set(series["gpu0_util"]) == {40}
    assert set(series["gpu0_memory"]) == {3e9}
    assert set(series["rss"]) <= {5, 6}
    again = samples_of(told.replay())
    assert again["gpu0_util"][-1] == 40
    assert again["gpu0_util"][0] is None


def samples_of(messages):
    """Return the values of each series in all messages."""
    found: dict[str, list[float | None]] = {}
    for message in messages:
        for name, values in message.get("series", {}).items():
            found.setdefault(name, []).extend(values)
    return found
