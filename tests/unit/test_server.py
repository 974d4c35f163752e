"""The stored runs over HTTP, read by the real server from made-up run files."""

import json

import pytest
from tornado.httpclient import HTTPClientError

from jupyter_mlprof.model.codec import from_json
from jupyter_mlprof.model.runfile import RunHeader, create, runs_folder, write_profile
from tests.run_files import MadeRun, header, own_header

OLD, NEW, OTHER = "0" * 32, "1" * 32, "2" * 32


@pytest.fixture
def jp_server_config():
    """Start the server with our extension and nothing open to strangers."""
    return {
        "ServerApp": {
            "jpserver_extensions": {
                "jupyter_mlprof.server": True,
                "jupyter_server_terminals": False,
            },
            "allow_unauthenticated_access": False,
        }
    }


@pytest.fixture
def make_run(jp_data_dir, jp_root_dir):
    def make(run_id, *, notebook="train.ipynb", cell_id="cell-1", wall_clock=1.0):
        header = RunHeader(
            run_id=run_id,
            pid=1,
            pid_start=None,
            kernel_id=None,
            cell_id=cell_id,
            notebook=str(jp_root_dir / notebook),
            source_sha256="",
            wall_clock=wall_clock,
            monotonic=0.0,
        )
        return create(runs_folder(jp_data_dir), header)

    return make


@pytest.fixture
def three_runs(make_run):
    make_run(OLD, wall_clock=1.0)
    write_profile(make_run(NEW, wall_clock=2.0), '{"id": "the new one"}')
    make_run(OTHER, notebook="sub/other.ipynb", cell_id="cell-2", wall_clock=3.0)


async def listed(jp_fetch, *cell_ids, **params):
    pairs = [*params.items(), *(("cell_id", one) for one in cell_ids)]
    response = await jp_fetch("jupyter-mlprof", "runs", params=pairs)
    return [run["id"] for run in json.loads(response.body)["runs"]]


async def refused(jp_fetch, *path):
    with pytest.raises(HTTPClientError) as error:
        await jp_fetch("jupyter-mlprof", *path)
    return error.value.code


async def test_no_folder_is_an_empty_list(jp_fetch):
    assert await listed(jp_fetch) == []


async def test_runs_are_listed_newest_first(jp_fetch, three_runs):
    assert await listed(jp_fetch) == [OTHER, NEW, OLD]


async def test_runs_of_a_notebook_are_found_by_its_path_on_the_server(jp_fetch, three_runs):
    assert await listed(jp_fetch, notebook="train.ipynb") == [NEW, OLD]


async def test_runs_of_a_notebook_in_a_folder(jp_fetch, three_runs, jp_root_dir):
    (jp_root_dir / "sub").mkdir()
    assert await listed(jp_fetch, notebook="sub/other.ipynb") == [OTHER]


async def test_runs_of_a_cell(jp_fetch, three_runs, jp_root_dir):
    (jp_root_dir / "sub").mkdir()
    (jp_root_dir / "sub" / "other.ipynb").touch()
    assert await listed(jp_fetch, "cell-1", notebook="train.ipynb") == [NEW, OLD]
    assert await listed(jp_fetch, "cell-2", notebook="train.ipynb") == []
    assert await listed(jp_fetch, "cell-1", "cell-2") == [OTHER, NEW, OLD]


async def test_runs_of_a_renamed_notebook_are_found_by_their_cells(jp_fetch, three_runs):
    assert await listed(jp_fetch, "cell-2", "cell-3", notebook="renamed.ipynb") == [OTHER]
    assert await listed(jp_fetch, notebook="renamed.ipynb") == []


async def test_a_listed_run_says_how_it_stands(jp_fetch, jp_data_dir):
    runs = runs_folder(jp_data_dir)
    MadeRun(runs, header(1, name="train", execution_count=7)).ended(2.5)
    MadeRun(runs, own_header(2))
    MadeRun(runs, header(3, wall_clock=5.0)).gone(4.0)
    response = await jp_fetch("jupyter-mlprof", "runs")
    running, ended, killed = json.loads(response.body)["runs"]
    assert (running["state"], running["outcome"], running["duration_s"]) == ("running", None, None)
    assert (killed["state"], killed["outcome"], killed["duration_s"]) == ("killed", "killed", 4.0)
    assert ended == {
        "id": f"{1:032x}",
        "kernel_id": "k-1-2-3-4",
        "notebook": "/nowhere/a.ipynb",
        "cell_id": "c1",
        "execution_count": 7,
        "name": "train",
        "title": "import time",
        "started_at": 1001.0,
        "state": "ended",
        "duration_s": 2.5,
        "outcome": "ok",
        "verdict": "Fine.",
    }


async def test_a_killed_run_has_a_post_mortem(jp_fetch, jp_data_dir):
    run = MadeRun(runs_folder(jp_data_dir), header())
    run.kernel(0.1, line=5)
    run.gone(3.0, oom_kills=1)
    response = await jp_fetch("jupyter-mlprof", "runs", run.header.run_id)
    profile = from_json(json.loads(response.body))
    assert profile.outcome == "killed"
    assert profile.error is not None
    assert profile.error.line == 5


async def test_the_profile_of_a_run_comes_as_it_is_stored(jp_fetch, three_runs):
    response = await jp_fetch("jupyter-mlprof", "runs", NEW)
    assert response.body == b'{"id": "the new one"}'
    assert response.headers["Content-Type"] == "application/json"


async def test_a_run_that_goes_on_has_no_profile_yet(jp_fetch, three_runs):
    assert await refused(jp_fetch, "runs", OLD) == 404


async def test_an_unknown_run_is_not_found(jp_fetch):
    assert await refused(jp_fetch, "runs", "f" * 32) == 404


@pytest.mark.parametrize("run_id", ["x", "F" * 32, "0" * 31, "0" * 33, "..", f"{'0' * 32}%0A"])
async def test_an_id_that_is_none_is_refused(jp_fetch, run_id):
    assert await refused(jp_fetch, "runs", run_id) in (400, 404)


@pytest.mark.parametrize("way_out", ["..%2F..%2Fsecret", "%2e%2e/%2e%2e/secret", "..%5Csecret"])
async def test_an_id_never_leads_out_of_the_folder(jp_fetch, jp_data_dir, three_runs, way_out):
    secret = jp_data_dir / "mlprof" / "secret" / "profile.json"
    secret.parent.mkdir()
    secret.write_text(json.dumps("secret"))
    assert await refused(jp_fetch, "runs", way_out) in (400, 404)


async def test_a_torn_header_is_left_out_of_the_list(jp_fetch, make_run, three_runs):
    torn = make_run("3" * 32) / "kernel.jsonl"
    torn.write_text(torn.read_text()[:20])
    assert await listed(jp_fetch) == [OTHER, NEW, OLD]
